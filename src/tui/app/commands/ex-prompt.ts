import { clusters } from "../../screen/cell/width.ts"
import { andThen, notify, only, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import { onPromptInput } from "../../panes/prompt/on-prompt-key.ts"

/** A command about the prompt's own text, typed elsewhere: the vim engine of the prompt runs it. */
export const inPrompt = (model: AppModel, line: string): Update => {
  const editor = currentSession(model)?.prompt.editor
  if (editor?._tag !== "Vim") {
    return only(notify(model, `:${line} is about the prompt's text and needs vim keys there; /vim turns them on`))
  }
  const isTyping = editor.vim.mode.name === "insert"
  const strokes = [...(isTyping ? ["<Esc>"] : []), ":", ...clusters(line), "<CR>", ...(isTyping ? ["a"] : [])]
  return strokes.reduce<Update>((update, stroke) => andThen(update, (next) => onPromptInput(next, stroke)), only(model))
}
