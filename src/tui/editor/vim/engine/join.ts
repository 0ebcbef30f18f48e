/** Joining lines. */
import { sliceLines } from "../../buffer.ts"
import { byteLength } from "../text/bytes.ts"
import { carryMarks } from "./carry-marks.ts"
import type { VimOptions } from "../state/context.ts"
import { clamp, moveTo, replaceSpan, setMarks, type Turn } from "./running-command.ts"

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

/** Where the text of a line went: its offset in the joined text, and the blanks that it lost. All in bytes. */
export interface JoinedPiece {
  readonly at: number
  /** Where the blanks before it begin. */
  readonly seam: number
  readonly lost: number
}

export interface Joined {
  readonly text: string
  /** The offset of the last seam. */
  readonly seam: number
  /** One for every line. */
  readonly pieces: ReadonlyArray<JoinedPiece>
}

export const joinTexts = (lines: ReadonlyArray<string>, rule: JoinRule): Joined => {
  let text = lines[0] ?? ""
  let piece = text
  let at = text.length
  // Counted on: measuring the whole text for every line would cost the square of it.
  let bytes = byteLength(text)
  const pieces: Array<JoinedPiece> = [{ at: 0, seam: 0, lost: 0 }]
  for (const line of lines.slice(1)) {
    const next = rule.spaces ? line.replace(/^[ \t]+/, "") : line
    at = text.length
    const blanks = rule.spaces ? seam(text, piece, { next, joinspaces: rule.options.joinspaces }) : ""
    pieces.push({ at: bytes + blanks.length, seam: bytes, lost: line.length - next.length })
    text += blanks + next
    bytes += blanks.length + byteLength(next)
    piece = next
  }
  return { text, seam: at, pieces }
}

/** Where a byte of a line went in the joined text; one of the blanks that were lost goes to the seam or further back. */
export const joinedByte = ({ at, seam: from, lost }: JoinedPiece, byte: number): number => {
  const fewer = lost - (at - from)
  const back = fewer - from
  if (back > 0 && byte <= back) return 0
  return byte < fewer ? from : at + byte - lost
}

export const joinLines = (turn: Turn, span: { line: number; count: number }, spaces: boolean): Turn => {
  const { line, count } = span
  const lines = sliceLines(turn.vim.buffer, line, line + count)
  const { text, seam: column, pieces } = joinTexts(lines, { spaces, options: turn.vim.options })
  const joined = carryMarks(turn, replaceSpan(turn, { line, count }, [text]), (mark) => {
    const piece = pieces[mark.line - line]
    return piece === undefined ? undefined : { line, byte: joinedByte(piece, mark.byte) }
  })
  const marks = { "[": { line, column: lines[0]?.length ?? 0 }, "]": { line, column: text.length } }
  // The lines that went away are the last change, and that may be behind the end of the text.
  return clamp(setMarks(moveTo(joined, { line, column }), { ...marks, ".": { line: line + 1, column: 0 } }))
}
