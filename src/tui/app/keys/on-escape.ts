import { PROMPT_ACTIONS, leaveMode } from "../../prompt/prompt-actions.ts"
import { onPromptAct } from "../../panes/prompt/on-prompt-key.ts"
import { listCalmed } from "../../transcript/list/update.ts"
import { isEmptyEditor } from "../../prompt/editor.ts"
import { focusedPane, focusOn, restoreFocus } from "../../model/windows/layout-and-focus.ts"
import { withoutCommands, type Update } from "../../model/update-result.ts"
import { type EscapeSituation, onEscape } from "./escape-order.ts"
import { clearPromptIntoHistory, interruptSession } from "./interrupt.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { openSelector } from "../../overlays/pickers/picker-overlay.ts"
import { isRunning } from "../../model/session-model.ts"

/** Gathers what Escape could leave, and leaves the first of it. */

const DOUBLE_PRESS_MS = 800

const situationOf = (model: AppModel): EscapeSituation => {
  const session = currentSession(model)
  const prompt = session?.prompt
  const isPrompt = model.focus === "prompt"
  const vim = isPrompt && prompt?.editor._tag === "Vim" ? prompt.editor.vim : undefined
  return {
    operator: focusedPane(model) === "transcript" && session?.list.operator !== undefined,
    completion: isPrompt && prompt?.completion.menu !== undefined,
    editing: vim !== undefined && vim.mode.name !== "normal",
    selection: session?.list.selection !== undefined,
    zoomed: model.layout.zoomed !== undefined || model.layout.temporary !== undefined,
    inputModeOnEmpty: isPrompt && prompt !== undefined && prompt.mode !== "prompt" && isEmptyEditor(prompt.editor),
    outsidePrompt: !isPrompt,
    running: session !== undefined && (isRunning(session) || session.shells.length > 0),
    secondPress: model.now - model.presses.escapeAt < DOUBLE_PRESS_MS,
    promptEmpty: prompt === undefined || isEmptyEditor(prompt.editor)
  }
}

const calmed = (model: AppModel): Update =>
  withoutCommands(withCurrent(model, (session) => ({ ...session, list: listCalmed(session.list) })))

export const onEscapeKey = (model: AppModel): Update => {
  const action = onEscape(situationOf(model))
  const pressed = {
    ...model,
    presses: { ...model.presses, escapeAt: action === "nothing" ? model.now : Number.NEGATIVE_INFINITY }
  }
  switch (action) {
    case "dropOperator":
    case "clearSelection":
      return calmed(pressed)
    case "dismissCompletion":
      return onPromptAct(pressed, PROMPT_ACTIONS["autocomplete:dismiss"]) ?? withoutCommands(pressed)
    case "leaveInsert":
    case "leaveInputMode":
      return onPromptAct(pressed, leaveMode) ?? withoutCommands(pressed)
    case "unzoom":
      return withoutCommands(
        restoreFocus({ ...pressed, layout: { ...pressed.layout, zoomed: undefined, temporary: undefined } })
      )
    case "focusPrompt":
      return withoutCommands(focusOn(pressed, "prompt"))
    case "interrupt":
      return interruptSession(pressed, pressed.current)
    case "clearPrompt":
      return clearPromptIntoHistory(pressed)
    case "openSelector":
      return withoutCommands(openSelector(pressed))
    case "nothing":
      return withoutCommands(pressed)
  }
}
