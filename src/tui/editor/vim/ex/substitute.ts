/** Replacing what a pattern matches, line by line. What `:s` was given is read in substitute-line.ts. */
import type { Lines, Position } from "../../lines.ts"
import type { LineRange } from "../state/command.ts"
import { lastColumn, nextColumn } from "../../clusters.ts"
import { compilePattern, type Pattern } from "../pattern/pattern.ts"
import { type Match, matchFrom } from "../pattern/search.ts"
import {
  fail,
  lineAt,
  lineStart,
  moveTo,
  noteJump,
  replaceSpan,
  setLines,
  setMarks,
  showMessage,
  type Turn,
  update
} from "../engine/running-command.ts"

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
  /** The last line of the range. */
  readonly last: number
}

/** How much of what was made so far the next match can see behind it; more would cost the square of a long line. */
const MOST_BEHIND = 2000

/** A line while its matches are replaced, with the lines that matches took in. */
interface Progress {
  /** The pieces made so far. */
  readonly out: Array<string>
  /** The end of them, back to the start of their last line. */
  behind: string
  /** The line that the rest is taken from, and from where on. */
  line: number
  column: number
}

const add = (at: Progress, piece: string): void => {
  at.out.push(piece)
  const behind = at.behind + piece
  at.behind = behind.slice(Math.max(behind.lastIndexOf("\n") + 1, behind.length - MOST_BEHIND))
}

/** The next match behind what was replaced. Where lines were taken in it sees them joined. */
const nextMatch = (lines: Lines, first: number, at: Progress & Replacing & { readonly from: number }): Match | undefined => {
  const { pattern, line, column, from } = at
  if (line === first) return matchFrom(lines, line, { pattern, column: from })
  const text = at.behind + lines.at(line).slice(column)
  const joined: Lines = { count: lines.count, at: (index) => (index === line ? text : lines.at(index)) }
  const by = column - at.behind.length
  const match = matchFrom(joined, line, { pattern, column: from - by })
  const moved = (place: Position): Position => (place.line === line ? { line, column: place.column + by } : place)
  return match && { ...match, start: moved(match.start), end: moved(match.end) }
}

const replaceOnLine = (turn: Turn, first: number, rule: Replacing): Replaced | undefined => {
  const { buffer } = turn.vim
  const at: Progress = { out: [], behind: "", line: first, column: 0 }
  let { all } = rule
  let count = 0
  let previous = -1
  let from = 0
  for (let match = matchFrom(buffer, first, { ...rule, column: 0 }); match !== undefined;) {
    const { start, end } = match
    let again = false
    // Nothing right behind a match is not a match of its own.
    if (from === previous && end.line === at.line && end.column === from) {
      if (from >= buffer.at(at.line).length) break
      from = nextColumn(buffer.at(at.line), from)
      again = !all
    } else {
      for (; at.line < start.line; at.line++, at.column = 0) add(at, `${buffer.at(at.line).slice(at.column)}\n`)
      add(at, buffer.at(at.line).slice(at.column, start.column) + expandReplacement(rule.replacement, match.groups))
      again = end.line > at.line && end.line <= rule.last
      all = all && (end.line === at.line || again)
      Object.assign(at, { line: end.line, column: end.column })
      from = previous = end.column
      count++
    }
    if (at.line >= buffer.count || !(all || again)) break
    if (!rule.pattern.multiline && from >= buffer.at(at.line).length) break
    match = nextMatch(buffer, first, { ...rule, ...at, from })
  }
  if (count === 0) return undefined
  const rest = at.line < buffer.count ? buffer.at(at.line).slice(at.column) : ""
  return { lines: (at.out.join("") + rest).split("\n"), count, taken: Math.min(at.line, buffer.count - 1) - first + 1 }
}

export interface Replacement {
  readonly range: LineRange
  readonly pattern: string
  readonly replacement: string
  readonly flags: string
  /** The pattern was a word under the caret, in which capitals mean nothing. */
  readonly anyCase: boolean
  /** The caret goes to the end of the last line that changed, not to its start. */
  readonly toEnd: boolean
}

const compile = (turn: Turn, { pattern, flags, anyCase }: Replacement): Pattern | undefined => {
  const { ignorecase, smartcase } = turn.vim.options
  return compilePattern(pattern, {
    ignorecase: flags.includes("i") || (ignorecase && !flags.includes("I")),
    smartcase: smartcase && !anyCase && !flags.includes("i"),
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
  // Lines that stay lines are changed together: lines that follow do not see them.
  let waiting: Array<readonly [line: number, text: string]> = []
  const changeWaiting = (): void => {
    const line = waiting[0]?.[0]
    if (line !== undefined) done = setLines(update(done, { cursor: { line, column: 0 } }), waiting)
    waiting = []
  }
  for (let line = range.first; line <= last; line++) {
    const made = replaceOnLine(done, line, { pattern, replacement, all: flags.includes("g"), last })
    if (made === undefined) continue
    total += made.count
    changedLine = line + made.lines.length - 1
    if (flags.includes("n")) continue
    firstLine ??= line
    if (made.lines.length === 1 && made.taken === 1) {
      waiting.push([line, made.lines[0] ?? ""])
      continue
    }
    changeWaiting()
    done = replaceSpan(update(done, { cursor: { line, column: 0 } }), { line, count: 1 }, made.lines)
    // Lines that the match took in go, and with them their marks.
    if (made.taken > 1) done = replaceSpan(done, { line: line + made.lines.length, count: made.taken - 1 }, [])
    last += made.lines.length - made.taken
    line = changedLine
  }
  changeWaiting()
  if (pattern.isExhausted()) return fail(turn, `E363: Pattern needs too many steps: ${asked.pattern}. Fix: make it simpler`)
  if (total === 0) return flags.includes("e") ? turn : fail(turn, `E486: Pattern not found: ${asked.pattern}`)
  const start = (line: number): Position => ({ line, column: 0 })
  if (flags.includes("n")) {
    const noted = setMarks(showMessage(noteJump(turn), `${total} matches`), {
      "[": start(range.first),
      "]": start(range.last)
    })
    return moveToEdge(noted, turn.vim.cursor.line, asked.toEnd)
  }
  // `U` does not know of it.
  const marked = setMarks(update(done, { lineUndo: turn.vim.lineUndo }), {
    "[": start(range.first),
    "]": start(last),
    ".": start(firstLine ?? range.first)
  })
  const home = Math.min(changedLine, done.vim.buffer.count - 1)
  return moveToEdge(marked, home, asked.toEnd)
}
