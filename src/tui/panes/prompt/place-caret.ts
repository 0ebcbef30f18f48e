import type { Position } from "../../editor/lines.ts"
import { lastColumn } from "../../editor/clusters.ts"
import { andThen, withoutCommands, type Update } from "../../model/update-result.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { onPromptInput } from "./on-prompt-key.ts"

/** Puts the caret of the prompt where somebody pointed. Vim is left in the state it was in. */

const withVimCursor = (model: AppModel, { line, column }: Position): AppModel =>
  withCurrent(model, (session) => {
    const { editor } = session.prompt
    if (editor._tag !== "Vim") return session
    const text = editor.vim.buffer.at(line)
    const vim = { ...editor.vim, cursor: { line, column: Math.min(column, Math.max(0, lastColumn(text))) } }
    return { ...session, prompt: { ...session.prompt, editor: { _tag: "Vim", vim } } }
  })

export const placeCaret = (model: AppModel, position: Position): Update => {
  const editor = currentSession(model)?.prompt.editor
  if (editor === undefined) return withoutCommands(model)
  if (editor._tag === "Standard") {
    const standard = { ...editor.standard, caret: position, anchor: undefined }
    return withoutCommands(
      withCurrent(model, (session) => ({
        ...session,
        prompt: { ...session.prompt, editor: { _tag: "Standard", standard } }
      }))
    )
  }
  if (editor.vim.mode.name !== "insert") {
    return withoutCommands(editor.vim.mode.name === "normal" ? withVimCursor(model, position) : model)
  }
  const isBehind = position.column >= editor.vim.buffer.at(position.line).length
  return andThen(onPromptInput(model, "<Esc>"), (next) => onPromptInput(withVimCursor(next, position), isBehind ? "a" : "i"))
}
