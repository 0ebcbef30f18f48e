import type { Frame } from "../../screen/cell/frame.ts"
import type { Scroll } from "./op.ts"
import { blankRow, countChanges, rowOf, type ShownRow } from "./rows.ts"

/**
 * Finds a block of whole rows that moved up or down, so that the terminal can move it. Rows are matched by hash; a
 * wrong match only costs time, because what is drawn afterwards is compared cell by cell.
 */
const LEAST_ROWS = 3
/** Cells that must be saved: setting and resetting a region takes about this many bytes. */
const LEAST_SAVED_CELLS = 24

export interface Moved {
  readonly scroll: Scroll
  /** What stands in a row once the terminal has scrolled. */
  readonly shownRow: (y: number) => ShownRow
}

const AMBIGUOUS = -1
const HASH_PRIME = 0x01000193

/** Two chains of multiplications side by side take half the time of one. */
const hashRow = ({ words, links, offset, linked }: ShownRow, columns: number): number => {
  let even = 0
  let odd = 0
  for (let x = 0; x < columns; x += 2) {
    even = Math.imul(even ^ (words[offset + x] ?? 0), HASH_PRIME)
    odd = Math.imul(odd ^ (x + 1 < columns ? (words[offset + x + 1] ?? 0) : 0), HASH_PRIME)
  }
  let hash = Math.imul(even, HASH_PRIME) ^ odd
  if (linked) for (let x = 0; x < columns; x++) hash = Math.imul(hash ^ (links[offset + x] ?? 0), HASH_PRIME)
  return hash
}

const hashes = (frame: Frame): Int32Array =>
  Int32Array.from({ length: frame.rows }, (_, y) => hashRow(rowOf(frame, y), frame.columns))

/** The distance by which most changed rows moved: down when positive. */
const commonShift = (before: Int32Array, after: Int32Array): number | undefined => {
  const rowByHash = new Map<number, number>()
  before.forEach((hash, y) => rowByHash.set(hash, rowByHash.has(hash) ? AMBIGUOUS : y))
  const votes = new Map<number, number>()
  after.forEach((hash, y) => {
    const from = rowByHash.get(hash) ?? AMBIGUOUS
    if (from !== AMBIGUOUS && from !== y) votes.set(y - from, (votes.get(y - from) ?? 0) + 1)
  })
  const most = Math.max(...votes.values())
  return [...votes].find(([, count]) => count === most)?.[0]
}

/** The longest run of rows that stand a shift away from where they stood. */
const longestBlock = (before: Int32Array, after: Int32Array, shift: number): { first: number; count: number } => {
  let best = { first: 0, count: 0 }
  let first = 0
  for (let y = 0; y <= after.length; y++) {
    const matches = y < after.length && y - shift >= 0 && before[y - shift] === after[y]
    if (matches) continue
    if (y - first > best.count) best = { first, count: y - first }
    first = y + 1
  }
  return best
}

const afterScrolling = (previous: Frame, { top, bottom, count }: Scroll): ((y: number) => ShownRow) => {
  const blank = blankRow(previous.columns)
  return (y) => {
    if (y < top || y > bottom) return rowOf(previous, y)
    const from = y + count
    return from >= top && from <= bottom ? rowOf(previous, from) : blank
  }
}

/** Counts changed cells row by row, and stops when there are enough to know. */
const countUpTo = (most: number, rows: ReadonlyArray<number>, changesAt: (y: number) => number): number => {
  let changes = 0
  for (const y of rows) {
    changes += changesAt(y)
    if (changes >= most) break
  }
  return changes
}

const between = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** A move worth making, or nothing. One row may be named that must stay where it is. */
export const findScroll = (previous: Frame, next: Frame, fixedRow: number): Moved | undefined => {
  const before = hashes(previous)
  const after = hashes(next)
  const shift = commonShift(before, after)
  if (shift === undefined) return undefined
  const { first, count } = longestBlock(before, after, shift)
  if (count < LEAST_ROWS) return undefined
  const top = Math.min(first, first - shift)
  const bottom = Math.max(first, first - shift) + count - 1
  if (fixedRow >= top && fixedRow <= bottom) return undefined
  const scroll: Scroll = { op: "Scroll", top, bottom, count: -shift }
  const shownRow = afterScrolling(previous, scroll)
  const region = between(top, bottom)
  const uncovered = region.filter((y) => y < first || y >= first + count)
  const changes = (shown: (y: number) => ShownRow) => (y: number) => countChanges(rowOf(next, y), shown(y), next.columns)
  const least = countUpTo(Number.POSITIVE_INFINITY, uncovered, changes(shownRow)) + LEAST_SAVED_CELLS
  const saves =
    countUpTo(
      least,
      region,
      changes((y) => rowOf(previous, y))
    ) >= least
  return saves ? { scroll, shownRow } : undefined
}
