/** Moving by the rows on screen; past the first and the last one history begins. */
import { clusters } from "../screen/cell/width.ts"
import type { Position } from "../editor/lines.ts"
import { moveCaret } from "../editor/standard/state.ts"
import { PLAIN_CONTEXT } from "../editor/vim/state/context.ts"
import type { VimState } from "../editor/vim/state/state.ts"
import { step } from "../editor/vim/step.ts"
import { bufferIn, caretIn, type PromptEditor } from "./editor.ts"
import type { PromptModel } from "./model.ts"
import { layoutPrompt, offsetIn, type PromptLayout } from "./wrap.ts"

export const layoutOf = ({ editor, chips }: PromptModel, width: number): PromptLayout =>
  layoutPrompt(bufferIn(editor), caretIn(editor), { width, chips })

const pressTimes = (vim: VimState, stroke: string, times: number): VimState =>
  Array.from({ length: times }).reduce<VimState>((state) => step(state, stroke, PLAIN_CONTEXT).vim, vim)

/** In INSERT the caret goes by vim's own arrow keys, so that undo and repeat see what they see in vim. */
const arrowTo = (start: VimState, target: Position): VimState => {
  const rows = target.line - start.cursor.line
  const vim = pressTimes(start, rows < 0 ? "<Up>" : "<Down>", Math.abs(rows))
  const text = vim.buffer.at(vim.cursor.line)
  const { column } = vim.cursor
  const between = clusters(text.slice(Math.min(column, target.column), Math.max(column, target.column))).length
  return pressTimes(vim, target.column < column ? "<Left>" : "<Right>", between)
}

const place = (editor: PromptEditor, target: Position, extend: boolean): PromptEditor =>
  editor._tag === "Vim"
    ? { _tag: "Vim", vim: arrowTo(editor.vim, target) }
    : { _tag: "Standard", standard: moveCaret(editor.standard, target, extend) }

export interface RowMove {
  readonly by: -1 | 1
  readonly width: number
  /** Keeps the selection going. */
  readonly extend: boolean
}

/** The prompt with the caret one row up or down; undefined when it stands on the first or last row already. */
export const moveByRow = (prompt: PromptModel, { by, width, extend }: RowMove): PromptModel | undefined => {
  const { rows, caret } = layoutOf(prompt, width)
  const row = rows[caret.row + by]
  if (row === undefined) return undefined
  const goal = prompt.goal ?? caret.column
  const target = { line: row.line, column: offsetIn(rows, caret.row + by, goal) }
  return { ...prompt, editor: place(prompt.editor, target, extend), goal }
}
