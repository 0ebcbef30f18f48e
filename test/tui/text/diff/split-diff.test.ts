import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { DiffOptions } from "../../../../src/tui/text/diff/diff-rows.ts"
import { type FileDiff, fileDiff } from "../../../../src/tui/text/diff/diff-source.ts"
import { isSplit, splitHunkRows, splitLines } from "../../../../src/tui/text/diff/split-diff.ts"

const OPTIONS: DiffOptions = { width: 61, glyphs: "unicode", highlight: true, tabWidth: 4, codeWrap: false, scroll: 0 }

const drawn = (file: FileDiff, options: Partial<DiffOptions> = {}): ReadonlyArray<string> =>
  file.hunks.flatMap((hunk) =>
    splitHunkRows(file, hunk, { ...OPTIONS, ...options }).map(({ spans }) =>
      spans
        .map(({ text }) => text)
        .join("")
        .trimEnd()
    )
  )

describe("a diff in two columns", () => {
  it("puts changed lines beside each other, and what only came or went on its side", () => {
    const file = fileDiff("a.txt", "one\ntwo\nthree\nfour\n", "one\n2\n3\nand more\nfour\n")
    expect(drawn(file)).toEqual([
      "@@ -1,4 +1,5 @@",
      "1  one                        │ 1  one",
      "2 -two                        │ 2 +2",
      "3 -three                      │ 3 +3",
      "                              │ 4 +and more",
      "4  four                       │ 5  four"
    ])
  })

  it("cuts long lines with a mark, scrolls them, and shows blanks at their end", () => {
    const file = fileDiff("a.txt", `${"x".repeat(60)}\n`, `\ty  \n`)
    const [, row] = drawn(file)
    expect(row).toBe(`1 -${"x".repeat(25)}› │ 1 +    y··`)
    expect(drawn(file, { scroll: 50 })[1]).toBe(`1 -${"x".repeat(10)}${" ".repeat(16)} │ 1 +`)
  })

  it("tells that the last line does not end", () => {
    expect(drawn(fileDiff("a.txt", "one\n", "two")).at(-1)).toBe("\\ No newline at end of file")
  })

  it("shows every line once on its side, in rows of the same width", () => {
    const line = fc.constantFrom("a", "b", "漢字", "\tc ", "long ".repeat(20), "")
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"))
    fc.assert(
      fc.property(text, text, fc.integer({ min: 60, max: 90 }), (before, after, width) => {
        const file = fileDiff("a.ts", before, after)
        for (const hunk of file.hunks) {
          const beside = splitLines(hunk)
          const count = (sign: string): number => hunk.lines.filter((each) => each.startsWith(sign)).length
          const notes = count("\\")
          expect(beside.filter(({ left }) => left !== undefined)).toHaveLength(count(" ") + count("-") + notes)
          expect(beside.filter(({ right }) => right !== undefined)).toHaveLength(count(" ") + count("+"))
          const rows = splitHunkRows(file, hunk, { ...OPTIONS, width })
          expect(rows).toHaveLength(beside.length + 1)
          const widths = rows
            .slice(1)
            .filter(({ spans }) => spans.length > 1)
            .map((row) => row.width)
          expect(new Set(widths).size).toBeLessThanOrEqual(1)
          expect(Math.max(0, ...widths)).toBeLessThanOrEqual(width)
        }
      })
    )
  })

  it("needs room", () => {
    expect([
      isSplit("split", 59),
      isSplit("split", 60),
      isSplit("auto", 139),
      isSplit("auto", 140),
      isSplit("unified", 500)
    ]).toEqual([false, true, false, true, false])
  })
})
