/** Small builders of rows: marks beside the text, units that stand for source, rows behind a gutter. */
import { clusters, clusterWidth, textWidth } from "../../screen/cell/width.ts"
import { cutLine } from "../../text/cut.ts"
import { lookOf, withTrait } from "../../screen/style/look.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { decoration, plainRows } from "../../text/rows.ts"
import { type TextKind, sanitize } from "../../text/sanitize.ts"
import { columnsOf } from "../../text/wrap.ts"

export interface Range {
  readonly start: number
  readonly end: number
}

export const QUIET = lookOf("inactive")
export const STRONG = withTrait(lookOf("text"), "bold")

/** Text that only drawing adds. Our own words and numbers, never text from outside. */
export const mark = (text: string, look: Look = QUIET): Span => ({ text, look })

/** Our own words in place of a range of source. */
export const unit = (text: string, range: Range, look: Look = QUIET): Span => ({
  text,
  look,
  at: range.start,
  covers: range.end - range.start
})

const offsetBehind = (spans: ReadonlyArray<Span>, start: number): number => {
  const last = spans.findLast((span) => span.at !== undefined)
  return last?.at === undefined ? start : Math.max(start, last.at + (last.covers ?? last.text.length))
}

/** One row of these spans, cut at the width. Without source in it, it stands at `start`. */
export const cutRow = (spans: ReadonlyArray<Span>, width: number, start = 0): Row => {
  const line = cutLine(spans, { width })
  const from = spans.find((span) => span.at !== undefined)?.at ?? start
  return { ...decoration(line.spans, from), end: offsetBehind(spans, from) }
}

export const blankRow = (at: number): Row => decoration([], at)

/** A range of source as it is, line by line. */
export const rangeRows = (
  source: string,
  range: Range,
  style: { readonly width: number; readonly kind?: TextKind; readonly look?: Look; readonly tab?: number }
): ReadonlyArray<Row> =>
  range.end <= range.start
    ? []
    : plainRows(source.slice(range.start, range.end), { kind: "output", ...style, at: range.start })

export const behind = (rows: ReadonlyArray<Row>, prefix: ReadonlyArray<Span>): ReadonlyArray<Row> => {
  const width = columnsOf(prefix)
  return rows.map((row) => ({ ...row, spans: [...prefix, ...row.spans], width: row.width + width }))
}

/** Rows of a text that begins so much later in the source of its block. */
export const shiftRows = (rows: ReadonlyArray<Row>, by: number): ReadonlyArray<Row> =>
  rows.map((row) => ({
    ...row,
    start: row.start + by,
    end: row.end + by,
    spans: row.spans.map((span) => (span.at === undefined ? span : { ...span, at: span.at + by }))
  }))

export const fillRows = (rows: ReadonlyArray<Row>, fill: NonNullable<Row["fill"]>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, fill }))

const fitting = (parts: ReadonlyArray<string>, room: number): number => {
  let width = 0
  const end = parts.findIndex((part) => {
    width += clusterWidth(part)
    return width > room
  })
  return end < 0 ? parts.length : end
}

/** A span shortened in its middle; what is left out stays covered. */
const shortenSpan = (span: Span, room: number, more: string): ReadonlyArray<Span> => {
  if (textWidth(span.text) <= room) return [span]
  const parts = clusters(span.text)
  const kept = Math.max(0, room - textWidth(more))
  const head = parts.slice(0, fitting(parts, Math.ceil(kept / 2))).join("")
  const last = parts.toReversed()
  const tail = last
    .slice(0, fitting(last, Math.floor(kept / 2)))
    .toReversed()
    .join("")
  if (span.at === undefined || span.covers !== undefined) return [{ ...span, text: `${head}${more}${tail}` }]
  const hidden = span.text.length - head.length - tail.length
  return [
    { ...span, text: head },
    { ...span, text: more, at: span.at + head.length, covers: hidden },
    { ...span, text: tail, at: span.at + head.length + hidden }
  ].filter((part) => part.text !== "")
}

/** Spans in so many columns: the widest gives way, in its middle. */
export const shortenSpans = (spans: ReadonlyArray<Span>, width: number, more: string): ReadonlyArray<Span> => {
  const total = columnsOf(spans)
  const [first] = spans
  if (total <= width || first === undefined) return spans
  const widest = spans.reduce((best, span) => (textWidth(span.text) > textWidth(best.text) ? span : best), first)
  const room = Math.max(1, width - (total - textWidth(widest.text)))
  return spans.flatMap((span) => (span === widest ? shortenSpan(span, room, more) : [span]))
}

/** A piece of text from outside in one line: breaks and tabs are blanks. */
export const oneLine = (
  text: string,
  kind: TextKind,
  style: { readonly look: Look; readonly at?: number }
): ReadonlyArray<Span> =>
  sanitize(text, kind, style).map((span) =>
    /[\n\t]/.test(span.text) ? { ...span, text: span.text.replace(/[\n\t]/g, " ") } : span
  )

/** Rows in the order of the source that together stand for all of it, whatever they show. */
export const covering = (rows: ReadonlyArray<Row>, length: number): ReadonlyArray<Row> => {
  let reached = 0
  return rows.map((row, index) => {
    const start = index === 0 ? 0 : Math.max(row.start, reached)
    const end = index === rows.length - 1 ? length : Math.min(length, Math.max(row.end, start))
    reached = end
    return start === row.start && end === row.end ? row : { ...row, start, end }
  })
}
