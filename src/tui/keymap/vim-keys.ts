import type { ContextName } from "./actions/context.ts"

/**
 * Keys that the vim engine and the panes understand by combining: counts, registers, operators, motions and text
 * objects. They are not bindings of the keymap; this table is what help and docs/KEYS.md say about them.
 */
export interface VimKeyTable {
  readonly context: ContextName
  readonly title: string
  readonly rows: ReadonlyArray<readonly [keys: string, description: string]>
}

const PROMPT_TABLES: ReadonlyArray<VimKeyTable> = [
  {
    context: "Prompt.normal",
    title: "Vim prompt: motions",
    rows: [
      ["h j k l <BS> <Space>", "by character and line; j and k leave the first and last line for the history"],
      ["0 ^ $ g_ | g0 g$", "in the line"],
      ["w W b B e E ge gE", "by word"],
      ["f F t T ; ,", "to a character"],
      ["( ) { } %", "by sentence, paragraph, matching bracket"],
      ["[( ]) [{ ]}", "to the bracket around"],
      ["gg G gj gk H M L + - _", "by line and row"],
      ["/ ? n N * #", "by search"],
      ["'{mark} `{mark}", "to a mark"]
    ]
  },
  {
    context: "Prompt.normal",
    title: "Vim prompt: operators",
    rows: [
      ["d c y", "delete, change, yank"],
      ["< > =", "dedent, indent, indent again"],
      ["g~ gu gU g?", "swap case, lower case, upper case, rot13"],
      ["gq J gJ !", "wrap, join, join without blank, filter"],
      ["dd cc yy", "an operator twice: whole lines"],
      ["x X s S D C Y", "short forms"],
      ["r R ~", "replace a character, overwrite, swap case"],
      ["p P gp gP ]p", "put"],
      ["u <C-r> g- g+", "undo, redo, by time"],
      [". & g& @:", "repeat the last change, substitution, command"],
      ["<C-a> <C-x> ga", "add, subtract, show the character"]
    ]
  },
  {
    context: "Prompt.normal",
    title: "Vim prompt: text objects, registers, macros",
    rows: [
      ["iw aw iW aW is as ip ap", "word, WORD, sentence, paragraph"],
      ["i( i[ i{ i< ib iB it", "inside brackets and tags; a( and so on with them"],
      ["i\" i' i`", 'inside quotes; a" and so on with them'],
      ["im", "mention or path under the caret"],
      ['"{register}', "a to z, A to Z append, 0 to 9, - _ . : / + * %"],
      ["q{a-z} q @{a-z} @@", "record, play and repeat a macro; a macro never sends"]
    ]
  },
  {
    context: "Prompt.normal",
    title: "Vim prompt: to other modes",
    rows: [
      ["i I a A o O", "insert"],
      ["v V <C-v> gb gv", "select by characters, lines, block; again"],
      ["R", "overwrite"],
      [": / ?", "command line, search"]
    ]
  },
  {
    context: "Prompt.visual",
    title: "Vim prompt: selection",
    rows: [
      ["o O", "go to the other end or corner"],
      ["I A c r d y ~ $", "in a block: on every line"],
      ["aw ip i( …", "text objects grow the selection"]
    ]
  }
]

const INSERT_TABLES: ReadonlyArray<VimKeyTable> = [
  {
    context: "Chat",
    title: "Prompt: editing",
    rows: [
      ["ctrl+a ctrl+e home end", "start and end of the line"],
      ["ctrl+b ctrl+f left right", "by character"],
      ["alt+b alt+f ctrl+left ctrl+right", "by word"],
      ["alt+< alt+>", "start and end of the text"],
      ["ctrl+k ctrl+u", "delete to the end or start of the line"],
      ["ctrl+w alt+backspace ctrl+backspace alt+d", "delete the word before or after"],
      ["ctrl+h backspace ctrl+d delete", "delete a character"],
      ["ctrl+y alt+y", "put back what was deleted; the one before"],
      ["alt+u alt+l alt+c", "upper case, lower case, capital"],
      ["alt+_", "redo what ctrl+_ undid"],
      ["\\ enter", "new line; the backslash goes away"],
      ["! # / @ ?", "first on an empty prompt: shell, memory, command; file; help"]
    ]
  }
]

const TRANSCRIPT_TABLES: ReadonlyArray<VimKeyTable> = [
  {
    context: "Transcript",
    title: "Transcript: counts, operators and text objects",
    rows: [
      ["{count}", "before a motion, operator or window key"],
      ["y gy ! {motion or object}", "yank, quote in the prompt, pipe"],
      ["yy", "yank the logical line"],
      ["im am", "message"],
      ["it at", "tool call; inner: its result"],
      ["iu au", "turn"],
      ["ic ac", "code block; inner: without fences"],
      ["id ad ih ah", "file of a diff, hunk"],
      ["il al io ao", "list item, table"],
      ["if af", "path"],
      ["ip ap iw aw iW aW", "paragraph, word, WORD"],
      ["i\" i' i( i[ i{ i<", 'inside quotes and brackets; a" and so on with them'],
      ["''  ``", "the place before the last jump"]
    ]
  }
]

export const VIM_KEYS: ReadonlyArray<VimKeyTable> = [...INSERT_TABLES, ...PROMPT_TABLES, ...TRANSCRIPT_TABLES]
