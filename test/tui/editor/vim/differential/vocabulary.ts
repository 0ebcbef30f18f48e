const words = (text: string): ReadonlyArray<string> => text.split(" ")

/**
 * The words of the grammar: every key that the engine knows, by kind; common ones more than once. A word's name is its
 * kind and its keys (`motion:w`); deviations leave words out by that name.
 */
export const VOCABULARY = {
  motion: [
    ...words("h j k l <BS> <Space> 0 ^ $ g_ gg G gj gk g0 g$ w W b B e E ge gE ( ) { } % ; , n N * # H M L + - _"),
    ...words("[( ]) [{ ]} | w b e W $ j k l h")
  ],
  /** Motions that wait for a character. */
  find: ["f", "F", "t", "T"],
  target: ["a", "o", "e", "b", " ", "(", ")", ".", "x", '"', "t"],
  /** Only where Enter does not submit: after an operator and in visual mode. */
  pendingMotion: ["<CR>"],
  mark: ["a", "b", "c"],
  markJump: ["'a", "`a", "'b", "`b", "''", "``", "'[", "`]", "'<lt>", "`>", "'.", "`^"],
  operator: words("d d d c c y y <lt> > = g~ gu gU g? gq gJ J !"),
  force: ["v", "V", "<C-v>"],
  object: words("w W s p b B ( ) [ ] { } <lt> > \" ' ` t"),
  simple: words("x X D Y J gJ ~ p P gp gP ]p . <C-a> <C-x> ga & g& u <C-r> g- g+ p P . u"),
  insertStart: words("i a I A o O s S C R cw cc i a A o"),
  replaceWith: ["z", "é", "(", " ", "日"],
  insertKey: ["<C-h>", "<BS>", "<C-w>", "<C-u>", "<C-j>", "<C-x><C-t>", "<C-x><C-d>", "<Del>"],
  insertRegister: ["<C-x><C-r>a", '<C-x><C-r>"', "<C-x><C-r>0"],
  insertMotion: ["<Left>", "<Right>", "<Up>", "<Down>", "<Home>", "<End>"],
  typed: ["foo", "x", "one two", "  ", "(a", "b)", "é", "日本", "12", ". So", ";", "🙂"],
  register: words('a b c A B 0 1 2 9 - _ "'),
  visualStart: ["v", "V", "<C-v>", "gb"],
  visualSwap: ["o", "O"],
  visualOperator: [
    ...words("d c y <lt> > = g~ gu gU g? gq gJ J ~ u U x X D C Y s S R p P r <C-a> <C-x> & ! I A"),
    ...words("d y c")
  ],
  blockOperator: ["I", "A"],
  pattern: [
    "foo",
    "o",
    "ba.",
    "\\<lt>b",
    "e\\>",
    "[a-c]",
    "o\\+",
    "^\\s*",
    "x\\|o",
    "\\d\\+",
    "$",
    "\\(o\\)\\1",
    "a.\\{1,2}",
    "\\w*",
    "\\v(a|b)+",
    "B\\c",
    "zzz"
  ],
  offset: ["/e", "/+1", "/s+1", "/b-1", "/e-1", "/-1"],
  range: ["%", ".", "$", "1,2", ".,$", "2", "'a,$", "/o/", ".,+1", "?o?", "1;+1", "'<lt>,'>"],
  replacement: ["", "x", "[&]", "\\0\\0", "\\1", "\\u&", "\\U&\\E!", "a\\rb", "é", "\\&"],
  substituteFlag: ["g", "g", "i", "I", "&"]
} as const satisfies Record<string, ReadonlyArray<string>>

export type Kind = keyof typeof VOCABULARY

/** Keys that vim spells differently in its own insert and normal mode. */
export const AS_IN_VIM: Readonly<Record<string, string>> = {
  "<C-x><C-t>": "<C-t>",
  "<C-x><C-d>": "<C-d>",
  "<C-x><C-r>a": "<C-r>a",
  '<C-x><C-r>"': '<C-r>"',
  "<C-x><C-r>0": "<C-r>0",
  gb: "<C-v>"
}
