/** Beginning and ending insert and replace mode. */
import type { Position } from "../../lines.ts"
import { endOfTyping, spreadBlock } from "./block-insert.ts"
import { bytesBefore, columnAtByte } from "../text/bytes.ts"
import { previousColumn } from "../../clusters.ts"
import { noteRegister } from "../state/register.ts"
import { type BlockInsert, type BytePlace, type InsertSession, NORMAL } from "../state/state.ts"
import {
  clamp,
  enterMode,
  forgetLine,
  insertLines,
  lineAt,
  moveTo,
  remember,
  setMarks,
  touch,
  type Turn,
  update
} from "../engine/running-command.ts"

export interface InsertRule {
  readonly kind: "insert" | "replace"
  readonly count: number
  readonly opens?: boolean
  readonly block?: BlockInsert
}

const caretPlace = (turn: Turn): BytePlace => {
  const { line, column } = turn.vim.cursor
  return { line, byte: bytesBefore(lineAt(turn, line), column) }
}

export const beginInsert = (turn: Turn, rule: InsertRule): Turn => {
  const start = caretPlace(turn)
  const session: InsertSession = {
    replace: rule.kind === "replace",
    start,
    origin: start,
    keepsOrigin: false,
    guarded: 0,
    untouched: true,
    run: undefined,
    strokes: [],
    typed: "",
    count: rule.count,
    opens: rule.opens ?? false,
    moved: false,
    halted: undefined,
    pending: [],
    replaced: [],
    block: rule.block,
    lastKey: undefined
  }
  return enterMode(update(turn, { wanted: undefined }), { name: "insert", session })
}

export const sessionOf = (turn: Turn): InsertSession | undefined =>
  turn.vim.mode.name === "insert" ? turn.vim.mode.session : undefined

export const withSession = (turn: Turn, part: Partial<InsertSession>): Turn => {
  const { mode } = turn.vim
  return mode.name === "insert" ? enterMode(turn, { name: "insert", session: { ...mode.session, ...part } }) : turn
}

/**
 * Before the text changes: the undo step is there even if the key can do nothing, and after an arrow a new insertion
 * begins, which `.` repeats as a plain one. Erasing still minds where the old one began if the caret went right.
 */
export const beginEdit = (turn: Turn): Turn => {
  const session = sessionOf(turn)
  if (session === undefined) return turn
  if (!session.moved) return session.untouched ? withSession(touch(turn), { untouched: false }) : turn
  const start = caretPlace(turn)
  const keepsOrigin = session.keepsOrigin || (start.byte > session.origin.byte && !session.untouched)
  const fresh = { start, keepsOrigin, guarded: 0, moved: false, untouched: false, run: undefined, strokes: [], typed: "" }
  const invocation = { name: "i", register: undefined, count: undefined, argument: "" }
  return remember(withSession(touch(turn), fresh), { repeat: { invocation, strokes: [] } })
}

/** Keeps what was typed for `.` and for the register of that name. */
export const keepTyped = (turn: Turn, session: InsertSession, end: Position): Turn => {
  if (session.moved) return turn
  const { line, byte } = session.start
  const start = { line, column: columnAtByte(lineAt(turn, line), byte) }
  const marked = setMarks(turn, { "[": start, "]": end })
  const registers = noteRegister(turn.vim.registers, ".", session.typed)
  const noted = remember(update(marked, { registers }), { typed: session.strokes })
  const { repeat } = noted.vim.memory
  return repeat === undefined ? noted : remember(noted, { repeat: { ...repeat, strokes: session.strokes } })
}

/** Leaves insert mode after all repetitions: marks, the last insert, the caret one to the left, rows of a block. */
export const endInsert = (turn: Turn, session: InsertSession): Turn => {
  const { cursor } = turn.vim
  const marked = setMarks(keepTyped(turn, session, cursor), { "^": cursor })
  const home = { line: cursor.line, column: previousColumn(lineAt(turn, cursor.line), cursor.column) }
  const left = enterMode(moveTo(marked, home), NORMAL)
  if (session.block === undefined) return clamp(left)
  // Of the rows of a block `U` knows the one that was typed into.
  const { lineUndo } = left.vim
  return clamp(update(spreadBlock(left, session.block, endOfTyping(session, cursor)), { lineUndo }))
}

/** Opens a line for typing before the line that stands there. */
export const openLine = (turn: Turn, at: number): Turn =>
  moveTo(forgetLine(insertLines(turn, at, [""])), { line: at, column: 0 })
