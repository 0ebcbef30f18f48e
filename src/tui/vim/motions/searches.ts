/** Searches and marks as motions: `/ ? n N * # g* g#`, quotes and backquotes. */
import { comparePositions, type Lines, type Position } from "../../editor/lines.ts"
import { charClass, clusterAt, firstNonBlank, lastColumn, nextColumn, previousColumn, snap } from "../chars.ts"
import { compilePattern, literalPattern } from "../pattern.ts"
import { findBackward, findForward } from "../search.ts"
import type { Search } from "../state.ts"
import { exclusive, linewise, type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"

/** Splits what was typed at the first delimiter that is not escaped or in a collection. */
export const splitPattern = (line: string, delimiter: string): { pattern: string; rest: string | undefined } => {
  for (let at = 0; at < line.length; at++) {
    if (line[at] === "\\") at++
    else if (line[at] === delimiter) return { pattern: line.slice(0, at), rest: line.slice(at + 1) }
  }
  return { pattern: line, rest: undefined }
}

interface Offset {
  readonly from: "start" | "end" | "line"
  readonly by: number
}

const readOffset = (offset: string): Offset | undefined => {
  const match = /^([esb]?)([+-]?)(\d*)$/.exec(offset)
  if (match === null || offset === "") return undefined
  const [, letter, sign, digits = ""] = match
  const size = digits === "" ? (sign === "" ? 0 : 1) : Number(digits)
  const by = sign === "-" ? -size : size
  if (letter === "e") return { from: "end", by }
  return letter === "" ? { from: "line", by } : { from: "start", by }
}

const shift = (lines: Lines, from: Position, by: number): Position => {
  let at = from
  for (let left = Math.abs(by); left > 0; left--) {
    const text = lines.at(at.line)
    if (by > 0) {
      const next = nextColumn(text, at.column)
      if (next < text.length) at = { line: at.line, column: next }
      else if (at.line + 1 < lines.count) at = { line: at.line + 1, column: 0 }
    } else if (at.column > 0) at = { line: at.line, column: previousColumn(text, at.column) }
    else if (at.line > 0) at = { line: at.line - 1, column: lastColumn(lines.at(at.line - 1)) }
  }
  return at
}

/** The last character of a match; where it begins when there is none. */
const lastOf = (lines: Lines, { start, end }: { start: Position; end: Position }): Position =>
  comparePositions(start, end) === 0
    ? start
    : { line: end.line, column: previousColumn(lines.at(end.line), end.column) }

const targetOf = (lines: Lines, match: { start: Position; end: Position }, offset: Offset | undefined): Target => {
  if (offset === undefined) return exclusive(match.start)
  if (offset.from === "line") {
    const line = Math.max(0, Math.min(match.start.line + offset.by, lines.count - 1))
    return linewise({ line, column: 0 })
  }
  if (offset.from === "start") return exclusive(shift(lines, match.start, offset.by))
  return { position: shift(lines, lastOf(lines, match), offset.by), extent: "inclusive" }
}

interface Origin {
  readonly position: Position
  /** The offset would lead out of the text, so that a match at its edge counts. */
  readonly here: boolean
}

/** Where a search begins so that it does not find the match again that an offset led away from. */
const origin = (lines: Lines, position: Position, offset: Offset | undefined): Origin => {
  if (offset === undefined || offset.from === "line" || offset.by === 0) return { position, here: false }
  const nearer = shift(lines, position, -Math.sign(offset.by) * (Math.abs(offset.by) - 1))
  const shifted = shift(lines, position, -offset.by)
  return { position: shifted, here: comparePositions(nearer, shifted) === 0 }
}

/** A match behind the last character, such as `$`, puts the caret on it. */
const offTheEnd = (lines: Lines, { line, column }: Position, visual: boolean): Position => ({
  line,
  column: visual ? column : Math.min(column, lastColumn(lines.at(line)))
})

export interface SearchRule {
  readonly visual: boolean
  readonly search: Search
  readonly backward: boolean
  readonly count: number
  readonly options: MotionRequest["options"]
}

export const runSearch = (lines: Lines, position: Position, rule: SearchRule): Target | undefined => {
  const pattern = compilePattern(rule.search.pattern, { ...rule.options, replacement: "" })
  if (pattern === undefined) return undefined
  const offset = readOffset(rule.search.offset)
  const find = rule.backward ? findBackward : findForward
  const findRule = { pattern, wrap: rule.options.wrapscan, byEnd: offset?.from === "end" }
  const start = origin(lines, position, offset)
  let at = start.position
  let wrapped = false
  let target: Target | undefined
  for (let left = rule.count; left > 0; left--) {
    const found = find(lines, at, { ...findRule, here: start.here && left === rule.count })
    if (found === undefined) return undefined
    wrapped = wrapped || found.wrapped
    at = offset?.from === "end" ? lastOf(lines, found.match) : found.match.start
    target = targetOf(lines, found.match, offset)
  }
  const message = rule.backward ? "search hit TOP, continuing at BOTTOM" : "search hit BOTTOM, continuing at TOP"
  const found = target && { ...target, position: offTheEnd(lines, target.position, rule.visual) }
  return found === undefined || !wrapped ? found : { ...found, message }
}

const typed =
  (backward: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const { pattern, rest } = splitPattern(request.argument, backward ? "?" : "/")
    const wanted = pattern === "" ? request.search?.pattern : pattern
    if (wanted === undefined) return undefined
    const offset = rest ?? (pattern === "" ? (request.search?.offset ?? "") : "")
    const search: Search = { pattern: wanted, backward, offset }
    const target = runSearch(lines, position, { ...request, search, backward, count: times(request) })
    return target === undefined ? undefined : { ...target, search }
  }

const again =
  (reverse: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const { search } = request
    if (search === undefined) return undefined
    const backward = search.backward !== reverse
    return runSearch(lines, position, { ...request, search, backward, count: times(request) })
  }

interface WordUnder {
  readonly start: number
  readonly text: string
  readonly keyword: boolean
}

/** The word at or after the caret, else the run of other characters there. */
const wordUnder = (text: string, column: number): WordUnder | undefined => {
  const kindAt = (at: number): number => charClass(clusterAt(text, at), false)
  let start = column
  while (start < text.length && kindAt(start) < 2) start = nextColumn(text, start)
  const keyword = start < text.length
  if (!keyword) {
    start = column
    while (start < text.length && kindAt(start) === 0) start = nextColumn(text, start)
    if (start >= text.length) return undefined
  }
  const kind = kindAt(start)
  while (start > 0 && kindAt(previousColumn(text, start)) === kind) start = previousColumn(text, start)
  let end = start
  while (end < text.length && kindAt(end) === kind) end = nextColumn(text, end)
  return { start, text: text.slice(start, end), keyword }
}

const underCaret =
  (rule: { readonly backward: boolean; readonly whole: boolean }) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const word = wordUnder(lines.at(position.line), position.column)
    if (word === undefined) return undefined
    const literal = literalPattern(word.text, rule.backward ? "?" : "/")
    const pattern = rule.whole && word.keyword ? `\\<${literal}\\>` : literal
    const search: Search = { pattern, backward: rule.backward, offset: "" }
    const start = { line: position.line, column: word.start }
    const options = { ...request.options, smartcase: false }
    const { backward } = rule
    const target = runSearch(lines, start, { ...request, search, backward, count: times(request), options })
    return target === undefined ? undefined : { ...target, search }
  }

const toMarkLine = (lines: Lines, _position: Position, request: MotionRequest): Target | undefined => {
  const mark = request.mark(request.argument)
  if (mark === undefined || mark.line >= lines.count) return undefined
  return linewise({ line: mark.line, column: firstNonBlank(lines.at(mark.line)) })
}

const toMark = (lines: Lines, _position: Position, request: MotionRequest): Target | undefined => {
  const mark = request.mark(request.argument)
  if (mark === undefined || mark.line >= lines.count) return undefined
  const text = lines.at(mark.line)
  const furthest = request.visual ? text.length : lastColumn(text)
  return exclusive({ line: mark.line, column: Math.min(snap(text, mark.column), furthest) })
}

export const searchMotions: MotionTable = {
  "/": { run: typed(false), takes: "line", jump: true, numbered: true },
  "?": { run: typed(true), takes: "line", jump: true, numbered: true },
  n: { run: again(false), jump: true, numbered: true },
  N: { run: again(true), jump: true, numbered: true },
  "*": { run: underCaret({ backward: false, whole: true }), jump: true, numbered: true },
  "#": { run: underCaret({ backward: true, whole: true }), jump: true, numbered: true },
  "g*": { run: underCaret({ backward: false, whole: false }), jump: true, numbered: true },
  "g#": { run: underCaret({ backward: true, whole: false }), jump: true, numbered: true },
  "'": { run: toMarkLine, takes: "char", jump: true },
  "`": { run: toMark, takes: "char", jump: true, numbered: true }
}
