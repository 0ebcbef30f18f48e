import { type AppModel, withCurrent } from "../../model/app-model.ts"
import type { ListState, ListContext, Item } from "../../model/list-state.ts"
import type { SessionModel } from "../../model/session-model.ts"
import type { PaneId } from "../../screen/layout/tree.ts"

export type ListPaneId = Exclude<PaneId, "transcript" | "prompt">

/** The list pane that has the keyboard, with its items as they are drawn. */
export interface FocusedList {
  readonly pane: ListPaneId
  readonly session: SessionModel
  readonly list: ListState
  readonly context: ListContext
  readonly item: Item | undefined
}

export const withList = (model: AppModel, pane: ListPaneId, list: ListState): AppModel =>
  withCurrent(model, (session) => ({ ...session, lists: { ...session.lists, [pane]: list } }))
