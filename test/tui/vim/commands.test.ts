import { describe, expect, it } from "vitest"
import { after, type KeyScript } from "./key-script.ts"

const tables: Readonly<Record<string, ReadonlyArray<KeyScript>>> = {
  motions: [
    ["│one two", "w", "one │two"],
    ["one │two", "b", "│one two"],
    ["│one two", "e", "on│e two"],
    ["one t│wo", "ge", "on│e two"],
    ["│a-b c", "W", "a-b │c"],
    ["a│bc", "$", "ab│c"],
    ["  ab│c", "^", "  │abc"],
    ["│abcabc", "fc;", "abcab│c"],
    ["│abcabc", "tc", "a│bcabc"],
    ["abcab│c", "Fa;", "│abcabc"],
    ["│f(a, [b])", "%", "f(a, [b]│)"],
    ["f(a, │b)", "[(", "f│(a, b)"],
    ["│a\n\nb", "}", "a\n│\nb"],
    ["a\n\n│b", "{", "a\n│\nb"],
    ["│One. Two.", ")", "One. │Two."],
    ["abcd│ef\nab\nabcdef", "jj", "abcdef\nab\nabcd│ef"],
    ["a│b\nabc\na", "$jj", "ab\nabc\n│a"],
    ["│a\nb\nc", "G", "a\nb\n│c"],
    ["a\nb\n│c", "gg", "│a\nb\nc"],
    ["ab│c", "3|", "ab│c"],
    ["│naïve 日本 🙂x", "www", "naïve 日本 🙂│x"]
  ],
  "operators with motions": [
    ["│one two three", "dw", "│two three"],
    ["│one two three", "d2w", "│three"],
    ["│a b c d e f g", "2d3w", "│g"],
    ["one │two\nthree", "dw", "one│ \nthree"],
    ["│one two", "cwx<Esc>", "│x two"],
    ["one│ two", "cwx<Esc>", "one│xtwo"],
    ["a│b\nc\n\nd", "d}", "│a\n\nd"],
    ["│a\nb\n\nc", "d}", "│\nc"],
    ["ab│cd", "d0", "│cd"],
    ["│a\nb\nc", "dj", "│c"],
    ["│abc", "gU$", "│ABC"],
    ["│abc", "g~l", "│Abc"],
    ["│abc", "g??", "│nop"],
    ["│a\nb", ">j", "\t│a\n\tb"],
    ["│one two", "dvw", "│wo"],
    ["o│ne\ntwo", "dVw", "│two"],
    ["│abc\nabc", "d<C-v>j", "│bc\nbc"]
  ],
  "text objects": [
    ["one t│wo three", "diw", "one │ three"],
    ["one t│wo three", "daw", "one │three"],
    ["foo(bar, │baz)", "ci(x<Esc>", "foo(│x)"],
    ["f(a, (│b))", "d2i(", "f(│)"],
    ["say \"h│i\" now", "da\"", "say │now"],
    ["│say 'hi'", "ci'x<Esc>", "say '│x'"],
    ["<p>o│ne <b>two</b></p>", "dit", "<p>│</p>"],
    ["a\n│b\n\nc", "dip", "│\nc"],
    ["a\n│b\n\nc", "dap", "│c"],
    ["One. T│wo. Three.", "das", "One. │Three."],
    ["see @src/m│ain.ts#1-2, ok", "dim", "see │, ok"],
    ["a b│c d", "viwiwd", "a │d"]
  ],
  "registers and put": [
    ["│one two", "ywP", "one│ one two"],
    ["│one\ntwo", "yyp", "one\n│one\ntwo"],
    ["│one\ntwo", "ddp", "two\n│one"],
    ["│one\ntwo", "\"ayyj\"Ayy\"ap", "one\ntwo\n│one\ntwo"],
    ["│ab\ncd\nef", "dddd\"2p", "ef\n│ab"],
    ["│abc", "\"_xp", "│bc"],
    ["│abc", "xgp", "ba│c"],
    ["│ab\ncd", "<C-v>jy$p", "ab│a\ncdc"],
    ["  a│a\nb", "yyj]p", "  aa\nb\n│aa"],
    ["│one two", "yiwwvep", "one on│e"]
  ],
  "visual mode": [
    ["│abc\ndef", "vjd", "│ef"],
    ["│abc\ndef", "Vd", "│def"],
    ["│abc\ndef", "<C-v>jlr-", "│--c\n--f"],
    ["│abc\nde\nfgh", "<C-v>jj$Ax<Esc>", "│abcx\ndex\nfghx"],
    ["│abc\ndef", "<C-v>jIx<Esc>", "│xabc\nxdef"],
    ["│abc\ndef", "<C-v>jlcx<Esc>", "│xc\nxf"],
    ["a│bc", "vohd", "│c"],
    ["│abc", "vl~", "│ABc"],
    ["│a\nb\nc", "VjJ", "a│ b\nc"],
    ["│abc abc", "vly<Esc>wgvd", "│c abc"],
    ["│abc\ndef", "gbjd", "│bc\nef"]
  ],
  "insert and replace mode": [
    ["a│b", "ix<Esc>", "a│xb"],
    ["a│b", "Ax<Esc>", "ab│x"],
    ["  a│b", "Ix<Esc>", "  │xab"],
    ["│a", "ox<C-j>y<Esc>", "a\nx\n│y"],
    ["│a", "3ix<Esc>", "xx│xa"],
    ["│a", "2ox<Esc>", "a\nx\n│x"],
    ["│abc", "Rxy<BS>z<Esc>", "x│zc"],
    ["│", "aone two<C-w>x<Esc>", "one │x"],
    ["│a", "i<C-x><C-t><Esc>", "│\ta"],
    ["│ab", "ylA<C-x><C-r>0<Esc>", "ab│a"],
    ["x│y", "a1<Left>2<Esc>u", "xy│1"]
  ],
  repeating: [
    ["│one two three", "dw.", "│three"],
    ["│a b c d e f", "dw3.", "│e f"],
    ["│a\nb", "A;<Esc>j.", "a;\nb│;"],
    ["foo(│a)\nfoo(b)", "ci(x<Esc>j.", "foo(x)\nfoo(│x)"],
    ["│abcd\nefgh", "vldj.", "cd\n│gh"],
    ["│a\nb\nc", "qaA;<Esc>jq2@a", "a;\nb;\nc│;"],
    ["│1\n1\n1\n1", "qa<C-a>jq@a@@", "2\n2\n2\n│1"],
    ["│a\nb\nc", "qaA;<Esc>jq@au", "a;\n│b\nc"]
  ],
  searching: [
    ["│one two\ntwo", "/two<CR>", "one │two\ntwo"],
    ["│one two\ntwo", "/two<CR>n", "one two\n│two"],
    ["│one two\ntwo", "/two<CR>N", "one two\n│two"],
    ["│foo bar foo", "*", "foo bar │foo"],
    ["│one two", "d/two<CR>", "│two"],
    ["│one two", "/w/e<CR>", "one t│wo"],
    ["│a.b axb", "/a\\.b<CR>rX", "│X.b axb"],
    ["│ab aab", "/a\\+b<CR>", "ab │aab"],
    ["│foo food", "/\\<food\\><CR>", "foo │food"],
    ["│x 12 y", "/\\d\\{2}<CR>", "x │12 y"],
    ["│ab\ncd", "/\\(x\\|d\\)<CR>", "ab\nc│d"],
    ["│one two", "/zz<CR>x", "│ne two"]
  ],
  "ex commands": [
    ["│a a\na", ":s/a/b/<CR>", "│b a\na"],
    ["│a a\na", ":%s/a/b/g<CR>", "b b\n│b"],
    ["│foo bar", ":s/\\(o\\+\\) b/[\\1]\\U&/<CR>", "│f[oo]OO Bar"],
    ["│a\nb\nc", ":2d<CR>", "a\n│c"],
    ["│a\nb\nc", ":1,2d x<CR>\"xp", "c\n│a\nb"],
    ["│a\nb\nc", ":m$<CR>", "b\nc\n│a"],
    ["│a\nb\nc", ":t.<CR>", "a\n│a\nb\nc"],
    ["│a\nb\nc", ":1,3j<CR>", "│a b c"],
    ["│a\nb\nc", ":%norm A;<CR>", "a;\nb;\nc│;"],
    ["│a1\nb\na2", ":g/a/d<CR>", "│b"],
    ["│a1\nb\na2", ":v/a/s/b/x/<CR>", "a1\n│x\na2"],
    ["│a\nb", ":>><CR>", "\t\t│a\nb"],
    ["│a\nb\nc", ":/b/d<CR>", "a\n│c"],
    ["│a\nb\nc", "majmb:'a,'bd<CR>", "│c"],
    ["│a\nb\nc", "Vj:d<CR>", "│c"],
    ["│a a\na a", ":s/a/b/<CR>j&", "b a\n│b a"],
    ["│a a\na a", ":s/a/b/<CR>j@:", "b a\n│b a"],
    ["│a\nb", ":set sw=2 et<CR>>>", "  │a\nb"]
  ],
  "single keys": [
    ["│abc", "3x", "│"],
    ["ab│c", "X", "a│c"],
    ["a│bc", "D", "│a"],
    ["│abc", "3rx", "xx│x"],
    ["│abc", "2~", "AB│c"],
    ["│a\n  b", "J", "a│ b"],
    ["│a\n  b", "gJ", "a│  b"],
    ["x│ 9", "<C-a>", "x 1│0"],
    ["│a-1", "2<C-x>", "a-│3"],
    ["│0xff", "<C-a>", "0x10│0"],
    ["│a", "ga", "│a"],
    ["ab\n│cd", "``", "│ab\ncd"],
    ["│ab\ncd", "maj$`a", "│ab\ncd"],
    ["│a\nb\nc", "gqG", "│a b c"]
  ],
  undo: [
    ["│abc", "xxu", "│bc"],
    ["│a1\na2\nb\na3", ":g/a/d<CR>u", "│a1\na2\nb\na3"],
    ["│abc", "xxuu<C-r>", "│bc"],
    ["│a", "onew<Esc>u", "│a"],
    ["│abc", "xuxg-g-", "│abc"],
    ["a│b", "ix<Esc>iy<Esc>uu", "a│b"]
  ]
}

describe.each(Object.entries(tables))("%s", (_name, scripts) => {
  it.each(scripts)("%j %s", (before, keys, expected) => {
    expect(after(before, keys)).toBe(expected)
  })
})
