import { hintFor } from "../../keymap/help.ts"
import { modeName } from "../../editor/vim/mode.ts"
import { attentionOf } from "../../model/questions/attention.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import type { AppModel } from "../../model/app-model.ts"
import { waitingCount } from "../../model/questions/overlay-choice.ts"
import { nameOf, type SessionModel } from "../../model/session-model.ts"

/** What the prompt's border says: the vim mode, what is half typed, a macro being recorded. */

/** The state of a vim prompt; empty for standard keys, and where the user does not want to see it. */
export const modeOf = ({ options }: AppModel, { prompt }: SessionModel): string =>
  prompt.editor._tag === "Standard" || !options.showVimMode ? "" : modeName(prompt.editor.vim)

/** Keys of a command that is not complete, or the search line as it is typed. */
const halfTyped = ({ prompt }: SessionModel): string => {
  if (prompt.editor._tag === "Standard") return ""
  const { mode, pending } = prompt.editor.vim
  return mode.name === "commandLine" ? `${mode.line.prompt}${mode.line.text}` : pending.join("")
}

const recordingOf = ({ prompt }: SessionModel): string => {
  const recording = prompt.editor._tag === "Vim" ? prompt.editor.vim.recording : undefined
  return recording === undefined ? "" : `recording @${recording.register}`
}

/** Whom the text is for, as soon as there is more than one. */
const addressee = ({ sessions }: AppModel, session: SessionModel): string =>
  sessions.size > 1 ? `to ${nameOf(session)}` : ""

export const promptLabel = (model: AppModel, session: SessionModel): string => {
  const input = session.prompt.mode === "prompt" ? addressee(model, session) : session.prompt.mode
  const parts = [modeOf(model, session), recordingOf(session), halfTyped(session), input].filter((part) => part !== "")
  return parts.length === 0 ? "prompt" : parts.join(" · ")
}

/** How many questions wait unseen, and the key that shows them; empty when none does. */
export const waitingLabel = (model: AppModel): string => {
  const waiting = waitingCount(attentionOf(model))
  const key = waiting === 0 ? undefined : hintFor(model.keys.keymap, "window:approvals", activeContexts(model))
  return waiting === 0 ? "" : `${waiting} waiting${key === undefined ? "" : ` (${key})`}`
}
