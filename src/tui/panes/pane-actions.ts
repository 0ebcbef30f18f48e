import type { Press } from "../model/action.ts"
import type { AppModel } from "../model/app-model.ts"
import { notify, withoutCommands, type Update } from "../model/update-result.ts"
import { focusedPane } from "../model/windows/layout-and-focus.ts"
import { ACTIONS, type PaneActionId } from "../keymap/actions/action-tables.ts"
import type { FocusedList } from "./list/focused-list.ts"
import { focusedList, IN_EVERY_LIST, PANES } from "./panes.ts"

/** An action goes to the pane that has the keyboard. */

const notHere = ({ model, pane, item }: FocusedList, id: PaneActionId): Update =>
  withoutCommands(
    notify(
      model,
      item === undefined ? `there is nothing in ${pane} yet` : `not in ${pane}: ${ACTIONS.get(id)?.description ?? id}`
    )
  )

export const onPaneAction = (model: AppModel, id: PaneActionId, press: Press): Update | undefined => {
  const focused = focusedList(model)
  if (focused !== undefined) {
    return (PANES[focused.pane].on[id] ?? IN_EVERY_LIST[id])?.(focused, press) ?? notHere(focused, id)
  }
  return PANES[focusedPane(model) === "transcript" ? "transcript" : "prompt"].on[id]?.({ model }, press)
}
