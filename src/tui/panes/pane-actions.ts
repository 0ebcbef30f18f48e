import type { Press } from "../model/action.ts"
import type { AppModel } from "../model/app-model.ts"
import { notify, withoutCommands, type Update } from "../model/update-result.ts"
import { focusedPane } from "../model/windows/layout-and-focus.ts"
import { ACTIONS, type PaneActionId } from "../keymap/actions/action-tables.ts"
import { focusedList } from "./focused-list.ts"
import type { FocusedList } from "./list/focused-list.ts"
import { LIST_PANES } from "./list-panes.ts"
import { COMMON_HANDLERS } from "./prompt/common-actions.ts"
import { TRANSCRIPT_HANDLERS } from "./transcript/transcript-handlers.ts"
import type { Handlers } from "../model/action.ts"

/** An action goes to the pane that has the keyboard. */

const notHere = ({ model, pane, item }: FocusedList, id: PaneActionId): Update =>
  withoutCommands(
    notify(
      model,
      item === undefined ? `there is nothing in ${pane} yet` : `not in ${pane}: ${ACTIONS.get(id)?.description ?? id}`
    )
  )

type Own<At> = Partial<Handlers<PaneActionId, At>>

const IN_TRANSCRIPT: Own<{ readonly model: AppModel }> = TRANSCRIPT_HANDLERS
const ANYWHERE: Own<{ readonly model: AppModel }> = COMMON_HANDLERS

export const onPaneAction = (model: AppModel, id: PaneActionId, press: Press): Update | undefined => {
  if (focusedPane(model) === "transcript") return IN_TRANSCRIPT[id]?.({ model }, press)
  const focused = focusedList(model)
  if (focused !== undefined) return LIST_PANES[focused.pane].on[id]?.(focused, press) ?? notHere(focused, id)
  return ANYWHERE[id]?.({ model }, press)
}
