import { applyPatch } from "diff"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { diffRows, type DiffOptions } from "../../../../src/tui/text/diff/diff-rows.ts"
import { fileDiff, unifiedSource } from "../../../../src/tui/text/diff/diff-source.ts"
import { coveredBy, expectLawful, hostileLine, screen, textOf, widths } from "../laws.ts"

const OPTIONS: DiffOptions = { width: 60, glyphs: "unicode", highlight: true, tabWidth: 4, codeWrap: true, scroll: 0 }

const OLD = "one\ntwo\nconst limit = 10\nfour\nfive\nsix\n"
const NEW = "one\ntwo\nconst limit = 12\nfour\nfive  \nsix"

describe("diff rows", () => {
  it("shows numbers, signs, blanks at the end and the missing line feed", () => {
    expect(screen(diffRows(fileDiff("src/a.ts", OLD, NEW), OPTIONS))).toEqual([
      "src/a.ts +3 -3",
      "@@ -1,6 +1,6 @@",
      "1 1  one",
      "2 2  two",
      "3   -const limit = 10",
      "  3 +const limit = 12",
      "4 4  four",
      "5   -five",
      "6   -six",
      "  5 +five··",
      "  6 +six",
      "\\ No newline at end of file"
    ])
  })

  it("colours code over the ground of the change, and marks the words", () => {
    const rows = diffRows(fileDiff("src/a.ts", OLD, NEW), OPTIONS)
    const added = rows.find((row) => textOf(row).includes("+const"))
    expect(added?.fill).toBe("diffAdded")
    expect(added?.spans.find((span) => span.text === "const")?.look).toEqual({ role: "keyword", background: "diffAdded" })
    expect(added?.spans.find((span) => span.text === "12")?.look).toEqual({ role: "number", background: "diffAddedWord" })
  })

  it("marks no words when most of the line changed", () => {
    const rows = diffRows(fileDiff("a.txt", "alpha beta gamma\n", "delta epsilon zeta\n"), OPTIONS)
    expect(rows.flatMap((row) => row.spans).some((span) => span.look.background === "diffAddedWord")).toBe(false)
  })

  it("drops the numbers in narrow panes and scrolls instead of wrapping when asked", () => {
    const file = fileDiff("a.ts", "x\n", "const something = somewhere(1)\n")
    expect(screen(diffRows(file, { ...OPTIONS, width: 12, codeWrap: false })).slice(1)).toEqual([
      "@@ -1,1 +1,›",
      "-x",
      "+const some›"
    ])
    expect(screen(diffRows(file, { ...OPTIONS, width: 12, codeWrap: false, scroll: 6 })).at(-1)).toBe("+something ›")
  })

  it("shows notes as rows of their own", () => {
    expect(screen(diffRows({ path: "logo.png", hunks: [], notes: ["Binary files differ"] }, OPTIONS))).toEqual([
      "Binary files differ",
      "logo.png +0 -0"
    ])
  })

  it("answers for every hunk of a file, wherever the file stands in the block", () => {
    const lines = Array.from({ length: 40 }, (_, line) => `line ${line}\n`)
    const file = fileDiff("a.txt", lines.join(""), lines.with(3, "three\n").with(30, "thirty\n").join(""))
    const { source } = unifiedSource([file])
    expect(file.hunks).toHaveLength(2)
    const rows = diffRows(file, OPTIONS, 7)
    expectLawful(rows, `1234567${source}`, OPTIONS.width)
    expect(coveredBy(rows, `1234567${source}`)).toBe(source)
  })

  it("names files and hunks", () => {
    const { source, parts } = unifiedSource([fileDiff("a", "1\n", "2\n"), fileDiff("b", "3\n", "4\n")])
    expect(parts.map(({ name, label, start, end }) => [name, label, source.slice(start, end).split("\n")[0]])).toEqual([
      ["file", "a", "--- a/a"],
      ["hunk", "@@ -1,1 +1,1 @@", "@@ -1,1 +1,1 @@"],
      ["file", "b", "--- a/b"],
      ["hunk", "@@ -1,1 +1,1 @@", "@@ -1,1 +1,1 @@"]
    ])
  })

  it("answers for a patch that gives the new text, at any width", () => {
    const line = fc.oneof(
      fc.constantFrom("a", "b", "c d", "  e", ""),
      hostileLine.map((text) => text.replaceAll("\r", ""))
    )
    const text = fc
      .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
      .map(([lines, feed]) => lines.join("\n") + (feed ? "\n" : ""))
    fc.assert(
      fc.property(text, text, widths, fc.boolean(), (before, after, width, codeWrap) => {
        const file = fileDiff("src/a.ts", before, after)
        const { source } = unifiedSource([file])
        if (before !== after) expect(applyPatch(before, source)).toBe(after)
        const rows = diffRows(file, { ...OPTIONS, width, codeWrap })
        expectLawful(rows, source, width)
        expect(coveredBy(rows, source)).toBe(source)
      }),
      { numRuns: 200 }
    )
  })
})
