import type { AppModel } from "./model.ts"
import { nameOf, type SessionModel } from "./session-model.ts"

/** What the prompt's border says: the vim mode, what is half typed, a macro being recorded. */
const MODES = { normal: "NORMAL", insert: "INSERT", visual: "VISUAL", commandLine: "COMMAND" } as const

/** The state of a vim prompt; empty for standard keys. */
export const modeName = ({ prompt }: SessionModel): string => {
  if (prompt.editor._tag === "Standard") return ""
  const { mode } = prompt.editor.vim
  if (mode.name === "insert" && mode.session.replace) return "REPLACE"
  if (mode.name !== "visual") return MODES[mode.name]
  return mode.shape === "line" ? "VISUAL LINE" : mode.shape === "block" ? "VISUAL BLOCK" : "VISUAL"
}

/** Whom the text is for, as soon as there is more than one. */
const addressee = ({ sessions }: AppModel, session: SessionModel): string => (sessions.size > 1 ? `to ${nameOf(session)}` : "")

export const promptLabel = (model: AppModel, session: SessionModel): string => {
  const { prompt } = session
  const mode = modeName(session)
  const recording = prompt.editor._tag === "Vim" && prompt.editor.vim.recording !== undefined ? `recording @${prompt.editor.vim.recording.register}` : ""
  const pending = prompt.editor._tag === "Vim" ? prompt.editor.vim.pending.join("") : ""
  const input = prompt.mode === "prompt" ? addressee(model, session) : prompt.mode
  const parts = [mode, recording, pending, input].filter((part) => part !== "")
  return parts.length === 0 ? "prompt" : parts.join(" · ")
}
