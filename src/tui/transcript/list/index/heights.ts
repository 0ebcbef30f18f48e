/**
 * Questions to the tree: how tall is what stands before an entry, which entry shows a row, holds a line, has a key, or
 * is the next of a kind. Heights that were never measured are estimated; nothing that is drawn depends on them, they
 * only say how far along a place is.
 */
import type { Item, Sums, Tree } from "./tree.ts"

/** Rows that a block takes besides its text: head, gap, border. */
const ROWS_PER_BLOCK = 2

const NONE: Sums = { count: 0, rows: 0, weight: 0, blocks: 0, lines: 0 }

const plus = (a: Sums, b: Sums): Sums => ({
  count: a.count + b.count,
  rows: a.rows + b.rows,
  weight: a.weight + b.weight,
  blocks: a.blocks + b.blocks,
  lines: a.lines + b.lines
})

/**
 * Measured rows as they are, the rest by its characters. Taken over a whole prefix it never falls along the sequence:
 * the height of one entry is the difference of two prefixes, and all of them add up exactly.
 */
export const rowsOf = ({ rows, weight, blocks }: Sums, width: number): number =>
  rows + Math.floor(weight / Math.max(1, width)) + blocks * ROWS_PER_BLOCK

/** Sums over the first `index` items. */
export const prefix = (tree: Tree, index: number): Sums => {
  let node = tree
  let rest = Math.max(0, index)
  let sums = NONE
  while (node.items === undefined) {
    if (rest <= node.left.count) node = node.left
    else {
      rest -= node.left.count
      sums = plus(sums, node.left)
      node = node.right
    }
  }
  for (let place = 0; place < rest; place++) {
    const item = node.items[place]
    if (item !== undefined) sums = addItem(sums, item)
  }
  return sums
}

/** Source lines before an entry: the one sum that motions ask for all the time. */
export const linesBefore = (tree: Tree, index: number): number => {
  let node = tree
  let rest = Math.max(0, index)
  let lines = 0
  while (node.items === undefined) {
    if (rest <= node.left.count) node = node.left
    else {
      rest -= node.left.count
      lines += node.left.lines
      node = node.right
    }
  }
  for (let place = 0; place < rest; place++) lines += node.items[place]?.lines ?? 0
  return lines
}

const addItem = (sums: Sums, item: Item): Sums => plus(sums, sumsOf(item))

const sumsOf = ({ entry, lines, rows, weight }: Item): Sums =>
  rows < 0
    ? { count: 1, rows: 0, weight, blocks: entry.blocks.length, lines }
    : { count: 1, rows, weight: 0, blocks: 0, lines }

/** The entry that shows a row; the last one when there are not so many. */
export const indexOfRow = (tree: Tree, row: number, width: number): number => {
  let node = tree
  let before = NONE
  while (node.items === undefined) {
    const withLeft = plus(before, node.left)
    if (rowsOf(withLeft, width) > row) node = node.left
    else {
      before = withLeft
      node = node.right
    }
  }
  for (const item of node.items.slice(0, -1)) {
    const after = addItem(before, item)
    if (rowsOf(after, width) > row) break
    before = after
  }
  return before.count
}

/** The entry that holds a source line, and the number of its first line; the last entry when none does. */
export const indexOfLine = (tree: Tree, line: number): { readonly index: number; readonly firstLine: number } => {
  let node = tree
  let index = 0
  let firstLine = 0
  while (node.items === undefined) {
    if (firstLine + node.left.lines > line) node = node.left
    else {
      index += node.left.count
      firstLine += node.left.lines
      node = node.right
    }
  }
  for (const item of node.items.slice(0, -1)) {
    if (firstLine + item.lines > line) break
    index++
    firstLine += item.lines
  }
  return { index, firstLine }
}

/** The first item whose key is not below the given one; the count of items when all are. */
export const indexOfKey = (tree: Tree, key: number): number => {
  let node = tree
  let index = 0
  while (node.items === undefined) {
    if (key < node.right.firstKey) node = node.left
    else {
      index += node.left.count
      node = node.right
    }
  }
  const place = node.items.findIndex((item) => item.key >= key)
  return index + (place === -1 ? node.items.length : place)
}

/** The first item at or after `from` that has one of the flags. */
export const nextFlagged = (tree: Tree, from: number, mask: number): number | undefined => {
  if ((tree.flags & mask) === 0 || from >= tree.count) return undefined
  if (tree.items !== undefined) {
    const place = tree.items.findIndex((item, at) => at >= from && (item.flags & mask) !== 0)
    return place === -1 ? undefined : place
  }
  const { left, right } = tree
  const before = nextFlagged(left, from, mask)
  if (before !== undefined) return before
  const after = nextFlagged(right, Math.max(0, from - left.count), mask)
  return after === undefined ? undefined : after + left.count
}

/** The last item before `until` that has one of the flags. */
export const previousFlagged = (tree: Tree, until: number, mask: number): number | undefined => {
  if ((tree.flags & mask) === 0 || until <= 0) return undefined
  if (tree.items !== undefined) {
    const place = tree.items.findLastIndex((item, at) => at < until && (item.flags & mask) !== 0)
    return place === -1 ? undefined : place
  }
  const { left, right } = tree
  const after = previousFlagged(right, until - left.count, mask)
  return after === undefined ? previousFlagged(left, until, mask) : after + left.count
}
