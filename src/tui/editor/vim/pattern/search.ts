/** Finding a pattern in a text, line by line from a place on, so that nothing reads more of a text than it must. */
import { sliceLines } from "../../buffer.ts"
import { comparePositions, type Lines, type Position } from "../../lines.ts"
import { nextColumn, previousColumn, snap } from "../../clusters.ts"
import type { Pattern } from "./pattern.ts"

/** How many lines a match may span. */
const MOST_LINES = 50

export interface Match {
  readonly start: Position
  /** Behind the last character. */
  readonly end: Position
  readonly groups: ReadonlyArray<string>
}

/** Where an offset lies in a text that begins with a line of so many units. */
const offsetPosition = (
  text: string,
  first: { readonly line: number; readonly length: number },
  offset: number
): Position => {
  const { line, length } = first
  if (offset <= length) return { line, column: offset }
  const before = text.slice(0, offset)
  const breaks = before.split("\n").length - 1
  return { line: line + breaks, column: offset - (before.lastIndexOf("\n") + 1) }
}

interface Tried extends Match {
  readonly isWhole: boolean
}

interface Attempt {
  readonly pattern: Pattern
  readonly from: number
}

/** The text that was joined last: the matches of a long line must not join it with the next ones again and again. */
let joined: { readonly lines: Lines | undefined; readonly line: number; readonly text: string } = {
  lines: undefined,
  line: 0,
  text: ""
}

/** Lines with their breaks, as many as a match may span; the last line of a text has one, too. */
const textFrom = (lines: Lines, line: number): string => {
  if (joined.lines === lines && joined.line === line) return joined.text
  const last = Math.min(lines.count, line + MOST_LINES)
  const text = sliceLines(lines, line, last).join("\n") + (last === lines.count ? "\n" : "")
  joined = { lines, line, text }
  return text
}

/** One try of the expression on a line. A match that cuts a character in two is none, and the search goes on. */
const matchAt = (lines: Lines, line: number, { pattern, from }: Attempt): Tried | undefined => {
  const own = lines.at(line)
  const text = pattern.multiline ? textFrom(lines, line) : own
  const match = pattern.match({ text, line, lines: lines.count, from, most: own.length })
  if (match === undefined) return undefined
  const { end } = match
  const first = { line, length: own.length }
  return {
    start: offsetPosition(text, first, match.index),
    end: offsetPosition(text, first, end),
    groups: match.groups,
    isWhole: pattern.multiline || (snap(own, match.index) === match.index && snap(own, end) === end)
  }
}

/** The matches that begin on a line. */
export const matchesOnLine = (lines: Lines, line: number, pattern: Pattern, most = Infinity): ReadonlyArray<Match> => {
  const own = lines.at(line)
  const found: Array<Match> = []
  for (let from = 0; from <= own.length && found.length < most;) {
    const match = matchAt(lines, line, { pattern, from })
    if (match === undefined) break
    const { start, end } = match
    const isEmpty = isEmptyMatch(match)
    // Nothing at the end of a line is a match only when it is the first.
    if (isEmpty && start.column === own.length && found.length > 0) break
    if (match.isWhole) found.push(match)
    if (end.line !== line) break
    // An empty match must not be found again, nor the next begin inside a character.
    from = isEmpty || !match.isWhole ? Math.max(start.column + 1, nextColumn(own, start.column)) : end.column
  }
  return found
}

/** The first match of a line that begins at or behind an offset. */
export const matchFrom = (lines: Lines, line: number, rule: { pattern: Pattern; column: number }): Match | undefined => {
  const { pattern, column } = rule
  if (column === 0) return matchesOnLine(lines, line, pattern, 1)[0]
  const own = lines.at(line)
  for (let from = column; from <= own.length;) {
    const match = matchAt(lines, line, { pattern, from })
    if (match === undefined || match.isWhole) return match
    from = nextColumn(own, match.start.column)
  }
  return undefined
}

export interface FindRule {
  readonly pattern: Pattern
  readonly wrap: boolean
  readonly backward: boolean
  readonly count: number
  /** Matches are compared by where they end, and the caret goes to their last character. */
  readonly byEnd?: boolean
}

export interface Found {
  /** Where the match begins, or its last character. */
  readonly position: Position
  readonly match: Match
  readonly wrapped: boolean
}

export const isEmptyMatch = ({ start, end }: Match): boolean => comparePositions(start, end) === 0

/** Searching goes on behind a match, and a match of nothing is stepped over. */
const behind = (text: string, { start, end }: Match): number =>
  end.column === start.column ? nextColumn(text, end.column) : end.column

interface Walk extends FindRule {
  readonly from: Position
  /** Still the first of several matches to find. */
  readonly isFirst: boolean
}

/** How far the character under the start reaches: a match must begin behind it. */
const pastStart = (lines: Lines, { line, column }: Position): number => {
  if (line < 0 || line >= lines.count || column === Infinity) return column
  const text = lines.at(line)
  return column >= text.length ? column + 1 : nextColumn(text, column)
}

/** The first match on the line of the start that lies ahead of it. A match on the line end counts as one before it. */
const aheadOnLine = (lines: Lines, walk: Walk): Match | undefined => {
  const { line } = walk.from
  const text = lines.at(line)
  const least = pastStart(lines, walk.from)
  for (let column = 0; ;) {
    const match = matchFrom(lines, line, { pattern: walk.pattern, column })
    if (match === undefined) return undefined
    const { start, end } = match
    const byEnd = walk.byEnd === true && walk.isFirst
    const isHere = byEnd
      ? end.line === line && end.column - 1 < least
      : start.column - (start.column === text.length ? 1 : 0) < least
    if (!isHere) return match
    if (end.line !== line) return undefined
    column = behind(text, match)
    if (column >= text.length) return undefined
  }
}

/** The last match of a line, on the line of the start the last one before it. */
const lastOnLine = (lines: Lines, line: number, walk: Walk & { readonly any: boolean }): Match | undefined => {
  const text = lines.at(line)
  const lies = ({ start, end }: Match): boolean => {
    const place = walk.byEnd === true ? { line: end.line, column: end.column - 1 } : start
    return walk.any || comparePositions(place, walk.from) < 0
  }
  let last: Match | undefined
  for (let column = 0; ;) {
    const match = matchFrom(lines, line, { pattern: walk.pattern, column })
    if (match === undefined || !lies(match)) return last
    last = match
    if (match.end.line !== line) return last
    column = behind(text, match)
    if (column >= text.length) return last
  }
}

const placeOf = (lines: Lines, match: Match, byEnd: boolean): Position => {
  if (!byEnd || isEmptyMatch(match)) return match.start
  const { line, column } = match.end
  if (column > 0) return { line, column: previousColumn(lines.at(line), column) }
  return line === 0 ? match.end : { line: line - 1, column: lines.at(line - 1).length }
}

const findOnce = (lines: Lines, walk: Walk): Found | undefined => {
  const { from, backward, byEnd = false } = walk
  const isOutside = from.line < 0 || from.line >= lines.count
  const direction = backward ? -1 : 1
  let line = Math.max(0, from.line)
  // Going back from the start of a line nothing of that line lies behind.
  let isStart = !isOutside
  if (backward && from.column === 0) {
    line = from.line - 1
    isStart = false
  }
  for (let round = 0; round < 2; round++) {
    for (; line >= 0 && line < lines.count; line += direction, isStart = false) {
      const match = backward
        ? lastOnLine(lines, line, { ...walk, any: round > 0 })
        : isStart
          ? aheadOnLine(lines, walk)
          : matchFrom(lines, line, { pattern: walk.pattern, column: 0 })
      if (match !== undefined) return { position: placeOf(lines, match, byEnd), match, wrapped: round > 0 }
      if (round > 0 && line === from.line) return undefined
    }
    if (!walk.wrap) return undefined
    isStart = false
    line = backward ? lines.count - 1 : 0
  }
  return undefined
}

/** Looks for a pattern from a place on; the place may lie one line outside the text, or behind the end of its line. */
export const findPattern = (lines: Lines, from: Position, rule: FindRule): Found | undefined => {
  let found: Found | undefined
  let wrapped = false
  for (let left = rule.count; left > 0; left--) {
    found = findOnce(lines, { ...rule, from: found?.position ?? from, isFirst: found === undefined })
    if (found === undefined) return undefined
    wrapped = wrapped || found.wrapped
  }
  return found && { ...found, wrapped }
}
