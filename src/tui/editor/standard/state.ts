/** The editor of `editorMode: "normal"`: a buffer with a caret, a selection, undo and a kill ring. */
import { type Buffer, bufferOf, endOf } from "../buffer.ts"
import { type Change, applyChange, replaceLines } from "../change.ts"
import { type History, NO_HISTORY, record } from "../history.ts"
import type { Position } from "../lines.ts"
import { orderPositions } from "../selection.ts"

/** A pause in typing after which undo takes a step of its own. */
const TYPING_PAUSE_MS = 1000

/** What the key before did, where the next one depends on it. */
export type LastAction =
  | { readonly _tag: "Other" }
  | { readonly _tag: "Typing"; readonly time: number }
  | { readonly _tag: "Kill" }
  /** The yanked text stands between `from` and the caret; the next yank-pop replaces it by the entry after `index`. */
  | { readonly _tag: "Yank"; readonly from: Position; readonly index: number }

export interface StandardEditor {
  readonly buffer: Buffer
  readonly caret: Position
  /** The other end of the selection. */
  readonly anchor: Position | undefined
  readonly history: History
  /** Newest first. */
  readonly kills: ReadonlyArray<string>
  readonly last: LastAction
}

export const OTHER: LastAction = { _tag: "Other" }

export const standardEditor = (text: string): StandardEditor => {
  const buffer = bufferOf(text)
  return { buffer, caret: endOf(buffer), anchor: undefined, history: NO_HISTORY, kills: [], last: OTHER }
}

export interface TextRange {
  readonly from: Position
  readonly to: Position
}

export const selectionOf = ({ anchor, caret }: StandardEditor): TextRange | undefined => {
  if (anchor === undefined || (anchor.line === caret.line && anchor.column === caret.column)) return undefined
  const [from, to] = orderPositions(anchor, caret)
  return { from, to }
}

export const textBetween = (buffer: Buffer, { from, to }: TextRange): string => {
  if (from.line === to.line) return buffer.at(from.line).slice(from.column, to.column)
  const middle = buffer.lines.slice(from.line + 1, to.line)
  return [buffer.at(from.line).slice(from.column), ...middle, buffer.at(to.line).slice(0, to.column)].join("\n")
}

/** The change that puts a text in the place of a range, and where the text ends afterwards. */
const replacement = (buffer: Buffer, { from, to }: TextRange, text: string): { change: Change; end: Position } => {
  const head = buffer.at(from.line).slice(0, from.column)
  const inserted = (head + text + buffer.at(to.line).slice(to.column)).split("\n")
  const rows = text.split("\n")
  const last = rows.at(-1) ?? ""
  const end = { line: from.line + rows.length - 1, column: rows.length === 1 ? from.column + last.length : last.length }
  return { change: replaceLines(buffer, { line: from.line, count: to.line - from.line + 1 }, inserted), end }
}

export interface Replace {
  readonly range: TextRange
  readonly text: string
  readonly now: number
  /** Where the caret goes; the end of the text unless said otherwise. */
  readonly caret?: Position
  readonly last?: LastAction
}

const joinsTyping = (editor: StandardEditor, { text, now, last }: Replace): boolean =>
  last?._tag === "Typing" && editor.last._tag === "Typing" && now - editor.last.time < TYPING_PAUSE_MS && text !== "\n"

/** One undoable edit. Typing that goes on without a pause joins the step before. */
export const replaceRange = (editor: StandardEditor, edit: Replace): StandardEditor => {
  const { change, end } = replacement(editor.buffer, edit.range, edit.text)
  const caret = edit.caret ?? end
  const step = { changes: [change], before: editor.caret, after: caret, time: edit.now }
  return {
    ...editor,
    buffer: applyChange(editor.buffer, change),
    caret,
    anchor: undefined,
    history: record(editor.history, step, joinsTyping(editor, edit)),
    last: edit.last ?? OTHER
  }
}

/** Puts a text where the selection or the caret is. */
export const insertText = (editor: StandardEditor, text: string, now: number): StandardEditor =>
  replaceRange(editor, { range: selectionOf(editor) ?? { from: editor.caret, to: editor.caret }, text, now })

/** A typed character: as `insertText`, but coalescing with what was typed just before. */
export const typeText = (editor: StandardEditor, text: string, now: number): StandardEditor =>
  replaceRange(editor, {
    range: selectionOf(editor) ?? { from: editor.caret, to: editor.caret },
    text,
    now,
    last: text === "\n" ? OTHER : { _tag: "Typing", time: now }
  })

/** Moves the caret; `extend` keeps or starts a selection. */
export const moveCaret = (editor: StandardEditor, caret: Position, extend = false): StandardEditor => ({
  ...editor,
  caret,
  anchor: extend ? (editor.anchor ?? editor.caret) : undefined,
  last: OTHER
})
