/** Beginning and ending insert and replace mode. */
import type { Position } from "../editor/lines.ts"
import { blockPart } from "./block.ts"
import { previousColumn, snap } from "./chars.ts"
import { noteRegister } from "./register.ts"
import { type BlockInsert, type InsertSession, NORMAL } from "./state.ts"
import { clamp, enter, insertLines, lineAt, moveTo, remember, setLine, setMarks, type Turn, update } from "./turn.ts"

export interface InsertRule {
  readonly kind: "insert" | "replace"
  readonly count: number
  readonly opens?: boolean
  readonly block?: BlockInsert
}

export const beginInsert = (turn: Turn, rule: InsertRule): Turn => {
  const session: InsertSession = {
    replace: rule.kind === "replace",
    start: turn.vim.cursor,
    strokes: [],
    typed: "",
    count: rule.count,
    opens: rule.opens ?? false,
    moved: false,
    end: undefined,
    pending: [],
    replaced: [],
    block: rule.block,
    lastKey: undefined
  }
  return enter(update(turn, { wanted: undefined }), { name: "insert", session })
}

export const withSession = (turn: Turn, part: Partial<InsertSession>): Turn => {
  const { mode } = turn.vim
  return mode.name === "insert" ? enter(turn, { name: "insert", session: { ...mode.session, ...part } }) : turn
}

/** What was typed on the first line of a block: from where the typing began to the caret. */
const typedInBlock = (turn: Turn, session: InsertSession, block: BlockInsert): string => {
  const end = session.moved ? session.end : turn.vim.cursor
  const text = lineAt(turn, block.line)
  const from = session.start.line === block.line ? snap(text, session.start.column) : block.at
  if (end !== undefined && end.line === block.line) return text.slice(from, end.column)
  return block.home === undefined ? text.slice(from, from + Math.max(0, text.length - block.length)) : ""
}

/** A line with text put at the edge of a block; undefined when it is too short for that. */
interface Spreading {
  readonly added: string
  readonly tabstop: number
}

const withBlockText = (text: string, block: BlockInsert, rule: Spreading): string | undefined => {
  const part = blockPart(text, block.columns, rule.tabstop)
  if (!block.append) {
    if (part.short) return undefined
    const pad = " ".repeat(part.before)
    const isCut = part.before > 0
    const rest = isCut ? " ".repeat(cutCells(text, part, rule.tabstop)) + text.slice(part.end) : text.slice(part.start)
    return text.slice(0, part.start) + pad + rule.added + rest
  }
  if (block.columns.toEnd) return text + rule.added
  if (part.missing > 0) return text + " ".repeat(part.missing) + rule.added
  if (part.after === 0) return text.slice(0, part.end) + rule.added + text.slice(part.end)
  const cut = previousColumn(text, part.end)
  const width = rule.tabstop
  const inside = Math.max(0, Math.min(width, part.inside.length - (cut - part.start)))
  return text.slice(0, cut) + " ".repeat(inside) + rule.added + " ".repeat(part.after) + text.slice(part.end)
}

/** Cells of a tab, cut by the left edge, that lie at or behind the edge. */
const cutCells = (text: string, part: { start: number; before: number; inside: string }, tabstop: number): number =>
  text.charAt(part.start) === "\t" ? Math.min(tabstop - part.before, part.inside.length) : 0

/** After an arrow to the left the text is no longer behind the block but before it. */
const blockOf = (session: InsertSession, block: BlockInsert): BlockInsert => {
  const isBefore = block.home !== undefined && session.start.column <= block.home.column
  return block.append && isBefore ? { ...block, append: false } : block
}

const spreadBlock = (turn: Turn, session: InsertSession, begun: BlockInsert): Turn => {
  const added = typedInBlock(turn, session, begun)
  if (added === "") return turn
  const block = blockOf(session, begun)
  const { tabstop } = turn.vim.options
  let spread = block.home === undefined ? turn : moveTo(turn, block.home)
  for (let line = block.line + 1; line <= Math.min(block.last, turn.vim.buffer.count - 1); line++) {
    const text = withBlockText(lineAt(spread, line), block, { added, tabstop })
    if (text !== undefined) spread = setLine(spread, line, text)
  }
  return spread
}

/** Keeps what was typed for `.` and for the register of that name. */
export const keepTyped = (turn: Turn, session: InsertSession, end: Position): Turn => {
  if (session.moved) return turn
  const marked = setMarks(turn, { "[": session.start, "]": end })
  const noted = update(marked, { registers: noteRegister(turn.vim.registers, ".", session.typed) })
  const { repeat } = noted.vim.memory
  return repeat === undefined ? noted : remember(noted, { repeat: { ...repeat, strokes: session.strokes } })
}

/** Leaves insert mode after all repetitions: rows of a block, marks, the last insert, and the caret one to the left. */
export const endInsert = (turn: Turn, session: InsertSession): Turn => {
  const { cursor } = turn.vim
  const spread = session.block === undefined ? turn : spreadBlock(turn, session, session.block)
  const wentHome = spread.vim.cursor !== cursor
  const marked = setMarks(keepTyped(spread, session, cursor), { "^": cursor })
  const home: Position = wentHome
    ? spread.vim.cursor
    : { line: cursor.line, column: previousColumn(lineAt(spread, cursor.line), cursor.column) }
  return clamp(enter(moveTo(marked, home), NORMAL))
}

/** Opens a line for typing before the line that stands there. */
export const openLine = (turn: Turn, at: number): Turn => moveTo(insertLines(turn, at, [""]), { line: at, column: 0 })
