/** Searching the pane: typing, going on from match to match, and working in slices until all is known. */
import { cursorMoved, cursorPlace } from "../state/cursor.ts"
import { type Entries, firstBlockFrom, lastBlockUntil, locate, type Place, placeIn } from "../index/entries.ts"
import { pushJump } from "../state/jumps.ts"
import { blockLines, lineOfOffset, lineRange } from "../index/line-starts.ts"
import { type TranscriptList, withBell, withNotice } from "../state/transcript-list.ts"
import { type Cells, cellsOfRange } from "../view/columns.ts"
import { literalQuery, matchesIn, parseQuery, type Query } from "../find/query.ts"
import { advanceSeek, type Seek, seekFrom } from "../find/find-match.ts"
import { advanceTally, isComplete, NO_TALLY, ordinalOf, total } from "../find/match-count.ts"
import type { ListContext } from "../view/list-context.ts"
import type { PlacedRow } from "../view/viewport.ts"
import { wordAround } from "./words.ts"

/** Characters looked at before a key must be answered; the rest follows in slices. */
const FIRST_SLICE = 200_000
const MOST_HISTORY = 100

/** Opens the search line: from here on, Escape can put everything back. */
export const openSearch = (list: TranscriptList, direction: 1 | -1, context: ListContext): TranscriptList => {
  const cursor = cursorPlace(list, context)
  if (cursor === undefined) return withBell(list)
  const { folds, viewport, search } = list
  return {
    ...list,
    search: { ...search, text: "", direction, typing: { viewport, cursor, folds }, seek: undefined, parked: undefined }
  }
}

const restored = (list: TranscriptList): TranscriptList => {
  const { typing } = list.search
  return typing === undefined ? list : { ...list, viewport: typing.viewport, cursor: typing.cursor, folds: typing.folds }
}

/** The text of the line changed: the view goes to the first match from where the search began. */
export const typeSearch = (list: TranscriptList, text: string, context: ListContext): TranscriptList => {
  const start = restored(list)
  const { typing, direction } = list.search
  const parsed = text === "" ? undefined : parseQuery(text, { meta: context.options.meta })
  const query = parsed !== undefined && "query" in parsed ? parsed.query : undefined
  const search = {
    ...list.search,
    text,
    query,
    current: undefined,
    tally: NO_TALLY,
    seek: undefined,
    parked: undefined,
    highlighted: query !== undefined
  }
  if (query === undefined || typing === undefined) return { ...start, search }
  return seeking({ ...start, search }, seekFrom(query, typing.cursor, { direction, count: 1 }), context)
}

const anew = ({ query, start, direction, left, passed }: Seek): Seek =>
  seekFrom(query, start, { direction, count: left + passed })

/** Begins a seek with the slice that a key may cost. */
const seeking = (list: TranscriptList, seek: Seek, context: ListContext): TranscriptList =>
  soughtOn({ ...list, search: { ...list.search, parked: undefined } }, { seek, budget: FIRST_SLICE }, context)

/**
 * Goes on with a seek for a slice and to its match when it is found. As long as the index is not complete, having been
 * around means nothing: it begins again.
 */
const soughtOn = (
  list: TranscriptList,
  { seek, budget }: { readonly seek: Seek; readonly budget: number },
  context: ListContext
): TranscriptList => {
  const sought = advanceSeek(seek, list.entries, budget)
  const { search } = list
  if (sought._tag === "Pending") return { ...list, search: { ...search, seek: sought.seek } }
  const isEarly = sought._tag === "Missing" || sought.wrapped
  if (isEarly && list.entries.pending > 0) return { ...list, search: { ...search, seek: anew(seek) } }
  if (list.hasEarlier && (sought._tag === "Missing" || (sought.wrapped && seek.direction === -1))) {
    return { ...list, search: { ...search, seek: undefined, parked: { seek, parts: 0 } } }
  }
  if (sought._tag === "Missing") {
    const missing = { ...list, search: { ...search, seek: undefined } }
    return search.typing === undefined ? withNotice(missing, `Pattern not found: ${search.text}`) : missing
  }
  const { match, wrapped } = sought
  const there = cursorMoved(
    { ...list, search: { ...search, seek: undefined, current: match } },
    { place: match.place, reveals: "match" },
    context
  )
  if (!wrapped) return there
  return withNotice(
    there,
    seek.direction === 1 ? "search hit BOTTOM, continuing at TOP" : "search hit TOP, continuing at BOTTOM"
  )
}

/** Parts that one search reads at most: what it passes stays in memory. */
const MOST_PARTS = 40

/** Belongs to no entry: a seek that began here has no start to come back to. */
const NOWHERE: Place = { key: Number.NaN, entry: "", block: "", offset: 0 }

/**
 * A part of the session was read that comes before all others. A search that waited for it goes on in this part alone;
 * when there is no more to come, it ends as if all had been there from the beginning.
 */
export const searchedInEarlier = (list: TranscriptList, part: Entries, context: ListContext): TranscriptList => {
  const { search } = list
  const { parked } = search
  if (parked === undefined) return list
  const { query, direction, start } = parked.seek
  const from = direction === 1 ? firstBlockFrom(part, 0) : lastBlockUntil(part, part.tree.count - 1)
  const next = from === undefined ? NOWHERE : placeIn(from, 0)
  const seek: Seek = { query, direction, start: NOWHERE, left: 1, passed: 0, next, wrapped: true }
  const sought = from === undefined ? undefined : advanceSeek(seek, part, Number.POSITIVE_INFINITY)
  if (sought?._tag === "Found") {
    const found = { ...list, search: { ...search, parked: undefined, current: sought.match } }
    return cursorMoved(found, { place: sought.match.place, reveals: "match" }, context)
  }
  if (!list.hasEarlier) return seeking(list, seekFrom(query, start, { direction, count: 1 }), context)
  const parts = parked.parts + 1
  if (parts < MOST_PARTS) return { ...list, search: { ...search, parked: { ...parked, parts } } }
  const given = { ...list, search: { ...search, parked: undefined } }
  return withNotice(given, `Pattern not found so far: ${search.text}. n looks further back.`)
}

/** Ends the search line and stays at the match. */
export const acceptSearch = (list: TranscriptList, context: ListContext): TranscriptList => {
  const { search, jumps } = list
  const { history, text, typing } = search
  if (typing === undefined) return list
  const parsed = parseQuery(text, { meta: context.options.meta })
  const closed = { ...list, search: { ...search, typing: undefined, history: remembered(history, text) } }
  if ("problem" in parsed) return withNotice(closed, parsed.problem)
  const jumped = { ...closed, jumps: pushJump(jumps, typing.cursor) }
  const goesOn = search.seek !== undefined || search.parked !== undefined
  if (search.current !== undefined || goesOn || text === "") return jumped
  return withNotice(jumped, `Pattern not found: ${text}`)
}

const remembered = (history: ReadonlyArray<string>, text: string): ReadonlyArray<string> =>
  text === "" ? history : [...history.filter((other) => other !== text), text].slice(-MOST_HISTORY)

/** Ends the search line and puts back what was there. */
export const cancelSearch = (list: TranscriptList): TranscriptList => {
  const { search } = restored(list)
  return {
    ...restored(list),
    search: {
      ...search,
      typing: undefined,
      seek: undefined,
      parked: undefined,
      query: undefined,
      current: undefined,
      highlighted: false
    }
  }
}

/** `n` and `N`, and the next match while typing: the same way as the search, or the other. */
export const repeatSearch = (
  list: TranscriptList,
  by: { count: number; same: boolean },
  context: ListContext
): TranscriptList => {
  const { query, direction } = list.search
  const from = cursorPlace(list, context)
  if (query === undefined || from === undefined) {
    return withNotice(list, "There is no search to repeat. Begin one with / or ?.")
  }
  const way = by.same ? direction : direction === 1 ? -1 : 1
  const lit = { ...list, search: { ...list.search, highlighted: true } }
  const left = list.search.typing === undefined ? { ...lit, jumps: pushJump(list.jumps, from) } : lit
  return seeking(left, seekFrom(query, from, { direction: way, count: by.count }), context)
}

const searchFor = (
  list: TranscriptList,
  text: string,
  at: { query: Query; direction: 1 | -1; from: Place; count: number; context: ListContext }
): TranscriptList => {
  const { context, count, direction, from, query } = at
  const search = {
    ...list.search,
    text,
    query,
    direction,
    tally: NO_TALLY,
    current: undefined,
    highlighted: true,
    history: remembered(list.search.history, text)
  }
  return seeking(
    { ...list, search, jumps: pushJump(list.jumps, from) },
    seekFrom(query, from, { direction, count }),
    context
  )
}

/** `*` and `#`: the word under the cursor, or the next one in its line. */
export const searchWord = (
  list: TranscriptList,
  by: { direction: 1 | -1; count: number },
  context: ListContext
): TranscriptList => {
  const from = cursorPlace(list, context)
  const at = from === undefined ? undefined : locate(list.entries, from)
  if (from === undefined || at === undefined) return withBell(list)
  const line = lineOfOffset(at.block, from.offset)
  const { start } = lineRange(at.block, line)
  const word = wordAround(blockLines(at.block).at(line), from.offset - start)
  if (word === undefined) return withBell(list)
  const begin = { ...from, offset: start + word.start }
  return searchFor(list, word.text, { ...by, query: literalQuery(word.text, true), from: begin, context })
}

/** `]f` and `[f`: the next mention of a file. */
export const searchMention = (
  list: TranscriptList,
  path: string,
  by: { direction: 1 | -1; count: number; context: ListContext }
): TranscriptList => {
  const from = cursorPlace(list, by.context)
  return from === undefined ? withBell(list) : searchFor(list, path, { ...by, query: literalQuery(path, false), from })
}

export const isSearching = ({ search, entries }: TranscriptList): boolean =>
  search.seek !== undefined || (search.query !== undefined && search.highlighted && !isComplete(search.tally, entries))

/** One slice of about so many characters: first towards the match that is waited for, then towards the count. */
export const advanceSearch = (list: TranscriptList, budget: number, context: ListContext): TranscriptList => {
  const { query, seek, tally } = list.search
  if (seek !== undefined) return soughtOn(list, { seek, budget }, context)
  if (query === undefined) return list
  return { ...list, search: { ...list.search, tally: advanceTally(tally, query, { entries: list.entries, budget }) } }
}

/** `3/47`, once all matches are counted. */
export const matchCount = ({
  search,
  entries
}: TranscriptList): { readonly at: number; readonly of: number } | undefined => {
  const { current, query, tally } = search
  if (query === undefined || current === undefined || !isComplete(tally, entries)) return undefined
  return { at: ordinalOf(tally, query, { match: current, entries }), of: total(tally) }
}

export interface MatchCells extends Cells {
  readonly current: boolean
}

/** The cells of a visible row that show matches. */
export const matchCells = ({ search }: TranscriptList, { at, row }: PlacedRow): ReadonlyArray<MatchCells> => {
  const { current, highlighted, query } = search
  if (query === undefined || !highlighted) return []
  return matchesIn(query, at.block)
    .filter(({ start, end }) => end > row.start && start < row.end)
    .flatMap(({ start, end }) => {
      const isCurrent = current !== undefined && current.place.block === at.block.id && current.place.offset === start
      return cellsOfRange(row, start, end).map((cells) => ({ ...cells, current: isCurrent }))
    })
}
