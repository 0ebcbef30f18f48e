/** Joining lines. */
import { sliceLines } from "../editor/buffer.ts"
import type { VimOptions } from "./context.ts"
import { clamp, moveTo, replaceSpan, setMarks, type Turn } from "./turn.ts"

export interface JoinRule {
  /** Blanks at the seam are made one; else lines are put together as they are. */
  readonly spaces: boolean
  readonly options: VimOptions
}

/** The blanks between what is joined so far and the next line; `piece` is the line before, without its indent. */
const seam = (joined: string, piece: string, rule: { next: string; joinspaces: boolean }): string => {
  const { next, joinspaces } = rule
  if (next === "" || next.startsWith(")") || joined === "" || piece.endsWith("\t")) return ""
  const isOpen = piece.endsWith(" ")
  const own = isOpen ? "" : " "
  const end = isOpen ? piece.at(-2) : piece.at(-1)
  return joinspaces && end !== undefined && ".!?".includes(end) ? `${own} ` : own
}

/** The joined text and the offset of the last seam. */
export const joinTexts = (lines: ReadonlyArray<string>, rule: JoinRule): { text: string; seam: number } => {
  let text = lines[0] ?? ""
  let piece = text
  let at = text.length
  for (const line of lines.slice(1)) {
    const next = rule.spaces ? line.replace(/^[ \t]+/, "") : line
    at = text.length
    text += (rule.spaces ? seam(text, piece, { next, joinspaces: rule.options.joinspaces }) : "") + next
    piece = next
  }
  return { text, seam: at }
}

export const joinLines = (turn: Turn, span: { line: number; count: number }, spaces: boolean): Turn => {
  const { line, count } = span
  const lines = sliceLines(turn.vim.buffer, line, line + count)
  const { text, seam: column } = joinTexts(lines, { spaces, options: turn.vim.options })
  const joined = replaceSpan(turn, { line, count }, [text])
  const marks = { "[": { line, column: lines[0]?.length ?? 0 }, "]": { line, column: text.length } }
  // The lines that went away are the last change, and that may be behind the end of the text.
  return clamp(setMarks(moveTo(joined, { line, column }), { ...marks, ".": { line: line + 1, column: 0 } }))
}
