import { textWidth } from "../screen/cell/width.ts"

/** Lines broken between words, for whole texts and for texts that arrive in pieces. */

/** Where a broken text stands. */
export interface Wrapping {
  /** Behind what was written. */
  readonly column: number
  /** Where further rows of the line begin. */
  readonly indent: string
  /** The blanks and the word that wait until the word is complete. */
  readonly blanks: string
  readonly word: string
}

export const UNWRAPPED: Wrapping = { column: 0, indent: "", blanks: "", word: "" }

const LIST_MARK = /^(?:[-*+]|\d+[.)])$/

/** Further rows stand under the text of the first: as far in, and behind the mark of a list. */
const indentOf = (blanks: string, word: string): string =>
  blanks + (LIST_MARK.test(word) ? " ".repeat(textWidth(word) + 1) : "")

/** Writes the waiting word: behind what is there, or in a new row if it does not fit. */
const place = (state: Wrapping, width: number): readonly [string, Wrapping] => {
  const { blanks, column, indent, word } = state
  if (word === "") return ["", state]
  if (column === 0) {
    const text = blanks + word
    return [text, { column: textWidth(text), indent: indentOf(blanks, word), blanks: "", word: "" }]
  }
  const end = column + textWidth(blanks) + textWidth(word)
  return end <= width
    ? [blanks + word, { column: end, indent, blanks: "", word: "" }]
    : [`\n${indent}${word}`, { column: textWidth(indent) + textWidth(word), indent, blanks: "", word: "" }]
}

const TOKEN = /\n|[^\S\n]+|\S+/g

/** Takes in the next piece: what can be written now, and where the text stands then. */
export const wrapPiece = (before: Wrapping, piece: string, width: number): readonly [string, Wrapping] => {
  let state = before
  let written = ""
  for (const [token] of piece.matchAll(TOKEN)) {
    if (token.trim() !== "") {
      state = { ...state, word: state.word + token }
      continue
    }
    const [text, placed] = place(state, width)
    written += token === "\n" ? `${text}\n` : text
    state = token === "\n" ? UNWRAPPED : { ...placed, blanks: placed.blanks + token }
  }
  return [written, state]
}

/** What still waits when no more will come. */
export const wrapRest = (state: Wrapping, width: number): string => place(state, width)[0]

/** Lines that begin with a blank are quotations, commands for example: they stay as they are. */
export const wrapLine = (line: string, width: number): string => {
  if (line.startsWith(" ") || textWidth(line) <= width) return line
  const [written, rest] = wrapPiece(UNWRAPPED, line, width)
  return written + wrapRest(rest, width)
}
