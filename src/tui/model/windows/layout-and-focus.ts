import { INLINE_TREE } from "../../screen/layout/inline-layout.ts"
import { type DockRows, plan, type PlacedPane, type Plan } from "../../screen/layout/plan.ts"
import { defaultTree } from "../../screen/layout/size-class.ts"
import { holds, leaf, leafId, leavesOf, type Node, paneOfId, replaceLeaf } from "../../screen/layout/tree.ts"
import { promptRows } from "./prompt-height.ts"
import { dockRows } from "../dock/dock-layout.ts"
import { dockedOf, dockPanelOf } from "../dock/docked.ts"
import { type AppModel, currentSession, sizeClass, withSession } from "../app-model.ts"
import type { SessionModel } from "../session-model.ts"
import { statusLineRows } from "../status-line.ts"
import { pushJump } from "../../transcript/list/state/jumps.ts"

/** Where the panes are for this model. A function of it, so that view, keys and mouse agree. */

/** A tree that was made for other sessions still shows the one in use. */
const showing = (tree: Node, session: string): Node => {
  const pinned = leavesOf(tree).filter((each) => each.pane === "transcript" && each.session !== undefined)
  const [first] = pinned
  if (first === undefined || pinned.some((each) => each.session === session)) return tree
  return replaceLeaf(tree, leafId(first), leaf("transcript", session))
}

export const treeOf = (model: AppModel): Node =>
  model.options.interface === "inline"
    ? INLINE_TREE
    : showing(model.layout.trees[sizeClass(model)] ?? defaultTree(sizeClass(model)), model.current)

/** Rows the prompt would like in its column; how wide that is depends on the plan, which needs the rows. */
const promptWidth = (model: AppModel): number => {
  const first = plan({ ...planInput(model), promptRows: 1 })
  return first.panes.find((pane) => pane.leaf.pane === "prompt")?.content.width ?? model.size.columns
}

/** A row of tabs: where a pane took the transcript's place without a border to say so, and for tab pages. */
const hasTabRow = (model: AppModel): boolean => {
  const { temporary } = model.layout
  const isSmall = sizeClass(model) === "narrow" || sizeClass(model) === "tiny"
  return model.tabs.length > 1 || (isSmall && temporary !== undefined)
}

/** Transcript and prompt need none on the smallest screens; more panes than these would run into each other. */
export const hasTitles = (model: AppModel): boolean =>
  model.options.borders !== "none" && (sizeClass(model) !== "tiny" || leavesOf(treeOf(model)).length > 2)

const planInput = (model: AppModel) => ({
  tree: treeOf(model),
  size: model.size,
  sizeClass: sizeClass(model),
  borders: hasTitles(model),
  promptRows: 1,
  statusRows: 1 + statusLineRows(model),
  tabs: hasTabRow(model),
  temporary: model.layout.temporary,
  zoomed: model.layout.zoomed,
  dock: undefined
})

/** The rows that a question takes; none while the whole of it is read. */
const dockIn = (model: AppModel): DockRows | undefined => {
  const docked = focusedPane(model) === "decision" ? undefined : dockedOf(model)
  const panel = docked === undefined ? undefined : dockPanelOf(model, docked)
  return panel === undefined ? undefined : dockRows(panel)
}

export const planOf = (model: AppModel): Plan => {
  const session = currentSession(model)
  const rows = session === undefined ? 1 : promptRows(model, session, promptWidth(model))
  return plan({ ...planInput(model), promptRows: rows, dock: dockIn(model) })
}

export const withTree = (model: AppModel, tree: Node): AppModel => ({
  ...model,
  layout: { ...model.layout, trees: { ...model.layout.trees, [sizeClass(model)]: tree }, onlyFrom: undefined }
})

/** The kind of pane that has the keyboard. */
export const focusedPane = ({ focus }: AppModel): string => paneOfId(focus)

/** The session that a pane shows: its own, or the one in use. */
export const sessionOf = (model: AppModel, { leaf: shown }: PlacedPane): SessionModel | undefined =>
  shown.session === undefined ? currentSession(model) : model.sessions.get(shown.session)

export const isOnScreen = (model: AppModel, session: string): boolean =>
  session === model.current || leavesOf(treeOf(model)).some((each) => each.session === session)

/** A visit ends with the focus: the view is the one of before, and its jumps follow the older ones. */
const withVisitOver = (model: AppModel): AppModel => {
  const { visit } = model
  if (visit === undefined) return model
  const left = withSession(model, visit.session, (session) => ({
    ...session,
    list: { ...session.list, jumps: session.list.jumps.places.reduce(pushJump, visit.older) }
  }))
  return { ...left, visit: undefined, options: { ...model.options, view: visit.view } }
}

/** The session of a transcript that takes the keyboard is the one that the prompt belongs to. */
const inUse = (model: AppModel, id: string): AppModel => {
  const pinned = leavesOf(treeOf(model)).find((each) => leafId(each) === id)?.session
  return pinned === undefined
    ? model
    : withSession({ ...model, current: pinned }, pinned, (session) => ({ ...session, unread: 0 }))
}

/** A question that is docked keeps its place and waits for its user to come back to it. */
export const withKeyboardInPane = (model: AppModel): AppModel =>
  model.overlays.keyboard === "left" ? model : { ...model, overlays: { ...model.overlays, keyboard: "left" } }

/** Gives a pane the keyboard. A zoomed or temporary pane that loses it goes back where it came from. */
export const focusOn = (before: AppModel, id: string): AppModel => {
  const model = id === "prompt" ? before : withKeyboardInPane(before)
  if (model.focus === id) return model
  const { layout } = model
  const leavesZoom = layout.zoomed !== undefined && layout.zoomed !== id
  const leavesTemporary = layout.temporary !== undefined && layout.temporary !== id
  return inUse(
    {
      ...withVisitOver(model),
      focus: id,
      layout: {
        ...layout,
        previousFocus: model.focus,
        zoomed: leavesZoom ? undefined : layout.zoomed,
        temporary: leavesTemporary ? undefined : layout.temporary
      }
    },
    id
  )
}

/** The focused pane where it is drawn. */
export const focusedLeaf = (model: AppModel): PlacedPane | undefined =>
  planOf(model).panes.find((pane) => leafId(pane.leaf) === model.focus)

/** The same screen with every pane in its place. */
export const unzoom = (model: AppModel): AppModel =>
  model.layout.zoomed === undefined ? model : { ...model, layout: { ...model.layout, zoomed: undefined } }

/** Only the pane with the keyboard is zoomed, and only while it is there. */
const settleZoom = (model: AppModel): AppModel => {
  const { zoomed } = model.layout
  return zoomed === undefined || (zoomed === model.focus && isOpen(model, zoomed)) ? model : unzoom(model)
}

/** After a change of size or tree the keyboard must be on screen: in a pane of the same kind, else in the prompt. */
export const restoreFocus = (unsettled: AppModel): AppModel => {
  const model = settleZoom(unsettled)
  const shown = planOf(model).panes.map((pane) => leafId(pane.leaf))
  if (shown.includes(model.focus)) return model
  const same = shown.filter((id) => paneOfId(id) === focusedPane(model))
  const alike = same.find((id) => id === leafId(leaf("transcript", model.current))) ?? same[0]
  return inUse({ ...model, focus: alike ?? (shown.includes("prompt") ? "prompt" : (shown[0] ?? "prompt")) }, alike ?? "")
}

export const isOpen = (model: AppModel, id: string): boolean => holds(treeOf(model), id) || model.layout.temporary === id
