import { isEmptyEditor } from "../../prompt/editor.ts"
import { withoutSelection } from "../../transcript/list/commands/selection.ts"
import { focusedPane, focusOn, settleFocus } from "../../model/windows/layout-and-focus.ts"
import { only, type Update } from "../../model/update-result.ts"
import { type EscapeSituation, onEscape } from "./escape-order.ts"
import { clearPromptIntoHistory, interruptSession } from "./interrupt.ts"
import { cancelLine } from "../../panes/line-input.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { onOverlayKey } from "../../overlays/on-overlay-key.ts"
import { onPromptInput } from "../../panes/prompt/on-prompt-key.ts"
import { openSelector } from "../../overlays/pickers/open-selector.ts"
import { shownOverlay } from "../../overlays/shown-overlay.ts"
import { isRunning } from "../../model/session-model.ts"

/** Gathers what Escape could leave, and leaves the first of it. */

const DOUBLE_PRESS_MS = 800

const situationOf = (model: AppModel): EscapeSituation => {
  const session = currentSession(model)
  const prompt = session?.prompt
  const isPrompt = model.focus === "prompt"
  const vim = isPrompt && prompt?.editor._tag === "Vim" ? prompt.editor.vim : undefined
  const isHalfTyped =
    (vim?.pending.length ?? 0) > 0 || (focusedPane(model) === "transcript" && session?.list.operator !== undefined)
  return {
    pendingKeys: model.keys.pending.length > 0 || model.keys.count !== "" || model.keys.waiting !== undefined || isHalfTyped,
    commandLine: model.line !== undefined || vim?.mode.name === "commandLine",
    overlay: shownOverlay(model) !== undefined,
    completion: isPrompt && prompt?.completion.menu !== undefined,
    historySearch: false,
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

const resetPending = (model: AppModel): Update => {
  const calm = { ...model, keys: { ...model.keys, pending: [], count: "", waiting: undefined } }
  const quiet = withCurrent(calm, (session) => ({ ...session, list: { ...session.list, operator: undefined } }))
  const isChord = model.keys.pending.length > 0 || model.keys.count !== "" || model.keys.waiting !== undefined
  return model.focus === "prompt" && !isChord ? onPromptInput(quiet, "<Esc>") : only(quiet)
}

export const onEscapeKey = (model: AppModel): Update => {
  const action = onEscape(situationOf(model))
  const pressed = {
    ...model,
    presses: { ...model.presses, escapeAt: action === "nothing" ? model.now : Number.NEGATIVE_INFINITY }
  }
  const overlay = shownOverlay(pressed)
  switch (action) {
    case "resetPending":
      return resetPending(pressed)
    case "cancelCommandLine":
      return pressed.line === undefined ? onPromptInput(pressed, "<Esc>") : only(cancelLine(pressed, pressed.line))
    case "leaveOverlay":
      return overlay === undefined ? only(pressed) : onOverlayKey(pressed, overlay, "<Esc>")
    case "dismissCompletion":
    case "leaveInsert":
    case "leaveInputMode":
      return onPromptInput(pressed, "<Esc>")
    case "clearSelection":
      return only(withCurrent(pressed, (session) => ({ ...session, list: withoutSelection(session.list) })))
    case "unzoom":
      return only(settleFocus({ ...pressed, layout: { ...pressed.layout, zoomed: undefined, temporary: undefined } }))
    case "focusPrompt":
      return only(focusOn(pressed, "prompt"))
    case "interrupt":
      return interruptSession(pressed, pressed.current)
    case "clearPrompt":
      return clearPromptIntoHistory(pressed)
    case "openSelector":
      return only(openSelector(pressed))
    case "cancelHistorySearch":
    case "nothing":
      return only(pressed)
  }
}
