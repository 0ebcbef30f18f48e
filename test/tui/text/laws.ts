import * as fc from "fast-check"
import { expect } from "vitest"
import { textWidth } from "../../../src/tui/screen/cell/width.ts"
import type { Row, Span } from "../../../src/tui/screen/style/row.ts"

/** Laws that every row of every layout keeps, and texts that try to break them. */

const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/u

const isHonest = (span: Span, source: string): boolean => {
  if (FORBIDDEN.test(span.text)) return false
  if (span.at === undefined) return span.covers === undefined
  if (span.covers !== undefined) return span.at + span.covers <= source.length
  return source.startsWith(span.text, span.at) && span.at + span.text.length <= source.length
}

const isLawful = (row: Row, source: string, width: number): boolean =>
  row.width <= Math.max(1, width) &&
  row.spans.reduce((sum, span) => sum + textWidth(span.text), 0) === row.width &&
  row.start <= row.end &&
  row.end <= source.length &&
  row.spans.every((span) => isHonest(span, source))

/** No row is too wide, no span lies about its place, places only grow. */
export const expectLawful = (rows: ReadonlyArray<Row>, source: string, width: number): void => {
  expect(rows.filter((row) => !isLawful(row, source, width))).toEqual([])
  expect(rows.filter((row, index) => row.start < (rows[index - 1]?.start ?? 0))).toEqual([])
}

/** The source that the rows answer for, put together. */
export const coveredBy = (rows: ReadonlyArray<Row>, source: string): string =>
  rows.map((row) => source.slice(row.start, row.end)).join("")

export const textOf = (row: Row | undefined): string => row?.spans.map((span) => span.text).join("") ?? ""

export const screen = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => rows.map((row) => textOf(row).trimEnd())

export const widths = fc.oneof(fc.constantFrom(1, 2, 3, 4, 5), fc.integer({ min: 6, max: 100 }))

const PIECES = [
  "word",
  "a longer bit of text",
  " ",
  "  ",
  "\t",
  "/usr/local/lib/node_modules/some-package/index.js",
  "well-known",
  "中文的句子，",
  "「引用」。",
  "한국어",
  "é",
  "e\u0301",
  "\u0301",
  "👩‍👩‍👧",
  "🇩🇪",
  "❤️",
  "👍🏽",
  "\u200d",
  "\u200b",
  "\u202e",
  "\u001b[31m",
  "\u0007",
  "\u009b",
  "\r",
  "\ud800",
  "\ufeff",
  "\u{e0041}",
  "\u007f",
  "नमस्ते",
  "x".repeat(30)
]
export const hostileLine = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((parts) => parts.join(""))
export const hostileText = fc
  .array(fc.tuple(hostileLine, fc.constantFrom("\n", "\n", "\r\n", "\n\n")), { maxLength: 8 })
  .map((lines) => lines.map(([line, feed]) => line + feed).join(""))

const MARKS = [
  "# ",
  "## ",
  "- ",
  "* ",
  "1. ",
  "12) ",
  "> ",
  "- [ ] ",
  "- [x] ",
  "  ",
  "    ",
  "\t",
  "```",
  "```ts",
  "~~~",
  "---",
  "===",
  "***",
  "|",
  "| a | b |",
  "|---|:-:|",
  "| 1 | 2",
  "**",
  "*",
  "_",
  "__",
  "~~",
  "`",
  "``",
  "[",
  "](",
  ")",
  "[text](https://example.com/x)",
  "![alt](a.png)",
  "<div>",
  "</div>",
  "<!--",
  "-->",
  "<https://a.b>",
  "https://example.org/path?q=1.",
  "&amp;",
  "&#27;",
  "&bogus;",
  "\\*",
  "\\",
  "[ref]: https://r.example",
  "[ref]",
  "[constructor]",
  "**bold**",
  "*em*",
  "`code`",
  "const x = `a${b}`"
]
export const markdownText = fc
  .array(
    fc.tuple(
      fc.array(fc.oneof(fc.constantFrom(...MARKS), fc.constantFrom(...PIECES)), { maxLength: 6 }),
      fc.constantFrom("\n", "\n", "\n\n", "\r\n", "")
    ),
    { maxLength: 14 }
  )
  .map((lines) => lines.map(([parts, feed]) => parts.join("") + feed).join(""))
