/**
 * A persistent balanced sequence of entries. Leaves hold runs of items, inner nodes hold sums over what is below them,
 * so that a place is found by row, by line, by key or by flag in O(log n), and a change copies one path. Old values
 * stay valid: nothing here is ever changed in place.
 */
import type { Entry } from "../../block.ts"

/** What the list keeps for one entry, on screen or off. */
export interface Item {
  /** Grows along the sequence; an entry keeps its key for life, so it is found again after others came and went. */
  readonly key: number
  readonly entry: Entry
  /** Which structural motions stop here (flags.ts). */
  readonly flags: number
  /** Lines of source text over all blocks. */
  readonly lines: number
  /** Characters that an estimate of the height goes by. */
  readonly weight: number
  /** Rows as last laid out; UNMEASURED before. */
  readonly rows: number
}

export const UNMEASURED = -1

/** Sums over a run of items. Weight and blocks count unmeasured items only: the others have their rows. */
export interface Sums {
  readonly count: number
  readonly rows: number
  readonly weight: number
  readonly blocks: number
  readonly lines: number
}

interface Leaf extends Sums {
  readonly depth: 0
  readonly flags: number
  readonly firstKey: number
  readonly items: ReadonlyArray<Item>
}

interface Branch extends Sums {
  readonly depth: number
  readonly flags: number
  readonly firstKey: number
  readonly items: undefined
  readonly left: Tree
  readonly right: Tree
}

export type Tree = Leaf | Branch

/** Small enough to copy for every change, large enough that the nodes above weigh little. */
const LEAF_ITEMS = 32

const leaf = (items: ReadonlyArray<Item>): Leaf => {
  let rows = 0
  let weight = 0
  let blocks = 0
  let lines = 0
  let flags = 0
  for (const item of items) {
    lines += item.lines
    flags |= item.flags
    if (item.rows === UNMEASURED) {
      weight += item.weight
      blocks += item.entry.blocks.length
    } else rows += item.rows
  }
  return { depth: 0, count: items.length, rows, weight, blocks, lines, flags, firstKey: items[0]?.key ?? 0, items }
}

export const EMPTY: Tree = leaf([])

const branch = (left: Tree, right: Tree): Branch => ({
  depth: Math.max(left.depth, right.depth) + 1,
  count: left.count + right.count,
  rows: left.rows + right.rows,
  weight: left.weight + right.weight,
  blocks: left.blocks + right.blocks,
  lines: left.lines + right.lines,
  flags: left.flags | right.flags,
  firstKey: left.firstKey,
  items: undefined,
  left,
  right
})

/** Joins two trees whose depths differ by at most two into one that is balanced. */
const balance = (left: Tree, right: Tree): Tree => {
  if (right.items === undefined && right.depth > left.depth + 1) {
    const inner = right.left
    if (inner.items !== undefined || inner.depth <= right.right.depth) return branch(branch(left, inner), right.right)
    return branch(branch(left, inner.left), branch(inner.right, right.right))
  }
  if (left.items === undefined && left.depth > right.depth + 1) {
    const inner = left.right
    if (inner.items !== undefined || inner.depth <= left.left.depth) return branch(left.left, branch(inner, right))
    return branch(branch(left.left, inner.left), branch(inner.right, right))
  }
  return branch(left, right)
}

const edgeCount = (tree: Tree, side: "left" | "right"): number => {
  let node = tree
  while (node.items === undefined) node = node[side]
  return node.count
}

const fitsEdge = (tree: Tree, side: "left" | "right", other: Tree): boolean =>
  other.items !== undefined && edgeCount(tree, side) + other.count <= LEAF_ITEMS

/** One sequence after the other, in time of the difference of their depths. */
export const join = (left: Tree, right: Tree): Tree => {
  if (left.count === 0) return right
  if (right.count === 0) return left
  if (left.items !== undefined && right.items !== undefined && left.count + right.count <= LEAF_ITEMS) {
    return leaf([...left.items, ...right.items])
  }
  if (left.items === undefined && (left.depth > right.depth + 1 || fitsEdge(left, "right", right))) {
    return balance(left.left, join(left.right, right))
  }
  if (right.items === undefined && (right.depth > left.depth + 1 || fitsEdge(right, "left", left))) {
    return balance(join(left, right.left), right.right)
  }
  return branch(left, right)
}

/** The first `index` items and the rest. */
export const split = (tree: Tree, index: number): readonly [Tree, Tree] => {
  if (index <= 0) return [EMPTY, tree]
  if (index >= tree.count) return [tree, EMPTY]
  if (tree.items !== undefined) return [leaf(tree.items.slice(0, index)), leaf(tree.items.slice(index))]
  if (index <= tree.left.count) {
    const [head, rest] = split(tree.left, index)
    return [head, join(rest, tree.right)]
  }
  const [head, rest] = split(tree.right, index - tree.left.count)
  return [join(tree.left, head), rest]
}

export const build = (items: ReadonlyArray<Item>): Tree => {
  if (items.length <= LEAF_ITEMS) return leaf(items)
  const leaves = Math.ceil(items.length / LEAF_ITEMS)
  const middle = Math.ceil(leaves / 2) * LEAF_ITEMS
  return branch(build(items.slice(0, middle)), build(items.slice(middle)))
}

export const setItem = (tree: Tree, index: number, item: Item): Tree => {
  if (tree.items !== undefined) return leaf(tree.items.with(index, item))
  return index < tree.left.count
    ? branch(setItem(tree.left, index, item), tree.right)
    : branch(tree.left, setItem(tree.right, index - tree.left.count, item))
}

/**
 * The leaf that was read last: walks go from item to item, and need not come down from the root each time. It holds on
 * to one tree at most, until another one is read.
 */
const finger: { root: Tree; leaf: Leaf; start: number } = { root: EMPTY, leaf: leaf([]), start: 0 }

export const itemAt = (tree: Tree, index: number): Item | undefined => {
  if (finger.root !== tree || index < finger.start || index >= finger.start + finger.leaf.count) {
    let node = tree
    let start = 0
    while (node.items === undefined) {
      if (index - start < node.left.count) node = node.left
      else {
        start += node.left.count
        node = node.right
      }
    }
    finger.root = tree
    finger.leaf = node
    finger.start = start
  }
  return finger.leaf.items[index - finger.start]
}
