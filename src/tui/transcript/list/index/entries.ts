/**
 * The entries of a session with their index. The index begins with the last entries and grows towards the first in
 * slices, so that the end of a long session shows at once; changes of the session are taken over by what differs.
 */
import type { Block, Entry } from "../../block.ts"
import { linesOf } from "../../line-count.ts"
import * as Vector from "../../vector.ts"
import { entryFlags } from "./flags.ts"
import { indexOfKey } from "./heights.ts"
import { linesOfSuccessor } from "./line-starts.ts"
import { build, EMPTY, type Item, itemAt, join, setItem, split, type Tree, UNMEASURED } from "./tree.ts"

export interface Entries {
  readonly source: Vector.Vector<Entry>
  readonly tree: Tree
  /** How many entries at the beginning are not in the index yet. */
  readonly pending: number
}

/** A block and where it stands. */
export interface BlockAt {
  readonly index: number
  readonly ordinal: number
  readonly key: number
  readonly entry: Entry
  readonly block: Block
}

/** A place in the text. The key finds the entry, and its neighbours when it is gone; ids outlive the process. */
export interface Place {
  readonly key: number
  readonly entry: string
  readonly block: string
  readonly offset: number
}

/** Results of calls are folded to a few rows, so their length says little about their height. */
const MOST_WEIGHT = 1_000

const weightOf = (entry: Entry): number =>
  entry.blocks.reduce(
    (sum, { kind, source }) => sum + (kind === "text" ? source.length : Math.min(source.length, MOST_WEIGHT)),
    0
  )

const itemOf = (entry: Entry, key: number): Item => ({
  key,
  entry,
  flags: entryFlags(entry),
  lines: entry.blocks.reduce((sum, block) => sum + linesOf(block), 0),
  weight: weightOf(entry),
  rows: UNMEASURED
})

const successor = (item: Item, entry: Entry): Item => ({
  key: item.key,
  entry,
  flags: entryFlags(entry, item),
  lines: linesOfSuccessor(item, entry),
  weight: weightOf(entry),
  rows: item.rows
})

/** Takes up a session with the index of its last entries only. */
export const openEntries = (source: Vector.Vector<Entry>, shown: number): Entries =>
  fillIndex({ source, tree: EMPTY, pending: source.length }, shown)

/** One slice of the index more. */
export const fillIndex = (entries: Entries, count: number): Entries => {
  const { source, tree, pending } = entries
  const from = Math.max(0, pending - count)
  if (from === pending) return entries
  const items: Array<Item> = []
  for (let place = from; place < pending; place++) {
    const entry = Vector.get(source, place)
    if (entry !== undefined) items.push(itemOf(entry, place))
  }
  return { source, tree: join(build(items), tree), pending: from }
}

/** The session has changed: every item whose entry is another now is made anew, the rest is kept. */
export const syncEntries = (entries: Entries, source: Vector.Vector<Entry>): Entries => {
  if (source === entries.source) return entries
  const { pending } = entries
  if (source.length < pending) return openEntries(source, entries.tree.count)
  let tree = entries.tree
  for (const place of Vector.changedPlaces(entries.source, source)) {
    if (place < pending) continue
    const index = place - pending
    const item = itemAt(tree, index)
    const entry = Vector.get(source, place)
    if (item === undefined || entry === undefined) continue
    if (item.entry.id !== entry.id) {
      return { source, tree: withTail(tree, index, Vector.toArray(source, place)), pending }
    }
    tree = setItem(tree, index, successor(item, entry))
  }
  const known = source.length - pending
  if (known < tree.count) return { source, tree: split(tree, known)[0], pending }
  const added = Vector.toArray(source, pending + tree.count)
  return { source, tree: added.length === 0 ? tree : withTail(tree, tree.count, added), pending }
}

/** The session has so many entries more at its beginning; those that were there keep their keys. */
export const prependEntries = (
  entries: Entries,
  source: Vector.Vector<Entry>,
  count: number
): { readonly entries: Entries; readonly part: Entries } => {
  const { tree } = entries
  const first = itemAt(tree, 0)
  const beginning = (first?.key ?? count) - count
  const items: Array<Item> = []
  for (let place = 0; place < count; place++) {
    const entry = Vector.get(source, place)
    if (entry !== undefined) items.push(itemOf(entry, beginning + place))
  }
  // What was first is set off from what stands before it now.
  const second = Vector.get(source, count)
  const rest = first === undefined || second === undefined ? tree : setItem(tree, 0, itemOf(second, first.key))
  const added = build(items)
  return { entries: { source, tree: join(added, rest), pending: 0 }, part: { source, tree: added, pending: 0 } }
}

/** The session has lost so many entries at its beginning; the others keep their keys. */
export const dropEntries = ({ tree }: Entries, source: Vector.Vector<Entry>, count: number): Entries => ({
  source,
  tree: split(tree, count)[1],
  pending: 0
})

/** The tree with other entries from an index on. Entries that stood there before keep their keys where order allows. */
const withTail = (tree: Tree, index: number, tail: ReadonlyArray<Entry>): Tree => {
  const [head, old] = split(tree, index)
  const former = new Map<string, Item>()
  for (let at = 0; at < old.count; at++) {
    const item = itemAt(old, at)
    if (item !== undefined) former.set(item.entry.id, item)
  }
  let last = itemAt(head, head.count - 1)?.key ?? (itemAt(old, 0)?.key ?? 0) - 1
  const items = tail.map((entry) => {
    const before = former.get(entry.id)
    if (before !== undefined && before.key > last) {
      last = before.key
      return before.entry === entry ? before : successor(before, entry)
    }
    last = Math.floor(last) + 1
    return itemOf(entry, last)
  })
  return join(head, build(items))
}

/** The entry takes so many rows. */
export const setRowCount = (entries: Entries, index: number, rows: number): Entries => {
  const item = itemAt(entries.tree, index)
  if (item === undefined || item.rows === rows) return entries
  return { ...entries, tree: setItem(entries.tree, index, { ...item, rows }) }
}

export const blockAt = ({ tree }: Entries, index: number, ordinal: number): BlockAt | undefined => {
  const item = itemAt(tree, index)
  const block = item?.entry.blocks[ordinal]
  return item === undefined || block === undefined ? undefined : { index, ordinal, key: item.key, entry: item.entry, block }
}

/** The first block at or after an entry. */
export const firstBlockFrom = (entries: Entries, index: number): BlockAt | undefined => {
  for (let at = Math.max(0, index); at < entries.tree.count; at++) {
    const found = blockAt(entries, at, 0)
    if (found !== undefined) return found
  }
  return undefined
}

/** The last block at or before an entry. */
export const lastBlockUntil = (entries: Entries, index: number): BlockAt | undefined => {
  for (let at = Math.min(index, entries.tree.count - 1); at >= 0; at--) {
    const blocks = itemAt(entries.tree, at)?.entry.blocks.length ?? 0
    const found = blockAt(entries, at, blocks - 1)
    if (found !== undefined) return found
  }
  return undefined
}

export const nextBlock = (entries: Entries, at: BlockAt): BlockAt | undefined =>
  blockAt(entries, at.index, at.ordinal + 1) ?? firstBlockFrom(entries, at.index + 1)

export const previousBlock = (entries: Entries, at: BlockAt): BlockAt | undefined =>
  at.ordinal > 0 ? blockAt(entries, at.index, at.ordinal - 1) : lastBlockUntil(entries, at.index - 1)

/** The block that holds a place; the nearest one that is left when it is gone. */
export const locate = (entries: Entries, place: Place): BlockAt | undefined => {
  const index = indexOfKey(entries.tree, place.key)
  const item = itemAt(entries.tree, index)
  if (item === undefined || item.key !== place.key) {
    return firstBlockFrom(entries, index) ?? lastBlockUntil(entries, index)
  }
  const ordinal = Math.max(
    0,
    item.entry.blocks.findIndex(({ id }) => id === place.block)
  )
  return blockAt(entries, index, ordinal) ?? firstBlockFrom(entries, index) ?? lastBlockUntil(entries, index)
}

export const placeIn = ({ key, entry, block }: BlockAt, offset: number): Place => ({
  key,
  entry: entry.id,
  block: block.id,
  offset: Math.max(0, Math.min(offset, block.source.length))
})

/**
 * A block by the ids that were stored of it; only what other places name goes this way, so it may look at every
 * entry.
 */
export const findBlock = (
  entries: Entries,
  ids: { readonly entry: string; readonly block?: string }
): BlockAt | undefined => {
  for (let index = entries.tree.count - 1; index >= 0; index--) {
    const item = itemAt(entries.tree, index)
    if (item?.entry.id !== ids.entry) continue
    return blockAt(
      entries,
      index,
      Math.max(
        0,
        item.entry.blocks.findIndex(({ id }) => id === ids.block)
      )
    )
  }
  return undefined
}

/** Order of two places in the text. */
export const comparePlaces = (entries: Entries, a: Place, b: Place): number => {
  if (a.key !== b.key) return a.key - b.key
  if (a.block === b.block) return a.offset - b.offset
  return (locate(entries, a)?.ordinal ?? 0) - (locate(entries, b)?.ordinal ?? 0)
}
