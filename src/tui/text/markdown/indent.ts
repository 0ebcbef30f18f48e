/** Indentation in columns, and which frames a line goes on with. */
import type { Frame } from "./frame.ts"
import { BLANK, QUOTE } from "./marks.ts"

const STOP = 4

const advance = (column: number, character: string | undefined): number | undefined => {
  if (character === " ") return column + 1
  return character === "\t" ? column + STOP - (column % STOP) : undefined
}

export const indentOf = (text: string): number => {
  let column = 0
  for (let at = 0; ; at++) {
    const next = advance(column, text[at])
    if (next === undefined) return column
    column = next
  }
}

/** How many characters hold so many columns of indentation, as far as there is any. */
export const dropColumns = (text: string, columns: number): number => {
  let column = 0
  let at = 0
  while (column < columns) {
    const next = advance(column, text[at])
    if (next === undefined) return at
    column = next
    at++
  }
  return at
}

/** How many frames, from the outermost, the line belongs to, and how many characters that took. */
export const matchFrames = (
  frames: ReadonlyArray<Frame>,
  text: string
): {
  readonly matched: number
  readonly dropped: number
} => {
  let dropped = 0
  for (const [matched, frame] of frames.entries()) {
    const rest = text.slice(dropped)
    if (frame.kind === "quote") {
      const mark = QUOTE.exec(rest)
      if (mark === null) return { matched, dropped }
      dropped += mark[0].length
    } else if (!BLANK.test(rest)) {
      if (indentOf(rest) < frame.indent) return { matched, dropped }
      dropped += dropColumns(rest, frame.indent)
    }
  }
  return { matched: frames.length, dropped }
}
