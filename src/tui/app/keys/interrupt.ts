import { clearPrompt } from "../../prompt/recall.ts"
import { isEmptyEditor } from "../../prompt/editor.ts"
import { displayOf } from "../../prompt/submit.ts"
import { selectedText } from "../../transcript/list/commands/selection.ts"
import { withoutSelection } from "../../transcript/list/commands/selection.ts"
import { withCommands, notify, withoutCommands, type Update } from "../../model/update-result.ts"
import { copyFromPrompt } from "../../panes/prompt/copy-prompt.ts"
import { requestExit } from "../../overlays/dialogs/request-exit.ts"
import { type AppModel, currentSession, withCurrent, withSession } from "../../model/app-model.ts"
import { isRunning, type SessionModel } from "../../model/session-model.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"

/** Ctrl+C and Ctrl+D: copy, interrupt, clear, and only then leave. */

const DOUBLE_PRESS_MS = 800
const FORCE_WITHIN_MS = 2_000
const FORCE_PRESSES = 3

/** Shown at once, before the loop has stopped. */
export const interruptSession = (model: AppModel, id: string): Update =>
  withCommands(
    withSession(model, id, (session) =>
      isRunning(session) ? { ...session, run: { ...session.run, interrupting: true } } : session
    ),
    { _tag: "Interrupt", session: id }
  )

/** History keeps it as it keeps what is sent. */
const cleared = (model: AppModel, session: SessionModel): Update => {
  const { display, chips } = displayOf(session.prompt)
  return withCommands(
    withCurrent(model, (each) => ({ ...each, prompt: clearPrompt(each.prompt) })),
    { _tag: "Remember", session: session.id, display, chips }
  )
}

export const clearPromptIntoHistory = (model: AppModel): Update => {
  const session = currentSession(model)
  return session === undefined ? withoutCommands(model) : cleared(model, session)
}

const exitSoon = (model: AppModel, key: "Ctrl+C" | "Ctrl+D"): Update => {
  if (model.now - model.presses.exitAt < DOUBLE_PRESS_MS) return requestExit(model)
  const asked = { ...model, presses: { ...model.presses, exitAt: model.now } }
  return withoutCommands(notify(asked, `press ${key} again to leave`, { key: "exit", timeoutMs: DOUBLE_PRESS_MS }))
}

const copySelection = (model: AppModel, session: SessionModel): Update | undefined => {
  const { selection } = session.list
  if (selection?.by !== "mouse") return undefined
  const text = selectedText(session.list, selection, transcriptContextOf(model, session))
  return withCommands(
    withCurrent(model, (each) => ({ ...each, list: withoutSelection(each.list) })),
    { _tag: "Copy", text, what: "the selection" }
  )
}

/** Somebody who presses it again and again wants out, whatever hangs. */
const isForced = (presses: ReadonlyArray<number>, now: number): boolean =>
  presses.filter((at) => now - at < FORCE_WITHIN_MS).length >= FORCE_PRESSES

export const onInterruptKey = (model: AppModel): Update => {
  const interrupts = [...model.presses.interrupts.slice(-4), model.now]
  const pressed = { ...model, presses: { ...model.presses, interrupts } }
  const session = currentSession(pressed)
  if (session === undefined) return withCommands(pressed, { _tag: "Quit", code: 130 })
  if (isRunning(session) && isForced(interrupts, model.now)) return withCommands(pressed, { _tag: "Quit", code: 130 })
  const copied = copySelection(pressed, session) ?? copyFromPrompt(pressed)
  if (copied !== undefined) return copied
  if (isRunning(session) || session.shells.length > 0) return interruptSession(pressed, session.id)
  return isEmptyEditor(session.prompt.editor) ? exitSoon(pressed, "Ctrl+C") : cleared(pressed, session)
}

/** Undefined where Ctrl+D has another meaning: it deletes text, or scrolls a pane. */
export const onExitKey = (model: AppModel): Update | undefined => {
  const session = currentSession(model)
  if (session === undefined) return withCommands(model, { _tag: "Quit", code: 0 })
  return model.focus === "prompt" && isEmptyEditor(session.prompt.editor) ? exitSoon(model, "Ctrl+D") : undefined
}
