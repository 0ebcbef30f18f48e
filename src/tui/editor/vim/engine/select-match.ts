/** `gn gN`: selecting a match of the last search, the one under the caret before any other. */
import { comparePositions, type Lines, type Position } from "../../lines.ts"
import { compilePattern, type Pattern } from "../pattern/pattern.ts"
import { findPattern, type Found, isEmptyMatch } from "../pattern/search.ts"
import { clamp, enterMode, fail, moveTo, type Turn } from "./running-command.ts"
import { backward as stepBack, backwardOver, forwardOver, place, walker } from "../text/walk.ts"

export interface MatchRule {
  readonly backward: boolean
  readonly count: number
}

const BEFORE_TEXT: Position = { line: -1, column: 0 }

const endOfText = (lines: Lines): Position => ({ line: lines.count - 1, column: lines.at(lines.count - 1).length })

interface Looking {
  readonly pattern: Pattern
  readonly from: Position
  readonly backward: boolean
  readonly wrap: boolean
  /** Nothing is searched for on the other side first: the match under the caret is selected already. */
  readonly isAhead: boolean
  readonly count: number
}

/** First to the other side and then back, so that a match on which the caret stands is found as well. */
const lookAround = (lines: Lines, rule: Looking): (Found & { readonly head: Position }) | undefined => {
  const { pattern, from, backward, wrap, count } = rule
  const any = findPattern(lines, BEFORE_TEXT, { pattern, wrap, backward: false, count: 1 })
  if (any === undefined) return undefined
  const isEmpty = isEmptyMatch(any.match)
  const find = (at: Position, back: boolean, way: { wrap: boolean; count: number }): Found | undefined =>
    findPattern(lines, at, { pattern, backward: back, byEnd: back && !isEmpty, ...way })
  const away = rule.isAhead ? undefined : find(from, !backward, { wrap: false, count: 1 })
  const edge = backward ? endOfText(lines) : BEFORE_TEXT
  const start = rule.isAhead ? from : (away?.position ?? edge)
  const found = find(start, backward, { wrap, count })
  return found && { ...found, head: backward && !isEmpty ? found.match.start : found.match.end }
}

/** The last character of a match, which may be a line break. */
const lastOf = (lines: Lines, end: Position): Position => {
  const at = walker(end)
  stepBack(lines, at)
  return place(at)
}

export const selectMatch = (turn: Turn, { backward, count }: MatchRule): Turn => {
  const { buffer, cursor, memory, mode, options, wanted } = turn.vim
  const replacement = memory.substitution?.expanded ?? ""
  const pattern = memory.search && compilePattern(memory.search.pattern, { ...options, replacement })
  if (pattern === undefined) return fail(turn, "E35: No previous regular expression")
  const anchor = mode.name === "visual" ? mode.anchor : undefined
  const from = walker(cursor)
  if (anchor !== undefined) (backward ? backwardOver : forwardOver)(buffer, from)
  const isAhead = !backward && anchor !== undefined && comparePositions(cursor, anchor) < 0
  const found = lookAround(buffer, { pattern, from: place(from), backward, wrap: options.wrapscan, isAhead, count })
  if (found === undefined) return fail(turn)
  const { head } = found
  const other = anchor ?? found.position
  const isBehind = comparePositions(other, head) < 0
  const isBefore = comparePositions(head, other) < 0
  const last = isBehind && !isAhead ? lastOf(buffer, head) : isBehind || isBefore ? found.match.start : head
  return clamp(moveTo(enterMode(turn, { name: "visual", shape: "char", anchor: other }), backward ? head : last, wanted))
}
