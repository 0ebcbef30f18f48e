/** Line ranges before an ex command: `%`, `*`, `.`, `$`, numbers, marks, patterns, with `+n` and `-n`. */
import type { LineRange } from "../state/command.ts"
import { findMark } from "../engine/marks.ts"
import { splitPattern } from "../motions/searches.ts"
import { compilePattern } from "../pattern/pattern.ts"
import { findPattern } from "../pattern/search.ts"
import type { Search, VimState } from "../state/state.ts"

/** Addresses as they were given; whether the lines exist is checked by whoever uses them. */
export interface Addresses {
  /** The last two lines named, from 0; undefined when no range was given. */
  readonly range: LineRange | undefined
  /** How many addresses there were. */
  readonly count: number
  readonly rest: string
  /** The line that `;` moved the caret to. */
  readonly caret: number | undefined
  /** The last pattern that was searched for. */
  readonly search: Search | undefined
}

/** A range that is wrong: what to say, and the pattern that it searched for all the same. */
export interface RangeError {
  readonly error: string
  readonly search: Search | undefined
  readonly caret: number | undefined
}

export const INVALID_RANGE = "E16: Invalid range"

interface Reading {
  readonly vim: VimState
  text: string
  search: Search | undefined
  error: string | undefined
}

const take = (reading: Reading, length: number): string => {
  const taken = reading.text.slice(0, length)
  reading.text = reading.text.slice(length)
  return taken
}

/** The next line with a match, never the line itself. */
const findLine = (vim: VimState, search: Search | undefined, from: number): number | undefined => {
  const replacement = vim.memory.substitution?.expanded ?? ""
  const pattern = search && compilePattern(search.pattern, { ...vim.options, replacement })
  if (search === undefined || pattern === undefined) return undefined
  const { backward } = search
  const start = { line: Math.min(from, vim.buffer.count - 1), column: backward ? 0 : Infinity }
  return findPattern(vim.buffer, start, { pattern, wrap: vim.options.wrapscan, backward, count: 1 })?.position.line
}

/** `/pattern/`, `?pattern?` with an offset in lines, which stays with the search. */
const readPattern = (reading: Reading, from: number): number | undefined => {
  const delimiter = take(reading, 1)
  const { pattern, rest } = splitPattern(reading.text, delimiter)
  reading.text = rest ?? ""
  const offset = take(reading, /^(?:[+-]?\d+|[+-])?/.exec(reading.text)?.[0].length ?? 0)
  const last = reading.search ?? reading.vim.memory.search
  const wanted = pattern === "" ? last?.pattern : pattern
  if (wanted === undefined) {
    reading.error = "E35: No previous regular expression"
    return undefined
  }
  reading.search = { pattern: wanted, backward: delimiter === "?", offset }
  const line = findLine(reading.vim, reading.search, from)
  if (line === undefined) reading.error = `E486: Pattern not found: ${wanted}`
  if (line === undefined || offset === "") return line
  const by = /\d/.test(offset) ? Number(offset) : Number(`${offset}1`)
  return Math.max(0, Math.min(line + by, reading.vim.buffer.count - 1))
}

/** `\\/` and `\\?`: the last search again, `\\&`: the last pattern that was replaced. Neither is a search of its own. */
const readRepeated = (reading: Reading, from: number): number | undefined => {
  const { vim } = reading
  const sign = take(reading, 2).charAt(1)
  if (!/[/?&]/.test(sign)) {
    reading.error = "E10: \\ should be followed by /, ? or &"
    return undefined
  }
  const pattern = sign === "&" ? vim.memory.substitution?.pattern : (reading.search ?? vim.memory.search)?.pattern
  if (pattern === undefined) {
    reading.error = sign === "&" ? "E33: No previous substitute regular expression" : "E35: No previous regular expression"
    return undefined
  }
  const line = findLine(vim, { pattern, backward: sign === "?", offset: "" }, from)
  if (line === undefined) reading.error = `E486: Pattern not found: ${pattern}`
  return line
}

/** The part of an address before its offsets; undefined when there is none, or an error. */
const readBase = (reading: Reading, current: number): number | undefined => {
  const { vim, text } = reading
  const number = /^\d+/.exec(text)?.[0]
  if (number !== undefined) return Number(take(reading, number.length)) - 1
  if (text.startsWith("/") || text.startsWith("?")) return readPattern(reading, current)
  if (text.startsWith("\\")) return readRepeated(reading, current)
  if (text.startsWith("'")) {
    const mark = findMark(vim, take(reading, 2).slice(1))
    if (mark === undefined) reading.error = "E20: Mark not set"
    else if (mark.line >= vim.buffer.count) reading.error = "E19: Mark has invalid line number"
    return mark?.line
  }
  if (text.startsWith(".")) {
    take(reading, 1)
    return current
  }
  if (!text.startsWith("$")) return undefined
  take(reading, 1)
  return vim.buffer.count - 1
}

const OFFSET = /^\s*([+-]?)(\d*)/

/** `+n`, `-n` and bare numbers; a pattern behind them is searched from there. */
const readOffsets = (reading: Reading, base: number | undefined, current: number): number | undefined => {
  let line = base
  for (let match = OFFSET.exec(reading.text); match !== null; match = OFFSET.exec(reading.text)) {
    const [whole, sign, digits = ""] = match
    if (sign === "" && digits === "") break
    const size = digits === "" ? 1 : Number(digits)
    line = (line ?? current) + (sign === "-" ? -size : size)
    take(reading, whole.length)
  }
  return line
}

const readLine = (reading: Reading, current: number): number | undefined => {
  reading.text = reading.text.trimStart()
  let line = readOffsets(reading, readBase(reading, current), current)
  while (reading.error === undefined && line !== undefined && /^[/?\\]/.test(reading.text)) {
    const read = reading.text.startsWith("\\") ? readRepeated : readPattern
    line = readOffsets(reading, read(reading, line), current)
  }
  return line
}

/** One address, as behind `:m` and `:t`; undefined when there is none or it is wrong. */
export const readAddress = (vim: VimState, text: string): { line: number | undefined; error: string | undefined } => {
  const reading: Reading = { vim, text, search: undefined, error: undefined }
  const line = readLine(reading, vim.cursor.line)
  return { line, error: reading.error }
}

/** `%` is the whole text and `*` the last selection. */
const readWhole = (reading: Reading): LineRange | undefined => {
  const { vim, text } = reading
  if (text.startsWith("%")) {
    take(reading, 1)
    return { first: 0, last: vim.buffer.count - 1 }
  }
  if (!text.startsWith("*")) return undefined
  take(reading, 1)
  const [first, last] = [findMark(vim, "<"), findMark(vim, ">")]
  if (first === undefined || last === undefined) reading.error = "E20: Mark not set"
  return first && last && { first: first.line, last: last.line }
}

export const readRange = (vim: VimState, line: string): Addresses | RangeError => {
  const reading: Reading = { vim, text: line.replace(/^[\s:]+/, ""), search: undefined, error: undefined }
  let current = vim.cursor.line
  let caret: number | undefined
  let range = { first: current, last: current }
  let count = 0
  while (true) {
    const found = readLine(reading, current)
    const whole = found === undefined && reading.error === undefined ? readWhole(reading) : undefined
    if (reading.error !== undefined) return { error: reading.error, search: reading.search, caret }
    range = whole ?? { first: range.last, last: found ?? current }
    count += whole === undefined ? 1 : 2
    const separator = reading.text[0]
    const isGiven = found !== undefined || whole !== undefined
    if (separator === ";") current = caret = Math.max(0, Math.min(range.last, vim.buffer.count - 1))
    else if (separator !== ",") {
      const { text: rest, search } = reading
      if (count === 1 && !isGiven) return { range: undefined, count: 0, rest, caret, search }
      return { range: count === 1 ? { first: range.last, last: range.last } : range, count, rest, caret, search }
    }
    take(reading, 1)
  }
}

/** The range with its ends in order and a line 0 taken for the first; undefined when it is not in the text. */
export const rangeInText = (vim: VimState, { first, last }: LineRange, inGlobal: boolean): LineRange | undefined => {
  if (first > last && inGlobal) return undefined
  const [low, high] = first <= last ? [first, last] : [last, first]
  if (low < -1 || high >= vim.buffer.count) return undefined
  return { first: Math.max(0, low), last: Math.max(0, high) }
}
