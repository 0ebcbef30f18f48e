/** The arrangement of panes as a binary split tree. A value: every change makes a new tree. */

/** Every pane, and which goes first when room runs out: the one with the lowest number. Transcript and prompt stay. */
export const HIDE_RANKS = {
  transcript: Number.POSITIVE_INFINITY,
  prompt: Number.POSITIVE_INFINITY,
  activity: 5,
  changes: 7,
  files: 3,
  tasks: 6,
  context: 4,
  sessions: 8,
  approvals: 9,
  output: 10,
  chooser: 1,
  decision: 2,
  loop: 0
} as const

export type PaneId = keyof typeof HIDE_RANKS

/** The chooser is the empty half of a fresh split, the decision what a question is about; nobody asks for them by name. */
export type NamedPaneId = Exclude<PaneId, "chooser" | "decision">

export const isPaneId = (name: string): name is NamedPaneId =>
  Object.hasOwn(HIDE_RANKS, name) && name !== "chooser" && name !== "decision"

export const PANE_IDS: ReadonlyArray<NamedPaneId> = Object.keys(HIDE_RANKS).filter(isPaneId)

export interface Leaf {
  readonly pane: PaneId
  /** The session that is shown: the one last focused, or one for good. */
  readonly session?: string
}

export interface Split {
  /** row: side by side; column: one above the other. */
  readonly dir: "row" | "column"
  /** Share of the first part in thousandths. */
  readonly ratio: number
  readonly a: Node
  readonly b: Node
}

export type Node = Leaf | Split

export const isLeaf = (node: Node): node is Leaf => "pane" in node

export const leaf = (pane: PaneId, session?: string): Leaf => (session === undefined ? { pane } : { pane, session })

export const row = (ratio: number, a: Node, b: Node): Split => ({ dir: "row", ratio, a, b })

export const column = (ratio: number, a: Node, b: Node): Split => ({ dir: "column", ratio, a, b })

/** One name per leaf; a pane is in a tree at most once per session. */
export const leafId = ({ pane, session }: Leaf): string => (session === undefined ? pane : `${pane}:${session}`)

/** The kind of pane that an id names, whatever session it shows. */
export const paneOfId = (id: string): string => id.split(":", 1)[0] ?? id

/** In reading order. */
export const leavesOf = (node: Node): ReadonlyArray<Leaf> =>
  isLeaf(node) ? [node] : [...leavesOf(node.a), ...leavesOf(node.b)]

export const holds = (node: Node, id: string): boolean => leavesOf(node).some((each) => leafId(each) === id)

/** Whether two trees show the same panes in the same shares. */
export const isSameTree = (one: Node, other: Node): boolean => {
  if (isLeaf(one) || isLeaf(other)) return isLeaf(one) && isLeaf(other) && leafId(one) === leafId(other)
  return one.dir === other.dir && one.ratio === other.ratio && isSameTree(one.a, other.a) && isSameTree(one.b, other.b)
}

/** The tree without one leaf; its sibling takes the space. Undefined when nothing is left. */
export const without = (node: Node, id: string): Node | undefined => {
  if (isLeaf(node)) return leafId(node) === id ? undefined : node
  const a = without(node.a, id)
  const b = without(node.b, id)
  if (a === undefined) return b
  if (b === undefined) return a
  return a === node.a && b === node.b ? node : { ...node, a, b }
}

/** The tree with one leaf replaced by another part. */
export const replaceLeaf = (node: Node, id: string, by: Node): Node => {
  if (isLeaf(node)) return leafId(node) === id ? by : node
  const a = replaceLeaf(node.a, id, by)
  const b = replaceLeaf(node.b, id, by)
  return a === node.a && b === node.b ? node : { ...node, a, b }
}

/** The tree with every leaf changed that needs it. */
export const mapLeaves = (node: Node, change: (leaf: Leaf) => Leaf): Node => {
  if (isLeaf(node)) return change(node)
  const a = mapLeaves(node.a, change)
  const b = mapLeaves(node.b, change)
  return a === node.a && b === node.b ? node : { ...node, a, b }
}
