/** The first entries of a list are released: what points at them finds them again once they have been read. */
import type { Entry } from "../block.ts"
import type * as Vector from "../vector.ts"
import { settleCursor } from "./state/cursor.ts"
import { dropEntries, type Place } from "./index/entries.ts"
import type { TranscriptList } from "./state/transcript-list.ts"
import { NO_TALLY } from "./find/match-count.ts"
import { itemAt } from "./index/tree.ts"
import type { ListContext } from "./view/list-context.ts"

const keyAt = ({ entries }: TranscriptList, index: number): number => itemAt(entries.tree, index)?.key ?? Infinity

const isSearching = ({ search: { typing, seek, parked }, sought }: TranscriptList): boolean =>
  [typing, seek, parked, sought].some((each) => each !== undefined)

/** Nobody looks at the first entries, stands in them or searches through them. */
export const canRelease = (list: TranscriptList, count: number): boolean => {
  const { viewport, selection, operator, entries, cursor } = list
  if (!viewport.following || entries.pending > 0 || selection !== undefined || operator !== undefined) return false
  return !isSearching(list) && (cursor === undefined || cursor.key >= keyAt(list, count))
}

/** A place in what was released is known by its ids only, like one that was stored. */
const unrooted = (place: Place, from: number): Place => (place.key < from ? { ...place, key: Number.NaN } : place)

export const listReleased = (
  list: TranscriptList,
  at: { readonly source: Vector.Vector<Entry>; readonly count: number },
  context: ListContext
): TranscriptList => {
  const from = keyAt(list, at.count)
  const { search, jumps, lastSelection } = list
  const isCurrentHere = search.current !== undefined && search.current.place.key >= from
  const isSelectionHere = lastSelection !== undefined && Math.min(lastSelection.anchor.key, lastSelection.head.key) >= from
  const released = {
    ...list,
    entries: dropEntries(list.entries, at.source, at.count),
    search: { ...search, tally: NO_TALLY, current: isCurrentHere ? search.current : undefined },
    marks: new Map([...list.marks].map(([letter, place]) => [letter, unrooted(place, from)])),
    jumps: { ...jumps, places: jumps.places.map((place) => unrooted(place, from)) },
    lastSelection: isSelectionHere ? lastSelection : undefined,
    unread: list.unread.filter((key) => key >= from),
    hasEarlier: true
  }
  return settleCursor(released, context, { grown: false })
}
