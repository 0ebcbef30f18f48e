import { type Rect, rect } from "../cell/rect.ts"
import type { Size, SizeClass } from "./size-class.ts"
import {
  HIDE_RANKS,
  holds,
  isLeaf,
  type Leaf,
  leafId,
  leavesOf,
  type Node,
  type PaneId,
  replaceLeaf,
  row,
  type Split,
  without
} from "./tree.ts"

/** Where everything goes on a screen of one size. */
export interface Plan {
  readonly panes: ReadonlyArray<PlacedPane>
  /** Columns between panes that stand side by side. */
  readonly separators: ReadonlyArray<Rect>
  readonly tabs: Rect | undefined
  readonly status: Rect
  /** The rows of a question, above the prompt or under everything. */
  readonly dock: Rect | undefined
  /** Leaves of the tree for which there was no room. */
  readonly hidden: ReadonlyArray<Leaf>
}

export interface PlacedPane {
  readonly leaf: Leaf
  /** The row of border and title above the content; undefined where there are no borders. */
  readonly title: Rect | undefined
  readonly content: Rect
}

export interface PlanInput {
  readonly tree: Node
  readonly size: Size
  readonly sizeClass: SizeClass
  readonly borders: boolean
  /** Rows that the prompt would like: text, queue, hints. */
  readonly promptRows: number
  readonly statusRows: number
  readonly tabs: boolean
  /** A pane opened for a moment where the tree has no place for it. */
  readonly temporary: PaneId | undefined
  /** The leaf that has the whole area to itself. */
  readonly zoomed: string | undefined
  /** How many rows a question takes of the room that it may have; undefined where none is asked. */
  readonly dock: DockRows | undefined
}

export interface DockRoom {
  readonly columns: number
  /** What it should not exceed, so that what it is about stays in view. */
  readonly wish: number
  /** What it must not exceed. */
  readonly most: number
}

export type DockRows = (room: DockRoom) => number

interface Least {
  readonly width: number
  readonly height: number
}

const LEAST: Partial<Readonly<Record<PaneId, Least>>> = {
  transcript: { width: 20, height: 3 },
  prompt: { width: 10, height: 1 }
}
const LEAST_OTHER: Least = { width: 16, height: 3 }

const leastOf = (node: Node, title: number): Least => {
  if (isLeaf(node)) {
    const { width, height } = LEAST[node.pane] ?? LEAST_OTHER
    return { width, height: height + title }
  }
  const a = leastOf(node.a, title)
  const b = leastOf(node.b, title)
  return node.dir === "row"
    ? { width: a.width + 1 + b.width, height: Math.max(a.height, b.height) }
    : { width: Math.max(a.width, b.width), height: a.height + b.height }
}

/** Of several of one kind the last. */
const nextToHide = (tree: Node): Leaf | undefined =>
  leavesOf(tree)
    .filter(({ pane }) => Number.isFinite(HIDE_RANKS[pane]))
    .reduce<Leaf | undefined>(
      (first, each) => (first === undefined || HIDE_RANKS[each.pane] <= HIDE_RANKS[first.pane] ? each : first),
      undefined
    )

/** Takes leaves away until the rest has its least size. Transcript and prompt always stay. */
const fitting = (tree: Node, area: Rect, title: number): { readonly tree: Node; readonly hidden: ReadonlyArray<Leaf> } => {
  const hidden: Array<Leaf> = []
  let fit = tree
  for (;;) {
    const least = leastOf(fit, title)
    if (least.width <= area.width && least.height <= area.height) return { tree: fit, hidden }
    const victim = nextToHide(fit)
    const rest = victim === undefined ? undefined : without(fit, leafId(victim))
    if (victim === undefined || rest === undefined) return { tree: fit, hidden }
    hidden.push(victim)
    fit = rest
  }
}

/** The first part's share of a length, so that both parts keep their least. */
const shareOf = (length: number, ratio: number, least: readonly [number, number]): number => {
  const wish = Math.round((length * ratio) / 1000)
  return Math.max(Math.min(wish, length - least[1]), Math.min(least[0], length))
}

const withTemporary = (input: PlanInput): Node => {
  const { tree, temporary, sizeClass } = input
  if (temporary === undefined || holds(tree, temporary)) return tree
  return sizeClass === "wide" || sizeClass === "normal" || sizeClass === "medium"
    ? row(500, tree, { pane: temporary })
    : replaceLeaf(tree, leafId(leavesOf(tree).find(({ pane }) => pane === "transcript") ?? { pane: "transcript" }), {
        pane: temporary
      })
}

/** With fewer rows than these a question cannot show its choices and what it is about. */
const LEAST_DOCK = 5

/** Rows of the prompt under a question: it shows that the draft is there, and what the keys did. */
const DOCKED_PROMPT = 3

class Placing {
  readonly panes: Array<PlacedPane> = []
  readonly separators: Array<Rect> = []
  dock: Rect | undefined

  constructor(
    private readonly input: PlanInput,
    private readonly title: number
  ) {}

  place(node: Node, area: Rect): void {
    if (isLeaf(node)) return this.placeLeaf(node, area)
    if (node.dir === "row") return this.placeRow(node, area)
    this.placeColumn(node, area)
  }

  private placeLeaf(node: Leaf, area: Rect): void {
    const title = Math.min(this.title, area.height)
    this.panes.push({
      leaf: node,
      title: title === 0 ? undefined : rect(area.x, area.y, area.width, 1),
      content: rect(area.x, area.y + title, area.width, area.height - title)
    })
  }

  private placeRow({ ratio, a, b }: Split, area: Rect): void {
    const least = [leastOf(a, this.title).width, leastOf(b, this.title).width] as const
    const width = shareOf(area.width - 1, ratio, least)
    this.place(a, rect(area.x, area.y, width, area.height))
    this.separators.push(rect(area.x + width, area.y, Math.min(1, area.width), area.height))
    this.place(b, rect(area.x + width + 1, area.y, area.width - width - 1, area.height))
  }

  private placeColumn(split: Split, area: Rect): void {
    if (this.placeDocked(split, area)) return
    const { a, b } = split
    const least = [leastOf(a, this.title).height, leastOf(b, this.title).height] as const
    const height =
      isLeaf(b) && b.pane === "prompt"
        ? area.height - this.promptHeight(area.height, least[0])
        : shareOf(area.height, split.ratio, least)
    this.place(a, rect(area.x, area.y, area.width, height))
    this.place(b, rect(area.x, area.y + height, area.width, area.height - height))
  }

  /** The question between a prompt and what is above it; false where there is none or no room for it. */
  private placeDocked({ a, b }: Split, area: Rect): boolean {
    const { dock, sizeClass, promptRows } = this.input
    if (dock === undefined || !isLeaf(b) || b.pane !== "prompt") return false
    const prompt = sizeClass === "tiny" ? 1 : Math.max(1, Math.min(promptRows, DOCKED_PROMPT))
    const most = area.height - prompt - leastOf(a, this.title).height
    if (most < LEAST_DOCK) return false
    const rows = Math.min(dock({ columns: area.width, wish: Math.floor(area.height / 2), most }), most)
    const above = area.height - prompt - rows
    this.place(a, rect(area.x, area.y, area.width, above))
    this.dock = rect(area.x, area.y + above, area.width, rows)
    // The frame of the question is the border between it and the prompt.
    this.panes.push({
      leaf: b,
      title: undefined,
      content: rect(area.x, area.y + above + rows, area.width, prompt)
    })
    return true
  }

  /** As high as its text, at most half of its column and at least 3 rows when the text needs them and what is above can give them. */
  private promptHeight(height: number, above: number): number {
    const most = this.input.sizeClass === "tiny" ? 3 : Math.max(3, Math.floor(height / 2))
    const free = Math.max(1, height - above - this.title)
    return Math.min(Math.max(1, Math.min(this.input.promptRows, most, free)) + this.title, height)
  }
}

interface Placed {
  readonly panes: ReadonlyArray<PlacedPane>
  readonly separators: ReadonlyArray<Rect>
  readonly dock: Rect | undefined
  readonly hidden: ReadonlyArray<Leaf>
}

const placedIn = (input: PlanInput, area: Rect): Placed => {
  const title = input.borders ? 1 : 0
  const { tree, hidden } = fitting(withTemporary(input), area, title)
  const zoomed = input.zoomed === undefined ? undefined : leavesOf(tree).find((each) => leafId(each) === input.zoomed)
  const placing = new Placing(input, title)
  placing.place(zoomed ?? tree, area)
  const { panes, separators, dock } = placing
  const away = zoomed === undefined ? hidden : leavesOf(tree).filter((each) => each !== zoomed)
  return { panes, separators, dock, hidden: away }
}

/** Where no prompt is on screen, or none with room above it, the question takes the last rows of everything. */
const withDockBelow = (input: PlanInput, dock: DockRows, area: Rect): Placed => {
  const most = Math.max(LEAST_DOCK, area.height - LEAST_OTHER.height - 1)
  const wish = Math.floor(area.height / 2)
  const rows = Math.max(0, Math.min(dock({ columns: area.width, wish, most }), most, area.height))
  const above = rect(area.x, area.y, area.width, area.height - rows)
  return {
    ...placedIn({ ...input, dock: undefined }, above),
    dock: rect(area.x, area.y + above.height, area.width, rows)
  }
}

/** Total for every size: where there is no room at all the rectangles are empty. */
export const plan = (input: PlanInput): Plan => {
  const { columns, rows } = input.size
  const statusRows = Math.min(input.statusRows, rows)
  const tabRows = input.tabs && rows > statusRows ? 1 : 0
  const area = rect(0, tabRows, columns, rows - statusRows - tabRows)
  const placed = placedIn(input, area)
  const { panes, separators, dock, hidden } =
    input.dock === undefined || placed.dock !== undefined ? placed : withDockBelow(input, input.dock, area)
  return {
    panes,
    separators,
    tabs: tabRows === 0 ? undefined : rect(0, 0, columns, 1),
    status: rect(0, rows - statusRows, columns, statusRows),
    dock,
    hidden
  }
}
