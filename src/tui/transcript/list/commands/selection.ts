/**
 * The selection: a range of the text, drawn over whatever rows show it. A block selection is a rectangle of cells
 * instead.
 */
import { sliceColumns } from "../../../screen/cell/width.ts"
import { type Cells, cellsOfRange, columnOfOffset } from "../view/columns.ts"
import { comparePlaces, locate, type Place, placeIn } from "../index/entries.ts"
import type { ListSelection, TranscriptList } from "../state/transcript-list.ts"
import { type PlaceRange, orderPlaces, rangeBetween, textOf } from "../state/ranges.ts"
import { compareSpots, moveSpot, rowAt, type Spot, spotOfPlace } from "../view/row-position.ts"
import type { ListContext } from "../view/list-context.ts"
import type { PlacedRow } from "../view/viewport.ts"

export const rangeOfSelection = (list: TranscriptList, selection: ListSelection): PlaceRange | undefined =>
  rangeBetween(list.entries, [selection.anchor, selection.head], selection.shape)

/** A rectangle from row to row and column to column, both with their ends. */
interface Rectangle {
  readonly from: Spot
  readonly to: Spot
  readonly left: number
  readonly right: number
}

const columnAt = (spot: Spot, place: Place): number => {
  const row = rowAt(spot)
  return row === undefined ? 0 : columnOfOffset(row, place.offset)
}

const rectangleOf = (list: TranscriptList, { anchor, head }: ListSelection, context: ListContext): Rectangle | undefined => {
  const [first, last] = orderPlaces(list.entries, anchor, head)
  const [from, to] = [spotOfPlace(list, first, context), spotOfPlace(list, last, context)]
  if (from === undefined || to === undefined) return undefined
  const [a, b] = [columnAt(from, first), columnAt(to, last)]
  return { from, to, left: Math.min(a, b), right: Math.max(a, b) }
}

/** Rows of a rectangle as they are drawn; more than this is no longer a rectangle that anyone saw. */
const MOST_ROWS = 10_000

const drawnText = (list: TranscriptList, { from, to, left, right }: Rectangle, context: ListContext): string => {
  const lines: Array<string> = []
  let spot = from
  for (;;) {
    const text =
      rowAt(spot)
        ?.spans.map((span) => span.text)
        .join("") ?? ""
    lines.push(sliceColumns(text, left, right - left + 1).trimEnd())
    const next = moveSpot(list, spot, { rows: 1, context })
    if (compareSpots(spot, to) >= 0 || compareSpots(next, spot) === 0 || lines.length >= MOST_ROWS) {
      return lines.join("\n")
    }
    spot = next
  }
}

/** What copying the selection gives: source text, or for a rectangle the cells as drawn. */
export const selectedText = (list: TranscriptList, selection: ListSelection, context: ListContext): string => {
  if (selection.shape === "block") {
    const rectangle = rectangleOf(list, selection, context)
    return rectangle === undefined ? "" : drawnText(list, rectangle, context)
  }
  const range = rangeOfSelection(list, selection)
  return range === undefined ? "" : textOf(list.entries, range)
}

const NO_CELLS: ReadonlyArray<Cells> = []

const rectangleCells = ({ from, to, left, right }: Rectangle, { at, index, row }: PlacedRow): ReadonlyArray<Cells> => {
  const spot = { unit: { at, rows: [] }, row: index }
  if (compareSpots(spot, from) < 0 || compareSpots(spot, to) > 0) return NO_CELLS
  return [{ from: left, to: Math.max(left + 1, Math.min(right + 1, row.width)) }]
}

/** The cells of a visible row that are selected. */
export const selectionCells = (list: TranscriptList, placed: PlacedRow, context: ListContext): ReadonlyArray<Cells> => {
  const { selection } = list
  if (selection === undefined) return NO_CELLS
  if (selection.shape === "block") {
    const rectangle = rectangleOf(list, selection, context)
    return rectangle === undefined ? NO_CELLS : rectangleCells(rectangle, placed)
  }
  const range = rangeOfSelection(list, selection)
  if (range === undefined) return NO_CELLS
  const { entries } = list
  const isBefore = comparePlaces(entries, placeIn(placed.at, placed.at.block.source.length), range.start) < 0
  if (isBefore || comparePlaces(entries, placeIn(placed.at, 0), range.end) > 0) return NO_CELLS
  const from = range.start.block === placed.at.block.id ? range.start.offset : 0
  const to = range.end.block === placed.at.block.id ? range.end.offset : placed.at.block.source.length
  const cells = cellsOfRange(placed.row, from, to)
  const isEmptyLine = placed.row.end === placed.row.start && placed.row.start >= from && placed.row.start < to
  return cells.length === 0 && isEmptyLine ? [{ from: 0, to: 1 }] : cells
}

export const startSelection = (place: Place, shape: ListSelection["shape"], by: ListSelection["by"]): ListSelection => ({
  shape,
  anchor: place,
  head: place,
  by
})

/** The selection as it is left, so that `gv` can bring it back; gone when its text is. */
export const withoutSelection = (list: TranscriptList): TranscriptList =>
  list.selection === undefined ? list : { ...list, selection: undefined, lastSelection: list.selection }

export const isAlive = (list: TranscriptList, { anchor, head }: ListSelection): boolean =>
  [anchor, head].every((place) => locate(list.entries, place)?.block.id === place.block)
