import { isListPane, LIST_PANES, listIn, type ListPaneId } from "./list-panes.ts"
import { type Item, itemUnder, type ListContext, type ListState } from "../model/list-state.ts"
import { focusedLeaf } from "../model/windows/layout-and-focus.ts"
import { type AppModel, currentSession, withCurrent } from "../model/app-model.ts"
import type { SessionModel } from "../model/session-model.ts"
import { sceneOf } from "../model/windows/make-pane-context.ts"

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
