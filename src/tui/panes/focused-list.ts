import type { FocusedList } from "./list/focused-list.ts"
import { isListPane, LIST_PANES, listIn } from "./list-panes.ts"
import { itemUnder } from "../model/list-state.ts"
import { focusedLeaf } from "../model/windows/layout-and-focus.ts"
import { type AppModel, currentSession } from "../model/app-model.ts"
import { makePaneContext } from "../model/windows/make-pane-context.ts"

export const focusedList = (model: AppModel): FocusedList | undefined => {
  const session = currentSession(model)
  const placed = focusedLeaf(model)
  if (session === undefined || placed === undefined || !isListPane(placed.leaf.pane)) return undefined
  const { pane } = placed.leaf
  const items = LIST_PANES[pane].items(makePaneContext(model, session, placed))
  const list = listIn(session, pane)
  return { model, pane, session, list, context: { items, height: placed.content.height }, item: itemUnder(list, items) }
}
