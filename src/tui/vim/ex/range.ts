/** Line ranges before an ex command: `%`, `.`, `$`, numbers, marks, patterns, with `+n` and `-n`. */
import type { LineRange } from "../command.ts"
import { findMark } from "../marks.ts"
import { splitPattern } from "../motions/searches.ts"
import { compilePattern } from "../pattern.ts"
import { findPattern } from "../search.ts"
import type { VimState } from "../state.ts"

export interface RangeResult {
  /** Undefined when no range was given. */
  readonly range: LineRange | undefined
  readonly rest: string
  /** The line that `;` moved the caret to. */
  readonly caret: number | undefined
}

export interface RangePattern {
  readonly pattern: string
  readonly backward: boolean
}

/** The last pattern that an ex line searched for in its range. */
export const patternInRange = (line: string): RangePattern | undefined => {
  const match = /^[\s:]*(?:[^/?a-zA-Z]*)([/?])((?:\\.|(?!\1).)+)/.exec(line)
  return match?.[2] === undefined ? undefined : { pattern: match[2], backward: match[1] === "?" }
}

interface Address {
  readonly line: number
  readonly rest: string
}

const searchLine = (vim: VimState, from: number, rule: { pattern: string; backward: boolean }): number | undefined => {
  const source = rule.pattern === "" ? (vim.memory.search?.pattern ?? "") : rule.pattern
  const pattern = compilePattern(source, { ...vim.options, replacement: "" })
  if (pattern === undefined) return undefined
  const { backward } = rule
  // Behind the end of the line, so that nothing on it is found; going back from its start.
  const at = { line: from, column: backward ? 0 : Infinity }
  return findPattern(vim.buffer, at, { pattern, wrap: vim.options.wrapscan, backward, count: 1 })?.position.line
}

/** The part of an address before its offsets; undefined when there is none, null when it is wrong. */
const readBase = (vim: VimState, text: string, current: number): Address | undefined | null => {
  const number = /^\d+/.exec(text)?.[0]
  if (number !== undefined) return { line: Number(number) - 1, rest: text.slice(number.length) }
  const first = text[0]
  if (first === ".") return { line: current, rest: text.slice(1) }
  if (first === "$") return { line: vim.buffer.count - 1, rest: text.slice(1) }
  if (first === "'") {
    const mark = findMark(vim, text[1] ?? "")
    return mark === undefined ? null : { line: mark.line, rest: text.slice(2) }
  }
  if (first === "/" || first === "?") {
    const { pattern, rest } = splitPattern(text.slice(1), first)
    const line = searchLine(vim, current, { pattern, backward: first === "?" })
    return line === undefined ? null : { line, rest: rest ?? "" }
  }
  return undefined
}

export const readAddress = (vim: VimState, text: string, current: number): Address | undefined | null => {
  const base = readBase(vim, text.trimStart(), current)
  if (base === null) return null
  // A pattern right behind an address is searched from there.
  const further = base === undefined || !/^[/?]/.test(base.rest) ? undefined : readAddress(vim, base.rest, base.line)
  if (further !== undefined) return further
  let { line, rest } = base ?? { line: current, rest: text.trimStart() }
  let given = base !== undefined
  for (let match = /^\s*([+-])(\d*)/.exec(rest); match !== null; match = /^\s*([+-])(\d*)/.exec(rest)) {
    const size = match[2] === "" ? 1 : Number(match[2])
    line += match[1] === "-" ? -size : size
    rest = rest.slice(match[0].length)
    given = true
  }
  return given ? { line, rest } : undefined
}

/** Reads the range; a string is an error to show. */
export const readRange = (vim: VimState, text: string): RangeResult | string => {
  const source = text.replace(/^[\s:]+/, "")
  if (source.startsWith("%")) {
    return { range: { first: 0, last: vim.buffer.count - 1 }, rest: source.slice(1), caret: undefined }
  }
  let current = vim.cursor.line
  let caret: number | undefined
  let rest = source
  const lines: Array<number> = []
  while (true) {
    const address = readAddress(vim, rest, current)
    if (address === null) return "E20: Mark not set"
    if (address !== undefined) rest = address.rest
    const separator = rest.trimStart()[0]
    if (address === undefined && separator !== "," && separator !== ";") break
    lines.push(address?.line ?? current)
    if (separator !== "," && separator !== ";") break
    if (separator === ";") current = caret = lines.at(-1) ?? current
    rest = rest.trimStart().slice(1)
    if (readAddress(vim, rest, current) === undefined && !/^\s*[,;]/.test(rest)) {
      lines.push(current)
      break
    }
  }
  if (lines.length === 0) return { range: undefined, rest, caret }
  const last = lines.at(-1) ?? 0
  const first = lines.length > 1 ? (lines.at(-2) ?? last) : last
  const [low, high] = first <= last ? [first, last] : [last, first]
  if (high >= vim.buffer.count || low < -1) return "E16: Invalid range"
  return { range: { first: low, last: high }, rest, caret }
}
