import { HashSet } from "effect"

/**
 * Ids that are taken. Those of a conversation that was read back are found at once and never change, so a plain set
 * holds them; those that join one by one make a new value each.
 */
export interface IdSet {
  readonly found: ReadonlySet<string>
  readonly added: HashSet.HashSet<string>
}

export const emptyIds: IdSet = { found: new Set(), added: HashSet.empty() }

/** Takes the set over; whoever made it must not change it any more. */
export const idsOf = (found: ReadonlySet<string>): IdSet => ({ found, added: HashSet.empty() })

export const hasId = (ids: IdSet, id: string): boolean => ids.found.has(id) || HashSet.has(ids.added, id)

export const addId = (ids: IdSet, id: string): IdSet =>
  hasId(ids, id) ? ids : { found: ids.found, added: HashSet.add(ids.added, id) }
