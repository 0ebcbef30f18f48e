/** What bursts are made of: single keys and whole commands, by kind. */
const words = (text: string): ReadonlyArray<string> => text.split(" ")

export const MOTIONS: ReadonlyArray<string> = [
  ...words("h j k l w b e W B E ge gE 0 ^ $ g_ | gg G gj gk g0 g$ g^ ( ) { } % ; , n N * # g* g# H L + - _ <Space> <BS>"),
  ...words("[( ]) [{ ]} ]] [[ ][ [] gM <Left> <Right> <Up> <Down> <Home> <End> <C-n> <C-p> <C-h> w e b $ j k"),
  ...words("fa Fa ta Ta fe te f( t) F<Space> f\" ' `")
]

/** With the character they wait for. */
export const JUMPS: ReadonlyArray<string> = words("'a `a 'b `b '' `` '[ `[ '] `] '<lt> `<lt> '> `> '. `. '^ `^")

export const SEARCHES: ReadonlyArray<string> =
  "a|o|\\<lt>\\w|\\w\\+|[a-c]\\+|^|$|\\s|b.|x\\|y|\\d|(|\\v(a|e)+|zzz|\\a\\zs.|e\\n|^$|\\u|foo\\c|\\(a\\)\\1".split(
    /(?<!\\)\|/
  )
export const OFFSETS: ReadonlyArray<string> = [
  "",
  "",
  "",
  "",
  "e",
  "e-1",
  "e+1",
  "s+1",
  "b+2",
  "s-1",
  "+1",
  "-1",
  "0",
  "+2",
  "e+9"
]

export const OPERATORS: ReadonlyArray<string> = words("d d d c c y y > <lt> gu gU g~ g? gq gw")
export const OBJECTS: ReadonlyArray<string> = words(
  "iw aw iW aW is as ip ap ib ab iB aB i( a) i[ a] i{ a} i<lt> a> i\" a\" i' a' i` a` it at"
)
export const REGISTERS: ReadonlyArray<string> = words('a b A B 0 1 2 9 - _ "')
export const SIMPLE: ReadonlyArray<string> = [
  ...words(
    "x X D Y J gJ ~ p P gp gP ]p [p u u <C-r> . . . U g- g+ <C-a> <C-x> g; g, & g& gv<Esc> ra rX r<Space> ré <Del> yyp ddp xp"
  ),
  ...words("p P . u J")
]
export const INSERTS: ReadonlyArray<string> = words("i a I A o O s S C R gi gI cc cw")
export const TYPED: ReadonlyArray<string> = [
  "x",
  "ab",
  "one two",
  "(",
  "}",
  "é",
  "漢",
  "🙂",
  "9",
  ". A",
  "  ",
  "<BS>",
  "<BS>",
  "<C-w>",
  "<C-u>",
  "<C-h>",
  "<C-j>",
  "<Del>",
  "<Tab>",
  "<Left>",
  "<Right>",
  "<Up>",
  "<Down>",
  "<Home>",
  "<End>"
]
export const VISUAL_ENDS: ReadonlyArray<string> = words(
  "d x y c s > <lt> ~ u U J gJ p P rz I A D X Y C S R gu gU g~ g? gq gw <C-a> <C-x> g<C-a> g<C-x> d y c <Esc>"
)
export const RANGES: ReadonlyArray<string> = words(
  ". $ % 1 2 3 0 1,2 1,$ .,$ 1,. .,+1 -1,. .+1 $-1 'a '<lt>,'> '[,'] /a/ ?e? /o/,$ 1;+1 +"
)
export const PATTERNS: ReadonlyArray<string> = [
  "a",
  "o",
  "\\w\\+",
  "^",
  "$",
  "\\s\\+",
  "[aeiou]",
  "\\(\\w\\)\\(\\w\\)",
  "b*",
  "x\\|e",
  "\\<lt>\\w",
  "^\\s*",
  "\\n",
  "\\d\\+",
  "(",
  "\\v(\\w+)",
  ".",
  "",
  "\\s*$",
  "e\\ze",
  "\\zs\\w\\>"
]
export const REPLACEMENTS: ReadonlyArray<string> = [
  "",
  "X",
  "[&]",
  "\\2\\1",
  "\\u&",
  "\\U&",
  "&\\r",
  "~",
  "a\\/b",
  "\\0-\\0",
  "<lt>&>",
  "é"
]
export const FLAGS: ReadonlyArray<string> = ["", "", "g", "g", "gi", "e", "n", "&", "g 2", "ge", "I"]
export const LINE_EX: ReadonlyArray<string> = words(
  "d d_2 d_a y y_a m0 m$ m. m+1 m-2 t. t0 t$ co1 j j! j3 j!_2 > <lt> >> <lt>_2 pu pu! pu_a 0pu ka k_b norm_x norm_dw norm_A; norm_Ix norm_.j norm_J norm_@a & && ~ s u red p #"
).map((line) => line.replaceAll("_", " "))
