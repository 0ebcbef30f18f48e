/**
 * The cursor: a source character. Where it goes decides what is in view, which folds stay open, and whether the end
 * is followed.
 */
import { textWidth } from "../../../screen/cell/width.ts"
import { GOES_ON_MARK } from "../../../text/rows.ts"
import { isFoldRow } from "../../rows/fold.ts"
import { columnOfOffset, offsetAtColumn } from "../view/columns.ts"
import { type BlockAt, locate, type Place, placeIn } from "../index/entries.ts"
import { blockFold, groupState, reveal, settleFolds } from "../view/folds.ts"
import type { TranscriptList } from "./transcript-list.ts"
import {
  compareSpots,
  firstSpot,
  lastSpot,
  moveSpot,
  rowAt,
  rowOfOffset,
  type Spot,
  spotOfPlace
} from "../view/row-position.ts"
import { foldsAround, type ListContext, type Shown, type Sideways } from "../view/list-context.ts"
import { FOLLOWING, held, measure, type PlacedRow, revealSpot, topSpot } from "../view/viewport.ts"

/** Whether the cursor can stand on a row: on text, empty lines and folds, not on what drawing adds around them. */
const isStop = (spot: Spot): boolean => {
  const row = rowAt(spot)
  const { rows, at } = spot.unit
  if (row === undefined) return false
  if (isFoldRow(row)) return true
  if (rowOfOffset(rows, row.start) !== spot.row) return false
  const { source } = at.block
  return row.start < source.length || source === "" || source.endsWith("\n")
}

/** The next row in a direction on which the cursor can stand. */
export const nextStop = (
  shown: Shown,
  spot: Spot,
  by: { readonly direction: 1 | -1; readonly context: ListContext }
): Spot | undefined => {
  let from = spot
  for (;;) {
    const next = moveSpot(shown, from, { rows: by.direction, context: by.context })
    if (compareSpots(next, from) === 0) return undefined
    if (isStop(next)) return next
    from = next
  }
}

/** The spot itself or the nearest one where the cursor can stand, first in the direction given. */
export const stopNear = (
  shown: Shown,
  spot: Spot,
  by: { readonly direction: 1 | -1; readonly context: ListContext }
): Spot => {
  if (isStop(spot)) return spot
  const { context, direction } = by
  return nextStop(shown, spot, by) ?? nextStop(shown, spot, { direction: direction === 1 ? -1 : 1, context }) ?? spot
}

export const firstStop = (shown: Shown, context: ListContext): Spot | undefined => {
  const spot = firstSpot(shown, context)
  return spot === undefined ? undefined : stopNear(shown, spot, { direction: 1, context })
}

export const lastStop = (shown: Shown, context: ListContext): Spot | undefined => {
  const spot = lastSpot(shown, context)
  return spot === undefined ? undefined : stopNear(shown, spot, { direction: -1, context })
}

/** The place in a row at a column. */
export const placeAtColumn = (spot: Spot, column: number): Place => {
  const row = rowAt(spot)
  if (row === undefined) return placeIn(spot.unit.at, 0)
  return placeIn(spot.unit.at, isFoldRow(row) ? row.start : offsetAtColumn(row, column))
}

export const cursorSpot = (list: TranscriptList, context: ListContext): Spot | undefined =>
  list.cursor === undefined ? lastStop(list, context) : spotOfPlace(list, list.cursor, context)

/** Where the cursor is, also before anything put it there. */
export const cursorPlace = (list: TranscriptList, context: ListContext): Place | undefined => {
  if (list.cursor !== undefined) return list.cursor
  const spot = lastStop(list, context)
  return spot === undefined ? undefined : placeAtColumn(spot, 0)
}

/** The cursor with the block it stands in. */
export const cursorBlock = (
  list: TranscriptList,
  context: ListContext
): { readonly place: Place; readonly at: BlockAt } | undefined => {
  const place = cursorPlace(list, context)
  const at = place === undefined ? undefined : locate(list.entries, place)
  return place === undefined || at === undefined ? undefined : { place, at }
}

export interface CursorMove {
  readonly place: Place
  /** The column that vertical motions keep stays as it was. */
  readonly keepsGoal?: boolean
  /** Folds that hide the place open until the cursor leaves it. Where it goes to a block as such, its row is enough. */
  readonly reveals?: true | "match"
  /** It stays in what a fold hides instead of going to the row of the fold. */
  readonly stays?: boolean
}

/** The rows that stand for a closed fold show some of its text, too: what is among them is not hidden. */
const isShown = (list: TranscriptList, place: Place, context: ListContext): boolean => {
  const spot = spotOfPlace(list, place, context)
  const row = spot === undefined ? undefined : rowAt(spot)
  if (spot?.unit.at.block.id !== place.block || row === undefined || isFoldRow(row)) return false
  return row.spans.some(
    ({ at, text, covers }) => at !== undefined && place.offset >= at && place.offset < at + (covers ?? text.length)
  )
}

/** Opens what hides a place. */
const unhidden = (list: TranscriptList, { place, reveals }: CursorMove, context: ListContext): TranscriptList => {
  const at = locate(list.entries, place)
  if (at === undefined || isShown(list, place, context)) return list
  const groups = foldsAround(list, at)
    .slice(0, -1)
    .filter((fold) => groupState(list.folds, fold) === "closed")
  const open = { ...list, folds: reveal(list.folds, groups) }
  const spot = spotOfPlace(open, place, context)
  const row = spot === undefined ? undefined : rowAt(spot)
  const isHidden = row !== undefined && isFoldRow(row) && (reveals === "match" || place.offset > 0)
  return isHidden ? { ...open, folds: reveal(open.folds, [blockFold(at.block)]) } : open
}

export const withCursor = (list: TranscriptList, place: Place, context: ListContext): TranscriptList =>
  cursorMoved(list, { place }, context)

/** How far its block must be scrolled for a place past the edge of a line that is not wrapped to be seen. */
const sidewaysTo = (
  list: TranscriptList,
  spot: Spot,
  { place, context }: { place: Place; context: ListContext }
): Sideways | undefined => {
  const row = rowAt(spot)
  const { block } = spot.unit.at
  const shown = row?.spans.filter((span) => span.at !== undefined) ?? []
  const first = shown[0]?.at ?? 0
  const last = shown.at(-1)
  const end = last?.at === undefined ? 0 : last.at + (last.covers ?? last.text.length)
  const isRight = row?.spans.at(-1)?.text === GOES_ON_MARK && place.offset >= end
  const start = block.source.lastIndexOf("\n", place.offset - 1) + 1
  const isScrolled = list.sideways?.block === block.id && list.sideways.columns > 0
  const isLeft = isScrolled && (shown.length === 0 ? block.source[start] !== "\n" : place.offset < first)
  if (!isRight && !isLeft) return undefined
  const column = textWidth(block.source.slice(start, place.offset))
  return { block: block.id, columns: Math.max(0, column - (context.options.width >> 1)) }
}

/** The cursor goes to a place: it comes into view, and the end is followed when nothing is below it. */
export const cursorMoved = (list: TranscriptList, move: CursorMove, context: ListContext): TranscriptList => {
  const spot = spotOfPlace(list, move.place, context)
  const sideways = spot === undefined ? undefined : sidewaysTo(list, spot, { place: move.place, context })
  return cursorPut(sideways === undefined ? list : { ...list, sideways }, move, context)
}

const cursorPut = (list: TranscriptList, move: CursorMove, context: ListContext): TranscriptList => {
  const { place } = move
  const at = locate(list.entries, place)
  if (at === undefined) return list
  const left = { ...list, folds: settleFolds(list.folds, foldsAround(list, at)) }
  const open = move.reveals === undefined ? left : unhidden(left, move, context)
  const spot = spotOfPlace(open, place, context)
  const row = spot === undefined ? undefined : rowAt(spot)
  if (spot === undefined || row === undefined) return list
  const cursor = isFoldRow(row) && move.stays !== true ? placeIn(spot.unit.at, row.start) : place
  const goal = move.keepsGoal === true ? list.goal : columnOfOffset(row, place.offset)
  const placed = { ...open, cursor, goal }
  const isLast = nextStop(placed, spot, { direction: 1, context }) === undefined
  if (isLast && context.autoScroll) return { ...placed, viewport: FOLLOWING }
  return revealSpot(held(placed, context), spot, context)
}

/** The cell of the cursor among the rows in view; undefined when it is not among them. */
export const cursorCell = (
  list: TranscriptList,
  rows: ReadonlyArray<PlacedRow>,
  context: ListContext
): { readonly x: number; readonly y: number } | undefined => {
  const place = cursorPlace(list, context)
  const spot = cursorSpot(list, context)
  const isHere = ({ at, index }: PlacedRow): boolean =>
    at.key === spot?.unit.at.key && at.ordinal === spot.unit.at.ordinal && index === spot.row
  const placed = rows.find(isHere)
  if (place === undefined || placed === undefined) return undefined
  return { x: isFoldRow(placed.row) ? 0 : columnOfOffset(placed.row, place.offset), y: placed.y }
}

/** Brings a cursor that was scrolled away back to the nearest row in view. */
export const cursorInView = (list: TranscriptList, context: ListContext): TranscriptList => {
  const top = topSpot(list, context)
  const spot = cursorSpot(list, context)
  if (top === undefined || spot === undefined) return list
  const bottom = moveSpot(list, top, { rows: Math.max(1, context.height) - 1, context })
  const to =
    compareSpots(spot, top) < 0
      ? stopNear(list, top, { direction: 1, context })
      : compareSpots(spot, bottom) > 0
        ? stopNear(list, bottom, { direction: -1, context })
        : undefined
  return to === undefined ? list : { ...list, cursor: placeAtColumn(to, list.goal) }
}

const isLost = (list: TranscriptList): boolean => {
  const at = list.cursor === undefined ? undefined : locate(list.entries, list.cursor)
  return at === undefined || at.key !== list.cursor?.key || at.block.id !== list.cursor.block
}

/** Puts things right after any event: the cursor stands on something, and goes with the end when that moved. */
export const settleCursor = (
  before: TranscriptList,
  context: ListContext,
  event: { readonly grown: boolean }
): TranscriptList => {
  const follows = context.autoScroll && before.selection?.by !== "keys"
  const list = follows ? before : held(before, context)
  const lost = isLost(list)
  if (!lost && !(event.grown && list.viewport.following)) return measure(list, context)
  const last = lastStop(list, context)
  if (last === undefined) return { ...list, cursor: undefined }
  const spot = lost ? undefined : cursorSpot(list, context)
  if (spot !== undefined && compareSpots(spot, last) === 0) return measure(list, context)
  const at = list.cursor === undefined || list.viewport.following ? undefined : locate(list.entries, list.cursor)
  return measure({ ...list, cursor: at === undefined ? placeAtColumn(last, 0) : placeIn(at, 0) }, context)
}
