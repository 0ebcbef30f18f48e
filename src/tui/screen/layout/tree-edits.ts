import { holds, isLeaf, type Leaf, leafId, type Node, row, type Split } from "./tree.ts"

/** What window keys do to the arrangement. Every function returns the same tree when there is nothing to do. */

const SMALLEST_RATIO = 50
const LARGEST_RATIO = 950

const clampRatio = (ratio: number): number => Math.min(LARGEST_RATIO, Math.max(SMALLEST_RATIO, Math.round(ratio)))

const isPrompt = (node: Node): boolean => isLeaf(node) && node.pane === "prompt"

/** The height of a prompt follows its text: a split above it has no share to give. */
const isShared = ({ dir, b }: Split): boolean => dir === "row" || !isPrompt(b)

/** Changes the innermost split of a direction that holds the leaf; the second argument says on which side it is. */
const onNearestSplit = (
  node: Node,
  at: { readonly id: string; readonly dir: Split["dir"] },
  change: (split: Split, isFirst: boolean) => Split
): Node => {
  if (isLeaf(node)) return node
  const isFirst = holds(node.a, at.id)
  if (!isFirst && !holds(node.b, at.id)) return node
  const inner = isFirst ? node.a : node.b
  const changed = onNearestSplit(inner, at, change)
  if (changed !== inner) return isFirst ? { ...node, a: changed } : { ...node, b: changed }
  return node.dir === at.dir && isShared(node) ? change(node, isFirst) : node
}

/** The innermost split of a direction that holds the leaf, and the part of it with the leaf. */
export const nearestSplit = (
  node: Node,
  id: string,
  dir: Split["dir"]
): { readonly split: Split; readonly part: Node } | undefined => {
  if (isLeaf(node)) return undefined
  const part = holds(node.a, id) ? node.a : node.b
  if (!holds(part, id)) return undefined
  return nearestSplit(part, id, dir) ?? (node.dir === dir && isShared(node) ? { split: node, part } : undefined)
}

/** Gives the part with the leaf a share of its split, in thousandths. */
export const resizeLeaf = (tree: Node, id: string, to: { readonly dir: Split["dir"]; readonly thousandths: number }): Node =>
  onNearestSplit(tree, { id, dir: to.dir }, (split, isFirst) => ({
    ...split,
    ratio: clampRatio(isFirst ? to.thousandths : 1000 - to.thousandths)
  }))

export const maximiseLeaf = (tree: Node, id: string, dir: Split["dir"]): Node =>
  onNearestSplit(tree, { id, dir }, (split, isFirst) => ({ ...split, ratio: isFirst ? LARGEST_RATIO : SMALLEST_RATIO }))

const countAlong = (node: Node, dir: Split["dir"]): number =>
  isLeaf(node) || node.dir !== dir ? 1 : countAlong(node.a, dir) + countAlong(node.b, dir)

/** Gives everything that stands in one line the same share. */
export const equaliseSizes = (node: Node): Node => {
  if (isLeaf(node)) return node
  const first = countAlong(node.a, node.dir)
  const second = countAlong(node.b, node.dir)
  return {
    ...node,
    ratio: clampRatio((1000 * first) / (first + second)),
    a: equaliseSizes(node.a),
    b: equaliseSizes(node.b)
  }
}

/** What moves when a leaf moves: the leaf, and with a transcript or a prompt the column that holds both. */
const movingPart = (node: Node, id: string): Node | undefined => {
  if (isLeaf(node)) return leafId(node) === id ? node : undefined
  const isPair = isLeaf(node.a) && isLeaf(node.b) && node.a.pane === "transcript" && node.b.pane === "prompt"
  return isPair && holds(node, id) ? node : (movingPart(node.a, id) ?? movingPart(node.b, id))
}

const withoutPart = (node: Node, part: Node): Node | undefined => {
  if (node === part) return undefined
  if (isLeaf(node)) return node
  const a = withoutPart(node.a, part)
  const b = withoutPart(node.b, part)
  if (a === undefined) return b
  if (b === undefined) return a
  return a === node.a && b === node.b ? node : { ...node, a, b }
}

/** The leaf on its own at one edge, the rest beside it. */
export const movedFar = (tree: Node, id: string, edge: "left" | "right" | "top" | "bottom"): Node => {
  const part = movingPart(tree, id)
  const rest = part === undefined ? undefined : withoutPart(tree, part)
  if (part === undefined || rest === undefined) return tree
  const dir = edge === "left" || edge === "right" ? "row" : "column"
  return edge === "left" || edge === "top" ? { dir, ratio: 500, a: part, b: rest } : { dir, ratio: 500, a: rest, b: part }
}

/** The parts that stand in one line with the leaf, without the prompt, whose place is fixed. */
const siblingsOf = (node: Node, id: string): ReadonlyArray<Node> => {
  if (isLeaf(node)) return []
  const inner = siblingsOf(holds(node.a, id) ? node.a : node.b, id)
  if (inner.length > 1) return inner
  const inLine = (each: Node, dir: Split["dir"]): ReadonlyArray<Node> =>
    isLeaf(each) || each.dir !== dir ? [each] : [...inLine(each.a, dir), ...inLine(each.b, dir)]
  return inLine(node, node.dir).filter((each) => !isPrompt(each))
}

const withParts = (node: Node, parts: ReadonlyMap<Node, Node>): Node => {
  const other = parts.get(node)
  if (other !== undefined) return other
  if (isLeaf(node)) return node
  const a = withParts(node.a, parts)
  const b = withParts(node.b, parts)
  return a === node.a && b === node.b ? node : { ...node, a, b }
}

/** The part with the leaf and the next one beside it change places; the last one changes with the one before. */
export const exchangeLeaves = (tree: Node, id: string): Node => {
  const siblings = siblingsOf(tree, id)
  const at = siblings.findIndex((each) => holds(each, id))
  const here = siblings[at]
  const other = siblings[at + 1] ?? siblings[at - 1]
  return here === undefined || other === undefined
    ? tree
    : withParts(
        tree,
        new Map([
          [here, other],
          [other, here]
        ])
      )
}

/** Every part in line goes one place on, the last one to the front. */
export const rotateLeaves = (tree: Node, id: string): Node => {
  const siblings = siblingsOf(tree, id)
  const last = siblings.at(-1)
  if (last === undefined || siblings.length < 2) return tree
  return withParts(tree, new Map(siblings.map((each, at) => [each, siblings[at - 1] ?? last])))
}

/** Puts a pane into the tree: under the panes of the right column where there is one, else at the right. */
export const openLeaf = (tree: Node, leaf: Leaf): Node => {
  if (holds(tree, leafId(leaf))) return tree
  if (isLeaf(tree) || tree.dir !== "row") return row(600, tree, leaf)
  const below = countAlong(tree.b, "column")
  return { ...tree, b: { dir: "column", ratio: clampRatio((1000 * below) / (below + 1)), a: tree.b, b: leaf } }
}
