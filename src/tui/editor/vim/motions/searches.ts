/** Searches and marks as motions: `/ ? n N * # g* g#`, quotes and backquotes. */
import { type Lines, type Position, samePlace } from "../../lines.ts"
import { charClass } from "../text/char-class.ts"
import { clusterAt, firstNonBlank, lastColumn, nextColumn, previousColumn, snap } from "../../clusters.ts"
import { compilePattern, literalPattern } from "../pattern/pattern.ts"
import { findPattern } from "../pattern/search.ts"
import type { Search } from "../state/state.ts"
import { backwardOver, forwardOver, place, walker } from "../text/walk.ts"
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

/** Steps over characters and line ends as far as the text goes; returns how many steps were left. */
const shift = (lines: Lines, from: Position, by: number): { readonly at: Position; readonly left: number } => {
  const at = walker(from)
  const move = by > 0 ? forwardOver : backwardOver
  let left = Math.abs(by)
  while (left > 0 && move(lines, at) !== "stuck") left--
  return { at: place(at), left }
}

const targetOf = (lines: Lines, found: Position, offset: Offset | undefined): Target => {
  if (offset === undefined) return exclusive(found)
  if (offset.from === "line") {
    return linewise({ line: Math.max(0, Math.min(found.line + offset.by, lines.count - 1)), column: 0 })
  }
  const position = shift(lines, found, offset.by).at
  return offset.from === "end" ? { position, extent: "inclusive" } : exclusive(position)
}

/** Where a search begins so that it does not find the match again that an offset led away from. */
const origin = (lines: Lines, position: Position, offset: Offset | undefined): Position => {
  if (offset === undefined || offset.from === "line" || offset.by === 0) return position
  const { at, left } = shift(lines, position, -offset.by)
  if (left === 0) return at
  return offset.by > 0 ? { line: -1, column: Infinity } : { line: lines.count, column: 0 }
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
  const smartcase = rule.options.smartcase && rule.search.anyCase !== true
  const pattern = compilePattern(rule.search.pattern, { ...rule.options, smartcase, replacement: "" })
  if (pattern === undefined) return undefined
  const offset = readOffset(rule.search.offset)
  const { backward, count } = rule
  const findRule = { pattern, wrap: rule.options.wrapscan, backward, count, byEnd: offset?.from === "end" }
  const found = findPattern(lines, origin(lines, position, offset), findRule)
  if (found === undefined) return undefined
  const target = targetOf(lines, found.position, offset)
  const onText = { ...target, position: offTheEnd(lines, target.position, rule.visual) }
  const message = backward ? "search hit TOP, continuing at BOTTOM" : "search hit BOTTOM, continuing at TOP"
  return found.wrapped ? { ...onText, message } : onText
}

export interface TypedSearch {
  readonly search: Search
  /** What stands behind a `;`: another search from where this one ended, with its `/` or `?`. */
  readonly next: string | undefined
}

/** What a search line asks for, and what it takes over from the search before; undefined without any pattern. */
export const readSearch = (line: string, backward: boolean, last: Search | undefined): TypedSearch | undefined => {
  const { pattern, rest } = splitPattern(line, backward ? "?" : "/")
  const wanted = pattern === "" ? last?.pattern : pattern
  if (wanted === undefined) return undefined
  const [offset = "", semicolon, next] = rest === undefined ? [] : (/^([^;]*)(;?)(.*)$/s.exec(rest)?.slice(1) ?? [])
  const kept = rest === undefined && pattern === "" ? (last?.offset ?? "") : offset
  const anyCase = pattern === "" && last?.anyCase === true ? ({ anyCase: true } as const) : {}
  return { search: { pattern: wanted, backward, offset: kept, ...anyCase }, next: semicolon === ";" ? next : undefined }
}

const typed =
  (backward: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const asked = readSearch(request.argument, backward, request.search)
    if (asked === undefined) return undefined
    const { search, next } = asked
    const found = runSearch(lines, position, { ...request, search, backward, count: times(request) })
    const target = found && { ...found, search }
    if (target === undefined || next === undefined) return target
    const further = { ...request, search, argument: next.slice(1) }
    if (!/^[/?]/.test(next)) return undefined
    const last = typed(next.startsWith("?"))(lines, target.position, further)
    // The second pattern is the last search even when it is not found.
    return (
      last ?? {
        position,
        extent: "exclusive",
        search: readSearch(further.argument, next.startsWith("?"), search)?.search ?? search,
        short: true
      }
    )
  }

const again =
  (reverse: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const { search } = request
    if (search === undefined) return undefined
    const backward = search.backward !== reverse
    const rule = { ...request, search, backward, count: times(request) }
    const target = runSearch(lines, position, rule)
    // An offset may lead back to where the caret is: then the next match counts.
    const isStuck = target?.extent !== "line" && target?.message === undefined && samePlace(target?.position, position)
    return isStuck ? runSearch(lines, position, { ...rule, count: rule.count + 1 }) : target
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
    const literal = literalPattern(word.text, "/")
    const pattern = rule.whole && word.keyword ? `\\<${literal}\\>` : literal
    const search: Search = { pattern, backward: rule.backward, offset: "", anyCase: true }
    const start = { line: position.line, column: word.start }
    const { backward } = rule
    const target = runSearch(lines, start, { ...request, search, backward, count: times(request) })
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
  "/": { run: typed(false), takes: "line", jump: true, numbered: true, resets: true },
  "?": { run: typed(true), takes: "line", jump: true, numbered: true, resets: true },
  n: { run: again(false), jump: true, numbered: true, resets: true },
  N: { run: again(true), jump: true, numbered: true, resets: true },
  "*": { run: underCaret({ backward: false, whole: true }), jump: true, numbered: true },
  "#": { run: underCaret({ backward: true, whole: true }), jump: true, numbered: true },
  "g*": { run: underCaret({ backward: false, whole: false }), jump: true, numbered: true },
  "g#": { run: underCaret({ backward: true, whole: false }), jump: true, numbered: true },
  "'": { run: toMarkLine, takes: "char", jump: true, resets: true },
  "`": { run: toMark, takes: "char", jump: true, numbered: true, resets: true }
}
