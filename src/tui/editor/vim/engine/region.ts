/** The text that an operator works on, made from a motion, a text object, doubled keys or a selection. */
import { sliceLines } from "../../buffer.ts"
import { comparePositions, type Position } from "../../lines.ts"
import { orderPositions, type Shape } from "../../selection.ts"
import type { Columns } from "../text/block.ts"
import { bytesBefore, columnAtByte } from "../text/bytes.ts"
import { cellsOf, columnAtCell, displayWidth, indentEnd, lastColumn, nextColumn, previousColumn } from "../../clusters.ts"
import type { VisualSize } from "../state/invocation.ts"
import type { Extent } from "../motions/motion.ts"
import type { VimState, WantedColumn } from "../state/state.ts"

export interface Region {
  readonly shape: Shape
  readonly start: Position
  /** Characters: behind the last one. Lines and blocks: on the last line. */
  readonly end: Position
  /** The last character itself, or where the caret was in a selection. */
  readonly last: Position
  readonly columns: Columns
  readonly visual: boolean
  /** The end was moved off the start of the next line. */
  readonly adjusted: boolean
  readonly forced: boolean
  /** The motion took in the character it ended on, even where there was none. */
  readonly inclusive: boolean
  /** A selection that `$` extended. */
  readonly toEnd: boolean
  /** Deletions go to register 1 even within a line. */
  readonly numbered: boolean
}

export interface Ends {
  readonly from: Position
  readonly to: Position
  readonly extent: Extent
  readonly exact?: boolean
  readonly numbered?: boolean
  /** The wanted column that the motion set. */
  readonly wanted?: WantedColumn
}

const NO_COLUMNS: Columns = { left: 0, right: 0, toEnd: false }

/** The cells between two corners; after `$` up to the longest line. */
export const columnsBetween = (vim: VimState, a: Position, b: Position): Columns => {
  const { tabstop } = vim.options
  const one = cellsOf(vim.buffer.at(a.line), a.column, tabstop)
  const other = cellsOf(vim.buffer.at(b.line), b.column, tabstop)
  const toEnd = vim.wanted === Infinity
  const right = toEnd ? widest(vim, a.line, b.line) : Math.max(one.end, other.end)
  return { left: Math.min(one.start, other.start), right, toEnd }
}

/** Cells of the longest of some lines. */
const widest = (vim: VimState, a: number, b: number): number => {
  const [first, last] = a < b ? [a, b] : [b, a]
  const widths = sliceLines(vim.buffer, first, last + 1).map((text) => displayWidth(text, vim.options.tabstop))
  return Math.max(...widths)
}

const cornerOf = (vim: VimState, line: number, cell: number): Position => ({
  line,
  column: columnAtCell(vim.buffer.at(line), cell, vim.options.tabstop)
})

export const blockRegion = (
  vim: VimState,
  lines: { readonly first: number; readonly last: number },
  rule: { readonly columns: Columns; readonly visual: boolean }
): Region => ({
  shape: "block",
  start: cornerOf(vim, lines.first, rule.columns.left),
  end: cornerOf(vim, lines.last, rule.columns.right),
  last: cornerOf(vim, lines.last, rule.columns.right),
  columns: rule.columns,
  visual: rule.visual,
  adjusted: false,
  forced: !rule.visual,
  inclusive: true,
  toEnd: rule.columns.toEnd,
  numbered: false
})

const FORCED_EXTENT: Record<Extent, Extent> = { line: "exclusive", exclusive: "inclusive", inclusive: "exclusive" }

const forcedExtent = (extent: Extent, force: Shape | undefined): Extent => {
  if (force === "char") return FORCED_EXTENT[extent]
  return force === "line" ? "line" : extent
}

const inIndent = (vim: VimState, { line, column }: Position): boolean => indentEnd(vim.buffer.at(line)) >= column

/** An exclusive motion that ends at the start of a line ends with the line before, and may turn into whole lines. */
const adjustEnd = (vim: VimState, region: Region, exact: boolean): Region => {
  const { start, end } = region
  if (exact || end.column > 0 || end.line === start.line) return region
  const line = end.line - 1
  const adjusted = { ...region, end: { line, column: vim.buffer.at(line).length }, adjusted: true }
  return inIndent(vim, start) ? { ...adjusted, shape: "line" } : adjusted
}

/** The region of an operator with a motion or object. */
export const regionBetween = (vim: VimState, ends: Ends, force: Shape | undefined): Region => {
  const [start, last] = orderPositions(ends.from, ends.to)
  if (force === "block") {
    const columns = columnsBetween({ ...vim, wanted: ends.wanted ?? vim.wanted }, start, last)
    const block = blockRegion(vim, { first: start.line, last: last.line }, { columns, visual: false })
    const isNothing = ends.extent === "exclusive" && comparePositions(start, last) === 0
    return { ...block, inclusive: !isNothing, numbered: ends.numbered ?? false }
  }
  const extent = forcedExtent(ends.extent, force)
  const text = vim.buffer.at(last.line)
  const end = extent === "inclusive" ? { line: last.line, column: nextColumn(text, last.column) } : last
  const region: Region = {
    shape: extent === "line" ? "line" : "char",
    start,
    end,
    last,
    columns: NO_COLUMNS,
    visual: false,
    adjusted: false,
    forced: force !== undefined,
    inclusive: extent === "inclusive",
    toEnd: false,
    numbered: ends.numbered ?? false
  }
  return extent === "exclusive" ? adjustEnd(vim, region, ends.exact ?? false) : region
}

interface VisualRule {
  readonly shape: Shape
  /** The operator works on lines anyway, so a selected line break does not reach into the next line. */
  readonly byLines: boolean
}

/** A selection of characters includes its last one, and the line break when the caret stands on it. */
const charRegion = (vim: VimState, ends: readonly [Position, Position], byLines: boolean): Region => {
  const [start, last] = ends
  const text = vim.buffer.at(last.line)
  const onBreak = last.column >= text.length
  const takesBreak = onBreak && !byLines && last.line + 1 < vim.buffer.count
  const end = takesBreak
    ? { line: last.line + 1, column: 0 }
    : { line: last.line, column: onBreak ? text.length : nextColumn(text, last.column) }
  const toEnd = vim.wanted === Infinity
  const flags = { visual: true, adjusted: false, forced: false, inclusive: !onBreak, toEnd, numbered: false }
  return { shape: "char", start, end, last, columns: NO_COLUMNS, ...flags }
}

export const visualRegion = (vim: VimState, anchor: Position, rule: VisualRule): Region => {
  const [start, last] = orderPositions(anchor, vim.cursor)
  switch (rule.shape) {
    case "char":
      return charRegion(vim, [start, last], rule.byLines)
    case "line": {
      const base = charRegion(vim, [start, last], true)
      const home = { line: anchor.line, column: 0 }
      const [low, high] = orderPositions(home, vim.cursor)
      return { ...base, shape: "line", start: low, last: high }
    }
    case "block": {
      const columns = columnsBetween(vim, anchor, vim.cursor)
      return blockRegion(vim, { first: start.line, last: last.line }, { columns, visual: true })
    }
  }
}

/** The size of a selection, for doing the same again elsewhere. */
export const sizeOf = (vim: VimState, region: Region, shape: Shape): VisualSize => {
  const { start, end } = region
  const takesBreak = shape === "char" && end.line > region.last.line
  const last = takesBreak ? end.line - 1 : end.line
  const lines = last - start.line + 1
  if (vim.wanted === Infinity) return { shape, lines, columns: Infinity }
  if (shape === "block") return { shape, lines, columns: region.columns.right - region.columns.left + 1 }
  const { tabstop } = vim.options
  const text = vim.buffer.at(last)
  // A line break that is selected is a cell of its own.
  const lastCell = cellsOf(text, shape === "char" ? region.last.column : previousColumn(text, end.column), tabstop).end
  if (lines > 1) return { shape, lines, columns: lastCell }
  return { shape, lines, columns: lastCell - cellsOf(text, start.column, tabstop).start + 1 }
}

/** The cell of the caret as a repeated command finds it: where it was drawn last, else the first of a tab. */
const caretCell = ({ buffer, cursor, drawn, options }: VimState): number => {
  const text = buffer.at(cursor.line)
  const isDrawn = drawn !== undefined && comparePositions(drawn.at, cursor) === 0 && drawn.text === text
  return isDrawn ? drawn.cell : cellsOf(text, cursor.column, options.tabstop).start
}

/**
 * Where a change up to the line end ends when it is repeated. Within a line vim adds the caret's column to almost the
 * largest number there is: at the first two columns that is behind the line, and further on the sum overflows, so that
 * the change goes back to the start of the line.
 */
const endOfRepeat = (vim: VimState, size: VisualSize, text: string): number => {
  return size.lines > 1 || caretCell(vim) <= 1 ? text.length : 0
}

/** A region of a given size from the caret on. */
export const regionOfSize = (vim: VimState, size: VisualSize, byLines: boolean): Region => {
  const { cursor, buffer, options } = vim
  const last = Math.min(cursor.line + size.lines - 1, buffer.count - 1)
  const text = buffer.at(last)
  const startCell = cellsOf(buffer.at(cursor.line), cursor.column, options.tabstop).start
  if (size.shape === "block") {
    // A caret that wants to be at the end of its line takes a block there, whatever its size was.
    const toEnd = size.columns === Infinity || vim.wanted === Infinity
    const right = toEnd ? widest(vim, cursor.line, last) : startCell + size.columns - 1
    return blockRegion(vim, { first: cursor.line, last }, { columns: { left: startCell, right, toEnd }, visual: true })
  }
  const cell = size.lines > 1 ? size.columns : caretCell(vim) + size.columns - 1
  const column = cell === Infinity ? endOfRepeat(vim, size, text) : columnAtCell(text, cell, options.tabstop)
  // Whole lines end below the caret, as many bytes into their last line.
  const bytes = bytesBefore(buffer.at(cursor.line), cursor.column)
  const below = size.columns === Infinity ? lastColumn(text) : columnAtByte(text, bytes)
  const head = { line: last, column: size.shape === "line" ? below : column }
  const region = charRegion(vim, orderPositions(cursor, head), byLines || size.shape === "line")
  return size.shape === "line" ? { ...region, shape: "line", start: cursor } : region
}

export const lineCount = (region: Region): number => region.end.line - region.start.line + 1

export const isEmptyRegion = (region: Region): boolean =>
  region.shape === "char" && comparePositions(region.start, region.end) >= 0
