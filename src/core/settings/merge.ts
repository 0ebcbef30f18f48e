import type { KeyRule } from "./keys/key-rule.ts"
import { keyAt } from "./keys/known-keys.ts"
import type { ListTree, ObjectTree, Tree, ValueTree } from "./tree.ts"

/**
 * Two layers to one, the second one stronger. Associative, so layers can be folded in any grouping. Values: the
 * stronger one holds. Objects: member by member. Lists: united in the order of first occurrence. The table of keys
 * names the exceptions.
 */
type Manner = KeyRule<unknown>["merge"]

const mannerAt = (path: ReadonlyArray<string>): Manner => keyAt(path)?.rule.merge

const united = (weak: ListTree, strong: ListTree, manner: Manner): ListTree => {
  if (manner === "concat") return { ...strong, items: [...weak.items, ...strong.items], cuts: weak.cuts }
  const seen = new Set<string>()
  const items = [...weak.items, ...strong.items].filter(({ value }) => {
    const mark = JSON.stringify(value)
    return !seen.has(mark) && seen.add(mark)
  })
  return { ...strong, items, cuts: weak.cuts }
}

/** The stricter of two values; of equal ones the stronger file is named. */
const stricterOf = (weak: ValueTree, strong: ValueTree, ladder: ReadonlyArray<unknown>): ValueTree =>
  ladder.indexOf(weak.value) > ladder.indexOf(strong.value) ? weak : strong

const joined = (weak: ObjectTree, strong: ObjectTree, path: ReadonlyArray<string>): ObjectTree => {
  const members = new Map(weak.members)
  for (const [name, member] of strong.members) {
    const below = weak.members.get(name)
    members.set(name, below === undefined ? member : mergedAt(below, member, [...path, name]))
  }
  return { ...strong, members, cuts: weak.cuts }
}

const mergedAt = (weak: Tree, strong: Tree, path: ReadonlyArray<string>): Tree => {
  const manner = mannerAt(path)
  if (strong.kind === "value") {
    const isLadder = typeof manner === "object" && weak.kind === "value"
    return isLadder ? stricterOf(weak, strong, manner.stricter) : strong
  }
  if (strong.cuts || manner === "replace") return strong
  if (strong.kind === "object" && weak.kind === "object") return joined(weak, strong, path)
  if (strong.kind === "list" && weak.kind === "list") return united(weak, strong, manner)
  return { ...strong, cuts: true }
}

export const mergeTrees = (weak: ObjectTree, strong: ObjectTree): ObjectTree => joined(weak, strong, [])

/** Policy lists that replace instead of uniting. */
const REPLACED_BY_POLICY = ["availableModels"]

/** Managed settings as they enter the merge: what they replace as a whole hides the weaker files' values. */
export const asPolicy = (tree: ObjectTree): ObjectTree => {
  const members = new Map(tree.members)
  for (const name of REPLACED_BY_POLICY) {
    const list = members.get(name)
    if (list?.kind === "list") members.set(name, { ...list, cuts: true })
  }
  return { ...tree, members }
}
