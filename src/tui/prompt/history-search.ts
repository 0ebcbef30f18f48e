/** Searching the history: an incremental fuzzy filter over entries that arrive in slices. */
import { type Field, EMPTY_FIELD } from "../editor/field.ts"
import { fuzzyMatch } from "../text/fuzzy.ts"
import type { HistoryEntry } from "./model.ts"

export type HistoryScope = "session" | "project" | "all"

const NEXT_SCOPE: Record<HistoryScope, HistoryScope> = { session: "project", project: "all", all: "session" }

export interface HistoryHit {
  readonly entry: HistoryEntry
  readonly at: ReadonlyArray<number>
}

export interface HistorySearch {
  readonly query: Field
  readonly scope: HistoryScope
  readonly here: { readonly sessionId: string; readonly project: string }
  /** Newest first, as far as they are loaded. */
  readonly entries: ReadonlyArray<HistoryEntry>
  readonly isLoading: boolean
  readonly hits: ReadonlyArray<HistoryHit>
  readonly selected: number
}

const isInScope = ({ scope, here }: HistorySearch, entry: HistoryEntry): boolean => {
  if (scope === "all") return true
  return scope === "session" ? entry.sessionId === here.sessionId : entry.project === here.project
}

/** The best fit first, the newest among equals, and every text once. */
const hitsOf = (search: HistorySearch): ReadonlyArray<HistoryHit> => {
  const seen = new Set<string>()
  const fresh = search.entries.filter((entry) => {
    if (!isInScope(search, entry) || seen.has(entry.display)) return false
    seen.add(entry.display)
    return true
  })
  const found = fresh.flatMap((entry) => {
    const match = fuzzyMatch(search.query.text, entry.display)
    return match === undefined ? [] : [{ entry, at: match.positions, score: match.score }]
  })
  return found.toSorted((a, b) => b.score - a.score).map(({ entry, at }) => ({ entry, at }))
}

/** The choice stays on the same entry while others come in, and starts at the top after an edit. */
const refresh = (search: HistorySearch, keep: boolean): HistorySearch => {
  const hits = hitsOf(search)
  const chosen = search.hits[search.selected]?.entry
  const same = keep ? hits.findIndex(({ entry }) => entry === chosen) : -1
  return { ...search, hits, selected: Math.max(0, same) }
}

export const openHistorySearch = (here: HistorySearch["here"]): HistorySearch => ({
  query: EMPTY_FIELD,
  scope: "session",
  here,
  entries: [],
  isLoading: true,
  hits: [],
  selected: 0
})

/** The next slice of older entries. */
export const receiveHistory = (
  search: HistorySearch,
  slice: { readonly entries: ReadonlyArray<HistoryEntry>; readonly isLast: boolean }
): HistorySearch => refresh({ ...search, entries: [...search.entries, ...slice.entries], isLoading: !slice.isLast }, true)

export const moved = (search: HistorySearch, by: number): HistorySearch => ({
  ...search,
  selected: Math.max(0, Math.min(search.hits.length - 1, search.selected + by))
})

export const asked = (search: HistorySearch, query: Field): HistorySearch => refresh({ ...search, query }, false)

export const withNextScope = (search: HistorySearch): HistorySearch =>
  refresh({ ...search, scope: NEXT_SCOPE[search.scope] }, true)
