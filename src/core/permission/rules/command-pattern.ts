import { memoizeText } from "../../domain/text/bounded-memo.ts"
import { DYNAMIC } from "../bash/program.ts"
import { matchesPieces, piecesMeet, startsAt, starPieces, type Piece } from "../../domain/text/wildcard.ts"

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

const exactly = memoizeText((specifier) => compile(specifier, false))
const folded = memoizeText((specifier) => compile(specifier, true))

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

/** A text with holes: each may turn out to be anything, nothing included. */
const holedPieces = (text: string): ReadonlyArray<Piece> => starPieces(text.replaceAll("*", "?").replaceAll(DYNAMIC, "*"))

/** Longer rests are not compared piece by piece; they count as able to match. */
const COMPARED_CHARS = 2_000

/** The literal beginnings must agree as far as both are known. */
const beginningsAgree = (literal: string, text: string, start: number): boolean => {
  const hole = text.indexOf(DYNAMIC, start)
  const length = Math.min(literal.length, (hole < 0 ? text.length : hole) - start)
  return text.slice(start, start + length).toLowerCase() === literal.slice(0, length).toLowerCase()
}

/** Whether the pattern could match the text from `start` on once its dynamic parts are known. */
export const couldMatch = (pattern: CommandPattern, text: string, start: number): boolean => {
  if (!beginningsAgree(pattern.literal, text, start)) return false
  if (text.length - start > COMPARED_CHARS) return true
  const rest = holedPieces(text.slice(start))
  return pattern.alternatives.some((alternative) => piecesMeet(alternative, rest))
}
