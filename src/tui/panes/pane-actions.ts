import { runTranscriptAction } from "./transcript/transcript-actions.ts"
import { onTranscriptAction } from "./transcript/on-transcript-key.ts"
import { ACTIONS } from "../keymap/actions/action-tables.ts"
import { LIST_ACTIONS, type ListRequest } from "./list/list-actions.ts"
import { pickerWith } from "../model/overlay.ts"
import { onActivityKey } from "./side/activity-actions.ts"
import { focusOn, focusedPane } from "../model/windows/layout-and-focus.ts"
import { notify, only, type Update } from "../model/update-result.ts"
import { onChangesKey } from "./changes/changes-actions.ts"
import { type FocusedList, withList } from "./list/focused-list.ts"
import { focusedList } from "./focused-list.ts"
import { insertIntoPrompt } from "../model/prompt/insert-into-prompt.ts"
import { ITEM_KEYS } from "./item-actions.ts"
import { openLine } from "./line-input.ts"
import type { AppModel } from "../model/app-model.ts"
import { openPicker } from "../model/open-overlay.ts"
import { onTasksKey } from "./side/tasks-actions.ts"
import { typeInPrompt } from "./prompt/type-in-prompt.ts"
import { nameRegister, takeRegister, yank } from "../model/prompt/shared-registers.ts"

/** Keys of the list panes: motions and searches alike in all of them, then the letters of each. */

/** Actions that mean the same in every pane, the transcript included. */
const onAnyPane = (model: AppModel, action: string, argument: string): Update | undefined => {
  switch (action) {
    case "pane:search":
      return only(openLine(model, "/"))
    case "pane:searchBack":
      return only(openLine(model, "?"))
    case "pane:commandLine":
      return only(openLine(model, ":"))
    case "pane:keys":
      return only(openPicker(model, "help", pickerWith(true)))
    case "pane:leave":
    case "transcript:exit":
      return only(focusOn(model, "prompt"))
    case "pane:promptEnd":
      return typeInPrompt(model, "end")
    case "pane:register":
      return only(nameRegister(model, argument))
    case "transcript:putInPrompt": {
      const { model: calm, text } = takeRegister(model)
      return text === "" ? only(notify(calm, "nothing was yanked yet")) : typeInPrompt(insertIntoPrompt(calm, text), "here")
    }
    default:
      return undefined
  }
}

const onLetter = (
  model: AppModel,
  focused: FocusedList,
  at: { readonly action: string; readonly count: number }
): Update | undefined => {
  const { pane, session, item } = focused
  switch (pane) {
    case "activity":
      return onActivityKey(model, session, at.action)
    case "changes":
      return onChangesKey(model, focused, at)
    case "tasks":
      return onTasksKey(model, session, { action: at.action, item })
    default:
      return item === undefined ? undefined : ITEM_KEYS[pane]?.(model, { action: at.action, item, session })
  }
}

const notHere = (model: AppModel, { pane, item }: FocusedList, action: string): Update =>
  only(
    notify(
      model,
      item === undefined
        ? `there is nothing in ${pane} yet`
        : `not in ${pane}: ${ACTIONS.get(action)?.description ?? action}`
    )
  )

/** An action in a list pane. */
const onListAction = (model: AppModel, action: string, request: ListRequest): Update => {
  const focused = focusedList(model)
  if (focused === undefined) return onAnyPane(model, action, request.argument) ?? only(model)
  const common = LIST_ACTIONS[action]
  if (common !== undefined) {
    const { list, notice } = common(focused.list, request, focused.context)
    const moved = withList(model, focused.pane, list)
    return only(notice === undefined ? moved : notify(moved, notice))
  }
  if (action === "pane:yank") {
    return focused.item === undefined
      ? notHere(model, focused, action)
      : yank(model, focused.item.source, { what: "the item" })
  }
  return (
    onAnyPane(model, action, request.argument) ??
    onLetter(model, focused, { action, count: request.count ?? 1 }) ??
    notHere(model, focused, action)
  )
}

/** An action in the pane that has the keyboard. */
export const onPaneAction = (model: AppModel, action: string, request: ListRequest): Update =>
  focusedPane(model) === "transcript"
    ? (onTranscriptAction(model, action, request) ??
      onAnyPane(model, action, request.argument) ??
      runTranscriptAction(model, action))
    : onListAction(model, action, request)
