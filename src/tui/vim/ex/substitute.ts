/** Replacing what a pattern matches, line by line. What `:s` was given is read in substitute-line.ts. */
import type { Position } from "../../editor/lines.ts"
import type { LineRange } from "../command.ts"
import { lastColumn } from "../chars.ts"
import { compilePattern, type Pattern } from "../pattern.ts"
import { samePlace } from "../objects/object.ts"
import { matchesOnLine } from "../search.ts"
import { fail, lineAt, lineStart, moveTo, noteJump, replaceSpan, setMarks, tell, type Turn, update } from "../turn.ts"

type CaseRule = "upper" | "lower" | undefined

const cased = (text: string, rule: CaseRule): string =>
  rule === "upper" ? text.toUpperCase() : rule === "lower" ? text.toLowerCase() : text

/** The text that a replacement makes for one match. */
export const expandReplacement = (replacement: string, groups: ReadonlyArray<string>): string => {
  let out = ""
  let all: CaseRule
  let next: CaseRule
  const add = (text: string): void => {
    if (text === "") return
    const whole = cased(text, all)
    const head = String.fromCodePoint(whole.codePointAt(0) ?? 0)
    out += next === undefined ? whole : cased(head, next) + whole.slice(head.length)
    next = undefined
  }
  for (let at = 0; at < replacement.length; at++) {
    const char = replacement.charAt(at)
    if (char === "&") add(groups[0] ?? "")
    else if (char !== "\\") add(char)
    else {
      const escaped = replacement.charAt(++at)
      if (escaped === "") add(char)
      else if (/^[0-9]$/.test(escaped)) add(groups[Number(escaped)] ?? "")
      else if (escaped === "U" || escaped === "L") all = escaped === "U" ? "upper" : "lower"
      else if (escaped === "u" || escaped === "l") next = escaped === "u" ? "upper" : "lower"
      else if (escaped === "e" || escaped === "E") all = undefined
      else add(escaped === "r" || escaped === "n" ? "\n" : escaped === "t" ? "\t" : escaped)
    }
  }
  return out
}

interface Replaced {
  readonly lines: ReadonlyArray<string>
  readonly count: number
  /** How many lines of the text they stand for. */
  readonly taken: number
}

interface Replacing {
  readonly pattern: Pattern
  readonly replacement: string
  readonly all: boolean
}

const replaceOnLine = (turn: Turn, line: number, rule: Replacing): Replaced | undefined => {
  const { buffer } = turn.vim
  const found = matchesOnLine(buffer, line, rule.pattern)
  const used = rule.all ? found : found.slice(0, 1)
  if (used.length === 0) return undefined
  let out = ""
  let column = 0
  let last = line
  let count = 0
  for (const match of used) {
    if (match.start.line < last || (match.start.line === last && match.start.column < column)) continue
    // Nothing right behind a match is no match of its own.
    const isEmpty = samePlace(match.start, match.end)
    const atEnd = match.start.column === buffer.at(match.start.line).length
    if (count > 0 && isEmpty && (atEnd || samePlace(match.start, { line: last, column }))) continue
    out += buffer.at(last).slice(column, match.start.column) + expandReplacement(rule.replacement, match.groups)
    column = match.end.column
    last = match.end.line
    count++
    if (last >= buffer.count) break
  }
  out += last < buffer.count ? buffer.at(last).slice(column) : ""
  return { lines: out.split("\n"), count, taken: Math.min(last, buffer.count - 1) - line + 1 }
}

export interface Replacement {
  readonly range: LineRange
  readonly pattern: string
  readonly replacement: string
  readonly flags: string
  /** The caret goes to the end of the last line that changed, not to its start. */
  readonly toEnd: boolean
}

const compile = (turn: Turn, { pattern, flags }: Replacement): Pattern | undefined => {
  const { ignorecase, smartcase } = turn.vim.options
  return compilePattern(pattern, {
    ignorecase: flags.includes("i") || (ignorecase && !flags.includes("I")),
    smartcase: smartcase && !flags.includes("i"),
    replacement: turn.vim.memory.substitution?.expanded ?? ""
  })
}

const moveToEdge = (turn: Turn, line: number, toEnd: boolean): Turn =>
  toEnd ? moveTo(turn, { line, column: lastColumn(lineAt(turn, line)) }, Infinity) : moveTo(turn, lineStart(turn, line))

export const runSubstitution = (turn: Turn, asked: Replacement): Turn => {
  const { flags, range, replacement } = asked
  const pattern = compile(turn, asked)
  if (pattern === undefined) return fail(turn, `E383: Invalid search string: ${asked.pattern}`)
  let done = noteJump(turn)
  let total = 0
  let changedLine = -1
  let firstLine: number | undefined
  let last = Math.min(range.last, turn.vim.buffer.count - 1)
  for (let line = range.first; line <= last; line++) {
    const made = replaceOnLine(done, line, { pattern, replacement, all: flags.includes("g") })
    if (made === undefined) continue
    total += made.count
    changedLine = line + made.lines.length - 1
    if (flags.includes("n")) continue
    firstLine ??= line
    done = replaceSpan(update(done, { cursor: { line, column: 0 } }), { line, count: made.taken }, made.lines)
    last += made.lines.length - made.taken
    line = changedLine
  }
  if (pattern.isExhausted()) return fail(turn, `E363: Pattern needs too many steps: ${asked.pattern}. Fix: make it simpler`)
  if (total === 0) return flags.includes("e") ? turn : fail(turn, `E486: Pattern not found: ${asked.pattern}`)
  const start = (line: number): Position => ({ line, column: 0 })
  if (flags.includes("n")) {
    const told = setMarks(tell(noteJump(turn), `${total} matches`), { "[": start(range.first), "]": start(range.last) })
    return moveToEdge(told, turn.vim.cursor.line, asked.toEnd)
  }
  const marked = setMarks(done, { "[": start(range.first), "]": start(last), ".": start(firstLine ?? range.first) })
  const home = Math.min(changedLine, done.vim.buffer.count - 1)
  return moveToEdge(marked, home, asked.toEnd)
}
