import { describe, expect, it } from "vitest"
import { patternsOf, ruleMatches } from "../../../../src/core/context/instructions/path-rules.ts"
import { readInstructionText } from "../../../../src/core/context/instructions/read-text.ts"
import { importsOf } from "./small-disk.ts"

const matches = (paths: unknown, file: string): boolean =>
  ruleMatches({ path: "/w/.claude/rules/r.md", base: "/w", patterns: patternsOf(paths), files: [] }, [`/w/${file}`])

describe("paths of a rule", () => {
  it.each<[paths: unknown, yes: ReadonlyArray<string>, no: ReadonlyArray<string>]>([
    ["src/**", ["src/a.ts", "src/a/b.ts"], ["lib/src/a.ts", "srca"]],
    ["src/*.ts", ["src/a.ts"], ["src/a/b.ts", "src/a.js"]],
    ["*.ts", ["a.ts", "deep/down/a.ts"], ["a.tsx"]],
    ["docs", ["docs/a.md", "x/docs/y/a.md", "docs"], ["docsx/a.md"]],
    ["docs/", ["docs/a.md"], ["a/doc"]],
    ["src/api", ["src/api/a.ts"], ["x/src/api/a.ts"]],
    ["/top.ts", ["top.ts"], ["a/top.ts"]],
    ["./src/a.ts", ["src/a.ts"], ["a.ts"]],
    ["src/**/*.{ts,tsx}", ["src/a.ts", "src/x/y/b.tsx"], ["src/a.js"]],
    ["a.ts, b/*.js", ["a.ts", "b/x.js"], ["x.js"]],
    ["\"a.ts\", 'b.ts'", ["a.ts", "b.ts"], ["c.ts"]],
    [["a/**", "b/**"], ["a/x", "b/x"], ["c/x"]],
    [["src/**", "!src/gen/**"], ["src/a.ts"], ["src/gen/a.ts"]],
    ["src/[ab].ts", ["src/a.ts"], ["src/c.ts"]],
    ["src/a?.ts", ["src/ab.ts"], ["src/a.ts"]],
    [["[", "b.ts"], ["b.ts"], ["a.ts"]],
    ["../x.ts", [], ["x.ts"]]
  ])("%j", (paths, yes, no) => {
    expect(yes.filter((file) => !matches(paths, file))).toEqual([])
    expect(no.filter((file) => matches(paths, file))).toEqual([])
  })

  it.each([[undefined], [null], [7], [{ a: 1 }], [""], ["/"], [[]], [[null]]])("%j is none", (paths) => {
    expect(patternsOf(paths)).toEqual([])
  })
})

describe("an instruction file as the model reads it", () => {
  it("has neither front matter nor comments, and says that something is missing", () => {
    const read = readInstructionText("---\ntitle: x\n---\n\n# Rules\n<!-- for people -->\n- one <!-- stays -->\n")
    expect(read).toMatchObject({ text: "# Rules\n- one <!-- stays -->", isPartial: true })
    expect(readInstructionText("# Rules\n").isPartial).toBe(false)
  })

  it.each<[text: string, imports: ReadonlyArray<string>]>([
    ["see @a.md and @docs/b.md, or @c.md.", ["a.md", "docs/b.md", "c.md"]],
    ["@~/notes.md\n@/abs/x.md\n@../up.md\n@./here.md", ["~/notes.md", "/abs/x.md", "../up.md", "./here.md"]],
    [String.raw`@docs/my\ file.md next`, ["docs/my file.md"]],
    ["(@a.md) **@b.md** me@c.md @@d.md", []],
    ["@a.md @a.md @b.md#part", ["a.md", "b.md"]],
    ["`@a.md` ``@b.md`` @c.md", ["c.md"]],
    ["a `open\n@b.md", ["b.md"]],
    ["- list\n    - @deep.md", ["deep.md"]],
    ["> @quoted.md", ["quoted.md"]],
    ["@größe.md", ["größe.md"]]
  ])("%j imports", (text, imports) => {
    expect(importsOf(text)).toEqual(imports)
  })
})
