/** Joining lines. */
import { sliceLines } from "../editor/buffer.ts"
import type { VimOptions } from "./context.ts"
import { clamp, moveTo, replaceSpan, setMarks, type Turn } from "./turn.ts"

export interface JoinRule {
  /** Blanks at the seam are made one; else lines are put together as they are. */
  readonly spaces: boolean
  readonly options: VimOptions
}

const seam = (before: string, next: string, joinspaces: boolean): string => {
  if (next === "" || next.startsWith(")") || before === "" || before.endsWith("\t")) return ""
  const ends = before.endsWith(" ") ? before.slice(0, -1) : before
  const own = before.endsWith(" ") ? "" : " "
  // A sign alone on its line ends no sentence.
  return joinspaces && /.[.!?]$/.test(ends) ? `${own} ` : own
}

/** The joined text and the offset of the last seam. */
export const joinTexts = (lines: ReadonlyArray<string>, rule: JoinRule): { text: string; seam: number } => {
  let text = lines[0] ?? ""
  let last = ""
  let at = text.length
  for (const line of lines.slice(1)) {
    const next = rule.spaces ? line.replace(/^[ \t]+/, "") : line
    at = text.length
    last = rule.spaces ? seam(text, next, rule.options.joinspaces) : ""
    text += last + next
  }
  return { text, seam: at }
}

export const joinLines = (turn: Turn, span: { line: number; count: number }, spaces: boolean): Turn => {
  const { line, count } = span
  const lines = sliceLines(turn.vim.buffer, line, line + count)
  const { text, seam: column } = joinTexts(lines, { spaces, options: turn.vim.options })
  const joined = replaceSpan(turn, { line, count }, [text])
  const marks = { "[": { line, column: lines[0]?.length ?? 0 }, "]": { line, column } }
  // The lines that went away are the last change, and that may be behind the end of the text.
  return clamp(setMarks(moveTo(joined, { line, column }), { ...marks, ".": { line: line + 1, column: 0 } }))
}
