import {
  column,
  type Leaf,
  leaf,
  leafId,
  leavesOf,
  mapLeaves,
  type Node,
  replaceLeaf,
  row,
  without
} from "../../screen/layout/tree.ts"
import { focusedPane, focusOn, planOf, restoreFocus, treeOf, withTree } from "./layout-and-focus.ts"
import { type AppModel, type LayoutModel, withSession } from "../app-model.ts"

/**
 * Which sessions are on screen. One transcript shows whatever session is in use; as soon as there are
 * two, each shows a session of its own, and the one that had the keyboard last is in use.
 */

const transcriptsOf = (tree: Node): ReadonlyArray<Leaf> => leavesOf(tree).filter(({ pane }) => pane === "transcript")

/** The transcript of the session in use. */
export const transcriptId = (model: AppModel): string => {
  const all = transcriptsOf(treeOf(model))
  return leafId(all.find(({ session }) => session === model.current) ?? all[0] ?? leaf("transcript"))
}

const repinned = (tree: Node, from: string, to: string): Node =>
  mapLeaves(tree, (each) => (each.session === from ? leaf(each.pane, to) : each))

const withTrees = (layout: LayoutModel, change: (tree: Node) => Node): LayoutModel => ({
  ...layout,
  trees: Object.fromEntries(Object.entries(layout.trees).map(([name, tree]) => [name, change(tree)])),
  onlyFrom: layout.onlyFrom === undefined ? undefined : { ...layout.onlyFrom, tree: change(layout.onlyFrom.tree) }
})

const seen = (model: AppModel, id: string): AppModel =>
  withSession(model, id, (session) => (session.unread === 0 ? session : { ...session, unread: 0 }))

/** Brings a session into use: in the pane that shows it already, else in place of the one in use. */
export const showSession = (model: AppModel, id: string): AppModel => {
  if (!model.sessions.has(id)) return model
  const tree = treeOf(model)
  const isTranscript = focusedPane(model) === "transcript"
  const isPinned = transcriptsOf(tree).some(({ session }) => session === id)
  const placed = isPinned ? model : withTree(model, repinned(tree, model.current, id))
  const inUse = seen({ ...(tree === treeOf(placed) ? model : placed), current: id }, id)
  return isTranscript ? restoreFocus(focusOn(inUse, transcriptId(inUse))) : inUse
}

const LEAST_COLUMNS = 20
const LEAST_ROWS = 3

const hasRoom = (model: AppModel): boolean =>
  planOf(model).panes.every(
    ({ leaf: { pane }, content }) =>
      pane !== "transcript" || (content.width >= LEAST_COLUMNS && content.height >= LEAST_ROWS)
  )

/** Gives a session a transcript of its own beside the one in use; without room for two it takes its place. */
export const splitSession = (model: AppModel, id: string, dir: "row" | "column"): AppModel => {
  const tree = treeOf(model)
  if (id === model.current || transcriptsOf(tree).some(({ session }) => session === id)) return showSession(model, id)
  const here = leaf("transcript", model.current)
  const there = leaf("transcript", id)
  const part = dir === "row" ? row(500, here, there) : column(500, here, there)
  const split = withTree(model, replaceLeaf(tree, transcriptId(model), part))
  if (!hasRoom(split)) return showSession(model, id)
  const inUse = seen({ ...split, current: id }, id)
  return focusedPane(model) === "prompt" ? inUse : focusOn(inUse, leafId(there))
}

/** One transcript that is left needs no session of its own any more. */
const unpinned = (tree: Node): Node => {
  const [first, ...others] = transcriptsOf(tree)
  if (first?.session === undefined || others.length > 0) return tree
  return mapLeaves(tree, (each) => (each === first ? leaf("transcript") : each))
}

/** Takes the transcript of a session away; the session goes on. Undefined for the only transcript there is. */
export const withoutTranscript = (model: AppModel, session: string): AppModel | undefined => {
  const tree = treeOf(model)
  const rest = without(tree, leafId(leaf("transcript", session)))
  const next = rest === undefined ? undefined : transcriptsOf(rest)[0]
  if (rest === undefined || rest === tree || next === undefined) return undefined
  const current = model.current === session ? (next.session ?? model.current) : model.current
  return restoreFocus({ ...withTree(model, unpinned(rest)), current })
}

/** A session takes the place of another in every arrangement. */
export const sessionReplaced = (model: AppModel, from: string, to: string): AppModel => ({
  ...model,
  layout: withTrees(model.layout, (tree) => repinned(tree, from, to)),
  tabs: model.tabs.map((page) => ({
    ...page,
    current: page.current === from ? to : page.current,
    layout: withTrees(page.layout, (tree) => repinned(tree, from, to))
  }))
})

/** A session that is no more leaves every arrangement; another one is in use then. */
export const sessionGone = (model: AppModel, id: string): AppModel => {
  const sessions = new Map(model.sessions)
  sessions.delete(id)
  const other = [...sessions.keys()].at(-1) ?? ""
  const dropped = (tree: Node): Node => unpinned(without(tree, leafId(leaf("transcript", id))) ?? tree)
  const tabs = model.tabs.map((page) => ({
    ...page,
    current: page.current === id ? other : page.current,
    layout: withTrees(page.layout, dropped)
  }))
  const next = {
    ...model,
    sessions,
    tabs,
    layout: withTrees(model.layout, dropped),
    current: model.current === id ? other : model.current
  }
  return restoreFocus(next)
}

/** Whoever opened a session with nothing to read in it wants to type. */
const readyToType = (model: AppModel, id: string): AppModel => {
  const hasText = (model.sessions.get(id)?.state.conversation.messages.length ?? 0) > 0
  return hasText || focusedPane(model) !== "transcript" ? model : focusOn(model, "prompt")
}

/** A session has opened: in a pane of its own where that was wished and there is room, else in use. */
export const sessionPlaced = (model: AppModel, id: string): AppModel => {
  const { splitNext } = model.layout
  const calm = { ...model, layout: { ...model.layout, splitNext: undefined } }
  if (splitNext === undefined || model.current === "" || !model.sessions.has(model.current)) {
    return readyToType(showSession(calm, id), id)
  }
  return readyToType(splitSession(calm, id, splitNext), id)
}
