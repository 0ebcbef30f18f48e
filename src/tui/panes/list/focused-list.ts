import type { Update } from "../../model/update-result.ts"
import type { PaneActionId } from "../../keymap/actions/action-tables.ts"
import type { Handlers, Handler } from "../../model/action.ts"
import { type AppModel, withCurrent } from "../../model/app-model.ts"
import type { ListState, ListContext, Item } from "../../model/list-state.ts"
import type { SessionModel } from "../../model/session-model.ts"
import type { PaneId } from "../../screen/layout/tree.ts"

export type ListPaneId = Exclude<PaneId, "transcript" | "prompt">

/** The list pane that has the keyboard, with its items as they are drawn. */
export interface FocusedList {
  readonly model: AppModel
  readonly pane: ListPaneId
  readonly session: SessionModel
  readonly list: ListState
  readonly context: ListContext
  readonly item: Item | undefined
}

export const withList = (model: AppModel, pane: ListPaneId, list: ListState): AppModel =>
  withCurrent(model, (session) => ({ ...session, lists: { ...session.lists, [pane]: list } }))

export type ListHandlers = Partial<Handlers<PaneActionId, FocusedList>>

/** An action about the item under the cursor; where there is none, nothing. */
export const onItem =
  (act: (at: FocusedList & { readonly item: Item }) => Update | undefined): Handler<FocusedList> =>
  (at) =>
    at.item === undefined ? undefined : act({ ...at, item: at.item })
