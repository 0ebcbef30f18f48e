import { remembered } from "./remember.ts"
import { matchesPieces, startsAt, starPieces, type Piece } from "./wildcard.ts"

/**
 * Patterns of Bash rules: `*` spans anything; a blank and a star at the end (or `:*`) is a word boundary, so `ls *`
 * matches `ls` and `ls -l` but not `lsof`.
 */
export interface CommandPattern {
  /** Any of these matching is a match. */
  readonly alternatives: ReadonlyArray<ReadonlyArray<Piece>>
  /** The text before the first star. */
  readonly literal: string
  readonly isExact: boolean
}

/** With `foldProgram` the first word is compared without regard to case, as case-insensitive file systems find it. */
const compile = (specifier: string, foldProgram: boolean): CommandPattern => {
  const text = specifier.trim()
  const base = / \*$|:\*$/.test(text) ? text.slice(0, -2) : undefined
  const texts = base === undefined ? [text] : [base, `${base} *`]
  const star = text.indexOf("*")
  return {
    alternatives: texts.map((alternative) => pieces(alternative, foldProgram)),
    literal: star < 0 ? text : (base ?? text).slice(0, star),
    isExact: star < 0
  }
}

const exactly = remembered((specifier) => compile(specifier, false))
const folded = remembered((specifier) => compile(specifier, true))

export const commandPattern = (specifier: string, foldProgram = false): CommandPattern =>
  foldProgram ? folded(specifier) : exactly(specifier)

const pieces = (text: string, foldProgram: boolean): ReadonlyArray<Piece> => {
  const blank = text.indexOf(" ")
  const end = foldProgram ? (blank < 0 ? text.length : blank) : 0
  return [...starPieces(text.slice(0, end), true), ...starPieces(text.slice(end))]
}

export const matchesCommand = (pattern: CommandPattern, candidate: string): boolean =>
  pattern.alternatives.some((alternative) => matchesPieces(alternative, candidate))

/**
 * Whether the pattern matches the rest of `text` from one of the offsets (ascending). After a star anything may come,
 * so when the text before the first star is found at one offset and the rest does not match, no later offset can match.
 */
export const matchesFromAny = (pattern: CommandPattern, text: string, offsets: ReadonlyArray<number>): boolean =>
  pattern.alternatives.some((alternative) => {
    const hasStar = alternative.some(({ kind }) => kind === "many")
    for (const offset of offsets) {
      if (!startsAt(alternative, text, offset)) continue
      if (matchesPieces(alternative, text, offset)) return true
      if (hasStar) return false
    }
    return false
  })
