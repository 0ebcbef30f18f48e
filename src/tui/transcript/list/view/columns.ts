/** Between the columns of a row and the source offsets that its spans stand for. */
import { clusters, clusterWidth, textWidth } from "../../../screen/cell/width.ts"
import type { Row, Span } from "../../../screen/style/row.ts"

/** A run of cells in a row, up to and not with its end. */
export interface Cells {
  readonly from: number
  readonly to: number
}

/** A span that stands for source text, and the column where it begins. */
interface Stretch {
  readonly x: number
  readonly start: number
  readonly end: number
  readonly span: Span
}

const stretches = (row: Row): ReadonlyArray<Stretch> => {
  let x = 0
  return row.spans.flatMap((span) => {
    const from = x
    x += textWidth(span.text)
    if (span.at === undefined) return []
    return [{ x: from, start: span.at, end: span.at + (span.covers ?? span.text.length), span }]
  })
}

/** Column of a source offset inside a stretch; one that stands for its source as a whole has two borders only. */
const columnIn = ({ x, start, end, span }: Stretch, offset: number): number => {
  if (offset >= end) return x + textWidth(span.text)
  return span.covers === undefined ? x + textWidth(span.text.slice(0, Math.max(0, offset - start))) : x
}

const offsetIn = ({ x, start, span }: Stretch, column: number): number => {
  if (span.covers !== undefined) return start
  let at = x
  let offset = start
  for (const cluster of clusters(span.text)) {
    at += clusterWidth(cluster)
    if (at > column) return offset
    offset += cluster.length
  }
  return offset
}

/** The source offset that a cell shows; beside the text it is that of the nearest text. */
export const offsetAtColumn = (row: Row, column: number): number => {
  const found = stretches(row)
  const last = found.findLast(({ x }) => x <= column) ?? found[0]
  if (last === undefined) return row.start
  const inside = offsetIn(last, Math.max(column, last.x))
  if (inside < last.end || last.end === last.start) return inside
  return last.span.covers === undefined ? lastOffset(last) : last.start
}

const lastOffset = ({ end, span }: Stretch): number => end - (clusters(span.text).at(-1)?.length ?? 0)

/** Whether the cell shows source text, not only what drawing added. */
export const showsSource = (row: Row, column: number): boolean =>
  stretches(row).some(({ x, span }) => column >= x && column < x + textWidth(span.text))

/** The column where an offset is drawn; the start of the text when the row does not show it. */
export const columnOfOffset = (row: Row, offset: number): number => {
  const found = stretches(row)
  const holding = found.find(({ start, end }) => offset >= start && offset < end)
  const stretch = holding ?? found.findLast(({ start }) => start <= offset) ?? found[0]
  return stretch === undefined ? 0 : columnIn(stretch, offset)
}

/** The cells that show a range of source. */
export const cellsOfRange = (row: Row, start: number, end: number): ReadonlyArray<Cells> => {
  const cells: Array<{ from: number; to: number }> = []
  for (const stretch of stretches(row)) {
    if (stretch.end <= start || stretch.start >= end) continue
    const from = columnIn(stretch, Math.max(start, stretch.start))
    const to = columnIn(stretch, Math.min(end, stretch.end))
    const before = cells.at(-1)
    if (to <= from) continue
    if (before?.to === from) before.to = to
    else cells.push({ from, to })
  }
  return cells
}
