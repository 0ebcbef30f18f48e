import { describe, expect, it } from "vitest"
import { charClass } from "../../../../src/tui/editor/vim/text/char-class.ts"
import { PROMPT_OPTIONS } from "../../../../src/tui/editor/vim/state/context.ts"
import { after, type KeyScript, play } from "./key-script.ts"

/** As vim does them; the differential suites compare many more. */
const tables: Readonly<Record<string, ReadonlyArray<KeyScript>>> = {
  "sections, middles and bytes": [
    ["│a\n{\nb", "]]", "a\n│{\nb"],
    ["{\na\n│b", "[[", "│{\na\nb"],
    ["│a\n  }\n}\nb", "][", "a\n  }\n│}\nb"],
    ["}\na\n│b", "[]", "│}\na\nb"],
    ["│a\n}\nb\nc", "d]]", "│b\nc"],
    ["│}a", "g~]]", "│}a"],
    ["│abcdef", "gM", "abc│def"],
    ["│abcdef", "20gM", "a│bcdef"],
    ["│é\nabc", "5go", "é\na│bc"],
    ["  ab│c", "g^", "  │abc"],
    ["│a\n.SH b\nc", "}", "a\n│.SH b\nc"],
    ["│a\n.PP\nb", "gqG", "a\n.PP\n│b"]
  ],
  "the line as it was": [
    ["a│bc", "xxU", "a│bc"],
    ["│abc", "xU", "│abc"],
    ["│abc", "xUU", "│bc"],
    ["│abc", "xUu", "│bc"],
    ["│abc\nd", "xjU", "│abc\nd"],
    ["│abc\nd", "xjddU", "│bc"],
    ["│abc", ":s/b/x/<CR>U", "│axc"],
    ["│a\nb", "cjx<Esc>U", "│"]
  ],
  "the list of changes": [
    ["│abc\nd\ne", "xjjxgg2g;", "│bc\nd\n"],
    ["│abc\nd\ne", "xjjxggg;", "bc\nd\n│"],
    ["│abc\nd\ne", "xjjx2g;g,", "bc\nd\n│"],
    ["ab│c", "g;", "ab│c"],
    ["│one two", "wifoo<Esc>0`.", "one │footwo"],
    ["│one", "Aab<C-w>x<Esc>0`.", "one│x"],
    ["│abc abc", "wxgg`.", "abc │bc"],
    ["│\n>", "VjrzGVrzgg`.", "\n│z"],
    ["│a\n", "vrzGvrzU", "│a\n"]
  ],
  "a match of the last search": [
    ["│a foo b foo", "/foo<CR>cgnX<Esc>.", "a X b │X"],
    ["a f│oo b foo", "/foo<CR>ggdgn", "a │ b foo"],
    ["foo foo │x", "/foo<CR>$dgN", "foo │ x"],
    ["│x foo foo", "/foo<CR>0gngnd", "x│ "],
    ["│a", "/a<CR>:s/a/b/<CR>dgn", "│b"]
  ],
  "sorted lines": [
    ["b\n│a\nc", ":sort<CR>", "│a\nb\nc"],
    ["│a10\na9\nb", ":sort n<CR>", "│b\na9\na10"],
    ["│B\na\nb", ":sort! iu<CR>", "│b\na"],
    ["│x2 b\nx1 c\nx3 a", ":sort /\\s/<CR>", "│x3 a\nx2 b\nx1 c"],
    ["│b\na", ":sort q<CR>", "│b\na"],
    ["│b\na", ":sort|s/$/!/<CR>u", "│b\na"]
  ],
  "earlier and later texts": [
    ["│abc", "xx:earlier 2<CR>", "│abc"],
    ["│abc", "xxu:later<CR>", "│c"],
    ["a\n│b", ":1;+1red<CR>", "│a\nb"]
  ],
  "letters that become two": [["aß│e\nx", "gUj", "ASS│E\nX"]],
  "what was selected before": [
    ["  o│ne\n\n\tx", "vj$dgvd", "  o│x"],
    ["│abc\nabcd", "<C-v>lAq<Esc>j$.", "abqc\nabc│dq"]
  ],
  "marks of borders": [
    ["a\n│b\n\nc", "d'}", "a\n│c"],
    ["One. T│wo. Six.", "d`)", "One. T│Six."],
    ["│a\nb", '`"', "│a\nb"]
  ],
  "marks in blanks that joining removes": [
    ["│tttt\n   xy", "j0lmakJ$`a", "tttt│ xy"],
    ["│t\n     xy", "j0lmakJ$`a", "│t xy"],
    ["│t\n\tx", "j0gwk", "t│ x"]
  ],
  "matches over line ends": [
    ["│a\n\nb\nc", ":%s/\\n/X/<CR>", "│aXXbXcX"],
    ["│a\nb\nc", ":1,2s/\\n/X/<CR>", "│aXbXc"],
    ["a\nb│c", ":s/\\n//<CR>", "a\nb│c"],
    ["│a\na\na", ":1,2g/a/s/\\n/[&]/<CR>", "a[\n│]a\na"]
  ],
  "lines behind a bar and wrong ranges": [
    ["│a", ":red|norm Ax<CR>", "a│x"],
    ["│a\nb", ":#|d<CR>", "│b"],
    ["│a", "qm:g/a/j<CR>Ax<Esc>q@m", "│ax"],
    ["│a\nb", ":2;/zz/d<CR>", "a\n│b"],
    ["│abc", "x:'[u<CR>", "│bc"],
    ["│abc", "xx:1u<CR>", "│bc"]
  ],
  "text with other letters": [
    ["│straße", "gUU", "│STRASSE"],
    ["│全角　空白", "w", "全角　│空白"],
    ["│x²y", "w", "x│²y"],
    ["│カー・ド x", "w", "カー・ド │x"]
  ],
  "registers that keep no text": [["│abc", 'xx"/Pu', "│bc"]],
  "where insert mode was left, in longer characters": [["│abc", "A<Esc>Vrégi<Esc>", "é│éé"]],
  "counting in :g": [["│a\n  ab", ":g/a/s/b/c/n<CR>", "a\n  │ab"]],
  "shifting a block that cuts a wide character": [["1234567890│ 12\n\tf漢 ", "<C-v>jl>", "1234567890│\t   12\n\tf\t漢 "]],
  "a count before %": [["│a b", 'd<C-v>9%"1P', "│ b"]],
  "repeating a deletion of a line break or on a tab": [
    ["a│b\n\tcd", "vld.", "a│d"],
    ["│\tabc", "lvld0.", "│"],
    ["│ab\nc\nd\ne\nf", "vj$d.", "│f"]
  ],
  "repeating on fewer lines": [[" │x\n", "0v)J$.", "│ x"]]
}

describe.each(Object.entries(tables))("%s", (_name, scripts) => {
  it.each(scripts)("%j %s", (before, keys, expected) => {
    expect(after(before, keys)).toBe(expected)
  })
})

describe("a deletion from the start of a line back to that of another", () => {
  it("is kept as lines", () => {
    expect(play("ab\n│cd", "3d<BS>").registers['"']).toEqual({ text: ["ab"], type: "V" })
  })
})

describe("capitals", () => {
  const options = { options: { ...PROMPT_OPTIONS, promptSlash: "buffer" as const, recall: false } }

  it("in classes mean themselves where case is ignored", () => {
    expect(after("│ab C", "/\\u<CR>", options)).toBe("ab │C")
  })

  it("of a word under the caret mean nothing when it is searched for again", () => {
    expect(after("│ME\nme\nMe", "*n", options)).toBe("ME\nme\n│Me")
    expect(after("│ME\nme", "*:%s//x/<CR>", options)).toBe("x\n│x")
  })
})

describe("classes of characters", () => {
  it.each([
    [" \t\u00a0\u3000\u200b", 0],
    ["!-.«½²、。（\u2192\u2500", 1],
    ["aZ0_éßµ\u0416\u3131\u0e01\uff21", 2],
    ["🙂🚀\u2600\u{1f1e6}", 3]
  ])("of %s is %d", (chars, expected) => {
    expect(Array.from(chars, (char) => charClass(char, false))).toEqual(Array.from(chars, () => expected))
  })

  it("tell scripts without blanks apart", () => {
    expect(new Set(Array.from("あア漢한⠁", (char) => charClass(char, false))).size).toBe(5)
    expect(charClass("ー", false)).toBe(charClass("ア", false))
  })
})
