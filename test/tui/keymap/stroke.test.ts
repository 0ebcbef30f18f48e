import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatChord, parseChord } from "../../../src/tui/keymap/chord.ts"
import { formatStrokes, KEY_NAMES, parseStrokes, pressOf, strokeOf } from "../../../src/tui/keymap/stroke.ts"

const press = fc.record({
  key: fc.oneof(
    fc.constantFrom(...KEY_NAMES),
    fc.constantFrom(...Array.from(" !\"#$%&'()*+,-./0129:;<=>?@AZ[\\]^_`az{|}~éßя字")),
    fc.constantFrom("👩‍👩‍👧", "🇩🇪", "e\u0301")
  ),
  ctrl: fc.boolean(),
  alt: fc.boolean(),
  shift: fc.boolean(),
  cmd: fc.boolean()
})

const strokes = fc.array(press.map(strokeOf), { maxLength: 6 })

describe("strokes", () => {
  it.each([
    ["d2w<lt>", ["d", "2", "w", "<"]],
    ["<C-w>l", ["<C-w>", "l"]],
    ["<c-W><space><BAR>", ["<C-w>", " ", "|"]],
    ["<Return><Enter><cr>", ["<CR>", "<CR>", "<CR>"]],
    ["<S-a><S-Tab><C-S-C>", ["A", "<S-Tab>", "<C-S-c>"]],
    ["<M-x><A-Left><D-k>", ["<A-x>", "<A-Left>", "<D-k>"]],
    ["<S-A-C-D-F6>", ["<C-A-S-D-F6>"]],
    ["<C-Space><C-lt><A-gt><A->>", ["<C-Space>", "<C-lt>", "<A-gt>", "<A-gt>"]],
    ["<C-S-->", ["<C-_>"]],
    ["<C-->", ["<C-->"]],
    ["<nope> <", ["<", "n", "o", "p", "e", ">", " ", "<"]],
    ["é👩‍👩‍👧x", ["é", "👩‍👩‍👧", "x"]],
    ["a\nb\tc\u001b\u0017", ["a", "<CR>", "b", "<Tab>", "c", "<Esc>", "<C-w>"]]
  ])("reads %j", (text, expected) => {
    expect(parseStrokes(text)).toEqual(expected)
  })

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(strokes, (list) => {
        expect(parseStrokes(formatStrokes(list))).toEqual(list)
      })
    )
  })

  it("takes a stroke apart into what makes it again", () => {
    fc.assert(
      fc.property(press, (value) => {
        expect(strokeOf(pressOf(strokeOf(value)))).toBe(strokeOf(value))
      })
    )
  })
})

describe("the notation of keybindings.json", () => {
  it.each([
    ["ctrl+x ctrl+w", "<C-x><C-w>"],
    ["shift+tab", "<S-Tab>"],
    ["meta+p", "<A-p>"],
    ["opt+P", "<A-p>"],
    ["control+shift+C", "<C-S-c>"],
    ["K", "K"],
    ["shift+k", "K"],
    ["ctrl+K", "<C-k>"],
    ["g S", "gS"],
    ["cmd+k", "<D-k>"],
    ["super+Return", "<D-CR>"],
    ["ctrl+shift+-", "<C-_>"],
    ["ctrl++", "<C-+>"],
    ["+", "+"],
    ["space", "<Space>"],
    ["f12 escape", "<F12><Esc>"],
    ["] u", "]u"]
  ])("reads %j as %j", (chord, vim) => {
    expect(parseChord(chord)).toEqual({ _tag: "Chord", strokes: parseStrokes(vim) })
  })

  it.each(["", "ctrl+", "hyper+x", "capslock", "ctrl+xy"])("refuses %j with a reason", (chord) => {
    const reason = expect.stringMatching(/not a key|not a modifier|missing/)
    expect(parseChord(chord)).toEqual({ _tag: "NotAChord", reason })
  })

  it("reads back what it writes", () => {
    fc.assert(
      fc.property(fc.array(press.map(strokeOf), { minLength: 1, maxLength: 3 }), (list) => {
        const single = list.filter((stroke) => !/👩|🇩|\u0301/.test(stroke))
        fc.pre(single.length > 0)
        expect(parseChord(formatChord(single))).toEqual({ _tag: "Chord", strokes: single })
      })
    )
  })
})
