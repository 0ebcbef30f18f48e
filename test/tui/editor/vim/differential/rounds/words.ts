/** What rounds are made of: ragged texts, and commands that look back at earlier ones. */
import type { Random } from "../random.ts"

export const words = (text: string): ReadonlyArray<string> => text.split(" ")

const LINES: ReadonlyArray<string> = [
  "alpha 10, beta",
  'b2 (x) "q"',
  "",
  "  gamma\t7",
  "日本語 a1",
  "a",
  "zeta  -3.",
  "Beta 9",
  "foo(bar, [1, 2])",
  "\tfoo foo",
  "   ",
  "one. Two!  Three",
  "<p>x <b>y</b></p>",
  "e\u0301 ü ß",
  "aaa bbb aaa",
  "10",
  "9 x",
  "long line with many words in it and a tail",
  "}",
  "{ a"
]

/** Lines of very different lengths, some of them alike. */
export const raggedText = (random: Random): ReadonlyArray<string> =>
  random.times(2, random.pick([3, 5, 8]), () => random.pick(LINES))

export const PATTERNS = words(
  "a foo \\w\\+ [aeiou] \\d\\+ o\\+ ^. .$ \\s e\\|a \\<lt>b ^$ \\u a\\zs. \\(.\\)\\1 \\a\\{2} 日 x\\n zz b* $"
)

/** Addresses that need something of before: marks, patterns, the last selection, the last change. */
export const ADDRESSES = words("'a 'b '<lt> '> '[ '] '. . $ 1 2 /a/ ?o? /\\d/+1 'a+1 .-1 $-1 // 3 + -")
/** Those of them that are a line of the text, whatever it is. */
export const PLACES = words("'a 'b '<lt> '> '. . $ 1 /a/ ?o? //")
export const SEPARATORS = [",", ",", ";"]

export const LINE_EX = words(
  "d d_a d_A y_a y_B m0 m$ m'a m. t0 t. t'b co$ j j! > <lt> pu pu_a pu! norm_@q norm_. norm_xp norm_A; norm_dw s/a/X/ s/\\w\\+/[&]/g s/o//e & && ~"
).map((line) => line.replaceAll("_", " "))

export const SORTS = [
  "",
  "",
  "!",
  " n",
  "! n",
  " i",
  " u",
  " ui",
  " x",
  " /\\w\\+/",
  " r /\\d/",
  " n /[a-z]/",
  " nu",
  "! r /.$/",
  " /\\s/ n"
]

export const CHANGES = words(
  "x 2x dw diw daw dd D dj d$ cwQ<Esc> ccnew<Esc> ciwW<Esc> A;<Esc> I-<Esc> onew<Esc> Oup<Esc> rz ~ 3~ J gJ p P yyp >> <lt><lt> guiw gUU g~w g?? " +
    "<C-a> 3<C-x> s.<Esc> R12<Esc> xp ddp yiwP dip d} cgn#<Esc> dgn dgN gUgn gqq"
)

export const CHANGES_WITHIN = words("x ~ A;<Esc> rz dw I-<Esc> D <C-a>")

export const SELECTIONS = words("v V <C-v> <C-v>")
export const STEPS = words("l j k h w e b $ j$ G gg iw ip aw jl 2j 3l 0 ^ o O ) } gn gN t, %")
export const VISUAL_ENDS = words(
  'd y c#<Esc> s<Esc> > <lt> ~ u U J gJ p P rz Iab<Esc> Aab<Esc> D X Y CQ<Esc> S-<Esc> R-<Esc> g? gq <C-a> <C-x> g<C-a> $Az<Esc> $d oIq<Esc> <Esc> "ay "Ay "Ad'
)

export const LOOKS_BACK = words(
  '. . . 2. u u u <C-r> 2u U g- g+ 2g- 3g+ gvd gv<Esc> gv~ gvp gvy gi+<Esc> g;x g,x `.x `[x `]x \'<lt>x `>x & g& "aP "ap "Ayy "1p. `^x ``x n. N. ;x ,x'
)
export const TIMES = ["u", "u 1", "u 2", "u 0", "red", "undo 3", "earlier", "earlier 2", "later", "later 3", "u 4"]
