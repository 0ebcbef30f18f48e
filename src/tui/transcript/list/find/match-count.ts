/** Counting all matches, from the first entry to the last in slices: what `3/47` is made of. */
import { itemAt } from "../index/tree.ts"
import { changedPlaces } from "../../vector.ts"
import type { Entries } from "../index/entries.ts"
import { indexOfKey, nextFlagged } from "../index/heights.ts"
import { lastAtMost } from "../index/line-starts.ts"
import { matchesIn, type Query } from "./query.ts"
import type { Match } from "./find-match.ts"

/**
 * Entries with matches by their keys, and how many there were with each of them. Versions share the arrays, each its
 * own length.
 */
export interface Tally {
  readonly keys: Array<number>
  readonly sums: Array<number>
  readonly length: number
  /** Entries from this key on are not counted yet. */
  readonly next: number
}

export const NO_TALLY: Tally = { keys: [], sums: [], length: 0, next: Number.NEGATIVE_INFINITY }

export const total = ({ sums, length }: Tally): number => (length === 0 ? 0 : (sums[length - 1] ?? 0))

export const isComplete = ({ next }: Tally, { tree, pending }: Entries): boolean =>
  pending === 0 && indexOfKey(tree, next) >= tree.count

const ENTRY_COST = 64

export const advanceTally = (
  tally: Tally,
  query: Query,
  at: { readonly entries: Entries; readonly budget: number }
): Tally => {
  const { tree, pending } = at.entries
  if (pending > 0) return tally
  const own = tally.keys.length === tally.length
  const keys = own ? tally.keys : tally.keys.slice(0, tally.length)
  const sums = own ? tally.sums : tally.sums.slice(0, tally.length)
  let sum = total(tally)
  let spent = 0
  let index: number | undefined = nextFlagged(tree, indexOfKey(tree, tally.next), query.mask)
  while (index !== undefined && spent < at.budget) {
    const item = itemAt(tree, index)
    if (item === undefined) break
    const found = item.entry.blocks.reduce((count, block) => count + matchesIn(query, block).length, 0)
    spent += item.entry.blocks.reduce((size, { source }) => size + source.length, ENTRY_COST)
    if (found > 0) {
      sum += found
      keys.push(item.key)
      sums.push(sum)
    }
    index = nextFlagged(tree, index + 1, query.mask)
  }
  const next = index === undefined ? Number.POSITIVE_INFINITY : (itemAt(tree, index)?.key ?? 0)
  return { keys, sums, length: keys.length, next }
}

/** The session changed: what was counted before the first change still holds. */
export const tallyAfter = (tally: Tally, before: Entries, after: Entries): Tally => {
  if (before.pending !== after.pending) return NO_TALLY
  const places = changedPlaces(before.source, after.source)
  const changed = Math.min(places[0] ?? before.source.length, before.source.length, after.source.length)
  const key = itemAt(after.tree, changed - after.pending)?.key ?? Number.POSITIVE_INFINITY
  if (key >= tally.next) return tally
  const kept = lastAtMost(tally.keys, key, tally.length)
  const length = tally.length === 0 ? 0 : (tally.keys[kept] ?? 0) < key ? kept + 1 : kept
  return { ...tally, length, next: key }
}

/** Which one of all matches this is, from 1. */
export const ordinalOf = (
  tally: Tally,
  query: Query,
  { match, entries }: { readonly match: Match; readonly entries: Entries }
): number => {
  const { place } = match
  const at = lastAtMost(tally.keys, place.key, tally.length)
  const earlier = tally.keys[at] === place.key ? (tally.sums[at - 1] ?? 0) : (tally.sums[at] ?? 0)
  const item = itemAt(entries.tree, indexOfKey(entries.tree, place.key))
  let inside = 0
  for (const block of item?.entry.blocks ?? []) {
    const matches = matchesIn(query, block)
    if (block.id === place.block) return earlier + inside + matches.filter(({ start }) => start <= place.offset).length
    inside += matches.length
  }
  return earlier + inside
}
