/** `p P gp gP ]p`: putting a register into the text. */
import { clusters } from "../../../screen/cell/width.ts"
import type { Position } from "../../lines.ts"
import { byteLength } from "../text/bytes.ts"
import { cellsOf, cellWidth, clusterAt, displayWidth, nextColumn, previousColumn } from "../../clusters.ts"
import { indentWidth, withIndent } from "../text/indent.ts"
import type { RegisterText } from "../state/register.ts"
import {
  clamp,
  insertLines,
  lineAt,
  lineStart,
  moveTo,
  replaceSpan,
  setLine,
  setMarks,
  touch,
  type Turn
} from "./running-command.ts"

export interface PutRule {
  readonly count: number
  readonly after: boolean
  /** The caret goes behind the text. */
  readonly leap: boolean
  /** Lines take the indent of the caret's line. */
  readonly reindent?: boolean
  /** The lines, up to this one, that each get a text within a line. */
  readonly through?: number
  /** A line is broken to put whole lines into it. */
  readonly split?: boolean
}

const repeat = <A>(items: ReadonlyArray<A>, count: number): ReadonlyArray<A> =>
  Array.from({ length: count }, () => items).flat()

/** Gives lines one after the other the indent of the caret's line: the first that is not empty as it is, the others as far from it. */
const reindenter = (turn: Turn): ((text: string) => string) => {
  const { options, cursor } = turn.vim
  const wanted = indentWidth(lineAt(turn, cursor.line), options.tabstop)
  let shift: number | undefined
  return (text) => {
    if (text === "") return text
    const own = indentWidth(text, options.tabstop)
    shift ??= wanted - own
    return withIndent(text, own + shift, options)
  }
}

const reindented = (turn: Turn, lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map(reindenter(turn))

const splitAtCaret = (turn: Turn, after: boolean): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  const at = after ? nextColumn(text, column) : column
  return replaceSpan(turn, { line, count: 1 }, [text.slice(0, at), text.slice(at)])
}

const putLines = (turn: Turn, text: RegisterText, rule: PutRule): Turn => {
  const ready = rule.split === true ? splitAtCaret(turn, rule.after) : turn
  const { line } = ready.vim.cursor
  const at = rule.after || rule.split === true ? line + 1 : line
  const own = rule.reindent === true ? reindented(ready, text.lines) : text.lines
  const lines = repeat(own, rule.count)
  const put = insertLines(ready, at, lines)
  const last = at + lines.length - 1
  const end = { line: last, column: Math.max(0, lineAt(put, last).length - 1) }
  const marked = setMarks(put, { "[": { line: at, column: 0 }, "]": end })
  if (!rule.leap) return moveTo(marked, lineStart(marked, at))
  return moveTo(marked, { line: Math.min(last + 1, put.vim.buffer.count - 1), column: 0 })
}

const putWithin = (turn: Turn, text: string, rule: PutRule & { readonly at: number }): Turn => {
  const { line } = turn.vim.cursor
  const { tabstop } = turn.vim.options
  const added = text.repeat(rule.count)
  const cell = cellsOf(lineAt(turn, line), rule.at, tabstop).start
  let put = turn
  for (let row = line; row <= Math.max(line, rule.through ?? line); row++) {
    const whole = lineAt(put, row)
    const at = row === line ? rule.at : offsetAtCell(whole, cell, tabstop)
    if (at !== undefined) put = setLine(put, row, whole.slice(0, at) + added + whole.slice(at), at)
  }
  const last = rule.at + previousColumn(added, added.length)
  const marked = setMarks(put, { "[": { line, column: rule.at }, "]": { line, column: last } })
  return moveTo(marked, { line, column: rule.leap ? rule.at + added.length : last })
}

const offsetAtCell = (text: string, cell: number, tabstop: number): number | undefined => {
  let at = 0
  let offset = 0
  for (const cluster of clusters(text)) {
    if (at >= cell) return offset
    at += cellWidth(cluster, at, tabstop)
    offset += cluster.length
  }
  return at >= cell ? offset : undefined
}

const putOver = (turn: Turn, text: RegisterText, rule: PutRule & { readonly at: number }): Turn => {
  const { line } = turn.vim.cursor
  const whole = lineAt(turn, line)
  const [first = "", ...rest] = text.lines
  const head = whole.slice(0, rule.at) + first
  const indented = rule.reindent === true ? reindenter(turn) : (text: string): string => text
  // Every copy goes before the one that was put last, and ends with the line that it broke.
  const copies: Array<ReadonlyArray<string>> = []
  let grown = 0
  for (let left = rule.count; left > 0; left--) {
    const last = (rest.at(-1) ?? "") + (copies.length === 0 ? whole.slice(rule.at) : first)
    const copy = [...rest.slice(0, -1), last].map(indented)
    grown = (copy.at(-1) ?? "").length - last.length
    copies.push(copy)
  }
  const lines = [head, ...copies.toReversed().flat()]
  const column = Math.max(0, (rest.at(-1) ?? "").length + grown)
  const end: Position = { line: line + lines.length - 1, column }
  const put = replaceSpan(turn, { line, count: 1 }, lines, rule.at)
  const start = { line, column: rule.at }
  // A caret behind a single character takes the mark along.
  const mark = rule.leap && column === 1 ? end : { line: end.line, column: Math.max(0, column - 1) }
  return moveTo(setMarks(put, { "[": start, "]": mark }), rule.leap ? end : start)
}

interface BlockRule {
  readonly cell: number
  readonly width: number
  readonly tabstop: number
  readonly count: number
}

interface BlockRow {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Vim measures a row byte by byte: a tab as if it stood at the start, a byte inside a character as four cells. */
const cellsByByte = (char: string, tabstop: number): number => cellWidth(char, 0, tabstop) + 4 * (byteLength(char) - 1)

/** One row of a block put at a cell: short lines are padded, a tab that is in the way falls apart. */
const blockRow = (text: string, added: string, rule: BlockRule): BlockRow => {
  let cell = 0
  let offset = 0
  let width = 0
  for (const cluster of clusters(text)) {
    if (cell >= rule.cell) break
    width = cellWidth(cluster, cell, rule.tabstop)
    cell += width
    offset += cluster.length
  }
  // Only a tab falls apart; another character in the way goes behind the block.
  const cut = cell > rule.cell
  const from = cut ? offset - (clusters(text.slice(0, offset)).at(-1)?.length ?? 0) : offset
  const isTab = cut && text[from] === "\t"
  const head = text.slice(0, from) + (cut ? " ".repeat(width - (cell - rule.cell)) : "")
  const pad = " ".repeat(Math.max(0, rule.cell - cell))
  const tail = isTab ? " ".repeat(cell - rule.cell) + text.slice(offset) : text.slice(from)
  const own = Array.from(added, (char) => cellsByByte(char, rule.tabstop)).reduce((sum, cells) => sum + cells, 0)
  const fill = " ".repeat(Math.max(0, rule.width - own))
  const atEnd = cell <= rule.cell && offset >= text.length
  const body = (added + fill).repeat(rule.count - 1) + added + (atEnd ? "" : fill)
  const start = head.length + pad.length
  return { text: head + pad + body + tail, start, end: start + body.length }
}

const putBlock = (turn: Turn, register: RegisterText, rule: PutRule): Turn => {
  const { line, column } = turn.vim.cursor
  const { tabstop } = turn.vim.options
  const own = lineAt(turn, line)
  const steps = rule.after && column < own.length
  const cell = steps ? cellsOf(own, column, tabstop).end + 1 : cellsOf(own, column, tabstop).start
  const width = register.width ?? Math.max(...register.lines.map((text) => displayWidth(text, tabstop)))
  const count = Math.min(register.lines.length, turn.vim.buffer.count - line)
  const rows = register.lines.map((added, index) =>
    blockRow(index < count ? lineAt(turn, line + index) : "", added, { cell, width, tabstop, count: rule.count })
  )
  const put = replaceSpan(
    turn,
    { line, count },
    rows.map((row) => row.text),
    0
  )
  const start = { line, column: rows[0]?.start ?? column }
  const end = { line: line + rows.length - 1, column: (rows.at(-1)?.end ?? 1) - 1 }
  const marked = setMarks(put, { "[": start, "]": end })
  return moveTo(marked, rule.leap ? { line: end.line, column: end.column + 1 } : start)
}

/** A recorded macro may hold line breaks within its one line; in a text they are lines. */
const asLines = (text: RegisterText): RegisterText => ({
  ...text,
  lines: text.lines.flatMap((line) => line.split("\n"))
})

export const putText = (turn: Turn, register: RegisterText, rule: PutRule): Turn => {
  const text = asLines(register)
  if (text.type === "line") return clamp(putLines(turn, text, rule))
  if (text.type === "block") return clamp(putBlock(turn, text, rule))
  const { line, column } = turn.vim.cursor
  const whole = lineAt(turn, line)
  const at = rule.after && clusterAt(whole, column) !== "" ? nextColumn(whole, column) : column
  const [first = ""] = text.lines
  if (text.lines.length === 1 && first === "")
    return setMarks(touch(turn), { "[": { line, column: at }, "]": { line, column: at } })
  if (text.lines.length === 1) return clamp(putWithin(turn, first, { ...rule, at }))
  return clamp(putOver(turn, text, { ...rule, at }))
}
