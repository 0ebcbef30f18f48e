import { keepYank, type RegisterText, readRegister, type Registers } from "../../editor/vim/state/register.ts"
import type { Shape } from "../../editor/selection.ts"
import { withCommands, notify, withoutCommands, type Update } from "../update-result.ts"
import { type AppModel, currentSession, withCurrent } from "../app-model.ts"

/**
 * Registers are one set for the prompt and for all panes: what a pane yanks, the prompt puts. A prompt with
 * standard keys has none, so the last yank is kept beside them.
 */

const registerText = (text: string, type: Shape): RegisterText => ({ type, lines: text.split("\n") })

const withRegisters = (model: AppModel, change: (registers: Registers) => Registers): AppModel =>
  withCurrent(model, (session) => {
    const { editor } = session.prompt
    if (editor._tag === "Standard") return session
    const vim = { ...editor.vim, registers: change(editor.vim.registers) }
    return { ...session, prompt: { ...session.prompt, editor: { _tag: "Vim", vim } } }
  })

const withoutRegister = (model: AppModel): AppModel => ({ ...model, keys: { ...model.keys, register: undefined } })

const isClipboard = (register: string | undefined): boolean => register === "+" || register === "*"

/**
 * Keeps a text in the register that was named, or in the unnamed one, and gives it to the clipboard where that is
 * wanted. Whole lines come without the end of the last one, which the clipboard gets as vim gives it.
 */
export const yank = (model: AppModel, text: string, of: { readonly what: string; readonly type?: Shape }): Update => {
  const { register } = model.keys
  const calm = withoutRegister(model)
  if (register === "_") return withoutCommands(calm)
  const kept = withRegisters(calm, (registers) => keepYank(registers, register, registerText(text, of.type ?? "char")))
  const isCopied = isClipboard(register) || model.options.clipboard === "unnamed"
  return isCopied
    ? withCommands({ ...kept, yanked: text }, { _tag: "Copy", text: of.type === "line" ? `${text}\n` : text, what: of.what })
    : withoutCommands(notify({ ...kept, yanked: text }, `yanked ${of.what}`))
}

/** The text that a put takes, and the model in which no register is named any more. */
export const takeRegister = (model: AppModel): { readonly model: AppModel; readonly text: string } => {
  const editor = currentSession(model)?.prompt.editor
  const kept = editor?._tag === "Vim" ? readRegister(editor.vim.registers, model.keys.register) : undefined
  return { model: withoutRegister(model), text: kept === undefined ? model.yanked : kept.lines.join("\n") }
}

export const nameRegister = (model: AppModel, register: string): AppModel => ({
  ...model,
  keys: { ...model.keys, register }
})
