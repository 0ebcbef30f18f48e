import {
  isObject,
  type Json,
  type JsonMember,
  type JsonNode,
  locationFrom,
  plainOf,
  readJson
} from "../../../core/domain/json/positioned-json.ts"
import { isStoredClass, type SizeClass } from "./size-class.ts"
import { column, isLeaf, isPaneId, leaf, leafId, leavesOf, type Node, replaceLeaf, without } from "./tree.ts"

/**
 * layout.json: arrangements by size class, those in use and those with a name. Panes that nobody knows are left out and
 * their neighbours take the room; anything else that is wrong spoils the file, with its place.
 */
export type Trees = Partial<Readonly<Record<SizeClass, Node>>>

export interface StoredLayouts {
  readonly classes: Trees
  readonly named: ReadonlyMap<string, Trees>
}

/** What is written anew; undefined where something goes. */
export interface LayoutChange {
  readonly classes: ReadonlyMap<SizeClass, Node | undefined>
  readonly named: ReadonlyMap<string, Trees | undefined>
}

export interface LayoutProblem {
  readonly line: number
  readonly column: number
  readonly message: string
}

export type LayoutReading = { readonly layouts: StoredLayouts } | { readonly problem: LayoutProblem }

const VERSION = 1
const MOST_RATIO = 999

class Wrong extends Error {
  constructor(
    readonly at: number,
    message: string
  ) {
    super(message)
  }
}

const membersOf = (node: JsonNode, what: string): ReadonlyArray<JsonMember> => {
  if (node.kind !== "object") throw new Wrong(node.at, `${what} must be an object`)
  return node.members
}

const valueOf = (members: ReadonlyArray<JsonMember>, key: string): JsonNode | undefined =>
  members.findLast((member) => member.key === key)?.value

const textOf = (node: JsonNode | undefined): string | undefined =>
  node?.kind === "value" && typeof node.value === "string" ? node.value : undefined

const readLeaf = (members: ReadonlyArray<JsonMember>, pane: JsonNode): Node | undefined => {
  const name = textOf(pane)
  if (name === undefined) throw new Wrong(pane.at, '"pane" must be the name of one')
  const session = valueOf(members, "session")
  const shown = textOf(session)
  if (session !== undefined && shown === undefined)
    throw new Wrong(session.at, '"session" must be "current" or the id of one')
  if (!isPaneId(name)) return undefined
  return leaf(name, shown === "current" ? undefined : shown)
}

const readSplit = (node: JsonNode, members: ReadonlyArray<JsonMember>): Node | undefined => {
  const [dir, ratio, a, b] = ["dir", "ratio", "a", "b"].map((key) => valueOf(members, key))
  const way = textOf(dir)
  if (way !== "row" && way !== "column") throw new Wrong(dir?.at ?? node.at, 'a split needs "dir": "row" or "column"')
  const share = ratio?.kind === "value" ? ratio.value : undefined
  if (typeof share !== "number" || !Number.isInteger(share) || share < 1 || share > MOST_RATIO) {
    throw new Wrong(ratio?.at ?? node.at, `a split needs "ratio": a whole number from 1 to ${MOST_RATIO}`)
  }
  if (a === undefined || b === undefined) throw new Wrong(node.at, 'a split needs its parts "a" and "b"')
  const [first, second] = [readNode(a), readNode(b)]
  return first === undefined || second === undefined ? (first ?? second) : { dir: way, ratio: share, a: first, b: second }
}

const readNode = (node: JsonNode): Node | undefined => {
  const members = membersOf(node, "a part of a layout")
  const pane = valueOf(members, "pane")
  return pane === undefined ? readSplit(node, members) : readLeaf(members, pane)
}

/** The tree with every leaf once; a second one makes room for its neighbour. */
const withoutRepeats = (tree: Node): Node => {
  const known = new Set<string>()
  const once = (node: Node): Node | undefined => {
    if (isLeaf(node)) return known.has(leafId(node)) ? undefined : (known.add(leafId(node)), node)
    const [a, b] = [once(node.a), once(node.b)]
    if (a === undefined || b === undefined) return a ?? b
    return a === node.a && b === node.b ? node : { ...node, a, b }
  }
  return once(tree) ?? tree
}

/** A tree that can be worked with has a prompt and a transcript, each pane once. */
export const completeTree = (tree: Node): Node => {
  const once = withoutRepeats(tree)
  const panes = leavesOf(once).map(({ pane }) => pane)
  const prompted = panes.includes("prompt") ? once : column(800, once, leaf("prompt"))
  return panes.includes("transcript")
    ? prompted
    : replaceLeaf(prompted, "prompt", column(800, leaf("transcript"), leaf("prompt")))
}

const readTrees = (node: JsonNode | undefined, what: string): Trees => {
  const trees: { [Name in SizeClass]?: Node } = {}
  for (const { key, value } of node === undefined ? [] : membersOf(node, what)) {
    const tree = readNode(value)
    if (isStoredClass(key) && tree !== undefined) trees[key] = completeTree(tree)
  }
  return trees
}

export const readLayouts = (text: string): LayoutReading => {
  const fail = (at: number, message: string): LayoutReading => ({ problem: { ...locationFrom(text, at), message } })
  const reading = readJson(text)
  if (reading._tag === "Broken") return fail(reading.at, `the file is not JSON: expected ${reading.expected}`)
  try {
    const members = membersOf(reading.node, "the file")
    const version = valueOf(members, "version")
    if (version?.kind !== "value" || version.value !== VERSION) {
      throw new Wrong(version?.at ?? reading.node.at, `the file needs "version": ${VERSION}`)
    }
    const named = valueOf(members, "named")
    const all = named === undefined ? [] : membersOf(named, '"named"')
    return {
      layouts: {
        classes: readTrees(valueOf(members, "classes"), '"classes"'),
        named: new Map(all.map(({ key, value }) => [key, readTrees(value, "a named layout")]))
      }
    }
  } catch (error) {
    if (error instanceof Wrong) return fail(error.at, error.message)
    throw error
  }
}

const jsonOf = (node: Node): Json => {
  if (!isLeaf(node)) return { dir: node.dir, ratio: node.ratio, a: jsonOf(node.a), b: jsonOf(node.b) }
  if (node.pane !== "transcript") return { pane: node.pane }
  return { pane: node.pane, session: node.session ?? "current" }
}

const jsonOfTrees = (trees: Trees): Json =>
  Object.fromEntries(Object.entries(trees).map(([name, tree]) => [name, jsonOf(tree)]))

const changed = (old: Json | undefined, change: ReadonlyMap<string, Json | undefined>): Json => {
  const all = new Map(Object.entries(isObject(old) ? old : {}))
  for (const [key, value] of change) {
    if (value === undefined) all.delete(key)
    else all.set(key, value)
  }
  return Object.fromEntries(all)
}

const asJson = <A>(
  change: ReadonlyMap<string, A | undefined>,
  json: (value: A) => Json
): ReadonlyMap<string, Json | undefined> =>
  new Map([...change].map(([key, value]) => [key, value === undefined ? undefined : json(value)]))

/** The file with some arrangements written anew; the others are as whoever wrote last left them. */
export const changedLayouts = (text: string | undefined, { classes, named }: LayoutChange): string => {
  const reading = text === undefined ? undefined : readJson(text)
  const node = reading?._tag === "Read" ? plainOf(reading.node) : undefined
  const old = isObject(node) ? node : {}
  const next = {
    version: VERSION,
    ...old,
    classes: changed(old["classes"], asJson(classes, jsonOf)),
    named: changed(old["named"], asJson(named, jsonOfTrees)),
    zoom: old["zoom"] ?? null
  }
  return `${JSON.stringify(next, undefined, 1)}\n`
}

/** What is kept of an arrangement: the question of a fresh split and the output of one call mean nothing later. */
export const lasting = (tree: Node): Node | undefined =>
  ["chooser", "output"].reduce<Node | undefined>((rest, pane) => rest && without(rest, pane), tree)
