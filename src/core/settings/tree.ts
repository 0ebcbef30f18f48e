import type { Json, JsonScalar } from "../domain/json/positioned-json.ts"
import type { Origin } from "./origin.ts"

/** Settings as values that know where they stand. */
export type Tree = ObjectTree | ListTree | ValueTree

export interface ObjectTree {
  readonly kind: "object"
  readonly members: ReadonlyMap<string, Tree>
  /** Hides whatever a weaker file has here, because something in between was not an object. */
  readonly cuts: boolean
  readonly origin: Origin
}

export interface ListItem {
  readonly value: Json
  readonly origin: Origin
}

export interface ListTree {
  readonly kind: "list"
  readonly items: ReadonlyArray<ListItem>
  readonly cuts: boolean
  readonly origin: Origin
}

export interface ValueTree {
  readonly kind: "value"
  readonly value: JsonScalar
  readonly origin: Origin
}

export const emptyTree = (origin: Origin): ObjectTree => ({ kind: "object", members: new Map(), cuts: false, origin })

export const treeOf = (value: JsonScalar, origin: Origin): Tree => ({ kind: "value", value, origin })

export const treeAt = (tree: Tree | undefined, path: ReadonlyArray<string>): Tree | undefined =>
  path.reduce<Tree | undefined>((node, name) => (node?.kind === "object" ? node.members.get(name) : undefined), tree)

export const plainTree = (tree: Tree): Json => {
  switch (tree.kind) {
    case "value":
      return tree.value
    case "list":
      return tree.items.map(({ value }) => value)
    case "object":
      return Object.fromEntries([...tree.members].map(([name, member]) => [name, plainTree(member)]))
  }
}

/** Every value and list with the path to it; an object without members is one of them. */
export const leavesOf = (
  tree: Tree,
  path: ReadonlyArray<string> = []
): ReadonlyArray<{ readonly path: ReadonlyArray<string>; readonly tree: Tree }> =>
  tree.kind === "object" && (tree.members.size > 0 || path.length === 0)
    ? [...tree.members].flatMap(([name, member]) => leavesOf(member, [...path, name]))
    : [{ path, tree }]

/** The tree with only those leaves for which `keep` answers true; objects that become empty go too. */
export const prune = (tree: ObjectTree, keep: (path: ReadonlyArray<string>, leaf: Tree) => boolean): ObjectTree => {
  const within = (node: ObjectTree, path: ReadonlyArray<string>): ObjectTree => {
    const members = new Map<string, Tree>()
    for (const [name, member] of node.members) {
      const at = [...path, name]
      const isInner = member.kind === "object" && member.members.size > 0
      const kept = isInner ? within(member, at) : keep(at, member) ? member : undefined
      if (kept !== undefined && !(isInner && kept.kind === "object" && kept.members.size === 0)) members.set(name, kept)
    }
    return { ...node, members }
  }
  return within(tree, [])
}
