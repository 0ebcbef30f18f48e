/** Matching brackets: `%`, and the unmatched ones of `[(` and its relatives. */
import type { Lines, Position } from "../../lines.ts"
import { firstNonBlank } from "../../clusters.ts"
import { type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"

const PARTNERS: Readonly<Record<string, string>> = { "(": ")", ")": "(", "[": "]", "]": "[", "{": "}", "}": "{" }
const OPENS = "([{"

export interface PairSearch {
  /** The bracket that makes the search one level deeper. */
  readonly deeper: string
  readonly wanted: string
  readonly ahead: boolean
  /** Whether the brackets meant are escaped with a backslash. */
  readonly escaped: boolean
  readonly ignoreQuotes?: boolean
}

const isEscaped = (text: string, column: number): boolean => {
  let backslashes = 0
  while (text[column - 1 - backslashes] === "\\") backslashes++
  return backslashes % 2 === 1
}

/** Brackets in quotes do not count on a line whose quotes are balanced. */
const hasBalancedQuotes = (text: string): boolean => {
  let quotes = 0
  for (let column = 0; column < text.length; column++) {
    const char = text[column]
    if (char === '"' && !(text[column - 1] === "'" && text[column + 1] === "'")) quotes++
    if (char === "\\" && column + 1 < text.length) column++
  }
  return quotes % 2 === 0
}

/** The other end of a character in single quotes, `'x'` or `'\x'`, of which the near quote stands here. */
const quotedCharacter = (text: string, column: number, ahead: boolean): number | undefined => {
  if (!ahead) {
    if (text[column - 2] === "'") return column - 2
    return text[column - 2] === "\\" && text[column - 3] === "'" ? column - 3 : undefined
  }
  if (text[column + 1] === "\\" && column + 2 < text.length && text[column + 3] === "'") return column + 3
  return text[column + 2] === "'" ? column + 2 : undefined
}

/** Walks from a place, which itself does not count, to the bracket that closes the level it began on. */
export const findPair = (lines: Lines, from: Position, search: PairSearch): Position | undefined => {
  const direction = search.ahead ? 1 : -1
  let depth = 0
  let { line, column } = from
  let text = lines.at(line)
  const minds = search.ignoreQuotes !== true
  let quotesMatter = minds && hasBalancedQuotes(text)
  let quoted = false
  while (true) {
    column += direction
    while (search.ahead ? column > text.length : column < 0) {
      line += direction
      if (line < 0 || line >= lines.count) return undefined
      text = lines.at(line)
      column = search.ahead ? 0 : text.length
      quotesMatter = minds && hasBalancedQuotes(text)
      quoted = false
    }
    const char = text[column] ?? ""
    if (char === '"' && quotesMatter && !isEscaped(text, column)) quoted = !quoted
    if (char === "'" && minds) column = quotedCharacter(text, column, search.ahead) ?? column
    if (quoted || (char !== search.deeper && char !== search.wanted)) continue
    if (isEscaped(text, column) !== search.escaped) continue
    if (char === search.deeper) depth++
    else if (depth-- === 0) return { line, column }
  }
}

/** The partner of the first bracket at or after the caret in its line. */
export const matchingPair = (lines: Lines, position: Position): Position | undefined => {
  const text = lines.at(position.line)
  let column = Math.min(position.column, Math.max(0, text.length - 1))
  while (column < text.length && PARTNERS[text.charAt(column)] === undefined) column++
  const deeper = text.charAt(column)
  const wanted = PARTNERS[deeper]
  if (wanted === undefined) return undefined
  const escaped = isEscaped(text, column)
  return findPair(lines, { line: position.line, column }, { deeper, wanted, ahead: OPENS.includes(deeper), escaped })
}

/** The bracket that encloses a place and is not matched before it. */
export const enclosing = (lines: Lines, position: Position, bracket: string): Position | undefined => {
  const deeper = PARTNERS[bracket] ?? ""
  return findPair(lines, position, { deeper, wanted: bracket, ahead: !OPENS.includes(bracket), escaped: false })
}

const percent = (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
  if (request.count === undefined) {
    const found = matchingPair(lines, position)
    return found === undefined ? undefined : { position: found, extent: "inclusive" }
  }
  if (request.count > 100) return undefined
  const line = Math.min(Math.floor((request.count * lines.count + 99) / 100), lines.count) - 1
  return { position: { line, column: firstNonBlank(lines.at(line)) }, extent: "line", numbered: false }
}

const unmatched =
  (bracket: string) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    let found: Position | undefined
    for (let left = times(request); left > 0; left--) {
      const next = enclosing(lines, found ?? position, bracket)
      if (next === undefined) break
      found = next
    }
    return found === undefined ? undefined : { position: found, extent: "exclusive" }
  }

export const pairMotions: MotionTable = {
  "%": { run: percent, jump: true, numbered: true },
  "[(": { run: unmatched("("), jump: true },
  "[{": { run: unmatched("{"), jump: true },
  "])": { run: unmatched(")"), jump: true },
  "]}": { run: unmatched("}"), jump: true }
}
