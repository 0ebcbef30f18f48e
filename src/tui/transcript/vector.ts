/**
 * A persistent list for the entries of a session: reading, replacing and appending cost the same for ten entries as
 * for a hundred thousand, older versions stay as they were, and two versions are compared without visiting what they
 * share. A wide tree of full leaves, and a short tail that appends grow in place.
 */
const BITS = 5
const WIDTH = 1 << BITS
const MASK = WIDTH - 1

type Node<A> =
  | { readonly _tag: "Leaf"; readonly items: ReadonlyArray<A> }
  | { readonly _tag: "Branch"; readonly nodes: ReadonlyArray<Node<A>> }

export interface Vector<A> {
  readonly length: number
  /** Bits of the index that the levels below the root take. */
  readonly shift: number
  readonly root: Node<A>
  /** Versions share it: one owns the items before its length, appending takes the next slot if it is still free. */
  readonly tail: Array<A>
}

const NO_NODES: Node<never> = { _tag: "Branch", nodes: [] }

export const empty = <A>(): Vector<A> => ({ length: 0, shift: BITS, root: NO_NODES, tail: [] })

/** Where the tail begins: after as many full leaves as leave at least one item for it. */
const tailStart = (length: number): number => (length === 0 ? 0 : ((length - 1) >>> BITS) << BITS)

const leafAt = <A>(vector: Vector<A>, index: number): ReadonlyArray<A> => {
  let node = vector.root
  for (let level = vector.shift; node._tag === "Branch"; level -= BITS) {
    const next: Node<A> | undefined = node.nodes[(index >>> level) & MASK]
    if (next === undefined) return []
    node = next
  }
  return node.items
}

export const get = <A>(vector: Vector<A>, index: number): A | undefined => {
  if (index < 0 || index >= vector.length) return undefined
  const start = tailStart(vector.length)
  return index >= start ? vector.tail[index - start] : leafAt(vector, index)[index & MASK]
}

export const last = <A>(vector: Vector<A>): A | undefined => get(vector, vector.length - 1)

const path = <A>(level: number, leaf: Node<A>): Node<A> =>
  level === 0 ? leaf : { _tag: "Branch", nodes: [path(level - BITS, leaf)] }

/** The tree with the leaf at its place; what stood there before, and behind it, is gone. */
const withLeaf = <A>(node: Node<A> | undefined, at: { level: number; index: number }, leaf: Node<A>): Node<A> => {
  if (at.level === 0) return leaf
  const below = { level: at.level - BITS, index: at.index }
  if (node === undefined || node._tag === "Leaf") return path(at.level, leaf)
  const slot = (at.index >>> at.level) & MASK
  return { _tag: "Branch", nodes: [...node.nodes.slice(0, slot), withLeaf(node.nodes[slot], below, leaf)] }
}

const withFullTail = <A>(vector: Vector<A>): Pick<Vector<A>, "root" | "shift"> => {
  const leaf: Node<A> = { _tag: "Leaf", items: vector.tail.slice(0, WIDTH) }
  const index = vector.length - WIDTH
  if (index >>> vector.shift < WIDTH) {
    return { shift: vector.shift, root: withLeaf(vector.root, { level: vector.shift, index }, leaf) }
  }
  const nodes = [vector.root, path(vector.shift, leaf)]
  return { shift: vector.shift + BITS, root: { _tag: "Branch", nodes } }
}

export const push = <A>(vector: Vector<A>, item: A): Vector<A> => {
  const { length, shift, root, tail } = vector
  const held = length - tailStart(length)
  if (held === WIDTH) return { ...withFullTail(vector), length: length + 1, tail: [item] }
  const free = held > 0 && tail.length === held
  const grown = free ? tail : tail.slice(0, held)
  grown.push(item)
  return { length: length + 1, shift, root, tail: grown }
}

/** One after the other. Costs what the second holds. */
export const concat = <A>(first: Vector<A>, second: Vector<A>): Vector<A> => {
  let all = first
  for (const item of iterate(second)) all = push(all, item)
  return all
}

const withItem = <A>(node: Node<A>, at: { level: number; index: number }, item: A): Node<A> => {
  if (node._tag === "Leaf") return { _tag: "Leaf", items: node.items.with(at.index & MASK, item) }
  const slot = (at.index >>> at.level) & MASK
  const below = node.nodes[slot]
  if (below === undefined) return node
  const changed = withItem(below, { level: at.level - BITS, index: at.index }, item)
  return { _tag: "Branch", nodes: node.nodes.with(slot, changed) }
}

export const set = <A>(vector: Vector<A>, index: number, item: A): Vector<A> => {
  const { length, shift, root, tail } = vector
  if (index < 0 || index >= length) return vector
  const start = tailStart(length)
  if (index < start) return { length, shift, root: withItem(root, { level: shift, index }, item), tail }
  return { length, shift, root, tail: tail.slice(0, length - start).with(index - start, item) }
}

/** The tree with only the leaves before the place. */
const trimmed = <A>(node: Node<A>, level: number, count: number): Node<A> => {
  if (node._tag === "Leaf") return node
  const slot = ((count - 1) >>> level) & MASK
  const edge = node.nodes[slot]
  const kept = node.nodes.slice(0, slot)
  return { _tag: "Branch", nodes: edge === undefined ? kept : [...kept, trimmed(edge, level - BITS, count)] }
}

export const take = <A>(vector: Vector<A>, count: number): Vector<A> => {
  if (count >= vector.length) return vector
  if (count <= 0) return empty()
  const { shift } = vector
  const start = tailStart(count)
  const tail = start === tailStart(vector.length) ? vector.tail : leafAt(vector, start)
  const root = start === 0 ? NO_NODES : trimmed(vector.root, shift, start)
  return { length: count, shift, root, tail: tail.slice(0, count - start) }
}

/** Without the first ones. Costs what is left. */
export const drop = <A>(vector: Vector<A>, count: number): Vector<A> => {
  if (count <= 0) return vector
  let rest = empty<A>()
  for (const item of iterate(vector, count)) rest = push(rest, item)
  return rest
}

/** Without the items at these places. Costs what lies behind the first of them. */
export const without = <A>(vector: Vector<A>, indices: ReadonlySet<number>): Vector<A> => {
  if (indices.size === 0) return vector
  const first = Math.min(...indices)
  let result = take(vector, first)
  for (let index = first; index < vector.length; index++) {
    const item = get(vector, index)
    if (item !== undefined && !indices.has(index)) result = push(result, item)
  }
  return result
}

/** Items from `from` on, leaf by leaf. */
export function* iterate<A>(vector: Vector<A>, from = 0): Generator<A> {
  const start = tailStart(vector.length)
  let index = Math.max(0, from)
  while (index < vector.length) {
    const items = index >= start ? vector.tail : leafAt(vector, index)
    const base = index >= start ? start : index & ~MASK
    const end = Math.min(vector.length, base + WIDTH)
    for (; index < end; index++) {
      const item = items[index - base]
      if (item !== undefined) yield item
    }
  }
}

export const toArray = <A>(vector: Vector<A>, from = 0): Array<A> => [...iterate(vector, from)]

export const findLastIndex = <A>(vector: Vector<A>, holds: (item: A) => boolean): number => {
  for (let index = vector.length - 1; index >= 0; index--) {
    const item = get(vector, index)
    if (item !== undefined && holds(item)) return index
  }
  return -1
}

interface Compared<A> {
  readonly before: Node<A> | undefined
  readonly after: Node<A> | undefined
  readonly level: number
  readonly base: number
}

const compareNodes = <A>({ before, after, level, base }: Compared<A>, end: number, changed: Array<number>): void => {
  if (before === after || base >= end || before === undefined || after === undefined) return
  for (let slot = 0; slot < WIDTH; slot++) {
    if (before._tag === "Branch" && after._tag === "Branch") {
      const below = { before: before.nodes[slot], after: after.nodes[slot] }
      compareNodes({ ...below, level: level - BITS, base: base + (slot << level) }, end, changed)
    } else if (before._tag === "Leaf" && after._tag === "Leaf" && before.items[slot] !== after.items[slot]) {
      if (base + slot < end) changed.push(base + slot)
    }
  }
}

/** A root lowered or raised to the height of another's, so that equal places are compared. */
const raised = <A>({ root, shift }: Vector<A>, to: number): Node<A> => {
  let node = root
  for (let level = shift; level < to; level += BITS) node = { _tag: "Branch", nodes: [node] }
  return node
}

/** Places below both lengths where the versions differ, in order; what they share is not visited. */
export const changedPlaces = <A>(before: Vector<A>, after: Vector<A>): ReadonlyArray<number> => {
  const changed: Array<number> = []
  const shared = Math.min(tailStart(before.length), tailStart(after.length))
  const level = Math.max(before.shift, after.shift)
  compareNodes({ before: raised(before, level), after: raised(after, level), level, base: 0 }, shared, changed)
  for (let index = shared; index < Math.min(before.length, after.length); index++) {
    if (get(before, index) !== get(after, index)) changed.push(index)
  }
  return changed
}

/** Picks something out of every item. What it picked of a part of the tree is remembered with that part. */
export interface Collector<A, B> {
  readonly pick: (item: A, place: number) => ReadonlyArray<B>
  readonly known: WeakMap<object, ReadonlyArray<B>>
}

export const collector = <A, B>(pick: Collector<A, B>["pick"]): Collector<A, B> => ({ pick, known: new WeakMap() })

const collectNode = <A, B>(
  node: Node<A>,
  at: { readonly level: number; readonly base: number },
  from: Collector<A, B>
): ReadonlyArray<B> => {
  const known = from.known.get(node)
  if (known !== undefined) return known
  const found =
    node._tag === "Leaf"
      ? node.items.flatMap((item, index) => from.pick(item, at.base + index))
      : node.nodes.flatMap((below, slot) =>
          collectNode(below, { level: at.level - BITS, base: at.base + (slot << at.level) }, from)
        )
  from.known.set(node, found)
  return found
}

/** All that is picked, in order. After a change only the parts that changed are visited. */
export const collect = <A, B>(vector: Vector<A>, from: Collector<A, B>): ReadonlyArray<B> => {
  const start = tailStart(vector.length)
  const tail = vector.tail.slice(0, vector.length - start).flatMap((item, index) => from.pick(item, start + index))
  const settled = collectNode(vector.root, { level: vector.shift, base: 0 }, from)
  return tail.length === 0 ? settled : [...settled, ...tail]
}
