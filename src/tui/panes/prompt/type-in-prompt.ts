import { endOf } from "../../editor/buffer.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { andThen, only, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { onPromptInput } from "./on-prompt-key.ts"

/** Goes to the prompt ready to type (`i`, `a`, `A`, `<C-w>i`), where its caret is or at the end of its text. */
export const typeInPrompt = (model: AppModel, where: "here" | "end"): Update => {
  const focused = focusOn(model, "prompt")
  const editor = currentSession(focused)?.prompt.editor
  if (editor?._tag === "Vim") {
    if (editor.vim.mode.name !== "normal") return only(focused)
    const strokes = where === "here" ? ["i"] : ["G", "A"]
    return strokes.reduce<Update>((update, stroke) => andThen(update, (next) => onPromptInput(next, stroke)), only(focused))
  }
  if (editor === undefined || where === "here") return only(focused)
  const standard = { ...editor.standard, caret: endOf(editor.standard.buffer), anchor: undefined }
  return only(
    withCurrent(focused, (session) => ({
      ...session,
      prompt: { ...session.prompt, editor: { _tag: "Standard", standard } }
    }))
  )
}
