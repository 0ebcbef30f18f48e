import { openPickerAt } from "../../overlays/pickers/picker-overlay.ts"
import type { ActionId } from "../../keymap/actions/action-tables.ts"
import { followEnd } from "../../model/conversation/scroll-to-end.ts"
import { onEscapeKey } from "./on-escape.ts"
import { insertIntoPrompt } from "../../model/prompt/insert-into-prompt.ts"
import { takeRegister, nameRegister } from "../../model/prompt/shared-registers.ts"
import type { Handler, Handlers } from "../../model/action.ts"
import { activitiesOf } from "../../panes/side/activity.ts"
import { PROMPT_ACTIONS } from "../../prompt/prompt-actions.ts"
import { onPromptAct } from "../../panes/prompt/on-prompt-key.ts"
import { interruptSession } from "./interrupt.ts"
import { isRunning } from "../../model/session-model.ts"
import { nextMode } from "../../../core/permission/mode.ts"
import { textIn, caretIn, isEmptyEditor } from "../../prompt/editor.ts"
import { expandChips } from "../../prompt/chip.ts"
import { type Update, withoutCommands, withCommands, notify } from "../../model/update-result.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"

/** Actions that belong to the prompt, but need more than it. */

const editDraft = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  const { editor, chips } = session.prompt
  return withCommands(model, {
    _tag: "EditDraft",
    session: session.id,
    text: expandChips(textIn(editor), chips),
    line: caretIn(editor).line + 1
  })
}

const cycleMode = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  return withCommands(model, { _tag: "SetMode", session: session.id, mode: nextMode(session.state.permission) })
}

const toggleThinking = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  const on = session.state.config.choice.thinking?.type === "disabled"
  return withCommands(
    notify(model, on ? "the model thinks before it answers" : "the model answers without thinking first"),
    {
      _tag: "SetThinking",
      session: session.id,
      on
    }
  )
}

/** What is typed goes before everything that runs or waits; with nothing typed, what waits goes. */
const sendNow = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined) return withoutCommands(model)
  if (isEmptyEditor(session.prompt.editor))
    return isRunning(session) ? interruptSession(model, session.id) : withoutCommands(model)
  const [next, cmds] = onPromptAct(model, PROMPT_ACTIONS["chat:submit"]) ?? withoutCommands(model)
  return [next, cmds.map((cmd) => (cmd._tag === "Submit" ? { ...cmd, priority: "now" } : cmd))]
}

/** The command of the model that runs in the foreground; without one the key moves the caret. */
const moveToBackground = (model: AppModel): Update | undefined => {
  const session = currentSession(model)
  const running = session === undefined ? undefined : activitiesOf(session).find(({ state }) => state === "running")
  return session === undefined || running === undefined
    ? undefined
    : withCommands(model, { _tag: "MoveToBackground", session: session.id, callId: running.callId })
}

const insertRegister: Handler<AppModel> = (model, { argument }) => {
  const { model: calm, text } = takeRegister(nameRegister(model, argument))
  return withoutCommands(text === "" ? notify(calm, "nothing was yanked there yet") : insertIntoPrompt(calm, text))
}

const redraw: Handler<AppModel> = (model) => withCommands(model, { _tag: "Redraw" })

export const CHAT_HANDLERS = {
  "chat:cancel": onEscapeKey,
  "chat:clearInput": redraw,
  "chat:clearScreen": (model) => withoutCommands(followEnd(model)),
  "chat:cycleMode": cycleMode,
  "chat:modelPicker": (model) => withoutCommands(openPickerAt(model, "model")),
  "chat:thinkingToggle": toggleThinking,
  "chat:sendNow": sendNow,
  "chat:externalEditor": editDraft,
  "chat:imagePaste": (model) => withCommands(model, { _tag: "PasteImage", session: model.current }),
  "chat:insertRegister": insertRegister,
  "task:background": moveToBackground
} as const satisfies Partial<Handlers<ActionId, AppModel>>
