import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textOf } from "../../../../src/tui/editor/buffer.ts"
import { type Flavor, pressStandard } from "../../../../src/tui/editor/standard/keys.ts"
import { selectionOf, type StandardEditor, standardEditor, textBetween } from "../../../../src/tui/editor/standard/state.ts"
import { parseStrokes } from "../../../../src/tui/keymap/stroke.ts"

const press = (start: StandardEditor, keys: string, flavor: Flavor = "standard"): StandardEditor =>
  parseStrokes(keys).reduce((editor, stroke) => pressStandard(editor, stroke, { now: 0, flavor }) ?? editor, start)

/** The text with the caret shown as a bar. */
const shown = ({ buffer, caret }: StandardEditor): string => {
  const line = buffer.at(caret.line)
  return buffer.lines.with(caret.line, `${line.slice(0, caret.column)}|${line.slice(caret.column)}`).join("\n")
}

const after = (text: string, keys: string, flavor?: Flavor): string => shown(press(standardEditor(text), keys, flavor))

describe("moving", () => {
  it.each([
    ["one two", "<C-a>", "|one two"],
    ["one two", "<C-a><C-e>", "one two|"],
    ["one\ntwo", "<C-a><C-b>", "one|\ntwo"],
    ["one two", "<A-b>", "one |two"],
    ["one two", "<C-a><A-f>", "one |two"],
    ["a\nbc", "<A-lt>", "|a\nbc"],
    ["a\nbc", "<A-lt><A-gt>", "a\nbc|"],
    ["ae\u0301", "<Left>", "a|e\u0301"]
  ])("%j %s", (text, keys, expected) => {
    expect(after(text, keys)).toBe(expected)
  })

  it("goes to word ends as readline does", () => {
    expect(after("one two", "<C-a><A-f>", "readline")).toBe("one| two")
  })
})

describe("undoing", () => {
  it.each([
    ["one two", "<C-w><C-w><C-_>", "one |"],
    ["one two", "<C-w><C-w><C-_><C-_><A-_>", "one |"],
    ["one two", "<C-w><C-_><A-_><A-_>", "one |"],
    ["one two", "<C-w><C-_>x<A-_>", "one twox|"]
  ])("%j %s", (text, keys, expected) => {
    expect(after(text, keys)).toBe(expected)
  })
})

describe("killing and yanking", () => {
  it.each([
    ["one two", "<C-w><C-y><C-y>", "one twotwo|"],
    ["one\ntwo", "<A-lt><C-k>", "|\ntwo"],
    ["one\ntwo", "<A-lt><C-k><C-k>", "|two"],
    ["one\ntwo", "<C-u><C-u>", "one|"],
    ["a-b c", "<C-w><C-w>", "a-|"],
    ["one two", "<C-a><A-d>", "|two"],
    ["👨‍👩‍👧", "<BS>", "|"]
  ])("%j %s", (text, keys, expected) => {
    expect(after(text, keys)).toBe(expected)
  })

  it("joins kills in a row and keeps others apart", () => {
    expect(after("one two three", "<C-w><C-w> <C-y>")).toBe("one  two three|")
    expect(after("one two", "<C-w><Left><C-w><C-y><A-y>")).toBe("two| ")
  })

  it("follows readline in what a word is", () => {
    expect(after("x a-b", "<C-w>", "readline")).toBe("x |")
    expect(after("one two", "<C-a><A-d>", "readline")).toBe("| two")
  })

  it("keeps sixty kills", () => {
    const many = press(standardEditor(""), "x<C-w> ".repeat(70))
    expect(many.kills).toHaveLength(60)
  })
})

describe("case", () => {
  it.each([
    ["one two", "<C-a><A-u>", "ONE| two"],
    ["ONE", "<C-a><A-l>", "one|"],
    ["oNE two", "<C-a><A-c>", "One| two"]
  ])("%j %s", (text, keys, expected) => {
    expect(after(text, keys)).toBe(expected)
  })
})

describe("selecting", () => {
  it("replaces the selection by what is typed", () => {
    expect(after("one two", "<C-S-Left>x")).toBe("one x|")
    expect(after("one", "<S-Left><S-Left><BS>")).toBe("o|")
    expect(after("one", "<S-Home><Right>")).toBe("one|")
  })

  it("says what is selected whichever end was first", () => {
    const editor = press(standardEditor("one two"), "<S-Left><S-Left>")
    const range = selectionOf(editor)
    expect(range === undefined ? "" : textBetween(editor.buffer, range)).toBe("wo")
  })
})

describe("undo", () => {
  it("takes typing without a pause as one step and a pause as another", () => {
    const type = (editor: StandardEditor, stroke: string, now: number): StandardEditor =>
      pressStandard(editor, stroke, { now, flavor: "standard" }) ?? editor
    const typed = type(type(type(standardEditor(""), "a", 0), "b", 500), "c", 5000)
    expect(shown(press(typed, "<C-_>"))).toBe("ab|")
    expect(shown(press(typed, "<C-_><C-_>"))).toBe("|")
  })

  it("gives back text and caret after any keys", () => {
    const edits = ["<BS>", "<C-k>", "<C-u>", "<C-w>", "<A-d>", "<C-y>", "<A-y>", "<A-u>"]
    const keys = fc.constantFrom("a", " ", "日", "<Left>", "<S-Left>", ...edits)
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 20 }), (pressed) => {
        const start = press(standardEditor("foo bar\n日本 e\u0301"), "<A-b>")
        let editor = press(start, pressed.join(""))
        while (editor.history.current !== 0) editor = press(editor, "<C-_>")
        expect(textOf(editor.buffer)).toBe("foo bar\n日本 e\u0301")
      }),
      { numRuns: 100 }
    )
  })
})
