import { draftOf, emptyPrompt, showDraft } from "../prompt/model.ts"
import { PROMPT_OPTIONS } from "../vim/context.ts"
import { doing, notify, type Update } from "./change.ts"
import type { AppModel } from "./model.ts"

/** Changes between vim and standard keys in every prompt; what is typed stays. */
export const switchEditor = (model: AppModel): Update => {
  const editorMode = model.options.editorMode === "vim" ? "normal" : "vim"
  const empty = emptyPrompt(editorMode === "vim" ? { mode: "vim", options: PROMPT_OPTIONS } : { mode: "normal" })
  const sessions = new Map(
    [...model.sessions].map(
      ([id, session]) => [id, { ...session, prompt: showDraft(empty, draftOf(session.prompt), model.now) }] as const
    )
  )
  const next = { ...model, sessions, options: { ...model.options, editorMode } as const }
  const words = editorMode === "vim" ? "vim keys in the prompt; i inserts, Esc leaves" : "standard keys in the prompt"
  return doing(notify(next, words), { _tag: "SaveOption", name: "editorMode", value: editorMode })
}
