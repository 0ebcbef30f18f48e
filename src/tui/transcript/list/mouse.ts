/**
 * The mouse over the rows of the pane: from a cell to the text it shows, and selections by character, word and line.
 */
import { isFoldRow } from "../rows/fold.ts"
import { offsetAtColumn, showsSource } from "./view/columns.ts"
import { withCursor } from "./state/cursor.ts"
import { comparePlaces, locate, type Place, placeIn } from "./index/entries.ts"
import { toggleBlock } from "./commands/fold-actions.ts"
import { blockLines, lineOfOffset, lineRange } from "./index/line-starts.ts"
import type { TranscriptList } from "./state/transcript-list.ts"
import { startSelection } from "./commands/selection.ts"
import type { ListContext } from "./view/list-context.ts"
import { type PlacedRow, scrollBy, visibleRows } from "./view/viewport.ts"
import { unitAround } from "./commands/words.ts"

export interface Cell {
  readonly x: number
  readonly y: number
}

/** The text under a cell; beside it the nearest text of the same row, below all rows nothing. */
export const hitTest = (
  rows: ReadonlyArray<PlacedRow>,
  { x, y }: Cell
): { readonly place: Place; readonly row: PlacedRow; readonly onText: boolean } | undefined => {
  const row = rows.find((placed) => placed.y === y)
  if (row === undefined) return undefined
  return { place: placeIn(row.at, offsetAtColumn(row.row, x)), row, onText: showsSource(row.row, x) }
}

/** What the mouse selected last by: every further drag grows by whole units of it. */
export type Grain = "char" | "word" | "line"

const unitOf = (list: TranscriptList, place: Place, grain: Grain): { readonly start: Place; readonly last: Place } => {
  const at = locate(list.entries, place)
  if (at === undefined || grain === "char") return { start: place, last: place }
  const line = lineOfOffset(at.block, place.offset)
  const { start, end } = lineRange(at.block, line)
  if (grain === "line") return { start: placeIn(at, start), last: placeIn(at, Math.max(start, end - 1)) }
  const word = unitAround(blockLines(at.block).at(line), place.offset - start)
  return { start: placeIn(at, start + word.start), last: placeIn(at, start + Math.max(word.start, word.end - 1)) }
}

/** A press: a fold row toggles, everything else takes the cursor there and drops the selection. */
export const pressAt = (list: TranscriptList, cell: Cell, context: ListContext): TranscriptList => {
  const hit = hitTest(visibleRows(list, context), cell)
  if (hit === undefined) return { ...list, selection: undefined }
  if (isFoldRow(hit.row.row)) return toggleBlock(list, hit.row.at, context)
  return withCursor({ ...list, selection: undefined }, hit.place, context)
}

/** Selects the unit under a cell: a double click a word, a path or a link, a triple click the source line. */
export const selectedUnit = (
  list: TranscriptList,
  cell: Cell,
  by: { grain: Grain; context: ListContext }
): TranscriptList => {
  const hit = hitTest(visibleRows(list, by.context), cell)
  if (hit === undefined) return list
  const { start, last } = unitOf(list, hit.place, by.grain)
  return {
    ...list,
    selection: { shape: by.grain === "line" ? "line" : "char", anchor: start, head: last, by: "mouse" }
  }
}

/** Grows the selection to a cell; past the edges of the pane the view scrolls first. */
export const dragTo = (
  list: TranscriptList,
  drag: { from: Cell; to: Cell; grain: Grain; block: boolean },
  context: ListContext
): TranscriptList => {
  const beyond = drag.to.y < 0 ? drag.to.y : Math.max(0, drag.to.y - context.height + 1)
  const view = beyond === 0 ? list : scrollBy(list, beyond, context)
  const rows = visibleRows(view, context)
  const edge = rows.at(-1)?.y ?? 0
  const hit = hitTest(rows, { x: drag.to.x, y: Math.max(0, Math.min(drag.to.y, edge)) })
  const origin = list.selection ?? anchorAt(list, drag.from, context)
  if (hit === undefined || origin === undefined) return view
  const unit = unitOf(view, hit.place, drag.grain)
  const isBefore = comparePlaces(view.entries, hit.place, origin.anchor) < 0
  const head = isBefore ? unit.start : unit.last
  return { ...view, selection: { ...origin, head, shape: drag.block ? "block" : origin.shape } }
}

const anchorAt = (list: TranscriptList, cell: Cell, context: ListContext): TranscriptList["selection"] => {
  const hit = hitTest(visibleRows(list, context), cell)
  return hit === undefined ? undefined : startSelection(hit.place, "char", "mouse")
}
