/** What the keys of the standard editor do, by name. */
import { applyChange } from "../change.ts"
import { endOf } from "../buffer.ts"
import { type History, redo as redoStep, type Travel, undo as undoStep } from "../history.ts"
import type { Position } from "../lines.ts"
import { clusterAt } from "../clusters.ts"
import { killTo, yank, yankPop } from "./kill.ts"
import { moveCaret, OTHER, replaceRange, selectionOf, type StandardEditor, textBetween } from "./state.ts"
import { after, before, blankWordStartBefore, wordEndAfter, wordStartAfter, wordStartBefore } from "./words.ts"

export type Action = (editor: StandardEditor, now: number) => StandardEditor

type Target = (editor: StandardEditor) => Position

const TARGETS = {
  lineStart: ({ caret }) => ({ line: caret.line, column: 0 }),
  lineEnd: ({ buffer, caret }) => ({ line: caret.line, column: buffer.at(caret.line).length }),
  charLeft: ({ buffer, caret }) => before(buffer, caret) ?? caret,
  charRight: ({ buffer, caret }) => after(buffer, caret) ?? caret,
  wordLeft: ({ buffer, caret }) => wordStartBefore(buffer, caret),
  wordRight: ({ buffer, caret }) => wordStartAfter(buffer, caret),
  wordEnd: ({ buffer, caret }) => wordEndAfter(buffer, caret),
  blankWordLeft: ({ buffer, caret }) => blankWordStartBefore(buffer, caret),
  bufferStart: () => ({ line: 0, column: 0 }),
  bufferEnd: ({ buffer }) => endOf(buffer)
} as const satisfies Record<string, Target>

type TargetName = keyof typeof TARGETS

const move =
  (name: TargetName): Action =>
  (editor) =>
    moveCaret(editor, TARGETS[name](editor))

const extend =
  (name: TargetName): Action =>
  (editor) =>
    moveCaret(editor, TARGETS[name](editor), true)

/** Left and right leave a selection at its end on that side, as everywhere. */
const leave =
  (side: "from" | "to", name: TargetName): Action =>
  (editor) =>
    moveCaret(editor, selectionOf(editor)?.[side] ?? TARGETS[name](editor))

const kill =
  (name: TargetName): Action =>
  (editor, now) =>
    killTo(editor, TARGETS[name](editor), now)

/** At the end of the line there is only the line break to take. */
const killLineEnd: Action = (editor, now) => {
  const end = TARGETS.lineEnd(editor)
  return killTo(editor, end.column === editor.caret.column ? TARGETS.charRight(editor) : end, now)
}

const killLineStart: Action = (editor, now) =>
  killTo(editor, editor.caret.column === 0 ? TARGETS.charLeft(editor) : TARGETS.lineStart(editor), now)

const erase =
  (name: TargetName): Action =>
  (editor, now) => {
    const target = TARGETS[name](editor)
    const [from, to] = name === "charLeft" ? [target, editor.caret] : [editor.caret, target]
    const range = selectionOf(editor) ?? { from, to }
    if (textBetween(editor.buffer, range) === "") return { ...editor, last: OTHER }
    return replaceRange(editor, { range, text: "", now })
  }

const capitalised = (text: string): string => {
  const start = text.search(/[\p{L}\p{N}]/u)
  if (start < 0) return text
  const first = clusterAt(text, start)
  return text.slice(0, start) + first.toUpperCase() + text.slice(start + first.length).toLowerCase()
}

const recase =
  (convert: (text: string) => string): Action =>
  (editor, now) => {
    const range = { from: editor.caret, to: wordEndAfter(editor.buffer, editor.caret) }
    const text = textBetween(editor.buffer, range)
    return text === "" ? { ...editor, last: OTHER } : replaceRange(editor, { range, text: convert(text), now })
  }

const travelled = (editor: StandardEditor, found: { history: History; travel: Travel } | undefined): StandardEditor => {
  if (found === undefined) return { ...editor, anchor: undefined, last: OTHER }
  const { step, direction, changes } = found.travel
  const caret = direction === "undo" ? step.before : step.after
  return {
    ...editor,
    buffer: changes.reduce(applyChange, editor.buffer),
    history: found.history,
    caret,
    anchor: undefined,
    last: OTHER
  }
}

const INDENT = "  "

/** Puts as many blanks before the line of the caret, or takes them away. */
const indent: Action = (editor, now) => {
  const { line, column } = editor.caret
  const from = { line, column: 0 }
  const caret = { line, column: column + INDENT.length }
  return replaceRange(editor, { range: { from, to: from }, text: INDENT, now, caret })
}

const dedent: Action = (editor, now) => {
  const { line, column } = editor.caret
  const [blanks = ""] = /^ {0,2}/.exec(editor.buffer.at(line)) ?? []
  const range = { from: { line, column: 0 }, to: { line, column: blanks.length } }
  return replaceRange(editor, { range, text: "", now, caret: { line, column: Math.max(0, column - blanks.length) } })
}

const undo: Action = (editor) => travelled(editor, undoStep(editor.history))
const redo: Action = (editor) => travelled(editor, redoStep(editor.history))

export const ACTIONS = {
  lineStart: move("lineStart"),
  lineEnd: move("lineEnd"),
  charLeft: leave("from", "charLeft"),
  charRight: leave("to", "charRight"),
  wordLeft: move("wordLeft"),
  wordRight: move("wordRight"),
  wordEnd: move("wordEnd"),
  bufferStart: move("bufferStart"),
  bufferEnd: move("bufferEnd"),
  selectCharLeft: extend("charLeft"),
  selectCharRight: extend("charRight"),
  selectWordLeft: extend("wordLeft"),
  selectWordRight: extend("wordRight"),
  selectLineStart: extend("lineStart"),
  selectLineEnd: extend("lineEnd"),
  eraseLeft: erase("charLeft"),
  eraseRight: erase("charRight"),
  killLineEnd,
  killLineStart,
  killWordLeft: kill("wordLeft"),
  killBlankWordLeft: kill("blankWordLeft"),
  killWordRight: kill("wordRight"),
  killWordEnd: kill("wordEnd"),
  yank,
  yankPop,
  upperCase: recase((text) => text.toUpperCase()),
  lowerCase: recase((text) => text.toLowerCase()),
  capitalise: recase(capitalised),
  indent,
  dedent,
  undo,
  redo
} as const satisfies Record<string, Action>

export type ActionName = keyof typeof ACTIONS
