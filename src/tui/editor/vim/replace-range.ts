/** What the application may do to the text besides typing: putting in what a filter printed. */
import type { VimContext } from "./state/context.ts"
import type { VimState } from "./state/state.ts"
import { beginTurn } from "./step.ts"
import { clamp, lineStart, moveTo, replaceSpan } from "./engine/running-command.ts"
import { closeStep } from "./engine/undo.ts"

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
