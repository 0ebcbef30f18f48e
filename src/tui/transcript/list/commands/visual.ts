/** Selecting by keys. The view is held meanwhile, so that nothing grows the selection but the user. */
import type { Shape } from "../../../editor/selection.ts"
import { cursorPlace, withCursor } from "../state/cursor.ts"
import { type TranscriptList, withBell } from "../state/transcript-list.ts"
import type { Command, ListCommands } from "../state/motion.ts"
import type { PlaceRange } from "../state/ranges.ts"
import { isAlive, startSelection, withoutSelection } from "./selection.ts"
import type { ListContext } from "../view/list-context.ts"
import { held } from "../view/viewport.ts"

/** Begins a selection, changes its shape, or ends it. */
const select =
  (shape: Shape): Command =>
  (list, _request, context) => {
    const place = cursorPlace(list, context)
    if (place === undefined) return withBell(list)
    if (list.selection?.by !== "keys") {
      return { ...held(list, context), cursor: place, selection: startSelection(place, shape, "keys") }
    }
    if (list.selection.shape === shape) return withoutSelection(list)
    return { ...list, selection: { ...list.selection, shape } }
  }

const swapEnds: Command = (list, _request, context) => {
  const { selection } = list
  if (selection?.by !== "keys") return withBell(list)
  const swapped = { ...selection, anchor: selection.head, head: selection.anchor }
  return withCursor({ ...list, selection: swapped }, selection.anchor, context)
}

const reselect: Command = (list, _request, context) => {
  const { lastSelection } = list
  if (lastSelection === undefined || !isAlive(list, lastSelection)) return withBell(list)
  const selecting: TranscriptList = { ...held(list, context), selection: { ...lastSelection, by: "keys" } }
  return withCursor(selecting, lastSelection.head, context)
}

/** The selection becomes the range of an object. */
export const selectRange = (list: TranscriptList, range: PlaceRange, context: ListContext): TranscriptList => {
  if (list.selection === undefined) return withBell(list)
  const first = range.start.block === range.end.block ? range.start.offset : 0
  const head = { ...range.end, offset: Math.max(first, range.end.offset - 1) }
  const shape = range.shape === "line" ? "line" : list.selection.shape
  return withCursor({ ...list, selection: { ...list.selection, anchor: range.start, head, shape } }, head, context)
}

export const VISUAL_COMMANDS = {
  "transcript:visual": select("char"),
  "transcript:visualLine": select("line"),
  "transcript:visualBlock": select("block"),
  "transcript:swapEnds": swapEnds,
  "transcript:reselect": reselect
} satisfies ListCommands
