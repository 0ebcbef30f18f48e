/** Searching the history: an incremental fuzzy filter over entries that arrive in slices. */
import { inOneLine } from "../editor/field.ts"
import { clusters } from "../screen/cell/width.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { isPrintable } from "../editor/standard/keys.ts"
import { fuzzyMatch } from "../text/fuzzy.ts"
import type { HistoryEntry } from "./model.ts"

export type HistoryScope = "session" | "project" | "all"

const NEXT_SCOPE: Record<HistoryScope, HistoryScope> = { session: "project", project: "all", all: "session" }

export interface HistoryHit {
  readonly entry: HistoryEntry
  readonly at: ReadonlyArray<number>
}

export interface HistorySearch {
  readonly query: string
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
    const match = fuzzyMatch(search.query, entry.display)
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

export const openHistorySearch = (here: HistorySearch["here"], query = ""): HistorySearch => ({
  query,
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

export type HistorySearchStep =
  | { readonly _tag: "Open"; readonly search: HistorySearch }
  | { readonly _tag: "Accepted"; readonly entry: HistoryEntry }
  | { readonly _tag: "Cancelled" }

const open = (search: HistorySearch): HistorySearchStep => ({ _tag: "Open", search })

const move = (search: HistorySearch, by: number): HistorySearchStep =>
  open({ ...search, selected: Math.max(0, Math.min(search.hits.length - 1, search.selected + by)) })

const ask = (search: HistorySearch, query: string): HistorySearchStep => open(refresh({ ...search, query }, false))

/** Pasted text joins what is looked for, as one line. */
export const pasteIntoSearch = (search: HistorySearch, text: string): HistorySearch =>
  refresh({ ...search, query: search.query + inOneLine(text) }, false)

const PAGE = 10

const KEYS: Readonly<Record<Stroke, (search: HistorySearch) => HistorySearchStep>> = {
  "<Up>": (search) => move(search, -1),
  "<C-p>": (search) => move(search, -1),
  "<Down>": (search) => move(search, 1),
  "<C-n>": (search) => move(search, 1),
  "<C-r>": (search) => move(search, 1),
  "<PageUp>": (search) => move(search, -PAGE),
  "<PageDown>": (search) => move(search, PAGE),
  "<C-s>": (search) => open(refresh({ ...search, scope: NEXT_SCOPE[search.scope] }, true)),
  "<BS>": (search) => ask(search, clusters(search.query).slice(0, -1).join("")),
  "<C-h>": (search) => ask(search, clusters(search.query).slice(0, -1).join("")),
  "<C-w>": (search) => ask(search, search.query.replace(/\S*\s*$/, "")),
  "<C-u>": (search) => ask(search, ""),
  "<Esc>": () => ({ _tag: "Cancelled" }),
  "<C-c>": () => ({ _tag: "Cancelled" })
}

const accept = (search: HistorySearch): HistorySearchStep => {
  const hit = search.hits[search.selected]
  return hit === undefined ? open(search) : { _tag: "Accepted", entry: hit.entry }
}

export const pressInHistory = (search: HistorySearch, stroke: Stroke): HistorySearchStep => {
  if (stroke === "<CR>" || stroke === "<Tab>") return accept(search)
  const key = KEYS[stroke]
  if (key !== undefined) return key(search)
  return isPrintable(stroke) ? ask(search, search.query + stroke) : open(search)
}
