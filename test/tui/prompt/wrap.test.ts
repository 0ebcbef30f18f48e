import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textWidth } from "../../../src/tui/screen/cell/width.ts"
import { bufferOf } from "../../../src/tui/editor/buffer.ts"
import { pressStandard } from "../../../src/tui/editor/standard/keys.ts"
import { standardEditor } from "../../../src/tui/editor/standard/state.ts"
import { chipCharacter, chipTable, NO_CHIPS } from "../../../src/tui/prompt/chip.ts"
import { columnIn, layoutPrompt, offsetIn, scrollToCaret } from "../../../src/tui/prompt/wrap.ts"

const rowsOf = (text: string, width: number): ReadonlyArray<string> =>
  layoutPrompt(bufferOf(text), { line: 0, column: 0 }, { width, chips: NO_CHIPS }).rows.map((row) =>
    row.glyphs.map((glyph) => glyph.text).join("")
  )

describe("soft wrap", () => {
  it.each([
    ["one two three", 8, ["one two ", "three"]],
    ["one two three", 7, ["one ", "two ", "three"]],
    ["abcdefgh", 4, ["abc", "def", "gh"]],
    ["abc", 4, ["abc"]],
    ["abc ", 4, ["abc ", ""]],
    ["", 5, [""]],
    ["日本語", 5, ["日本", "語"]],
    ["a\tb", 20, ["a   b"]],
    ["x\u001by", 20, ["x^[y"]],
    ["a\n\nb", 9, ["a", "", "b"]]
  ])("%j at %i", (text, width, rows) => {
    expect(rowsOf(text, width)).toEqual(rows)
  })

  it("shows a chip by its label and keeps it in one piece", () => {
    const chips = chipTable([{ _tag: "Paste", number: 1, text: "a\nb\nc\nd" }])
    const buffer = bufferOf(`see ${chipCharacter(1)}!`)
    const { rows, caret } = layoutPrompt(buffer, { line: 0, column: 6 }, { width: 40, chips })
    expect(rows[0]?.glyphs.map((glyph) => glyph.text).join("")).toBe("see [Pasted text #1 +3 lines]!")
    expect(caret).toEqual({ row: 0, column: "see [Pasted text #1 +3 lines]".length })
  })

  it("keeps the caret's row in view with the least scrolling", () => {
    const layout = layoutPrompt(bufferOf("a\nb\nc\nd\ne"), { line: 3, column: 0 }, { width: 9, chips: NO_CHIPS })
    expect(scrollToCaret(0, layout, 2)).toBe(2)
    expect(scrollToCaret(3, layout, 2)).toBe(3)
    expect(scrollToCaret(9, layout, 2)).toBe(3)
  })
})

describe("the caret's column", () => {
  const characters = ["a", " ", "日", "🚀", "👨‍👩‍👧", "e\u0301", "🇩🇪"]
  const keys = fc.constantFrom(...characters, "<Left>", "<Right>", "<BS>", "<C-a>", "<A-b>", "<C-w>", "<C-y>")

  it("is the width of the clusters left of it, over any edits", () => {
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 40 }), (pressed) => {
        let editor = standardEditor("")
        for (const stroke of pressed) {
          editor = pressStandard(editor, stroke, { now: 0, flavor: "standard" }) ?? editor
          const layout = layoutPrompt(editor.buffer, editor.caret, { width: 10_000, chips: NO_CHIPS })
          expect(layout.caret.column).toBe(textWidth(editor.buffer.at(0).slice(0, editor.caret.column)))
        }
      }),
      { numRuns: 100 }
    )
  })

  it("stays inside the width and names the same place again, at any width", () => {
    const part = fc.constantFrom("ab", " ", "日本", "🚀", "e\u0301", "\t", "\n")
    const text = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 12 }), (content, width) => {
        const buffer = bufferOf(content)
        const layout = layoutPrompt(buffer, { line: 0, column: 0 }, { width, chips: NO_CHIPS })
        for (const [index, row] of layout.rows.entries()) {
          const used = row.glyphs.reduce((sum, glyph) => sum + glyph.width, 0)
          expect(used).toBeLessThanOrEqual(width)
          for (const glyph of row.glyphs) {
            expect(offsetIn(layout.rows, index, columnIn(row, glyph.offset))).toBe(glyph.offset)
            const { caret } = layoutPrompt(buffer, { line: row.line, column: glyph.offset }, { width, chips: NO_CHIPS })
            expect(caret).toEqual({ row: index, column: columnIn(row, glyph.offset) })
            expect(caret.column).toBeLessThan(width)
          }
        }
        const shown = layout.rows.map((row) => buffer.at(row.line).slice(row.start, row.end)).join("")
        expect(shown).toBe(content.replaceAll("\n", ""))
      }),
      { numRuns: 100 }
    )
  })
})
