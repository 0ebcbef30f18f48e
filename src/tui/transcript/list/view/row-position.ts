/** Spots: rows of units. Walking from row to row only lays out what is walked over. */
import type { Row } from "../../../screen/style/row.ts"
import { locate, type Place, placeIn } from "../index/entries.ts"
import { firstUnit, lastUnit, type ListContext, neighbour, type Shown, type Unit, unitFor } from "./list-context.ts"

export interface Spot {
  readonly unit: Unit
  readonly row: number
}

export const rowAt = ({ unit, row }: Spot): Row | undefined => unit.rows[row]

/** The last row that begins at or before a source offset. Starts never fall from row to row. */
const lastRowUntil = (rows: ReadonlyArray<Row>, offset: number): number => {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((rows[middle]?.start ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** The first of the rows that begin at the same offset as this one. */
export const groupStart = (rows: ReadonlyArray<Row>, row: number): number => {
  const start = rows[row]?.start
  let first = row
  while (first > 0 && rows[first - 1]?.start === start) first--
  return first
}

/** The row that shows an offset: of those that begin there the one with text, else the last. */
export const rowOfOffset = (rows: ReadonlyArray<Row>, offset: number): number => {
  const last = lastRowUntil(rows, offset)
  const first = groupStart(rows, last)
  for (let row = first; row < last; row++) {
    const { start, end } = rows[row] ?? { start: 0, end: 0 }
    if (end > start && offset < end) return row
  }
  return last
}

/**
 * The row with this start and so many rows of the same start before it; the row that shows the offset if none begins
 * there.
 */
export const rowOfAnchor = (rows: ReadonlyArray<Row>, offset: number, skip: number): number => {
  const last = lastRowUntil(rows, offset)
  return rows[last]?.start === offset ? Math.min(groupStart(rows, last) + skip, last) : last
}

export const spotOfPlace = (shown: Shown, place: Place, context: ListContext): Spot | undefined => {
  const at = locate(shown.entries, place)
  const unit = at === undefined ? undefined : unitFor(shown, at, context)
  if (at === undefined || unit === undefined) return undefined
  const own = unit.at.block === at.block && at.block.id === place.block
  if (own) return { unit, row: rowOfOffset(unit.rows, place.offset) }
  const hidden = unit.at.index < at.index || (unit.at.index === at.index && unit.at.ordinal < at.ordinal)
  return { unit, row: hidden ? unit.rows.length - 1 : 0 }
}

export const firstSpot = (shown: Shown, context: ListContext): Spot | undefined => {
  const unit = firstUnit(shown, context)
  return unit === undefined ? undefined : { unit, row: 0 }
}

export const lastSpot = (shown: Shown, context: ListContext): Spot | undefined => {
  const unit = lastUnit(shown, context)
  return unit === undefined ? undefined : { unit, row: unit.rows.length - 1 }
}

/** So many rows further, negative is up; as far as there are rows. */
export const moveSpot = (shown: Shown, spot: Spot, by: { readonly rows: number; readonly context: ListContext }): Spot => {
  let { unit, row } = spot
  let left = by.rows
  while (left > 0) {
    const here = Math.min(left, unit.rows.length - 1 - row)
    row += here
    left -= here
    if (left === 0) break
    const next = neighbour(shown, unit, { direction: 1, context: by.context })
    if (next === undefined) break
    unit = next
    row = 0
    left--
  }
  while (left < 0) {
    const here = Math.min(-left, row)
    row -= here
    left += here
    if (left === 0) break
    const next = neighbour(shown, unit, { direction: -1, context: by.context })
    if (next === undefined) break
    unit = next
    row = next.rows.length - 1
    left++
  }
  return { unit, row }
}

export const compareSpots = (a: Spot, b: Spot): number =>
  a.unit.at.index - b.unit.at.index || a.unit.at.ordinal - b.unit.at.ordinal || a.row - b.row

/** Rows from a spot down to a later one, counted no further than a limit; undefined when it is not within it. */
export const distance = (
  shown: Shown,
  from: Spot,
  to: { spot: Spot; within: number; context: ListContext }
): number | undefined => {
  const { spot, within, context } = to
  let { unit } = from
  let rows = -from.row
  while (rows <= within) {
    if (unit.at.index === spot.unit.at.index && unit.at.ordinal === spot.unit.at.ordinal) {
      const found = rows + spot.row
      return found >= 0 && found <= within ? found : undefined
    }
    rows += unit.rows.length
    const next = neighbour(shown, unit, { direction: 1, context })
    if (next === undefined || next.at.index > spot.unit.at.index) return undefined
    unit = next
  }
  return undefined
}

export const placeOfSpot = (spot: Spot): Place => placeIn(spot.unit.at, rowAt(spot)?.start ?? 0)
