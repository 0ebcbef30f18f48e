/** What the application may do to the text besides typing: pastes, recalled prompts, output of filters. */
import { bufferOf } from "../editor/buffer.ts"
import type { Position } from "../editor/lines.ts"
import type { VimContext } from "./context.ts"
import type { VimState } from "./state.ts"
import { beginTurn } from "./step.ts"
import { clamp, lineAt, lineStart, moveTo, replaceSpan } from "./turn.ts"
import { closeStep } from "./undo.ts"

/** The whole text as one change that undo takes back. */
export const replaceText = (
  vim: VimState,
  next: { readonly text: string; readonly caret?: Position },
  context: VimContext
): VimState => {
  const { lines } = bufferOf(next.text)
  const last = lines.length - 1
  const caret = next.caret ?? { line: last, column: lines[last]?.length ?? 0 }
  const changed = replaceSpan(closeStep(beginTurn(vim, context)), { line: 0, count: vim.buffer.count }, lines)
  return closeStep(clamp(moveTo(changed, caret))).vim
}

/** Text put at the caret, as a paste does: never keys, whatever it holds. In insert mode typing goes on behind it. */
export const insertAtCaret = (vim: VimState, text: string, context: VimContext): VimState => {
  const { line, column } = vim.cursor
  const turn = beginTurn(vim, context)
  const whole = lineAt(turn, line)
  const added = text.split("\n")
  const joined = (whole.slice(0, column) + text + whole.slice(column)).split("\n")
  const end = added.length === 1 ? column + text.length : (added.at(-1) ?? "").length
  const changed = replaceSpan(turn, { line, count: 1 }, joined)
  return clamp(moveTo(changed, { line: line + added.length - 1, column: end })).vim
}

/** Lines in place of others, such as the output of the command that `PipeThrough` named. */
export const replaceRange = (
  vim: VimState,
  range: { readonly first: number; readonly last: number; readonly lines: ReadonlyArray<string> },
  context: VimContext
): VimState => {
  const count = range.last - range.first + 1
  const placed = moveTo(closeStep(beginTurn(vim, context)), { line: range.first, column: 0 })
  const changed = replaceSpan(placed, { line: range.first, count }, range.lines)
  return closeStep(clamp(moveTo(changed, lineStart(changed, Math.min(range.first, changed.vim.buffer.count - 1))))).vim
}
