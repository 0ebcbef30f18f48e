/** Walking a line by grapheme clusters and by cells. A column of the caret is an offset in the line, never a cell. */
import { clusters, clusterWidth, isSimple } from "../screen/cell/width.ts"

/** The borders of the line that was walked last: walking on must not cut the whole line again at every step. */
let walked: { readonly text: string; readonly borders: ReadonlyArray<number> } = { text: "", borders: [0] }

/** Offsets at which clusters begin, and the end of the text. */
const borders = (text: string): ReadonlyArray<number> => {
  if (walked.text === text) return walked.borders
  const found = [0]
  for (const cluster of clusters(text)) found.push((found.at(-1) ?? 0) + cluster.length)
  walked = { text, borders: found }
  return found
}

/** How many borders lie before an offset. */
const bordersBefore = (found: ReadonlyArray<number>, column: number): number => {
  let [low, high] = [0, found.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((found[middle] ?? 0) < column) low = middle + 1
    else high = middle
  }
  return low
}

export const nextColumn = (text: string, column: number): number => {
  if (column >= text.length) return text.length
  if (isSimple(text.slice(column, column + 2))) return column + 1
  const found = borders(text)
  return found[bordersBefore(found, column + 1)] ?? text.length
}

export const previousColumn = (text: string, column: number): number => {
  if (column <= 0) return 0
  if (isSimple(text.charAt(column - 1))) return column - 1
  const found = borders(text)
  return found[bordersBefore(found, column) - 1] ?? 0
}

export const clusterAt = (text: string, column: number): string => text.slice(column, nextColumn(text, column))

/** Where the last cluster begins; 0 for an empty line. */
export const lastColumn = (text: string): number => previousColumn(text, text.length)

/** The border at or before an offset. */
export const snap = (text: string, column: number): number => {
  const inside = Math.max(0, Math.min(column, text.length))
  if (inside === text.length || isSimple(text.slice(Math.max(0, inside - 1), inside + 1))) return inside
  const found = borders(text)
  return found[bordersBefore(found, inside + 1) - 1] ?? 0
}

const BLANK = /^[ \t]$/

export const isBlank = (char: string): boolean => BLANK.test(char)

/** Offset of the first character that is not a blank; the end of a blank line. */
export const indentEnd = (text: string): number => text.length - text.replace(/^[ \t]+/, "").length

/** Where `^` goes: the first character that is not a blank, on a blank line its last character. */
export const firstNonBlank = (text: string): number => {
  const end = indentEnd(text)
  return end === text.length ? lastColumn(text) : end
}

export const cellWidth = (cluster: string, at: number, tabstop: number): number =>
  cluster === "\t" ? tabstop - (at % tabstop) : Math.max(1, clusterWidth(cluster))

/** The cells that the cluster at an offset takes, the last one included; past the end it is one cell. */
export const cellsOf = (text: string, column: number, tabstop: number): { start: number; end: number } => {
  let at = 0
  let offset = 0
  // What lies behind is not even cut into characters: a line may be very long.
  const first = snap(text, column) < column ? nextColumn(text, column) : column
  for (const cluster of clusters(text.slice(0, nextColumn(text, first)))) {
    const width = cellWidth(cluster, at, tabstop)
    if (offset >= column) return { start: at, end: at + width - 1 }
    at += width
    offset += cluster.length
  }
  return { start: at, end: at }
}

/** The column that `j` and `k` try to keep: a tab counts with its last cell, as the caret is drawn there. */
export const wantedColumn = (text: string, column: number, tabstop: number): number =>
  clusterAt(text, column) === "\t" ? cellsOf(text, column, tabstop).end : cellsOf(text, column, tabstop).start

/** Offset of the cluster that covers a cell; the end of the text when the line is shorter. */
export const columnAtCell = (text: string, cell: number, tabstop: number): number => {
  let at = 0
  let offset = 0
  // Every character has a cell: as many plain ones are enough.
  const near = text.slice(0, cell + 2)
  for (const cluster of clusters(isSimple(near) ? near : text)) {
    at += cellWidth(cluster, at, tabstop)
    if (at > cell) return offset
    offset += cluster.length
  }
  return text.length
}

export const displayWidth = (text: string, tabstop: number): number => cellsOf(text, text.length, tabstop).start
