/** `:s`, `:&`, `:~`: replacing what a pattern matches. */
import type { Position } from "../../editor/lines.ts"
import type { LineRange } from "../command.ts"
import { splitPattern } from "../motions/searches.ts"
import { compilePattern, type Pattern } from "../pattern.ts"
import { noteRegister } from "../register.ts"
import { samePlace } from "../objects/object.ts"
import { matchesOnLine } from "../search.ts"
import type { Substitution } from "../state.ts"
import { fail, lineStart, moveTo, noteJump, remember, replaceSpan, setMarks, tell, type Turn, update } from "../turn.ts"

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
      if (/^[0-9]$/.test(escaped)) add(groups[Number(escaped)] ?? "")
      else if (escaped === "U" || escaped === "L") all = escaped === "U" ? "upper" : "lower"
      else if (escaped === "u" || escaped === "l") next = escaped === "u" ? "upper" : "lower"
      else if (escaped === "e" || escaped === "E") all = undefined
      else add(escaped === "r" ? "\n" : escaped === "n" ? "\0" : escaped === "t" ? "\t" : escaped)
    }
  }
  return out
}

/** `~` in a replacement is the one before. */
const withPrevious = (replacement: string, previous: string): string =>
  replacement.replace(/\\.|~/g, (part) => (part === "~" ? previous : part === "\\~" ? "~" : part))

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

export const runSubstitution = (turn: Turn, range: LineRange, substitution: Substitution): Turn => {
  const { flags, replacement } = substitution
  const options = {
    ignorecase: flags.includes("i") || (turn.vim.options.ignorecase && !flags.includes("I")),
    smartcase: turn.vim.options.smartcase && !flags.includes("i"),
    replacement: turn.vim.memory.substitution?.replacement ?? ""
  }
  const pattern = compilePattern(substitution.pattern, options)
  if (pattern === undefined) return fail(turn, `E383: Invalid search string: ${substitution.pattern}`)
  const noted = remember(turn, { substitution, highlight: true })
  let done = noteJump(noted)
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
  if (total === 0) return flags.includes("e") ? noted : fail(noted, `E486: Pattern not found: ${substitution.pattern}`)
  if (flags.includes("n")) return tell(noted, `${total} matches`)
  const start = (line: number): Position => ({ line, column: 0 })
  const marked = setMarks(done, { "[": start(range.first), "]": start(last), ".": start(firstLine ?? range.first) })
  return moveTo(marked, lineStart(done, Math.min(changedLine, done.vim.buffer.count - 1)))
}

/** A pattern that was typed is also the last search; one that is only used again is not. */
const noteSearch = (turn: Turn, pattern: string): Turn => {
  const { backward = false, offset = "" } = turn.vim.memory.search ?? {}
  const search = { pattern, backward, offset }
  return update(remember(turn, { search }), { registers: noteRegister(turn.vim.registers, "/", pattern) })
}

interface Flags {
  readonly flags: string
  readonly count: number | undefined
}

const readFlags = (text: string, previous: string): Flags => {
  const match = /^\s*(&?)([cegiInp#lr]*)\s*(\d*)/.exec(text)
  const flags = (match?.[1] === "&" ? previous : "") + (match?.[2] ?? "")
  return { flags, count: match?.[3] === undefined || match[3] === "" ? undefined : Number(match[3]) }
}

const withCount = (range: LineRange, count: number | undefined, turn: Turn): LineRange =>
  count === undefined
    ? range
    : { first: range.last, last: Math.min(range.last + count - 1, turn.vim.buffer.count - 1) }

/** `:s/pattern/replacement/flags count`, or the last one again when nothing is given. */
export const substitute = (turn: Turn, range: LineRange, argument: string): Turn => {
  const { substitution: previous, search } = turn.vim.memory
  const delimiter = argument.trimStart()[0]
  if (delimiter === undefined || /^[\w\s"|&\\]$/.test(delimiter)) {
    if (previous === undefined) return fail(turn, "E35: No previous regular expression")
    const { flags, count } = readFlags(argument, previous.flags)
    return runSubstitution(turn, withCount(range, count, turn), { ...previous, flags })
  }
  const first = splitPattern(argument.trimStart().slice(1), delimiter)
  const second = splitPattern(first.rest ?? "", delimiter)
  const known = search?.pattern ?? previous?.pattern ?? ""
  const pattern = first.pattern === "" ? known : unescape(first.pattern, delimiter)
  if (pattern === "") return fail(turn, "E35: No previous regular expression")
  const replacement = withPrevious(unescape(second.pattern, delimiter), previous?.replacement ?? "")
  const { flags, count } = readFlags(second.rest ?? "", previous?.flags ?? "")
  return runSubstitution(noteSearch(turn, pattern), withCount(range, count, turn), { pattern, replacement, flags })
}

/** A delimiter that was escaped means itself. */
const unescape = (text: string, delimiter: string): string =>
  delimiter === "/" || /[^\w\s.*$^~[\]&\\]/.test(delimiter) ? text.replaceAll(`\\${delimiter}`, delimiter) : text

export const substituteAgain = (turn: Turn, range: LineRange, argument: string): Turn => {
  const { substitution } = turn.vim.memory
  if (substitution === undefined) return fail(turn, "E35: No previous regular expression")
  const { flags, count } = readFlags(argument, substitution.flags)
  return runSubstitution(turn, withCount(range, count, turn), { ...substitution, flags })
}

