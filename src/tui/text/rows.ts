/**
 * Rows from lines: what stands before the text of each row, and which part of the source each row answers for. The
 * rows of a line share its source without gaps, so that rows picked out whole give whole source.
 */
import { appendAll } from "./append-all.ts"
import { cutLine, type Window } from "./cut.ts"
import { lookOf, TEXT } from "../screen/style/look.ts"
import type { Look, Row, Span } from "../screen/style/row.ts"
import { sanitize, type TextKind } from "./sanitize.ts"
import { sourceLines } from "./source-lines.ts"
import { columnsOf, type Line, PROSE_TAB, wrapLine } from "./wrap.ts"
import type { Role } from "../screen/style/roles.ts"

/** What stands left of the text in the first row and in the others. */
export interface Margin {
  readonly first: ReadonlyArray<Span>
  readonly rest: ReadonlyArray<Span>
}

const NO_MARGIN: Margin = { first: [], rest: [] }

/** Columns that a margin leaves to the text, however deep it is. */
const LEAST_TEXT = 4

export const fitMargin = (margin: ReadonlyArray<Span>, width: number): ReadonlyArray<Span> => {
  const room = width - Math.min(width, LEAST_TEXT)
  if (columnsOf(margin) <= room) return margin
  return room === 0 ? [] : cutLine(margin, { width: room }).spans
}

export interface LineLayout {
  readonly width: number
  readonly margin?: Margin
  readonly tab?: number
  /** Absent: wrap. Present: one row that shows the columns behind so many. */
  readonly scroll?: number
  readonly fill?: Role
}

/** The mark behind a line that goes on past the edge. */
export const GOES_ON_MARK = "›"
const GOES_ON: Span = { text: GOES_ON_MARK, look: lookOf("subtle") }

/** One row of a line; where the line goes on past the edge, a mark says so. */
const markedCut = (pieces: ReadonlyArray<Span>, window: Required<Window>): Line => {
  const shown = cutLine(pieces, window)
  const goesOn = window.width > 1 && cutLine(pieces, { ...window, width: window.width + 1 }).width > shown.width
  if (!goesOn) return shown
  const cut = cutLine(pieces, { ...window, width: window.width - 1 })
  return { ...cut, spans: [...cut.spans, GOES_ON], width: cut.width + 1 }
}

const linesOf = (pieces: ReadonlyArray<Span>, first: number, layout: LineLayout & { rest: number }): ReadonlyArray<Line> => {
  const tab = layout.tab ?? PROSE_TAB
  return layout.scroll === undefined
    ? wrapLine(pieces, { width: first, rest: layout.rest, tab })
    : [markedCut(pieces, { width: first, scroll: layout.scroll, tab })]
}

/** Behind the last source that the pieces show. */
const lastPlace = (spans: ReadonlyArray<Span>, fallback: number): number => {
  const last = spans.findLast((span) => span.at !== undefined)
  return last?.at === undefined ? fallback : last.at + (last.covers ?? last.text.length)
}

/** Rows of one logical line that answers for the source from `start` to `end`. */
export const rowsOfLine = (
  pieces: ReadonlyArray<Span>,
  range: { readonly start: number; readonly end: number },
  layout: LineLayout
): ReadonlyArray<Row> => {
  const width = Math.max(1, layout.width)
  const margin = layout.margin ?? NO_MARGIN
  const first = fitMargin(margin.first, width)
  const rest = fitMargin(margin.rest, width)
  const firstColumns = columnsOf(first)
  const restColumns = columnsOf(rest)
  const lines = linesOf(pieces, width - firstColumns, { ...layout, rest: width - restColumns })
  const fill = layout.fill === undefined ? {} : { fill: layout.fill }
  let start = range.start
  return lines.map((line, index) => {
    const before = index === 0 ? first : rest
    const next = lines[index + 1]
    const end =
      next === undefined ? range.end : Math.min(range.end, Math.max(start, next.start ?? lastPlace(line.spans, start)))
    const row: Row = {
      spans: before.length === 0 ? line.spans : [...before, ...line.spans],
      width: line.width + (index === 0 ? firstColumns : restColumns),
      start,
      end,
      ...fill
    }
    start = end
    return row
  })
}

/** A row that drawing adds: a border, a gap. */
export const decoration = (spans: ReadonlyArray<Span>, at: number): Row => ({
  spans,
  width: columnsOf(spans),
  start: at,
  end: at
})

export interface PlainLayout extends LineLayout {
  readonly kind: TextKind
  readonly look?: Look
  /** Where the text begins in the source of the block. */
  readonly at?: number
}

/** Text as it is: every line on its own, nothing interpreted. */
export const plainRows = (text: string, layout: PlainLayout): ReadonlyArray<Row> => {
  const base = layout.at ?? 0
  const rows: Array<Row> = []
  let margin = layout.margin
  for (const line of sourceLines(text)) {
    const pieces = sanitize(line.text, layout.kind, { look: layout.look ?? TEXT, at: base + line.start })
    const range = { start: base + line.start, end: base + line.end }
    appendAll(rows, rowsOfLine(pieces, range, margin === undefined ? layout : { ...layout, margin }))
    if (margin !== undefined) margin = { first: margin.rest, rest: margin.rest }
  }
  return rows
}
