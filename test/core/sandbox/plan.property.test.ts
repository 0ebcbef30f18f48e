import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isInside, isInsideAny, parentOf } from "../../../src/core/domain/path/path-components.ts"
import { bwrapArguments } from "../../../src/core/sandbox/platform/bwrap.ts"
import { accessTo, mountsOf } from "../../../src/core/sandbox/mounts.ts"
import {
  HOLE_NAMES,
  isMaskedIn,
  type PlaceKind,
  type SandboxRequest,
  wantedRoots
} from "../../../src/core/sandbox/guarded-paths.ts"
import { planSandbox } from "../../../src/core/sandbox/plan.ts"
import { type Entries, factsOf, requestWith, type World } from "./fixture.ts"

/** Laws of every plan, over arbitrary settings and file systems. */
const directory = fc.constantFrom(
  ..."/work/app /work/app/sub /work/app/sub/deep /home/me /home/me/.ssh /srv/data".split(" ")
)
const name = fc.constantFrom(...HOLE_NAMES, ".git", "HEAD", "config", "src", ".env", "id_rsa")
const path = fc.tuple(directory, name).map(([where, what]) => `${where}/${what}`)
const place = fc.oneof(directory, path)
const places = fc.uniqueArray(place, { maxLength: 4 })
const slashed = places.chain((all) => fc.boolean().map((slash) => (slash ? all.map((one) => `${one}/`) : all)))
const kind: fc.Arbitrary<PlaceKind> = fc.constantFrom("file", "directory")

const REPOSITORY: Entries = {
  "/work/app/.git": "directory",
  "/work/app/.git/config": "file",
  "/work/app/.git/info": "directory"
}

const world: fc.Arbitrary<World> = fc
  .tuple(fc.uniqueArray(fc.tuple(path, kind), { maxLength: 8, selector: ([one]) => one }), fc.boolean())
  .map(([entries, isRepository]) => ({
    entries: {
      ...Object.fromEntries(entries),
      ...(isRepository ? REPOSITORY : {})
    },
    found: entries.map(([one]) => one).filter((one) => isInside("/work/app", one) && !one.endsWith("/.git")),
    repositories: isRepository ? [{ workTree: "/work/app", commonDir: "/work/app/.git", linked: [] }] : [],
    nested: isRepository ? ["/work/app/.git/modules/sub", "/work/app/sub/.git"] : []
  }))

const request = fc
  .record({
    workingDirs: fc.constantFrom(["/work/app"], ["/work/app", "/home/me"], ["/work/app", "/work/app/sub"]),
    profile: fc.constantFrom("workspace" as const, "readonly" as const),
    editable: places,
    filesystem: fc.record({ allowWrite: slashed, denyWrite: slashed, allowRead: slashed, denyRead: slashed })
  })
  .map(({ filesystem, ...changes }) => requestWith(changes, filesystem))

const planned = (asked: SandboxRequest, there: World) => {
  const facts = factsOf(asked, there)
  const plan = planSandbox(asked, facts)
  return { asked, there, facts, plan, mounts: mountsOf(plan) }
}

const always = (law: (made: ReturnType<typeof planned>) => void): void =>
  fc.assert(fc.property(request, world, (asked, there) => law(planned(asked, there))))

const trimmed = (text: string): string => text.replace(/\/$/, "")

describe("every plan", () => {
  it("lets nobody write what is protected, whether it exists or not", () => {
    always(({ asked, there, mounts }) => {
      for (const where of asked.workingDirs) {
        for (const what of HOLE_NAMES) {
          const target = `${where}/${what}`
          if (!isMaskedIn(what, where === asked.home) && there.entries[target] === undefined) continue
          expect(accessTo(mounts, target), target).not.toBe("write")
          expect(accessTo(mounts, `${target}/below`), target).not.toBe("write")
        }
      }
    })
  })

  it("lets nobody write protected names that were found further down", () => {
    always(({ there, mounts }) => {
      for (const one of there.found ?? []) {
        const isHole = HOLE_NAMES.some((hole) => one.endsWith(`/${hole}`))
        if (isHole) expect(accessTo(mounts, one), one).not.toBe("write")
      }
    })
  })

  it("keeps every directory above something closed where it is, up to what is writable as a whole", () => {
    always(({ plan }) => {
      const closed = [...plan.holes, ...plan.hidden].map((target) => target.path)
      for (const one of [...closed, ...plan.masked]) {
        for (let up = parentOf(one); isInsideAny(plan.writable, up) && !plan.writable.includes(up); up = parentOf(up)) {
          const isFixed = plan.pinned.includes(up) || isInsideAny([...closed, ...plan.masked], up)
          expect(isFixed, `${up} above ${one}`).toBe(true)
        }
      }
    })
  })

  it("guards directories that settings and rules open like the working directories", () => {
    always(({ asked, there, facts, mounts }) => {
      const opened = [...asked.settings.filesystem.allowWrite.map(trimmed), ...asked.editable]
      for (const where of opened) {
        if (facts.places.get(where)?.kind !== "directory") continue
        for (const what of [".claude", ".mcp.json", ".envrc"]) {
          const isExisting = there.entries[`${where}/${what}`] !== undefined
          const isOutermost = !isInsideAny([...asked.workingDirs, ...opened.filter((one) => one !== where)], where)
          if (isOutermost || (isExisting && (there.found ?? []).includes(`${where}/${what}`))) {
            expect(accessTo(mounts, `${where}/${what}`), `${where}/${what}`).not.toBe("write")
          }
        }
      }
    })
  })

  it("lets nothing run when a denial could not be looked for everywhere", () => {
    const asked = requestWith({}, { denyRead: ["/**/*.pem"] })
    const facts = { ...factsOf(asked, { entries: {} }), unsearched: ["/**/*.pem"] }
    expect(planSandbox(asked, facts).problems).toEqual([
      "/**/*.pem stands for places in too many directories to look through before each command. " +
        "Fix: name the directory in the rule, or fewer of them"
    ])
  })

  it("lets nobody write what makes git run programs, nor make a repository where there is none", () => {
    always(({ asked, facts, mounts }) => {
      const isRepository = facts.repositories.length > 0
      for (const part of ["config", "hooks/pre-commit", "info/attributes", "commondir", "config.worktree"]) {
        for (const inner of facts.nested) expect(accessTo(mounts, `${inner}/${part}`), inner).not.toBe("write")
      }
      const parts = isRepository
        ? [".git/config", ".git/hooks/pre-commit", ".git/info/attributes", ".git/commondir", ".git/config.worktree"]
        : [".git/config", "HEAD"]
      for (const part of parts) expect(accessTo(mounts, `/work/app/${part}`), part).not.toBe("write")
      const { denyWrite, denyRead } = asked.settings.filesystem
      const isLeftAlone = asked.profile === "workspace" && denyWrite.length === 0 && denyRead.length === 0
      if (isRepository && isLeftAlone) expect(accessTo(mounts, "/work/app/.git/objects/ab")).toBe("write")
    })
  })

  it("obeys denials: not written, not read", () => {
    always(({ asked, facts, mounts }) => {
      for (const one of asked.settings.filesystem.denyWrite.map(trimmed)) {
        const ownDirectory = asked.workingDirs.includes(one) && one.includes("/.claude/worktrees/")
        if (!ownDirectory) expect(accessTo(mounts, one), one).not.toBe("write")
      }
      for (const one of asked.settings.filesystem.denyRead.map(trimmed)) {
        if (facts.places.get(one)?.kind !== "missing") expect(accessTo(mounts, one), one).toBe("none")
      }
    })
  })

  it("shows nothing in what is hidden, except what is meant to be seen or written there", () => {
    fc.assert(
      fc.property(request, world, place, (asked, there, one) => {
        const { plan, mounts } = planned(asked, there)
        for (const { path: outer } of plan.hidden) {
          const inner = [...plan.writable, ...plan.shown.map((target) => target.path)]
          const isOpened = inner.some((target) => isInside(outer, target) && isInside(target, one))
          if (isInside(outer, one) && !isOpened) expect(accessTo(mounts, one), `${one} in ${outer}`).toBe("none")
        }
      })
    )
  })

  it("lets nobody write outside the directories that were asked for", () => {
    const anywhere = fc.oneof(place, fc.constantFrom("/", "/etc/passwd", "/work", "/home/me/.bashrc"))
    fc.assert(
      fc.property(request, world, anywhere, (asked, there, one) => {
        const { facts, mounts } = planned(asked, there)
        const roots = wantedRoots(asked, facts.repositories)
        if (accessTo(mounts, one) === "write") expect(isInsideAny(roots, one)).toBe(true)
      })
    )
  })

  it("writes only in the temporary directory and reaches no host when it is for reading", () => {
    always(({ asked, plan }) => {
      if (asked.profile !== "readonly") return
      expect(plan.writable).toEqual([asked.tempDir])
      expect(plan.network.allowed).toEqual([])
    })
  })

  it("masks only what does not exist, and everything missing stays below something closed", () => {
    always(({ there, plan }) => {
      for (const one of plan.masked) expect(there.entries[one], one).toBeUndefined()
      for (const hole of plan.holes) expect(plan.masked).not.toContain(hole.path)
    })
  })

  it("becomes arguments in which outer mounts come first and nothing is bound for writing twice", () => {
    always(({ plan, mounts }) => {
      mounts.forEach(({ path: outer }, at) => {
        for (const earlier of mounts.slice(0, at)) expect(isInside(outer, earlier.path), outer).toBe(false)
      })
      const args = bwrapArguments(plan, { cwd: "/", filterDescriptor: 3, writableFiles: [], keepProc: false })
      const bound = args.flatMap((word, at) => (word === "--bind" ? [args[at + 1] ?? ""] : []))
      for (const one of bound) expect(isInsideAny([...plan.writable], one), one).toBe(true)
      expect(new Set(bound).size).toBe(bound.length)
    })
  })

  it("gets no wider when a denial is added", () => {
    fc.assert(
      fc.property(request, world, place, place, (asked, there, denial, probe) => {
        const { filesystem } = asked.settings
        const stricter = {
          ...asked,
          settings: { ...asked.settings, filesystem: { ...filesystem, denyWrite: [...filesystem.denyWrite, denial] } }
        }
        const before = accessTo(mountsOf(planSandbox(asked, factsOf(asked, there))), probe)
        const after = accessTo(mountsOf(planSandbox(stricter, factsOf(stricter, there))), probe)
        if (after === "write") expect(before).toBe("write")
      })
    )
  })
})
