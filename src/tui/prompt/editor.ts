/** The two editors of the prompt, vim and standard, behind the few questions and edits that the prompt itself needs. */
import { clusters } from "../screen/cell/width.ts"
import { type Buffer, bufferOf, endOf, isEmpty, textOf } from "../editor/buffer.ts"
import { applyChange, replaceLines } from "../editor/change.ts"
import { record } from "../editor/history.ts"
import type { Position } from "../editor/lines.ts"
import type { Selection } from "../editor/selection.ts"
import { insertText, replaceRange, selectionOf, type StandardEditor, standardEditor } from "../editor/standard/state.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { lastColumn, snap } from "../editor/clusters.ts"
import { PLAIN_CONTEXT, type VimContext, type VimOptions } from "../editor/vim/state/context.ts"
import { initialVim, type VimState } from "../editor/vim/state/state.ts"
import { beginTurn, step } from "../editor/vim/step.ts"
import { closeStep } from "../editor/vim/engine/undo.ts"

export type PromptEditor =
  | { readonly _tag: "Vim"; readonly vim: VimState }
  | { readonly _tag: "Standard"; readonly standard: StandardEditor }

export const bufferIn = (editor: PromptEditor): Buffer =>
  editor._tag === "Vim" ? editor.vim.buffer : editor.standard.buffer

export const caretIn = (editor: PromptEditor): Position =>
  editor._tag === "Vim" ? editor.vim.cursor : editor.standard.caret

export const textIn = (editor: PromptEditor): string => textOf(bufferIn(editor))

export const isEmptyEditor = (editor: PromptEditor): boolean => isEmpty(bufferIn(editor))

/** Whether a printable stroke would become text. */
export const isInserting = (editor: PromptEditor): boolean => editor._tag === "Standard" || editor.vim.mode.name === "insert"

export const selectionIn = (editor: PromptEditor): Selection | undefined => {
  if (editor._tag === "Vim") {
    const { mode, cursor } = editor.vim
    return mode.name === "visual" ? { shape: mode.shape, anchor: mode.anchor, head: cursor } : undefined
  }
  const { anchor, caret } = editor.standard
  if (anchor === undefined || selectionOf(editor.standard) === undefined) return undefined
  return { shape: "char", anchor, head: caret }
}

const press = (vim: VimState, strokes: ReadonlyArray<Stroke>, context: VimContext = PLAIN_CONTEXT): VimState =>
  strokes.reduce((state, stroke) => step(state, stroke, context).vim, vim)

/** A new vim editor waits for text; an open prompt that ate its first word as commands would help nobody. */
export const vimEditor = (text: string, options: VimOptions): PromptEditor => ({
  _tag: "Vim",
  vim: press({ ...initialVim(text, options), cursor: endOf(bufferOf(text)) }, ["i"])
})

export const standardPromptEditor = (text: string): PromptEditor => ({
  _tag: "Standard",
  standard: standardEditor(text)
})

/** An empty editor that keeps what outlives a message: registers, kills, searches and options. */
export const emptyEditor = (editor: PromptEditor): PromptEditor => {
  if (editor._tag === "Standard") {
    return { _tag: "Standard", standard: { ...standardEditor(""), kills: editor.standard.kills } }
  }
  const { registers, memory, options } = editor.vim
  return { _tag: "Vim", vim: press({ ...initialVim("", options), registers, memory }, ["i"]) }
}

/** The caret may stand behind the last character only where text is typed. */
const settle = (buffer: Buffer, { line, column }: Position, canStandBehind: boolean): Position => {
  const inside = Math.max(0, Math.min(line, buffer.count - 1))
  const text = buffer.at(inside)
  return { line: inside, column: snap(text, Math.min(column, canStandBehind ? text.length : lastColumn(text))) }
}

const replaceVimText = (vim: VimState, text: string, place: { caret: Position; now: number }): VimState => {
  const left = vim.mode.name === "insert" ? press(vim, ["<Esc>"]) : press(vim, ["<Esc>", "<Esc>"])
  // What was typed until now is a step of its own, and it comes before this one.
  const calm = closeStep(beginTurn(left, { ...PLAIN_CONTEXT, now: place.now })).vim
  const isTyping = vim.mode.name === "insert"
  const change = replaceLines(calm.buffer, { line: 0, count: calm.buffer.count }, text.split("\n"))
  const buffer = applyChange(calm.buffer, change)
  const cursor = settle(buffer, place.caret, isTyping)
  const edit = { changes: [change], before: vim.cursor, after: cursor, time: place.now }
  const replaced = { ...calm, buffer, cursor, history: record(calm.history, edit) }
  return isTyping ? { ...press(replaced, ["i"]), cursor } : replaced
}

/** Puts another text in place of the whole one, as one undoable change. */
export const replaceText = (
  editor: PromptEditor,
  text: string,
  place: { readonly caret: Position; readonly now: number }
): PromptEditor => {
  if (editor._tag === "Vim") return { _tag: "Vim", vim: replaceVimText(editor.vim, text, place) }
  const { standard } = editor
  const range = { from: { line: 0, column: 0 }, to: endOf(standard.buffer) }
  const caret = settle(bufferOf(text), place.caret, true)
  return { _tag: "Standard", standard: replaceRange(standard, { range, text, now: place.now, caret }) }
}

const NEWLINE: Stroke = "<C-j>"

/** A tab typed as such would be a key; as text it is inserted literally. */
const strokesOfText = (text: string): ReadonlyArray<Stroke> =>
  text.split("\n").flatMap((line, index) => [...(index === 0 ? [] : [NEWLINE]), ...clusters(line)])

/** Which keys bring vim from its present state to typing at the caret, and back. */
const around = (vim: VimState): { readonly before: ReadonlyArray<Stroke>; readonly after: ReadonlyArray<Stroke> } => {
  switch (vim.mode.name) {
    case "insert":
      return { before: [], after: [] }
    case "visual":
      return { before: ["c"], after: ["<Esc>"] }
    case "commandLine":
      return { before: [], after: [] }
    case "normal": {
      const text = vim.buffer.at(vim.cursor.line)
      const start = text !== "" && vim.cursor.column === lastColumn(text) ? "a" : "i"
      return { before: [...(vim.pending.length > 0 ? ["<Esc>"] : []), start], after: ["<Esc>"] }
    }
  }
}

/** Text that is inserted literally at the caret: a paste, a chip, an accepted completion. Never a command. */
export const insertLiteral = (editor: PromptEditor, text: string, now: number): PromptEditor => {
  if (editor._tag === "Standard") return { _tag: "Standard", standard: insertText(editor.standard, text, now) }
  const { before, after } = around(editor.vim)
  const typed = editor.vim.mode.name === "commandLine" ? text.replaceAll("\n", " ") : text
  const strokes = [...before, ...strokesOfText(typed), ...after]
  const { options } = editor.vim
  // Two keys may be made to mean Escape; in a text they are two letters.
  const literal = { ...editor.vim, options: { ...options, insertRemaps: [] } }
  return { _tag: "Vim", vim: { ...press(literal, strokes, { ...PLAIN_CONTEXT, now }), options } }
}

/** Replaces what stands between a place of the caret's line and the caret. */
export const replaceBefore = (
  editor: PromptEditor,
  edit: { readonly column: number; readonly text: string; readonly now: number }
): PromptEditor => {
  const caret = caretIn(editor)
  const from = { line: caret.line, column: edit.column }
  if (editor._tag === "Standard") {
    const change = { range: { from, to: caret }, text: edit.text, now: edit.now }
    return { _tag: "Standard", standard: replaceRange(editor.standard, change) }
  }
  const erased = clusters(bufferIn(editor).at(caret.line).slice(edit.column, caret.column)).map(() => "<BS>")
  return insertLiteral({ _tag: "Vim", vim: press(editor.vim, erased) }, edit.text, edit.now)
}
