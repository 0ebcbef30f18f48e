/**
 * Finding the next match from a place, in slices: a search through a long session goes on where the last slice ended,
 * so no key waits for it.
 */
import {
  type BlockAt,
  type Entries,
  firstBlockFrom,
  lastBlockUntil,
  locate,
  nextBlock,
  type Place,
  placeIn,
  previousBlock
} from "../index/entries.ts"
import { nextFlagged, previousFlagged } from "../index/heights.ts"
import { matchesIn, type Query, type Range } from "./query.ts"

export interface Match {
  readonly place: Place
  readonly end: number
}

export interface Seek {
  readonly query: Query
  readonly direction: 1 | -1
  readonly start: Place
  /** Matches still to find, and those that went by. */
  readonly left: number
  readonly passed: number
  /** The block to look at next. */
  readonly next: Place
  readonly wrapped: boolean
}

export type Sought =
  | { readonly _tag: "Pending"; readonly seek: Seek }
  | { readonly _tag: "Found"; readonly match: Match; readonly wrapped: boolean }
  | { readonly _tag: "Missing" }

export const seekFrom = (
  query: Query,
  start: Place,
  towards: { readonly direction: 1 | -1; readonly count: number }
): Seek => ({
  query,
  direction: towards.direction,
  start,
  left: Math.max(1, towards.count),
  passed: 0,
  next: start,
  wrapped: false
})

/** What looking at a block costs at least, so that blocks without text do not make a slice endless. */
const BLOCK_COST = 64

const following = (entries: Entries, at: BlockAt, { direction, query }: Seek): BlockAt | undefined => {
  const next = direction === 1 ? nextBlock(entries, at) : previousBlock(entries, at)
  if (next === undefined || next.index === at.index) return next
  if (direction === 1) {
    const index = nextFlagged(entries.tree, next.index, query.mask)
    return index === undefined ? undefined : firstBlockFrom(entries, index)
  }
  const index = previousFlagged(entries.tree, next.index + 1, query.mask)
  return index === undefined ? undefined : lastBlockUntil(entries, index)
}

const edge = (entries: Entries, direction: 1 | -1): BlockAt | undefined =>
  direction === 1 ? firstBlockFrom(entries, 0) : lastBlockUntil(entries, entries.tree.count - 1)

/**
 * Matches of a block in the order of the search. The block where it began comes twice: first what lies ahead, last
 * the rest.
 */
const candidates = ({ query, direction, start, wrapped }: Seek, at: BlockAt): ReadonlyArray<Range> => {
  const matches = matchesIn(query, at.block)
  const ahead = (range: Range): boolean => (range.start - start.offset) * direction > 0
  const counted = isStart(start, at) ? matches.filter((range) => ahead(range) !== wrapped) : matches
  return direction === 1 ? counted : counted.toReversed()
}

const isStart = (start: Place, at: BlockAt): boolean => at.key === start.key && at.block.id === start.block

/** Goes on for about so many characters. */
export const advanceSeek = (seek: Seek, entries: Entries, budget: number): Sought => {
  let state = seek
  let spent = 0
  let at = locate(entries, seek.next)
  while (at !== undefined) {
    const found = candidates(state, at)
    const match = found[state.left - 1]
    if (match !== undefined) {
      return { _tag: "Found", match: { place: placeIn(at, match.start), end: match.end }, wrapped: state.wrapped }
    }
    state = { ...state, left: state.left - found.length, passed: state.passed + found.length }
    spent += at.block.source.length + BLOCK_COST
    const around = state.wrapped && isStart(state.start, at)
    const next = around ? undefined : following(entries, at, state)
    if (next === undefined && state.wrapped) return repeated(state, entries)
    if (next === undefined) state = { ...state, wrapped: true }
    at = next ?? edge(entries, state.direction)
    if (at !== undefined && spent >= budget) return { _tag: "Pending", seek: { ...state, next: placeIn(at, 0) } }
  }
  return { _tag: "Missing" }
}

/** Once around: nothing at all, or a count that goes through the same matches again and again. */
const repeated = (state: Seek, entries: Entries): Sought => {
  if (state.passed === 0) return { _tag: "Missing" }
  const left = ((state.left - 1) % state.passed) + 1
  const again = { ...state, left, passed: 0, next: state.start, wrapped: false }
  const sought = advanceSeek(again, entries, Number.POSITIVE_INFINITY)
  return sought._tag === "Found" ? { ...sought, wrapped: true } : sought
}
