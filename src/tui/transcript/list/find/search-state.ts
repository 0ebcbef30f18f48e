/** A search as the pane holds it. */
import type { Place } from "../index/entries.ts"
import type { Folds } from "../view/folds.ts"
import type { Query } from "./query.ts"
import type { Match, Seek } from "./find-match.ts"
import { NO_TALLY, type Tally } from "./match-count.ts"
import type { Viewport } from "../view/viewport.ts"

/** Everything that Escape puts back. */
export interface SearchOrigin {
  readonly viewport: Viewport
  readonly cursor: Place
  readonly folds: Folds
}

export interface SearchState {
  readonly text: string
  readonly direction: 1 | -1
  readonly query: Query | undefined
  /** Set while the search line is open. */
  readonly typing: SearchOrigin | undefined
  /** A search that has not reached its match yet. */
  readonly seek: Seek | undefined
  /** One that has seen all there is, and goes on in the part of the session that is still to be read. */
  readonly parked: { readonly seek: Seek; readonly parts: number } | undefined
  readonly current: Match | undefined
  readonly tally: Tally
  /** Off after `:noh`, until the next search. */
  readonly highlighted: boolean
  /** Texts of earlier searches, the latest last. */
  readonly history: ReadonlyArray<string>
}

export const NO_SEARCH: SearchState = {
  text: "",
  direction: 1,
  query: undefined,
  typing: undefined,
  seek: undefined,
  parked: undefined,
  current: undefined,
  tally: NO_TALLY,
  highlighted: false,
  history: []
}
