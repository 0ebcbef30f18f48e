import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { MOST_HOPS } from "../../../../src/core/context/instructions/collect.ts"
import { begin, beginNested } from "../../../../src/core/context/instructions/discover.ts"
import type { Done, Entry } from "../../../../src/core/context/instructions/search.ts"
import { isInsideAny } from "../../../../src/core/domain/path/path-components.ts"
import { CWD, type Disk, finish, HOME, placeOf, smallDisk } from "./small-disk.ts"

/** Paths that files, links and imports are drawn from, so that they meet. */
const NAMES = [
  "CLAUDE.md",
  "AGENTS.md",
  "CLAUDE.local.md",
  ".claude/CLAUDE.md",
  ".claude/rules/r.md",
  ".claude/rules/d/s.md",
  ".claude/rules/link",
  "docs/a.md",
  "docs/b.md",
  "docs"
]
const FOLDERS = [CWD, `${CWD}/sub`, `${CWD}/sub/deep`, "/home", HOME, "/srv/x", `${HOME}/.claude`]

const anyPath = fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES)).map(([folder, name]) => `${folder}/${name}`)

const anyText = fc
  .tuple(
    fc.option(fc.constantFrom("paths: '**/*.ts'", "paths: sub", "title: x", "a: [")),
    fc.array(fc.tuple(anyPath, fc.constantFrom("@P", "see @P.", "`@P`", "```\n@P\n```", "<!-- @P -->", "x@P")), {
      maxLength: 3
    }),
    fc.nat(9)
  )
  .map(([front, references, salt]) => {
    const body = references.map(([path, form]) => form.replace("P", path)).join("\n")
    return `${front === null ? "" : `---\n${front}\n---\n`}text ${salt}\n\n${body}\n`
  })

const anyNode = fc.oneof(
  { weight: 4, arbitrary: anyText },
  { weight: 2, arbitrary: fc.oneof(anyPath, fc.constantFrom(...FOLDERS, "/", "..", ".")).map((link) => ({ link })) },
  { weight: 1, arbitrary: fc.record({ text: anyText, owner: fc.nat(3) }) }
)

/** A path below a file or a link would make two of one. */
const withoutClashes = (disk: Disk): Disk =>
  Object.fromEntries(
    Object.entries(disk).filter(([path]) => !Object.keys(disk).some((other) => path.startsWith(`${other}/`)))
  )

const anyDisk = fc.dictionary(anyPath, anyNode, { maxKeys: 24, noNullPrototype: true }).map(withoutClashes)

const anyApproval = fc.oneof(
  fc.constant("everything" as const),
  fc.array(anyPath, { maxLength: 2 }).map((paths) => new Set(paths))
)

const TOUCHED = `${CWD}/sub/deep/x.ts`

const outcome = (
  disk: Disk,
  over: Parameters<typeof placeOf>[0] = {},
  order?: (all: ReadonlyArray<Entry>) => ReadonlyArray<Entry>
) => {
  const small = smallDisk(disk, order)
  const place = placeOf(over)
  const session = finish(begin(place), small.answer)
  const known = new Set(session.files.map(({ path }) => path))
  const request = { place, touched: { path: TOUCHED, realPath: TOUCHED }, known, rules: session.rules }
  return { small, session, nested: finish(beginNested(request), small.answer) }
}

const hopsOf = (done: Done): ReadonlyArray<number> =>
  done.files.map((file) => {
    let hops = 0
    for (let at = file.parent; at !== undefined; hops++) at = done.files.find(({ path }) => path === at)?.parent
    return hops
  })

describe("any tree of files, links and imports", () => {
  it("gives the same whatever the order of its entries", () => {
    fc.assert(
      fc.property(anyDisk, (disk) => {
        const [one, other] = [outcome(disk), outcome(disk, {}, (all) => all.toReversed())]
        expect([other.session, other.nested]).toEqual([one.session, one.nested])
      })
    )
  })

  it("gives each file once, and imports of no more than the hops allowed", () => {
    fc.assert(
      fc.property(anyDisk, anyApproval, (disk, approved) => {
        const { session, nested, small } = outcome(disk, { approved })
        const all = [...session.files, ...nested.files].map(({ path }) => path)
        expect(all.length).toBe(new Set(all).size)
        const real = session.files.map(({ path }) => {
          const wants = {
            _tag: "Wants" as const,
            present: [path],
            entries: [],
            bytes: [],
            next: () => session && begin(placeOf())
          }
          return small.answer(wants).present.get(path)?.realPath
        })
        expect(real.length).toBe(new Set(real).size)
        expect(Math.max(0, ...hopsOf(session))).toBeLessThanOrEqual(MOST_HOPS)
      })
    )
  })

  it("opens nothing outside of its roots, the folders above it and what was approved", () => {
    fc.assert(
      fc.property(anyDisk, anyApproval, fc.boolean(), (disk, approved, isRestricted) => {
        const over = { approved, isRestricted, sources: new Set(["project", "local"] as const) }
        const { small, session, nested } = outcome(disk, over)
        const allowed = approved === "everything" || isRestricted ? [] : [...approved]
        if (approved === "everything" && !isRestricted) return
        const strangers = [...small.opened].filter((path) => !isInsideAny([CWD, "/home", ...allowed], path))
        expect(strangers).toEqual([])
        if (isRestricted) expect([session.askFor, nested.askFor]).toEqual([[], []])
      })
    )
  })

  it("imports nothing from code and comments", () => {
    const forms = ["`@P`", "``x ` @P``", "```\n@P\n```", "~~~~\n```\n@P\n~~~~", "text\n\n    @P", "<!-- @P -->", "<!--\n@P\n-->", "a <!-- @P --> b", "me@P", "(@P)"] // prettier-ignore
    for (const form of forms) {
      const disk = { [`${CWD}/CLAUDE.md`]: `start\n\n${form.replace("P", "docs/a.md")}\n`, [`${CWD}/docs/a.md`]: "imported" }
      expect([form, outcome(disk).session.files.length]).toEqual([form, 1])
    }
  })
})
