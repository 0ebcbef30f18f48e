import { HashSet } from "effect"

/**
 * Ids that are taken. Those of a conversation that was read back are found at once and never change, so a plain set
 * holds them; those that join one by one make a new value each. A conversation may go on for ever, so of these only
 * the newest count: an id comes twice soon or not at all.
 */
export interface IdSet {
  readonly found: ReadonlySet<string>
  /** The newest ones, and those right before them. */
  readonly added: HashSet.HashSet<string>
  readonly older: HashSet.HashSet<string>
}

/** So many of the newest ids are known for certain. */
export const NEWEST_IDS = 512

export const emptyIds: IdSet = { found: new Set(), added: HashSet.empty(), older: HashSet.empty() }

/** Takes the set over; whoever made it must not change it any more. */
export const idsOf = (found: ReadonlySet<string>): IdSet => ({ ...emptyIds, found })

export const hasId = (ids: IdSet, id: string): boolean =>
  ids.found.has(id) || HashSet.has(ids.added, id) || HashSet.has(ids.older, id)

export const addId = (ids: IdSet, id: string): IdSet => {
  if (hasId(ids, id)) return ids
  const isFull = HashSet.size(ids.added) >= NEWEST_IDS
  const { found, added, older } = isFull ? { found: ids.found, added: HashSet.empty<string>(), older: ids.added } : ids
  return { found, added: HashSet.add(added, id), older }
}
