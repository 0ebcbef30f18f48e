import { type PromptModel, restoreDraft, savedDraftOf } from "../../prompt/model.ts"
import { withCommands, notify, type Update } from "../update-result.ts"
import type { AppModel } from "../app-model.ts"
import { type UiOptions, vimOptionsOf } from "../ui-options.ts"
import { newPrompt } from "./session-prompt.ts"

const withPrompts = (model: AppModel, change: (prompt: PromptModel) => PromptModel): AppModel => ({
  ...model,
  sessions: new Map([...model.sessions].map(([id, session]) => [id, { ...session, prompt: change(session.prompt) }]))
})

/** Gives every prompt the keys of that editor; what is typed stays. */
const withEditor = (model: AppModel, editorMode: UiOptions["editorMode"]): AppModel => {
  const chosen = { ...model, options: { ...model.options, editorMode } }
  const empty = newPrompt(chosen)
  return withPrompts(chosen, (prompt) => restoreDraft(empty, savedDraftOf(prompt), model.now))
}

/** What vim goes by may change while it is in use. */
const withVimOptions = (model: AppModel): AppModel => {
  const options = vimOptionsOf(model.options)
  return withPrompts(model, (prompt) =>
    prompt.editor._tag === "Vim" ? { ...prompt, editor: { _tag: "Vim", vim: { ...prompt.editor.vim, options } } } : prompt
  )
}

/** Options that came from outside. Which interface it is, was decided when it started. */
export const withOptions = (model: AppModel, change: Partial<UiOptions>): AppModel => {
  const { editorMode } = change
  const { options } = model
  const isOther = editorMode !== undefined && editorMode !== options.editorMode
  const next = isOther ? withEditor(model, editorMode) : model
  const { interface: kept, interfaceBecause } = options
  const optionsSet = new Map([...model.optionsSet].filter(([name]) => !Object.hasOwn(change, name)))
  return withVimOptions({ ...next, optionsSet, options: { ...options, ...change, interface: kept, interfaceBecause } })
}

/** Changes between vim and standard keys. */
export const switchEditor = (model: AppModel): Update => {
  const editorMode = model.options.editorMode === "vim" ? "normal" : "vim"
  const next = withEditor(model, editorMode)
  const words = editorMode === "vim" ? "vim keys in the prompt; i inserts, Esc leaves" : "standard keys in the prompt"
  return withCommands(notify(next, words), { _tag: "SaveOption", name: "editorMode", value: editorMode })
}
