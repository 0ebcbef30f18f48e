/** One command while it is being done: the state so far, what the application was asked, and whether it failed. */
import { applyChange, type Change, replaceLines, withChange } from "../../change.ts"
import type { Position } from "../../lines.ts"
import type { Stroke } from "../../../keymap/stroke.ts"
import { type Buffer, isEmpty, sliceLines } from "../../buffer.ts"
import { bytesBefore } from "../text/bytes.ts"
import { indentEnd, lastColumn, snap } from "../../clusters.ts"
import type { VimCommand } from "../state/command.ts"
import type { VimContext } from "../state/context.ts"
import { shiftGlobalLines } from "../state/global-lines.ts"
import type { Invocation } from "../state/invocation.ts"
import { shiftChanges, shiftEnd, shiftMark, shiftMarks } from "./marks.ts"
import type { BytePlace, LineUndo, Memory, Mode, OpenStep, VimState, WantedColumn } from "../state/state.ts"

/** Strokes to be taken before any others. */
export interface Feed {
  readonly strokes: ReadonlyArray<Stroke>
  readonly times: number
}

export interface Turn {
  readonly vim: VimState
  readonly context: VimContext
  readonly commands: ReadonlyArray<VimCommand>
  /** What remains of a macro is dropped. */
  readonly failed: boolean
  /** A macro that the command set off. */
  readonly feed: Feed | undefined
  /** Strokes come from a macro, `.` or `:norm`, not from the keyboard. */
  readonly played: boolean
  /** One of the lines of `:g`: only `:g` itself is a jump. */
  readonly inGlobal: boolean
  /** Takes strokes as if typed, to their end, and leaves no command half done. */
  readonly play: (turn: Turn, strokes: ReadonlyArray<Stroke>) => Turn
  /** Does a complete command. */
  readonly perform: (turn: Turn, invocation: Invocation) => Turn
}

export const update = (turn: Turn, part: Partial<VimState>): Turn => ({ ...turn, vim: { ...turn.vim, ...part } })

export const remember = (turn: Turn, part: Partial<Memory>): Turn =>
  update(turn, { memory: { ...turn.vim.memory, ...part } })

export const emit = (turn: Turn, command: VimCommand): Turn => ({ ...turn, commands: [...turn.commands, command] })

export const showMessage = (turn: Turn, text: string): Turn => emit(turn, { _tag: "Message", text })

export const fail = (turn: Turn, message?: string): Turn => {
  const noted = message === undefined ? turn : showMessage(turn, message)
  return { ...emit(noted, { _tag: "Bell" }), failed: true }
}

/** Whether there was an error with a message since so many commands; a bell alone is none. */
export const hasError = (turn: Turn, since: number, kind = /^E\d+:/): boolean =>
  turn.commands.slice(since).some((command) => command._tag === "Message" && kind.test(command.text))

export const moveTo = (turn: Turn, cursor: Position, wanted?: WantedColumn): Turn => update(turn, { cursor, wanted })

export const enterMode = (turn: Turn, mode: Mode): Turn => update(turn, { mode })

export const lineAt = (turn: Turn, line: number): string => turn.vim.buffer.at(line)

export const bytePlace = (buffer: Buffer, { line, column }: Position): BytePlace => ({
  line,
  byte: bytesBefore(buffer.at(line), column)
})

export const setMarks = (turn: Turn, marks: Readonly<Record<string, Position>>): Turn => {
  const { buffer } = turn.vim
  const places = Object.entries(marks).map(([name, position]) => [name, bytePlace(buffer, position)] as const)
  return update(turn, { marks: new Map([...turn.vim.marks, ...places]) })
}

/** Notes the caret's place as the one to jump back to. */
export const noteJump = (turn: Turn): Turn =>
  turn.inGlobal ? turn : update(setMarks(turn, { "'": turn.vim.cursor }), { jumpedOver: turn.vim.marks.get("'") })

/**
 * A jump that ended where it began is not a jump: the place before stays the one to go back to. A command that types ends
 * only with its insertion.
 */
export const checkJump = (turn: Turn): Turn => {
  const { marks, buffer, cursor, jumpedOver, mode } = turn.vim
  if (jumpedOver === undefined || mode.name === "insert") return turn
  const mark = marks.get("'")
  const here = bytePlace(buffer, cursor)
  const isJump = mark !== undefined && (mark.line !== here.line || mark.byte !== here.byte)
  return update(turn, { jumpedOver: undefined, ...(!isJump && { marks: new Map(marks).set("'", jumpedOver) }) })
}

/** Where `^` stands on a line, without resting behind the last character. */
export const lineStart = (turn: Turn, line: number): Position => {
  const text = lineAt(turn, line)
  return { line, column: Math.min(indentEnd(text), lastColumn(text)) }
}

export interface LineSpan {
  readonly line: number
  readonly count: number
}

const openStep = (vim: VimState): OpenStep => {
  if (vim.open !== undefined) return vim.open
  const named = new Map([...vim.marks].filter(([name]) => /^[a-z]$/.test(name)))
  const before = { ...vim.cursor, byte: bytePlace(vim.buffer, vim.cursor).byte }
  return { changes: undefined, before, marks: { named, visual: vim.memory.visual, emptied: vim.emptied } }
}

/** After some commands there is no line for `U` to give back. */
export const forgetLine = (turn: Turn): Turn => update(turn, { lineUndo: undefined })

/** Remembers a line that is about to change, unless it is the one that is remembered already. */
const savedLine = (vim: VimState, line: number): LineUndo => {
  if (vim.lineUndo?.line === line) return vim.lineUndo
  const text = vim.buffer.at(line)
  return { line, text, byte: vim.cursor.line === line ? bytesBefore(text, vim.cursor.column) : 0 }
}

/**
 * The one way text changes: lines are replaced, the undo step grows, and marks move along. The caret stays. The column
 * is where the change begins, by itself the caret's within a line and else the start of the first line.
 */
export const replaceSpan = (turn: Turn, span: LineSpan, lines: ReadonlyArray<string>, column?: number): Turn => {
  const { vim } = turn
  const change = replaceLines(vim.buffer, span, lines)
  // Of a text that was deleted as a whole one empty line stays, but no mark does.
  const shift = { ...change, inserted: lines }
  const { visual } = vim.memory
  const moved = visual && {
    ...visual,
    anchor: shiftEnd(visual.anchor, shift),
    head: shiftEnd(visual.head, shift)
  }
  const buffer = applyChange(vim.buffer, change)
  const own = span.count === 1 && lines.length === 1 && vim.cursor.line === span.line ? vim.cursor.column : 0
  return update(turn, {
    jumpedOver: vim.jumpedOver && shiftMark(vim.jumpedOver, shift),
    globalLines: shiftGlobalLines(vim.globalLines, shift),
    ...(moved && { memory: { ...vim.memory, visual: moved } }),
    buffer,
    emptied: isEmpty(buffer) && ((lines.length === 0 && span.count === vim.buffer.count) || vim.emptied),
    open: { ...openStep(vim), changes: withChange(vim.open?.changes, change) },
    ...(span.count === 1 && lines.length > 0 && vim.mode.name !== "insert" && { lineUndo: savedLine(vim, span.line) }),
    changes: shiftChanges(vim.changes, shift),
    marks: new Map(shiftMarks(vim.marks, shift)).set(".", bytePlace(buffer, { line: span.line, column: column ?? own }))
  })
}

export const setLine = (turn: Turn, line: number, text: string, column?: number): Turn =>
  replaceSpan(turn, { line, count: 1 }, [text], column)

/** Gives many lines another text at once, each a change of its own. Marks stay, and so does the line for `U`. */
export const setLines = (turn: Turn, texts: ReadonlyArray<readonly [line: number, text: string]>): Turn => {
  const { vim } = turn
  let { changes } = openStep(vim)
  for (const [line, text] of texts) changes = withChange(changes, { line, removed: [vim.buffer.at(line)], inserted: [text] })
  const buffer = vim.buffer.withLines(texts)
  return update(turn, { buffer, emptied: vim.emptied && isEmpty(buffer), open: { ...openStep(vim), changes } })
}

export const insertLines = (turn: Turn, line: number, lines: ReadonlyArray<string>): Turn =>
  replaceSpan(turn, { line, count: 0 }, lines)

/** Notes lines as changed though they are the same: the undo step begins here, and undo marks them. */
export const touch = (turn: Turn, span: LineSpan = { line: turn.vim.cursor.line, count: 1 }): Turn => {
  const { vim } = turn
  const lines = sliceLines(vim.buffer, span.line, span.line + span.count)
  const change: Change = { line: span.line, removed: lines, inserted: lines }
  const open = { ...openStep(vim), changes: withChange(vim.open?.changes, change) }
  return update(turn, span.count === 1 ? { open, lineUndo: savedLine(vim, span.line) } : { open })
}

/** Keeps the caret inside the text; behind the last character only where the mode lets it be. */
export const clamp = (turn: Turn): Turn => {
  const { buffer, cursor, mode } = turn.vim
  const line = Math.max(0, Math.min(cursor.line, buffer.count - 1))
  const text = buffer.at(line)
  const loose = mode.name === "insert" || mode.name === "visual" || mode.name === "commandLine"
  const column = Math.min(snap(text, cursor.column), loose ? text.length : lastColumn(text))
  return line === cursor.line && column === cursor.column ? turn : update(turn, { cursor: { line, column } })
}
