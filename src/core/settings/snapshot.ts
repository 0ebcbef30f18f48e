import { Schema } from "effect"
import type { Json } from "../domain/json/positioned-json.ts"
import { isGroup } from "./keys/known-keys.ts"
import { KEYS, type KeyName, type KeyType } from "./keys/keys.ts"
import type { LimitedLayer } from "./limit-layer.ts"
import { asPolicy, mergeTrees } from "./merge.ts"
import { distinctProblems, type Origin, type SettingsProblem } from "./origin.ts"
import { emptyTree, leavesOf, type ObjectTree, plainTree, treeAt } from "./tree.ts"

/** All settings at one moment: what holds, and the files it was made from. Never changed, only replaced. */
export interface Snapshot {
  /** Weakest first; managed files last. */
  readonly layers: ReadonlyArray<LimitedLayer>
  readonly tree: ObjectTree
  readonly problems: ReadonlyArray<SettingsProblem>
}

const NOWHERE: Origin = { source: "userSettings", file: "<none>", line: 1, column: 1 }

const fold = (layers: ReadonlyArray<LimitedLayer>): ObjectTree | undefined => {
  const [first, ...rest] = layers
  return first === undefined ? undefined : rest.reduce((tree, layer) => mergeTrees(tree, layer.tree), first.tree)
}

export const makeSnapshot = (layers: ReadonlyArray<LimitedLayer>, more: ReadonlyArray<SettingsProblem> = []): Snapshot => {
  const isManaged = ({ source }: LimitedLayer): boolean => source === "policySettings"
  const own = fold(layers.filter((layer) => !isManaged(layer)))
  const policy = fold(layers.filter(isManaged))
  const managed = policy === undefined ? undefined : asPolicy(policy)
  const tree = own === undefined || managed === undefined ? (own ?? managed) : mergeTrees(own, managed)
  return {
    layers,
    tree: tree ?? emptyTree(NOWHERE),
    problems: distinctProblems([...more, ...layers.flatMap(({ problems }) => problems)])
  }
}

export const NO_SETTINGS: Snapshot = { layers: [], tree: emptyTree(NOWHERE), problems: [] }

/** The value in force of a known key; undefined when no file sets it. */
export const settingOf = <K extends KeyName>(snapshot: Snapshot, key: K): KeyType<K> | undefined => {
  const found = treeAt(snapshot.tree, key.split("."))
  if (found === undefined) return undefined
  const value: unknown = plainTree(found)
  const schema: Schema.Codec<KeyType<K>> = KEYS[key].shape.schema() as Schema.Codec<KeyType<K>>
  return Schema.is(schema)(value) ? value : undefined
}

export interface PlacedValue {
  readonly value: Json
  readonly origin: Origin
}

/** Everything about one path: what holds, what that hides, and what does not count and why. */
export interface Explanation {
  readonly effective: PlacedValue | undefined
  /** Strongest first. */
  readonly shadowed: ReadonlyArray<PlacedValue>
  readonly ignored: ReadonlyArray<PlacedValue & { readonly why: string }>
}

const isWithin = (outer: ReadonlyArray<string>, path: ReadonlyArray<string>): boolean =>
  outer.every((name, index) => path[index] === name)

const sameOrigin = (left: Origin, right: Origin): boolean =>
  left.file === right.file && left.line === right.line && left.column === right.column

export const explainSetting = (snapshot: Snapshot, path: ReadonlyArray<string>): Explanation => {
  const found = treeAt(snapshot.tree, path)
  const effective = found === undefined ? undefined : { value: plainTree(found), origin: found.origin }
  const weaker = snapshot.layers
    .toReversed()
    .map(({ tree }) => treeAt(tree, path))
    .filter((tree) => tree !== undefined)
    .filter(({ origin }) => effective === undefined || !sameOrigin(origin, effective.origin))
  return {
    effective,
    shadowed: weaker.map((tree) => ({ value: plainTree(tree), origin: tree.origin })),
    ignored: snapshot.layers
      .toReversed()
      .flatMap(({ ignored }) =>
        ignored
          .filter((value) => isWithin(path, value.path))
          .map(({ tree, why }) => ({ value: plainTree(tree), origin: tree.origin, why }))
      )
  }
}

/** Every value in force with the path to it. A group in which nothing could be used is none. */
export const settingsInForce = (snapshot: Snapshot): ReadonlyArray<PlacedValue & { readonly path: ReadonlyArray<string> }> =>
  leavesOf(snapshot.tree)
    .filter(({ path }) => path.length > 0 && !isGroup(path.join(".")))
    .map(({ path, tree }) => ({ path, value: plainTree(tree), origin: tree.origin }))

/** Top-level names whose values differ, for whoever is told of a change. */
export const changedKeys = (before: Snapshot, after: Snapshot): ReadonlyArray<string> => {
  const names = new Set([...before.tree.members.keys(), ...after.tree.members.keys()])
  const written = ({ tree }: Snapshot, name: string): string | undefined => {
    const member = tree.members.get(name)
    return member === undefined ? undefined : JSON.stringify(plainTree(member))
  }
  return [...names].filter((name) => written(before, name) !== written(after, name))
}
