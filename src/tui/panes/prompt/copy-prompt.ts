import { yankToClipboard } from "../../prompt/prompt-actions.ts"
import { onPromptAct } from "./on-prompt-key.ts"
import { selectionOf, textBetween } from "../../editor/standard/state.ts"
import { expandChips } from "../../prompt/chip.ts"
import { withCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"

/** Copies what is selected in the prompt, pastes in full, and lets the selection go; undefined where there is none. */
export const copyFromPrompt = (model: AppModel): Update | undefined => {
  const prompt = model.focus === "prompt" ? currentSession(model)?.prompt : undefined
  if (prompt === undefined) return undefined
  const { editor, chips } = prompt
  if (editor._tag === "Vim") {
    if (editor.vim.mode.name !== "visual") return undefined
    return onPromptAct(model, yankToClipboard)
  }
  const range = selectionOf(editor.standard)
  if (range === undefined) return undefined
  const standard = { ...editor.standard, anchor: undefined }
  return withCommands(
    withCurrent(model, (each) => ({ ...each, prompt: { ...each.prompt, editor: { _tag: "Standard", standard } } })),
    { _tag: "Copy", text: expandChips(textBetween(editor.standard.buffer, range), chips), what: "the selection" }
  )
}
