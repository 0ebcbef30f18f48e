/** The transcript pane as a value: entries and their index, what is in view, and where the user is in it. */
import type { Shape } from "../../../editor/selection.ts"
import type { Find } from "../../../editor/vim/state/state.ts"
import type { Entry } from "../../block.ts"
import type * as Vector from "../../vector.ts"
import { openEntries, type Place } from "../index/entries.ts"
import { DEFAULT_FOLDS } from "../view/folds.ts"
import { type Jumps, NO_JUMPS } from "./jumps.ts"
import { layoutCache } from "../view/layout-cache.ts"
import { NO_SEARCH, type SearchState } from "../find/search-state.ts"
import { FOLLOWING, type Scrolled } from "../view/viewport.ts"

/** A logical range: it lies in the text, wherever that is drawn. The head is where it grows. */
export interface ListSelection {
  readonly shape: Shape
  readonly anchor: Place
  readonly head: Place
  readonly by: "keys" | "mouse"
}

export type ListOperator = "transcript:yank" | "transcript:quote" | "transcript:pipe"

/** What an action gave besides the next list; the application acts on it once. */
export type ListOutcome =
  | { readonly _tag: "Yanked"; readonly operator: ListOperator; readonly text: string; readonly type: Shape }
  | { readonly _tag: "Notice"; readonly text: string }
  /** The action had nothing to do here. */
  | { readonly _tag: "Bell" }
  /** There is no older jump: the visit to the pane ends. */
  | { readonly _tag: "LeftJumps" }

export interface TranscriptList extends Scrolled {
  /** Undefined only while there is nothing to stand on. */
  readonly cursor: Place | undefined
  /** The column that vertical motions try to keep. */
  readonly goal: number
  readonly selection: ListSelection | undefined
  readonly lastSelection: ListSelection | undefined
  readonly operator: { readonly name: ListOperator; readonly count: number | undefined } | undefined
  readonly find: Find | undefined
  readonly search: SearchState
  readonly marks: ReadonlyMap<string, Place>
  readonly jumps: Jumps
  /** The place of a mark in a part of the session that is not read yet; the cursor goes there when it is. */
  readonly sought: Place | undefined
  /** Keys of entries that came while nobody looked, in order. */
  readonly unread: ReadonlyArray<number>
  readonly outcome: ListOutcome | undefined
  /** More of the session can be read, before all that is here. */
  readonly hasEarlier: boolean
}

/** Entries indexed before the first frame: more than any screen shows. */
const FIRST_ENTRIES = 512

/** A session as it is opened: its end in view, the rest still to be indexed (`fill`). */
export const openList = (source: Vector.Vector<Entry>, hasEarlier = false): TranscriptList => ({
  entries: openEntries(source, FIRST_ENTRIES),
  folds: DEFAULT_FOLDS,
  cache: layoutCache(),
  viewport: FOLLOWING,
  cursor: undefined,
  goal: 0,
  selection: undefined,
  lastSelection: undefined,
  operator: undefined,
  find: undefined,
  search: NO_SEARCH,
  marks: new Map(),
  jumps: NO_JUMPS,
  sought: undefined,
  unread: [],
  outcome: undefined,
  hasEarlier
})

export const withNotice = (list: TranscriptList, text: string): TranscriptList => ({
  ...list,
  outcome: { _tag: "Notice", text }
})

export const withBell = (list: TranscriptList): TranscriptList => ({ ...list, outcome: { _tag: "Bell" } })
