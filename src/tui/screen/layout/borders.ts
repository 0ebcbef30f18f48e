import { outerOf } from "./neighbour.ts"
import type { Plan } from "./plan.ts"
import { contains, type Rect, rect } from "../cell/rect.ts"
import { isLeaf, leafId, leavesOf, mapLeaves, type Node, type Split } from "./tree.ts"

/** Borders on a planned screen: which split one belongs to, and what moving it does to the tree. */

/** The way to a split from the root of its tree. It stays the same when shares change. */
export type SplitPath = ReadonlyArray<"a" | "b">

/** The room of all panes of a part that are on screen. */
const boundsOf = (plan: Plan, part: Node): Rect | undefined => {
  const ids = new Set(leavesOf(part).map(leafId))
  const areas = plan.panes.filter(({ leaf }) => ids.has(leafId(leaf))).map(outerOf)
  if (areas.length === 0) return undefined
  const [left, top] = [Math.min(...areas.map(({ x }) => x)), Math.min(...areas.map(({ y }) => y))]
  const [right, bottom] = [
    Math.max(...areas.map(({ x, width }) => x + width)),
    Math.max(...areas.map(({ y, height }) => y + height))
  ]
  return rect(left, top, right - left, bottom - top)
}

/** Between parts side by side lies a column; between those one above the other the title row of the lower one. */
const borderOf = (plan: Plan, { dir, a, b }: Split): Rect | undefined => {
  const [first, second] = [boundsOf(plan, a), boundsOf(plan, b)]
  if (first === undefined || second === undefined) return undefined
  if (dir === "row") return rect(first.x + first.width, first.y, 1, first.height)
  const isTitled = plan.panes.some(({ title }) => title !== undefined)
  return isTitled && !(isLeaf(b) && b.pane === "prompt") ? rect(second.x, second.y, second.width, 1) : undefined
}

export const borderAt = (
  plan: Plan,
  tree: Node,
  { x, y }: { readonly x: number; readonly y: number }
): SplitPath | undefined => {
  if (isLeaf(tree)) return undefined
  const border = borderOf(plan, tree)
  if (border !== undefined && contains(border, x, y)) return []
  const inA = borderAt(plan, tree.a, { x, y })
  if (inA !== undefined) return ["a", ...inA]
  const inB = borderAt(plan, tree.b, { x, y })
  return inB === undefined ? undefined : ["b", ...inB]
}

const splitAt = (tree: Node, [step, ...rest]: SplitPath): Split | undefined => {
  if (isLeaf(tree)) return undefined
  return step === undefined ? tree : splitAt(tree[step], rest)
}

const withRatio = (tree: Node, [step, ...rest]: SplitPath, ratio: number): Node => {
  if (isLeaf(tree)) return tree
  return step === undefined ? { ...tree, ratio } : { ...tree, [step]: withRatio(tree[step], rest, ratio) }
}

const LEAST_RATIO = 1
const MOST_RATIO = 999

/** The tree whose border lies under a cell, as near as the least sizes allow. */
export const borderMoved = (
  plan: Plan,
  tree: Node,
  to: { readonly path: SplitPath; readonly x: number; readonly y: number }
): Node => {
  const split = splitAt(tree, to.path)
  const [first, second] = split === undefined ? [] : [boundsOf(plan, split.a), boundsOf(plan, split.b)]
  if (split === undefined || first === undefined || second === undefined) return tree
  const [length, whole] =
    split.dir === "row" ? [to.x - first.x, first.width + second.width] : [to.y - first.y, first.height + second.height]
  const ratio = Math.round((length * 1000) / Math.max(1, whole))
  return withRatio(tree, to.path, Math.min(MOST_RATIO, Math.max(LEAST_RATIO, ratio)))
}

/** Two panes change places. */
export const swapPanes = (tree: Node, one: string, other: string): Node => {
  const [first, second] = [one, other].map((id) => leavesOf(tree).find((each) => leafId(each) === id))
  if (first === undefined || second === undefined) return tree
  return mapLeaves(tree, (each) => (each === first ? second : each === second ? first : each))
}
