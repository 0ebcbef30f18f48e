import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { codeSpans } from "../../../../src/core/context/mentions/code-spans.ts"
import { mentionKey, mentionsIn } from "../../../../src/core/context/mentions/parse.ts"

const keys = (text: string): ReadonlyArray<string> =>
  mentionsIn(text).map((mention) => mentionKey(mention).replace(/^file:/, ""))

const CASES: ReadonlyArray<readonly [text: string, found: ReadonlyArray<string>]> = [
  ["@a.txt", ["a.txt"]],
  ["see @src/a.ts and\n@b.md\tor @dir/", ["src/a.ts", "b.md", "dir/"]],
  ["look at @a.txt, then @b.txt.", ["a.txt", "b.txt"]],
  ["is it @a.txt? No: @b.txt!", ["a.txt", "b.txt"]],
  ["@/abs/a @~/b @../c @./d", ["/abs/a", "~/b", "../c", "./d"]],
  ['@"a b.txt" please', ["a b.txt"]],
  ['@"a.txt"#L2-3', ["a.txt"]],
  ["@a.txt#L2-3 @a.txt#L4, @a.txt#10-20", ["a.txt#L2-3", "a.txt#L4-4", "a.txt#L10-20"]],
  ["@a.txt#L5-2 @a.txt#L0", ["a.txt#L2-5", "a.txt#L1-1"]],
  ["@a.txt:2-3", ["a.txt:2-3"]],
  [String.raw`@sp\ ace.txt`, ["sp\\"]],
  ["@C#/x.cs @notes#heading", ["C#/x.cs", "notes#heading"]],
  ["@a @a @a#L1 @a#L1", ["a", "a#L1-1"]],
  ["user@mail.org, (@a.txt) [@b.txt] x@c.txt", []],
  ['@ @. @, @"" @" @#L3', []],
  ["`@a.txt` and ` @b.txt ` but @c.txt", ["c.txt"]],
  ["```ts\n@Injectable()\n``` @a.txt", ["a.txt"]],
  ["an odd ` tick\n@a.txt and ` another", ["a.txt"]],
  ["`` a ` @x.txt `` @y.txt", ["y.txt"]],
  ['@"open and @a.txt', ["a.txt"]],
  ["@agent-Explore have a look, and @agent-code:review.", ["agent:agent-Explore", "agent:agent-code:review"]],
  ["@agent-notes.md @agent- @my-agent-x `@agent-y`", ["agent-notes.md", "agent-", "my-agent-x"]]
]

describe("mentions", () => {
  it.each(CASES)("in %j", (text, found) => {
    expect(keys(text)).toEqual(found)
  })

  const piece = fc.constantFrom(
    "@",
    '"',
    "#L",
    "1",
    "-",
    "20",
    " ",
    "\n",
    "`",
    "```",
    "a",
    "/",
    "..",
    ",",
    ")",
    "#",
    "é",
    "😀"
  )
  const wild = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""))
  )

  it("never throw, have a path that stands in the text, ordered lines, and come once", () => {
    fc.assert(
      fc.property(wild, (text) => {
        const mentions = mentionsIn(text)
        for (const mention of mentions) {
          const { path } = mention
          const lines = mention.kind === "file" ? mention.lines : undefined
          expect(text).toContain(path)
          expect(path.trim()).not.toBe("")
          if (lines !== undefined) expect(lines.first >= 1 && lines.last >= lines.first).toBe(true)
        }
        expect(new Set(mentions.map(mentionKey)).size).toBe(mentions.length)
      }),
      { numRuns: 2_000 }
    )
  })

  it("written out again are the same", () => {
    const path = fc.stringMatching(/^[a-zA-Z0-9_/é-]{1,12}( [a-z]{1,5})?$/).filter((each) => each.trim() !== "")
    const lines = fc.option(fc.tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 0, max: 99 })), { nil: undefined })
    fc.assert(
      fc.property(path, lines, fc.constantFrom("", ",", ".", " and more", "\n"), (name, range, after) => {
        const suffix = range === undefined ? "" : `#L${range[0]}-${range[0] + range[1]}`
        const written = name.includes(" ") ? `@"${name}${suffix}"` : `@${name}${suffix}`
        expect(keys(`see ${written}${after}`)).toEqual([`${name}${suffix}`])
        expect(keys(`see \`${written}\`${after}`)).toEqual([])
        expect(keys(`see x${written}${after}`)).toEqual([])
      })
    )
  })

  it("are found in the time of reading, however many ticks and signs there are", () => {
    const started = performance.now()
    mentionsIn("` @a `` ".repeat(200_000))
    mentionsIn(`@${".".repeat(1_000_000)}`)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})

describe("spans of code", () => {
  it("are in order, begin and end with as many ticks, and lie in the text", () => {
    const text = fc.array(fc.constantFrom("`", "``", "```", "a", "\n"), { maxLength: 30 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, (value) => {
        let before = 0
        for (const { start, end } of codeSpans(value)) {
          expect(start).toBeGreaterThanOrEqual(before)
          const span = value.slice(start, end)
          const ticks = /^`+/.exec(span)?.[0] ?? ""
          expect(ticks.length).toBeGreaterThan(0)
          expect(/`+$/.exec(span)?.[0]).toBe(ticks)
          before = end
        }
      })
    )
  })
})
