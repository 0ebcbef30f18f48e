import { isListPane, LIST_PANES, listIn, type ListPaneId } from "../panes/list-items.ts"
import { type Item, itemUnder, type ListContext, type ListState } from "../panes/list-state.ts"
import { focusedLeaf } from "./arrange.ts"
import { type AppModel, currentSession, withCurrent } from "./model.ts"
import type { SessionModel } from "./session-model.ts"
import { sceneOf } from "./scene.ts"

/** The list pane that has the keyboard, with its items as they are drawn. */
export interface FocusedList {
  readonly pane: ListPaneId
  readonly session: SessionModel
  readonly list: ListState
  readonly context: ListContext
  readonly item: Item | undefined
}

export const focusedList = (model: AppModel): FocusedList | undefined => {
  const session = currentSession(model)
  const placed = focusedLeaf(model)
  if (session === undefined || placed === undefined || !isListPane(placed.leaf.pane)) return undefined
  const { pane } = placed.leaf
  const items = LIST_PANES[pane].items(sceneOf(model, session, placed))
  const list = listIn(session, pane)
  return { pane, session, list, context: { items, height: placed.content.height }, item: itemUnder(list, items) }
}

export const withList = (model: AppModel, pane: ListPaneId, list: ListState): AppModel =>
  withCurrent(model, (session) => ({ ...session, lists: { ...session.lists, [pane]: list } }))
