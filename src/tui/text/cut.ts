/** The part of an unwrapped line that a window of columns shows. */
import { atomsOf, slice, sourceOf, widthAt } from "./atoms.ts"
import type { Span } from "../screen/style/row.ts"
import { type Line, locateLine, PROSE_TAB, wholeLine } from "./wrap.ts"

export interface Window {
  readonly width: number
  /** Columns left of the window. */
  readonly scroll?: number
  readonly tab?: number
}

const BLANK_LOOK = { role: "text" } as const

/** What the window shows. A wide glyph or a tab that lies across its left edge leaves blanks. */
export const cutLine = (pieces: ReadonlyArray<Span>, { width, scroll = 0, tab = PROSE_TAB }: Window): Line => {
  const room = Math.max(1, width)
  const whole = scroll === 0 ? wholeLine(pieces, room) : undefined
  if (whole !== undefined) return whole
  const atoms = atomsOf(pieces, scroll + room + 1)
  let column = 0
  let start = 0
  while (start < atoms.count && column < scroll) column += widthAt(atoms, start++, { column, tab })
  let end = start
  let last = column
  while (end < atoms.count && last < scroll + room) last += widthAt(atoms, end++, { column: last, tab })
  const lead = Math.min(room, column - scroll)
  const shown = slice(atoms, { start, end }, { room: room - Math.max(0, lead), tab, column })
  const spans = lead > 0 ? [{ text: " ".repeat(lead), look: BLANK_LOOK }, ...shown.spans] : shown.spans
  return locateLine({ spans, width: shown.width + Math.max(0, lead) }, sourceOf(atoms, start))
}
