/** Finding a pattern in a text, line by line from a place on, so that nothing reads more of a text than it must. */
import { comparePositions, type Lines, type Position } from "../editor/lines.ts"
import { lastColumn, nextColumn, previousColumn, snap } from "./chars.ts"
import type { Pattern } from "./pattern.ts"

/** How many lines a match may span. */
const MOST_LINES = 50

export interface Match {
  readonly start: Position
  /** Behind the last character. */
  readonly end: Position
  readonly groups: ReadonlyArray<string>
}

const offsetPosition = (line: number, text: string, offset: number): Position => {
  const before = text.slice(0, offset)
  const breaks = before.split("\n").length - 1
  return { line: line + breaks, column: offset - (before.lastIndexOf("\n") + 1) }
}

/** All matches that begin on a line. */
export const matchesOnLine = (lines: Lines, line: number, pattern: Pattern): ReadonlyArray<Match> => {
  const own = lines.at(line)
  const last = Math.min(lines.count, line + (pattern.multiline ? MOST_LINES : 1))
  const text = Array.from({ length: last - line }, (_, index) => lines.at(line + index)).join("\n")
  const found: Array<Match> = []
  pattern.expression.lastIndex = 0
  for (let match = pattern.expression.exec(text); match !== null; match = pattern.expression.exec(text)) {
    if (match.index > own.length) break
    // Nothing at the end of a line is a match only when it is the first.
    if (match[0] === "" && match.index === own.length && found.length > 0) break
    const end = match.index + match[0].length
    const isWhole = pattern.multiline || (snap(own, match.index) === match.index && snap(own, end) === end)
    if (isWhole) found.push({
      start: { line, column: match.index },
      end: pattern.multiline ? offsetPosition(line, text, end) : { line, column: end },
      groups: match.map((group) => group ?? "")
    })
    // An empty match must not be found again, nor the next begin inside a character.
    if (match[0] === "") pattern.expression.lastIndex = Math.max(match.index + 1, nextColumn(text, match.index))
  }
  return found
}

export interface FindRule {
  readonly pattern: Pattern
  readonly wrap: boolean
  /** Compare where matches end instead of where they begin. */
  readonly byEnd?: boolean
  /** A match at the very place counts. */
  readonly here?: boolean
}

const lastOfMatch = (lines: Lines, { end }: Match): Position => ({
  line: end.line,
  column: previousColumn(lines.at(end.line), end.column)
})

/** The place that must lie ahead for a match to count: one behind the last character counts as being on it. */
const placeAhead = (lines: Lines, match: Match, byEnd: boolean): Position => {
  if (byEnd) return lastOfMatch(lines, match)
  const { line, column } = match.start
  return { line, column: Math.min(column, lastColumn(lines.at(line))) }
}

/** The place that must lie behind; a match of nothing has no last character, only a start. */
const placeBehind = (lines: Lines, match: Match, byEnd: boolean): Position =>
  byEnd && comparePositions(match.start, match.end) !== 0 ? lastOfMatch(lines, match) : match.start

export interface Found {
  readonly match: Match
  readonly wrapped: boolean
}

export const findForward = (lines: Lines, from: Position, rule: FindRule): Found | undefined => {
  const fits = (match: Match): boolean => {
    const order = comparePositions(placeAhead(lines, match, rule.byEnd ?? false), from)
    return rule.here === true ? order >= 0 : order > 0
  }
  for (let step = 0; step <= lines.count; step++) {
    const line = from.line + step
    if (line >= lines.count && !rule.wrap) return undefined
    const matches = matchesOnLine(lines, line % lines.count, rule.pattern)
    const wrapped = line >= lines.count
    const match = wrapped || step > 0 ? matches[0] : matches.find(fits)
    if (match !== undefined) return { match, wrapped }
  }
  return undefined
}

export const findBackward = (lines: Lines, from: Position, rule: FindRule): Found | undefined => {
  const fits = (match: Match): boolean => {
    const order = comparePositions(placeBehind(lines, match, rule.byEnd ?? false), from)
    return rule.here === true ? order <= 0 : order < 0
  }
  for (let step = 0; step <= lines.count; step++) {
    const line = from.line - step
    if (line < 0 && !rule.wrap) return undefined
    const wrapped = line < 0
    const matches = matchesOnLine(lines, (line + lines.count) % lines.count, rule.pattern)
    const match = wrapped || step > 0 ? matches.at(-1) : matches.findLast(fits)
    if (match !== undefined) return { match, wrapped }
  }
  return undefined
}
