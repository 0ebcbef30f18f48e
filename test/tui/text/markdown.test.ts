import * as fc from "fast-check"
import { Lexer } from "marked"
import { describe, expect, it } from "vitest"
import type { MarkdownOptions } from "../../../src/tui/text/markdown/context.ts"
import { leavesOf } from "../../../src/tui/text/markdown/advance.ts"
import { markdownParts } from "../../../src/tui/text/markdown/parts.ts"
import { layoutMarkdown } from "../../../src/tui/text/markdown/stream.ts"
import { expectLawful, markdownText, screen, widths } from "./laws.ts"

const OPTIONS: MarkdownOptions = {
  width: 40,
  glyphs: "unicode",
  highlight: true,
  tabWidth: 4,
  codeWrap: false,
  scroll: 0,
  cwd: "/work"
}

const shown = (source: string, options: Partial<MarkdownOptions> = {}): ReadonlyArray<string> =>
  screen(layoutMarkdown(source, { ...OPTIONS, ...options }))

const spansOf = (source: string) => layoutMarkdown(source, OPTIONS).flatMap((row) => row.spans)

describe("markdown", () => {
  it("hides the marks of headings and emphasis", () => {
    expect(shown("# One **two**\n\nthree *four* ~~five~~ `six`\n")).toEqual(["One two", "", "three four five six"])
    expect(spansOf("a **b**").find((span) => span.text === "b")).toMatchObject({ at: 4, look: { bold: true } })
    expect(shown("Title\n===\nand\n---\n")).toEqual(["Title", "and"])
  })

  it("keeps the lines of paragraphs, and wraps only long ones", () => {
    expect(shown("one\ntwo\n\n\n\nthree", { width: 20 })).toEqual(["one", "two", "", "three"])
  })

  it("indents lists under their text, nested and lazy", () => {
    expect(shown("- one two three four\n  more\n- b\n  1. c\n\n     d\nlazy", { width: 14 })).toEqual([
      "• one two",
      "  three four",
      "  more",
      "• b",
      "  1. c",
      "",
      "     d",
      "     lazy"
    ])
    expect(shown("- [ ] open\n- [x] done\n* star\n+ plus\n7) seven")).toEqual([
      "☐ open",
      "☑ done",
      "• star",
      "• plus",
      "7) seven"
    ])
    expect(shown("- a\n-\n- b")).toEqual(["• a", "•", "• b"])
  })

  it("draws a bar for every level of a quote", () => {
    expect(shown("> a\n> > b\n>\n> c\nlazy\n\nout")).toEqual(["│ a", "│ │ b", "│", "│ c", "│ lazy", "", "out"])
  })

  it("shows HTML as text, and rules as lines", () => {
    expect(shown("<b>x</b>\n\n<div>\n*y*\n</div>\n\n***\n", { width: 10 })).toEqual([
      "<b>x</b>",
      "",
      "<div>",
      "*y*",
      "</div>",
      "",
      "──────────"
    ])
  })

  it("resolves escapes and character references as units", () => {
    expect(shown("1 &lt; 2 &amp;&amp; \\*no\\* &bogus; &#27;[31m")).toEqual(["1 < 2 && *no* &bogus; ^[[31m"])
    expect(spansOf("a&lt;b").find((span) => span.text === "<")).toMatchObject({ at: 1, covers: 4 })
  })

  it("keeps code as it is, with its language", () => {
    const source = "```ts\nconst a = 1\n\n\treturn `x${a}`\n```\nafter"
    expect(shown(source)).toEqual(["┌ ts", "│ const a = 1", "│", "│     return `x${a}`", "└", "after"])
    expect(spansOf(source).find((span) => span.text === "const")?.look.role).toBe("keyword")
    expect(shown("~~~\n```\n~~~")).toEqual(["┌", "│ ```", "└"])
    expect(shown("    indented\n\n    more\n")).toEqual(["│ indented", "", "│ more"])
    expect(shown("- a\n  ```sh\n  ls\n  ```\n- b")).toEqual(["• a", "  ┌ sh", "  │ ls", "  └", "• b"])
  })

  it("cuts long code, scrolls it, and wraps it when asked", () => {
    const line = "abcdefghij".repeat(3)
    const source = `\`\`\`\n${line}\n\`\`\``
    expect(shown(source, { width: 12 })[1]).toBe("│ abcdefghi›")
    expect(shown(source, { width: 12, scroll: 5 })[1]).toBe("│ fghijabcd›")
    expect(shown(source, { width: 12, codeWrap: true }).slice(1, 4)).toEqual([
      "│ abcdefghij",
      "│ ↪ abcdefgh",
      "│ ↪ ijabcdef"
    ])
    const endless = shown(`\`\`\`\n${"x".repeat(2_500)}\n\`\`\``, { width: 3_000 })[1] ?? ""
    expect(endless).toMatch(/^│ x{2000} … 500 more columns$/)
  })

  it("links only what is harmless, and says where a link leads", () => {
    expect(shown("[docs](https://example.com/a)", { width: 60 })).toEqual(["docs (example.com)"])
    expect(shown("<https://example.com/a> https://b.example [b.example](https://b.example/)", { width: 90 })).toEqual([
      "https://example.com/a https://b.example b.example"
    ])
    const links = (source: string): ReadonlyArray<string> => spansOf(source).flatMap((span) => span.link ?? [])
    expect(links("[x](https://example.com/a)")).toEqual(["https://example.com/a"])
    expect(links("[x](javascript:alert(1)) [y](file:///etc/passwd) [z](//host/share) [w](file://host/work/a)")).toEqual([])
    expect(links("[x](file:///work/a.ts) [m](mailto:a@b.example)")).toEqual(["file:///work/a.ts", "mailto:a@b.example"])
    expect(shown("[ref]: https://r.example\nsee [this][ref]\n[constructor]", { width: 60 })).toEqual([
      "[ref]: https://r.example",
      "see this (r.example)",
      "[constructor]"
    ])
    expect(shown("![chart](https://x.example/c.png)", { width: 60 })).toEqual(["chart (x.example)"])
  })

  it("fits tables in three stages", () => {
    const table = "| Name | Amount |\n|:-|-:|\n| pear | 1 |\n| a much longer fruit | 22 |\n"
    expect(shown(table, { width: 40 })).toEqual([
      "Name                │ Amount",
      "────────────────────┼───────",
      "pear                │      1",
      "a much longer fruit │     22"
    ])
    expect(shown(table, { width: 20 })).toEqual([
      "Name        │ Amount",
      "────────────┼───────",
      "pear        │      1",
      "a much      │     22",
      "longer      │",
      "fruit       │"
    ])
    expect(shown(table, { width: 12 })).toEqual([
      "Name, Amount",
      "Name: pear",
      "Amount: 1",
      "────────",
      "Name: a much",
      "  longer",
      "  fruit",
      "Amount: 22",
      "────────"
    ])
    expect(shown(table, { width: 20, scroll: 4 })[0]).toBe("                │ Am")
    expect(layoutMarkdown(table, { ...OPTIONS, width: 20 }).at(-1)?.end).toBe(table.length)
  })

  it("takes a guarded bar for text, in code too", () => {
    expect(shown("| a |\n|---|\n| x \\| y `p \\| q` |\n")).toEqual(["a", "───────────", "x | y p | q"])
  })

  it("names the parts of a text", () => {
    const source = "# T\n\npara\n\n- one\n- two\n  more\n\n```js\nx\n```\n\n| a |\n|---|\n| b |\n"
    const parts = markdownParts(source).map(({ name, start, end, inner }) => [
      name,
      source.slice(start, end),
      inner === undefined ? undefined : source.slice(inner.start, inner.end)
    ])
    expect(parts.filter(([name]) => name !== "paragraph")).toEqual([
      ["heading", "# T\n", undefined],
      ["item", "- one\n", "one\n"],
      ["item", "- two\n  more\n", "two\n  more\n"],
      ["code", "```js\nx\n```\n", "x\n"],
      ["table", "| a |\n|---|\n| b |\n", undefined]
    ])
  })

  it("keeps the laws of rows for any text and width", () => {
    fc.assert(
      fc.property(markdownText, widths, fc.boolean(), fc.constantFrom(0, 0, 3), (text, width, codeWrap, scroll) => {
        expectLawful(layoutMarkdown(text, { ...OPTIONS, width, codeWrap, scroll }), text, width)
      }),
      { numRuns: 300 }
    )
  })

  it("answers for every character up to the blank lines at the end", () => {
    fc.assert(
      fc.property(markdownText, (text) => {
        const leaves = leavesOf(text)
        for (const [index, leaf] of leaves.entries()) expect(leaf.start).toBe(index === 0 ? 0 : leaves[index - 1]?.end)
        expect(text.slice(leaves.at(-1)?.end ?? 0).trim()).toBe("")
      }),
      { numRuns: 300 }
    )
  })

  it("finds the blocks that marked finds", () => {
    const block = fc.constantFrom(
      "para one\npara two\n",
      "# Heading\n",
      "- a\n- b\n  - c\n- d\n",
      "1. x\n2. y\n\n   z\n",
      "> quote\n> more\n",
      "```ts\ncode\n\n# no\n```\n",
      "| a | b |\n|---|---|\n| 1 | 2 |\n",
      "Setext\n------\n",
      "***\n",
      "<div>\nhtml\n</div>\n"
    )
    const kinds: Readonly<Record<string, string>> = { text: "paragraph", hr: "rule" }
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 6 }), (blocks) => {
        const source = blocks.join("\n")
        const expected = new Lexer()
          .lex(source)
          .filter((token) => token.type !== "space")
          .map((token) => kinds[token.type] ?? token.type)
        const found = leavesOf(source)
          .filter((leaf) => leaf.kind !== "blank" && leaf.kind !== "fenceEnd" && !(leaf.kind === "code" && leaf.fenced))
          .map((leaf) => {
            const outer = leaf.frames[0]
            return outer === undefined
              ? leaf.kind === "fence"
                ? "code"
                : leaf.kind
              : outer.kind === "quote"
                ? "blockquote"
                : "list"
          })
        const merged = found.filter((kind, index) => !((kind === "list" || kind === "html") && found[index - 1] === kind))
        const lists = expected.filter(
          (kind, index) => !((kind === "list" || kind === "html") && expected[index - 1] === kind)
        )
        expect(merged).toEqual(lists)
      }),
      { numRuns: 100 }
    )
  })
})
