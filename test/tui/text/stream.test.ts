import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Row } from "../../../src/tui/screen/style/row.ts"
import type { MarkdownOptions } from "../../../src/tui/text/markdown/context.ts"
import {
  appendMarkdown,
  finishMarkdown,
  layoutMarkdown,
  type MarkdownStream,
  rowCountOf,
  rowOf,
  rowsOf,
  startMarkdown
} from "../../../src/tui/text/markdown/stream.ts"
import { expectLawful, markdownText, screen } from "./laws.ts"

const OPTIONS: MarkdownOptions = {
  width: 30,
  glyphs: "unicode",
  highlight: true,
  tabWidth: 4,
  codeWrap: false,
  scroll: 0,
  cwd: "/work"
}

const piecesOf = (text: string, sizes: ReadonlyArray<number>): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

const streamed = (text: string): MarkdownStream => appendMarkdown(startMarkdown(OPTIONS), text)

describe("markdown stream", () => {
  it("ends with the rows of the whole text, and rows that were stable never change", () => {
    fc.assert(
      fc.property(markdownText, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 }), (text, sizes) => {
        let stream = startMarkdown(OPTIONS)
        const stable: Array<Row> = []
        for (const piece of piecesOf(text, sizes)) {
          stream = appendMarkdown(stream, piece)
          for (const [index, row] of stable.entries())
            if (rowOf(stream, index) !== row) expect(rowOf(stream, index)).toBe(row)
          for (let index = stable.length; index < stream.stableCount; index++) {
            const row = rowOf(stream, index)
            if (row !== undefined) stable.push(row)
          }
        }
        expect(stream.length).toBe(text.length)
        expect(rowsOf(finishMarkdown(stream))).toEqual(layoutMarkdown(text, OPTIONS))
      }),
      { numRuns: 120 }
    )
  })

  it("ends with the same rows for blocks that are given out in parts", () => {
    const texts = [
      `- ${"word ".repeat(2_500)}\n- next`,
      "字".repeat(5_000),
      Array.from({ length: 120 }, (_, line) => `line ${line} of **one** paragraph`).join("\n"),
      `| a | b |\n|---|---|\n${Array.from({ length: 230 }, (_, line) => `| ${line} | ${"x".repeat(line % 40)} |\n`).join("")}end`
    ]
    for (const text of texts) {
      const stream = piecesOf(text, [701]).reduce(appendMarkdown, startMarkdown(OPTIONS))
      const rows = rowsOf(finishMarkdown(stream))
      expect(rows).toEqual(layoutMarkdown(text, OPTIONS))
      expectLawful(rows, text, OPTIONS.width)
    }
  })

  it("keeps older versions as they were", () => {
    const one = streamed("a\n\nb\n\n")
    const left = appendMarkdown(one, "left\n\nx\n\n")
    const right = appendMarkdown(one, "right\n\n")
    expect(screen(rowsOf(one))).toEqual(["a", "", "b"])
    expect(screen(rowsOf(left))).toEqual(["a", "", "b", "", "left", "", "x"])
    expect(screen(rowsOf(right))).toEqual(["a", "", "b", "", "right"])
    expect(rowCountOf(left)).toBe(7)
  })

  it("shows an open fence as code", () => {
    expect(screen(rowsOf(streamed("```ts\nlet a\nlet")))).toEqual(["┌ ts", "│ let a", "│ let"])
  })

  it("never shows a mark that waits for its other half", () => {
    for (const [text, rows] of [
      ["so **bol", ["so bol"]],
      ["so **bold*", ["so bold"]],
      ["so **bold**", ["so bold"]],
      ["use `cod", ["use cod"]],
      ["see [the do", ["see the do"]],
      ["see [the docs](https://exa", ["see the docs"]],
      ["text\n-", ["text"]],
      ["text\n==", ["text"]],
      ["- ", []],
      ["12", []],
      ["12.", []],
      ["#", []],
      ["``", []],
      ["| a | b |\n|--", []],
      ["x\n```\ncode\n``", ["x", "┌", "│ code"]],
      ["a &am", ["a"]],
      ["|a|b|\n|-|-|\n|c|d|\n|e", ["a │ b", "──┼──", "c │ d"]]
    ] as const) {
      expect([text, screen(rowsOf(streamed(text)))]).toEqual([text, rows])
    }
  })

  it("never takes a row or a letter back while an ordinary answer arrives", () => {
    const answer =
      "# Title **bold**\n\nSome *emphasis*, `code`, __strong__, ***both***, ~~gone~~, [a link](https://example.com/x) &amp; 2 * 3.\nsnake_case\n\n" +
      "1. first **item**\n2. second\n   - nested *one*\n   - [x] done\n\n> quote **x**\n> > deeper\n\n```ts\nconst x = `a${b}`\n\n```\n\n---\n\nSetext\n===\n\nEnd."
    let stream = startMarkdown({ ...OPTIONS, width: 200 })
    let before: ReadonlyArray<string> = []
    for (const letter of answer) {
      stream = appendMarkdown(stream, letter)
      const now = screen(rowsOf(stream))
      expect(before.filter((row, index) => now[index]?.startsWith(row) !== true)).toEqual([])
      before = now
    }
    expect(before).toHaveLength(23)
  })

  it("shows what was held back once nothing more comes", () => {
    expect(screen(rowsOf(finishMarkdown(streamed("so **bol"))))).toEqual(["so **bol"])
    expect(screen(rowsOf(finishMarkdown(streamed("text\n\n12"))))).toEqual(["text", "", "12"])
  })

  it("keeps the open part short in endless blocks", () => {
    const blocks: ReadonlyArray<readonly [string, (line: number) => string]> = [
      ["```ts\n", (line) => `const value${line} = ${line}\n`],
      ["", (line) => `- item ${line} with **text**\n`],
      ["", (line) => `line ${line} of one very long paragraph\n`],
      ["", (line) => `word${line} and more `],
      ["- top\n", (line) => `  - nested ${line}\n`],
      ["> top\n", (line) => `> quoted ${line}\n\n`],
      ["| a | b |\n|---|---|\n", (line) => `| ${line} | x |\n`]
    ]
    for (const [head, line] of blocks) {
      let stream = streamed(head)
      let most = 0
      for (let index = 0; index < 400; index++) {
        stream = appendMarkdown(stream, line(index))
        most = Math.max(most, stream.open.length)
      }
      expect(most).toBeLessThan(210)
      expect(stream.feed.rest.length).toBeLessThan(5_000)
      expect(stream.stableCount).toBeGreaterThan(50)
    }
  })
})
