import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { childPermission } from "../../../../src/core/agents/agent-kind.ts"
import { resolvePath } from "../../../../src/core/domain/path/path-components.ts"
import type { Grant } from "../../../../src/core/context/side/side-task.ts"
import type { Need } from "../../../../src/core/permission/need.ts"
import type { HookVerdict } from "../../../../src/core/permission/permission-request.ts"
import { PERMISSION_MODES } from "../../../../src/core/permission/verdict.ts"
import type { World } from "../../../support/plain-facts.ts"
import { decidePlainly, edit, fetch, read, requestIn, type Setting, shell } from "../fixture.ts"

/** Whoever works on a side task writes within its grant, whatever rules, modes and hooks would allow others. */
const MEMORY = "/home/u/.claude/projects/work/memory"
const NOTES = "/home/u/.claude/projects/work/session/notes.md"
const GRANTS: ReadonlyArray<Grant> = [
  { _tag: "Directory", path: MEMORY },
  { _tag: "EditFile", path: NOTES }
]

interface Given {
  readonly setting: Setting
  readonly grant: Grant
  readonly hook?: HookVerdict | undefined
}

const decided = ({ setting, grant, hook }: Given, need: Need, world?: World) => {
  const request = requestIn(setting, { need, ...(hook === undefined ? {} : { hook }) })
  const kind = { name: "side", side: { kind: "memory_extract", grant, isFork: false } } as const
  return decidePlainly({ ...request, context: childPermission(request.context, kind) }, world)
}

const LOOSEST = ["Bash", "Edit", "Write", "Read", "WebFetch", "Edit(//**)", "Bash(*)"]
const given: fc.Arbitrary<Given> = fc.record({
  setting: fc.record({
    mode: fc.constantFrom(...PERMISSION_MODES),
    allow: fc.subarray(LOOSEST),
    dirs: fc.subarray(["/", "/home/u"])
  }),
  grant: fc.constantFrom(...GRANTS),
  hook: fc.option(fc.constant<HookVerdict>({ verdict: "allow", reason: "a hook" }), { nil: undefined })
})

const piece = fc.constantFrom(
  "..",
  ".",
  "memory",
  "MEMORY.md",
  "a.md",
  "",
  "~",
  "notes.md",
  "session",
  "work",
  "*",
  "$X",
  "\0"
)
const path = fc
  .tuple(
    fc.constantFrom("", "/", `${MEMORY}/`, "/home/u/.claude/projects/work/", "./", "~/"),
    fc.array(piece, { maxLength: 6 })
  )
  .map(([start, pieces]) => start + pieces.join("/"))

const isWithin = ({ path: own, _tag }: Grant, place: string): boolean =>
  _tag === "EditFile" ? place === own : place.startsWith(`${own}/`)

describe("a grant", () => {
  it("is the only place where anything is written, however the place is spelled and wherever it leads", () => {
    fc.assert(
      fc.property(given, path, fc.option(path, { nil: undefined }), (some, spelled, leadsTo) => {
        const place = resolvePath("/work", spelled)
        const real = leadsTo === undefined ? place : resolvePath("/work", leadsTo)
        const world = { paths: [{ path: place, realPath: real, exists: true }] }
        if (decided(some, edit(spelled), world).verdict !== "allow") return
        expect([place, real].map((one) => isWithin(some.grant, one))).toEqual([true, true])
      }),
      { numRuns: 2_000 }
    )
    for (const grant of GRANTS) {
      const own = grant._tag === "EditFile" ? grant.path : `${grant.path}/a.md`
      for (const mode of PERMISSION_MODES) {
        expect(decided({ setting: { mode }, grant }, edit(own)).verdict, `${mode} ${own}`).toBe("allow")
      }
    }
  })

  it("lets commands run that are proven to read, and nothing else that does something", () => {
    fc.assert(
      fc.property(
        given,
        fc.constantFrom<Need>(
          shell("rm -rf x"),
          shell("npm test"),
          shell("cat a > b"),
          shell("cd /tmp"),
          shell("echo x | tee a.md"),
          shell(`echo x > ${MEMORY}/a.md`),
          shell("git commit -m x"),
          shell("sh -c 'ls'"),
          shell("$X"),
          shell("curl https://a.example"),
          fetch("a.example"),
          { kind: "interaction" },
          { kind: "other" }
        ),
        (some, need) => {
          expect(decided(some, need).verdict).toBe("deny")
        }
      )
    )
    const grant: Grant = { _tag: "Directory", path: MEMORY }
    for (const need of [shell("git log --oneline"), shell("ls"), read("/work/a.ts"), read(`${MEMORY}/a.md`)]) {
      expect(decided({ setting: {}, grant }, need).verdict, JSON.stringify(need)).toBe("allow")
    }
  })

  it("does not lift a deny rule, and nobody is asked", () => {
    const grant: Grant = { _tag: "Directory", path: MEMORY }
    expect(decided({ setting: { deny: ["Edit(//home/**)"] }, grant }, edit(`${MEMORY}/a.md`)).verdict).toBe("deny")
    expect(decided({ setting: {}, grant }, read("/etc/passwd")).verdict).toBe("deny")
  })
})
