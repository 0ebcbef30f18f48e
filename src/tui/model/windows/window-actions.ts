import type { ActionId } from "../../keymap/actions/action-tables.ts"
import { bottomRight, inReadingOrder, neighbour, outerOf, type Direction } from "../../screen/layout/neighbour.ts"
import {
  column,
  holds,
  isPaneId,
  leaf,
  leafId,
  leavesOf,
  type Node,
  type PaneId,
  paneOfId,
  replaceLeaf,
  row,
  without
} from "../../screen/layout/tree.ts"
import {
  equaliseSizes,
  exchangeLeaves,
  maximiseLeaf,
  movedFar,
  nearestSplit,
  openLeaf,
  resizeLeaf,
  rotateLeaves
} from "../../screen/layout/tree-edits.ts"
import {
  focusedLeaf,
  focusedPane,
  focusOn,
  isOpen,
  planOf,
  restoreFocus,
  treeOf,
  unzoom,
  withKeyboardInPane,
  withTree
} from "./layout-and-focus.ts"
import { notify } from "../update-result.ts"
import { confirmOverlay } from "../confirm.ts"
import { type AppModel, sizeClass } from "../app-model.ts"
import { openOverlay } from "../open-overlay.ts"
import { nameOf } from "../session-model.ts"
import { transcriptId, withoutTranscript } from "./show-session.ts"

/** What the keys after the window prefix do. */

const say = (model: AppModel, text: string): AppModel => notify(model, text, { key: "window", timeoutMs: 3_000 })

/** From a zoomed pane the keys go where they go without the zoom, which ends with that. */
const moveFocus = (model: AppModel, direction: Direction, count: number): AppModel => {
  let next = model
  for (let step = 0; step < count; step++) {
    const placed = focusedLeaf(unzoom(next))
    if (placed === undefined) return next
    const { content } = placed
    const cursor = { x: content.x + Math.floor(content.width / 2), y: content.y }
    const target = neighbour(planOf(unzoom(next)), next.focus, { direction, cursor })
    if (target === undefined) return next
    next = focusOn(next, target)
  }
  return next
}

const cycleFocus = (model: AppModel, by: number): AppModel => {
  const order = inReadingOrder(planOf(unzoom(model)))
  const at = order.indexOf(model.focus)
  const target = order[(at + by + order.length * Math.abs(by)) % order.length]
  return target === undefined ? model : focusOn(model, target)
}

/** Its session may go on out of sight, or end; work is never stopped without being asked about. */
const closeTranscript = (model: AppModel): AppModel => {
  const session = model.sessions.get(model.current)
  const closed = session === undefined ? undefined : withoutTranscript(model, session.id)
  if (closed === undefined || session === undefined) return say(model, "transcript and prompt stay open; :q leaves")
  return openOverlay(
    closed,
    confirmOverlay(
      { _tag: "EndSession", session: session.id },
      {
        question: `Keep "${nameOf(session)}" in the background?`,
        yes: "End the session; it can be resumed",
        no: "Keep it in the background"
      }
    )
  )
}

export const closePane = (model: AppModel): AppModel => {
  const { focus } = model
  if (model.layout.temporary === focus) {
    return restoreFocus({ ...model, layout: { ...model.layout, temporary: undefined }, focus: "prompt" })
  }
  if (focusedPane(model) === "transcript") return closeTranscript(model)
  if (focus === "prompt") return say(model, "transcript and prompt stay open; :q leaves")
  const rest = without(treeOf(model), focus)
  return rest === undefined
    ? model
    : restoreFocus({ ...withTree(model, rest), focus: model.layout.previousFocus ?? "prompt" })
}

/** What the key took away, with a pane that had no place in it where it was. */
const restored = (model: AppModel, tree: Node): AppModel => {
  const back = withTree(model, tree)
  const pane = focusedPane(model)
  const isLost = isPaneId(pane) && pane !== "transcript" && !isOpen(back, pane)
  return restoreFocus(isLost ? { ...back, layout: { ...back.layout, temporary: pane } } : back)
}

/** Hides everything but the focused pane and the prompt; again brings it back. */
export const onlyPane = (model: AppModel): AppModel => {
  const { onlyFrom, temporary } = model.layout
  if (onlyFrom?.sizeClass === sizeClass(model)) return restored(model, onlyFrom.tree)
  const tree = treeOf(model)
  const wanted = model.focus === "prompt" ? transcriptId(model) : model.focus
  const keep = leavesOf(tree).find((each) => leafId(each) === wanted) ?? (temporary === wanted ? leaf(temporary) : undefined)
  if (keep === undefined) return model
  const alone: Node = column(800, keep, leaf("prompt"))
  const changed = withTree(unzoom(model), alone)
  return { ...changed, layout: { ...changed.layout, temporary: undefined, onlyFrom: { sizeClass: sizeClass(model), tree } } }
}

const zoom = (model: AppModel): AppModel => ({
  ...model,
  layout: { ...model.layout, zoomed: model.layout.zoomed === undefined ? model.focus : undefined }
})

/** Columns or rows that a part of the tree takes on this screen, titles included. */
const lengthOf = (model: AppModel, part: Node, dir: "row" | "column"): number => {
  const ids = new Set(leavesOf(part).map(leafId))
  const areas = planOf(model)
    .panes.filter((pane) => ids.has(leafId(pane.leaf)))
    .map(outerOf)
  const [from, to] =
    dir === "row"
      ? [areas.map(({ x }) => x), areas.map(({ x, width }) => x + width)]
      : [areas.map(({ y }) => y), areas.map(({ y, height }) => y + height)]
  return areas.length === 0 ? 0 : Math.max(...to) - Math.min(...from)
}

/** Sets the length of the part with the focused pane, given what it is now. */
const setLength = (model: AppModel, dir: "row" | "column", wish: (now: number) => number): AppModel => {
  const found = nearestSplit(treeOf(model), model.focus, dir)
  if (found === undefined) return model
  const whole = lengthOf(model, found.split, dir) - (dir === "row" ? 1 : 0)
  const thousandths = (wish(lengthOf(model, found.part, dir)) * 1000) / Math.max(1, whole)
  return withTree(model, resizeLeaf(treeOf(model), model.focus, { dir, thousandths }))
}

const COLUMNS_PER_STEP = 2

const resize = (model: AppModel, dir: "row" | "column", steps: number): AppModel =>
  setLength(model, dir, (now) => now + (dir === "row" ? steps * COLUMNS_PER_STEP : steps))

/** As large as can be, or so many cells for its content; titles, and the prompt below a transcript, keep theirs. */
const fill = (model: AppModel, dir: "row" | "column", count: number | undefined): AppModel => {
  if (count === undefined) return withTree(model, maximiseLeaf(treeOf(model), model.focus, dir))
  const content = focusedLeaf(model)?.content
  const length = (dir === "row" ? content?.width : content?.height) ?? 0
  return setLength(model, dir, (now) => now - length + count)
}

const moveFar = (model: AppModel, edge: "left" | "right" | "top" | "bottom"): AppModel =>
  withTree(model, movedFar(treeOf(model), model.focus, edge))

const towards =
  (direction: Direction): WindowMove =>
  (model, count = 1) =>
    moveFocus(model, direction, count)

/** Arranging ends a zoom. */
const arranged =
  (change: WindowMove): WindowMove =>
  (model, count) =>
    change(unzoom(model), count)

const toEdge = (edge: "left" | "right" | "top" | "bottom"): WindowMove => arranged((model) => moveFar(model, edge))

const changedTree = (change: (tree: Node, focus: string) => Node): WindowMove =>
  arranged((model) => withTree(model, change(treeOf(model), model.focus)))

const focusLast: WindowMove = (model) => {
  const { previousFocus } = model.layout
  return previousFocus === undefined ? model : restoreFocus(focusOn(model, previousFocus))
}

type WindowMove = (model: AppModel, count: number | undefined) => AppModel

export const WINDOW_MOVES = {
  "window:left": towards("left"),
  "window:down": towards("down"),
  "window:up": towards("up"),
  "window:right": towards("right"),
  "window:next": (model, count = 1) => cycleFocus(model, count),
  "window:previous": (model, count = 1) => cycleFocus(model, -count),
  "window:last": focusLast,
  "window:topLeft": (model) => focusOn(model, inReadingOrder(planOf(unzoom(model)))[0] ?? model.focus),
  "window:bottomRight": (model) => focusOn(model, bottomRight(planOf(unzoom(model))) ?? model.focus),
  "window:close": closePane,
  "window:only": onlyPane,
  "window:zoom": zoom,
  "window:taller": arranged((model, count = 1) => resize(model, "column", count)),
  "window:shorter": arranged((model, count = 1) => resize(model, "column", -count)),
  "window:wider": arranged((model, count = 1) => resize(model, "row", count)),
  "window:narrower": arranged((model, count = 1) => resize(model, "row", -count)),
  "window:fullHeight": arranged((model, count) => fill(model, "column", count)),
  "window:fullWidth": arranged((model, count) => fill(model, "row", count)),
  "window:equalise": changedTree(equaliseSizes),
  "window:moveLeft": toEdge("left"),
  "window:moveDown": toEdge("bottom"),
  "window:moveUp": toEdge("top"),
  "window:moveRight": toEdge("right"),
  "window:exchange": changedTree(exchangeLeaves),
  "window:rotate": changedTree(rotateLeaves)
} as const satisfies Partial<Record<ActionId, WindowMove>>

/** A tree from which the transcript was hidden gets it back: all that was hidden with it, or its place over the prompt. */
const withTranscript = (model: AppModel): AppModel => {
  const tree = treeOf(model)
  if (holds(tree, transcriptId(model))) return model
  const { onlyFrom } = model.layout
  if (onlyFrom?.sizeClass === sizeClass(model)) return withTree(model, onlyFrom.tree)
  return withTree(model, replaceLeaf(tree, "prompt", column(800, leaf("transcript"), leaf("prompt"))))
}

export const showTranscript = (model: AppModel): AppModel => {
  const shown = withTranscript(model)
  return focusOn(shown, transcriptId(shown))
}

/** Gives a pane the keyboard, opening it where it was hidden. */
export const showPane = (shown: AppModel, pane: PaneId): AppModel => {
  const model = shown.focus === pane ? shown : unzoom(shown)
  if (pane === "transcript") return showTranscript(model)
  const isShown = (next: AppModel): boolean => planOf(next).panes.some(({ leaf: each }) => each.pane === pane)
  if (isOpen(model, pane) && isShown(model)) return focusOn(model, pane)
  const isRoomy = sizeClass(model) === "wide" || sizeClass(model) === "normal"
  if (isRoomy && !isOpen(model, pane)) {
    const changed = withTree(model, openLeaf(treeOf(model), leaf(pane)))
    if (isShown(changed)) return focusOn(changed, pane)
  }
  const left = withKeyboardInPane(focusOn(model, "prompt"))
  return { ...left, focus: pane, layout: { ...left.layout, temporary: pane, previousFocus: model.focus } }
}

/** A pane over everything else, until it is left. One that has a place of its own is zoomed there. */
export const showPaneInFull = (shown: AppModel, pane: PaneId): AppModel => {
  const model = unzoom(shown)
  if (isOpen(model, pane)) return restoreFocus({ ...focusOn(model, pane), layout: { ...model.layout, zoomed: pane } })
  const left = withKeyboardInPane(focusOn(model, "prompt"))
  return {
    ...left,
    focus: pane,
    layout: { ...left.layout, temporary: pane, zoomed: pane, previousFocus: model.focus }
  }
}

/** The whole of what a question is about, over everything. Leaving it leads back to the question. */
export const showDecision = (model: AppModel): AppModel => {
  const left = withKeyboardInPane(focusOn(model, "prompt"))
  return {
    ...left,
    focus: "decision",
    layout: { ...left.layout, temporary: "decision", zoomed: "decision" }
  }
}

/** Splits the focused pane; the new half asks what it shall show. The prompt is no pane to split, its transcript is. */
export const splitPane = (shown: AppModel, dir: "row" | "column", pane: PaneId): AppModel => {
  const model = unzoom(shown)
  if (pane === "transcript" || pane === "prompt") return showPane(model, pane)
  const tree = without(treeOf(model), pane) ?? treeOf(model)
  const wanted = paneOfId(model.focus) === "prompt" ? transcriptId(model) : model.focus
  const here =
    leavesOf(tree).find((each) => leafId(each) === wanted) ?? leavesOf(tree).find((each) => each.pane === "transcript")
  if (here === undefined) return model
  const part = dir === "row" ? row(500, here, leaf(pane)) : column(500, here, leaf(pane))
  const split = withTree(model, replaceLeaf(tree, leafId(here), part))
  const isShown = planOf(split).panes.some(({ leaf: each }) => each.pane === pane)
  return isShown ? focusOn(split, pane) : say(model, "there is no room to split here")
}

/** The chooser becomes the pane that was chosen in it. */
export const chosePane = (model: AppModel, pane: PaneId): AppModel => {
  const tree = without(treeOf(model), pane) ?? treeOf(model)
  const chosen = focusOn(withTree(model, replaceLeaf(tree, "chooser", leaf(pane))), pane)
  // The chooser is gone; the pane that was left for it is the one to come back to.
  return { ...chosen, layout: { ...chosen.layout, previousFocus: model.layout.previousFocus } }
}

export const withoutChooser = (model: AppModel): AppModel =>
  withTree(model, without(treeOf(model), "chooser") ?? treeOf(model))
