import { isRaw } from "../domain/json/json-object.ts"
import { leavesOf, plainTree, treeAt } from "./tree.ts"
import type { ListItem, ListTree, ObjectTree, Tree } from "./tree.ts"
import { type Gate, gateSettings } from "./trust/gate.ts"

/** The gate for settings that remember where they stand. */
export interface GatedTree {
  readonly tree: ObjectTree
  /** What does not pass, with its place. */
  readonly held: ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly tree: Tree }>
}

const textOf = (value: unknown): string => JSON.stringify(value)

/** The items of a list that are left; one of which only a part is left stands where the list stands. */
const itemsLeft = ({ items, origin }: ListTree, values: ReadonlyArray<ListItem["value"]>): ReadonlyArray<ListItem> =>
  values.map((value) => items.find((item) => textOf(item.value) === textOf(value)) ?? { value, origin })

const left = (tree: Tree, value: unknown): Tree | undefined => {
  if (value === undefined) return undefined
  if (tree.kind === "list") return Array.isArray(value) ? { ...tree, items: itemsLeft(tree, value) } : undefined
  if (tree.kind === "value") return tree
  return isRaw(value) ? objectLeft(tree, value) : undefined
}

const objectLeft = (tree: ObjectTree, value: Readonly<Record<string, unknown>>): ObjectTree => ({
  ...tree,
  members: new Map(
    [...tree.members].flatMap(([name, member]) => {
      const kept = Object.hasOwn(value, name) ? left(member, value[name]) : undefined
      return kept === undefined ? [] : [[name, kept] as const]
    })
  )
})

const heldOf = (leaf: Tree, kept: Tree | undefined): Tree | undefined => {
  if (kept === undefined) return leaf
  if (leaf.kind !== "list" || kept.kind !== "list") return undefined
  const texts = new Set(kept.items.map(({ value }) => textOf(value)))
  const items = leaf.items.filter(({ value }) => !texts.has(textOf(value)))
  return items.length === 0 ? undefined : { ...leaf, items }
}

export const gateTree = (gate: Gate, file: string, tree: ObjectTree): GatedTree => {
  const value = plainTree(tree)
  const kept = objectLeft(tree, gateSettings(gate, file, isRaw(value) ? value : {}))
  const held = leavesOf(tree).flatMap(({ path, tree: leaf }) => {
    const missing = path.length === 0 ? undefined : heldOf(leaf, treeAt(kept, path))
    return missing === undefined ? [] : [{ path, tree: missing }]
  })
  return { tree: kept, held }
}
