import { TEXT_NAMES } from "./texts.ts"
import { VOCABULARY } from "./vocabulary.ts"

/** A place where the prompt knowingly differs from vim. docs/VIM.md lists the same names and reasons. */
export interface Deviation {
  readonly name: string
  readonly reason: string
  /** Words of the grammar that scripts leave out because of it; none when the grammar cannot say it at all. */
  readonly excludes: ReadonlyArray<string>
  /** Keys of scripts that are not used, where single words are harmless. */
  readonly sequence?: RegExp
}

export const DEVIATIONS: ReadonlyArray<Deviation> = [
  {
    name: "enter-submits",
    reason: "Enter sends the prompt in INSERT and NORMAL; ctrl+j makes a new line.",
    excludes: []
  },
  {
    name: "no-folds-no-windows",
    reason: "A prompt has neither folds nor windows; z and <C-w> belong to chips and panes.",
    excludes: []
  },
  {
    name: "shell-filter",
    reason: "The text for ! goes to a shell command that the application runs, so the engine does not see its result.",
    excludes: ["operator:!", "visualOperator:!"]
  },
  {
    name: "backwards-range",
    reason: "A range whose end comes first is turned round; vim asks first.",
    excludes: []
  },
  {
    name: "block-indent",
    reason: "Keys for the indent, typed into a block, change its first line only; vim may repeat pieces of the line.",
    excludes: ["block:<C-x><C-t>", "block:<C-x><C-d>"]
  },
  {
    name: "insert-keys-after-failure",
    reason: "When 3cc fails, insert keys are typed in NORMAL, where <C-x><C-t>, <C-u> and <C-w> are not vim's.",
    excludes: [],
    sequence: /\d(?:C|S|cc)(?:(?!<Esc>)[^])*<C-[xuw]>/
  },
  {
    name: "whole-characters",
    reason:
      "A letter with its marks, a flag or a joined emoji is one character; vim takes some apart, and what it cuts is not compared.",
    excludes: []
  },
  {
    name: "operator-before-go",
    reason: "An operator takes the characters up to the byte of go; vim takes what the motion before it took.",
    excludes: []
  },
  {
    name: "no-null",
    reason: "\\n in a replacement begins a new line; vim inserts a NUL, which no prompt can hold.",
    excludes: []
  },
  {
    name: "no-expressions",
    reason: "\\= in a replacement is refused: there is no expression language.",
    excludes: []
  },
  {
    name: "reindent",
    reason: "= indents by brackets; vim without a vimrc indents as C.",
    excludes: ["operator:=", "visualOperator:="]
  }
]

const EXCLUDED: ReadonlySet<string> = new Set(DEVIATIONS.flatMap(({ excludes }) => excludes))

export const isExcluded = (name: string): boolean => EXCLUDED.has(name)

/** Whether a script types keys that a deviation is about. */
export const isDeviant = (keys: string): boolean => DEVIATIONS.some(({ sequence }) => sequence?.test(keys) === true)

/** Every name that a deviation may exclude. */
export const WORD_NAMES: ReadonlySet<string> = new Set([
  ...TEXT_NAMES,
  ...Object.entries(VOCABULARY).flatMap(([kind, words]) => words.map((keys) => `${kind}:${keys}`)),
  ...VOCABULARY.insertKey.map((keys) => `block:${keys}`)
])
