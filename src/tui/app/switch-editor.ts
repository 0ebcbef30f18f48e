import { draftOf, emptyPrompt, showDraft } from "../prompt/model.ts"
import { PROMPT_OPTIONS } from "../vim/context.ts"
import { doing, notify, type Update } from "./change.ts"
import type { AppModel } from "./model.ts"
import type { UiOptions } from "./options.ts"

/** Gives every prompt the keys of that editor; what is typed stays. */
const withEditor = (model: AppModel, editorMode: UiOptions["editorMode"]): AppModel => {
  const empty = emptyPrompt(editorMode === "vim" ? { mode: "vim", options: PROMPT_OPTIONS } : { mode: "normal" })
  const sessions = new Map(
    [...model.sessions].map(
      ([id, session]) => [id, { ...session, prompt: showDraft(empty, draftOf(session.prompt), model.now) }] as const
    )
  )
  return { ...model, sessions, options: { ...model.options, editorMode } }
}

/** Options that came from outside. Which interface it is, was decided when it started. */
export const withOptions = (model: AppModel, change: Partial<UiOptions>): AppModel => {
  const { editorMode } = change
  const { options } = model
  const isOther = editorMode !== undefined && editorMode !== options.editorMode
  const next = isOther ? withEditor(model, editorMode) : model
  const { interface: kept, interfaceBecause } = options
  return { ...next, options: { ...options, ...change, interface: kept, interfaceBecause } }
}

/** Changes between vim and standard keys. */
export const switchEditor = (model: AppModel): Update => {
  const editorMode = model.options.editorMode === "vim" ? "normal" : "vim"
  const next = withEditor(model, editorMode)
  const words = editorMode === "vim" ? "vim keys in the prompt; i inserts, Esc leaves" : "standard keys in the prompt"
  return doing(notify(next, words), { _tag: "SaveOption", name: "editorMode", value: editorMode })
}
