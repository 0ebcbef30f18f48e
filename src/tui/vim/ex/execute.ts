/** An ex line: its range, then the command by its name or a shorter form of it. */
import type { Position } from "../../editor/lines.ts"
import { bytesBefore, columnAtByte } from "../bytes.ts"
import type { LineRange } from "../command.ts"
import { compilePattern } from "../pattern.ts"
import { currentCell } from "../motion-request.ts"
import { splitPattern } from "../motions/searches.ts"
import { noteRegister } from "../register.ts"
import { matchesOnLine } from "../search.ts"
import { clamp, emit, fail, moveTo, remember, setMarks, type Turn, update } from "../turn.ts"
import { runRedo, runTravel, runUndo } from "../undo.ts"
import { goToLine, lineCommands } from "./lines.ts"
import { deleteMarks, listMarks, listRegisters, listUndo, setOption } from "./listing.ts"
import { patternInRange, type RangePattern, readRange } from "./range.ts"
import { substitute, substituteAgain } from "./substitute.ts"

/** Full names and the shortest form of each. */
const NAMES: ReadonlyArray<readonly [string, string]> = [
  ["substitute", "s"],
  ["delete", "d"],
  ["yank", "y"],
  ["move", "m"],
  ["copy", "co"],
  ["t", "t"],
  ["join", "j"],
  ["put", "pu"],
  ["normal", "norm"],
  ["mark", "ma"],
  ["k", "k"],
  ["global", "g"],
  ["vglobal", "v"],
  ["nohlsearch", "noh"],
  ["registers", "reg"],
  ["display", "di"],
  ["marks", "marks"],
  ["delmarks", "delm"],
  ["undolist", "undol"],
  ["undo", "u"],
  ["redo", "red"],
  ["set", "se"]
]

export const fullName = (typed: string): string | undefined =>
  NAMES.find(([name, short]) => name.startsWith(typed) && typed.startsWith(short))?.[0]

interface ExLine {
  readonly name: string
  readonly argument: string
}

/** Letters, or one sign. `:k` and `:s` may stand right before their argument. */
const splitName = (text: string): ExLine => {
  const trimmed = text.trimStart()
  const letters = /^[a-zA-Z]+/.exec(trimmed)?.[0]
  if (letters === undefined) return { name: trimmed.slice(0, 1), argument: trimmed.slice(1) }
  if (fullName(letters) === undefined && /^k[a-z]$/.test(letters)) return { name: "k", argument: trimmed.slice(1) }
  return { name: letters, argument: trimmed.slice(letters.length) }
}

const GLOBAL_MARK = "global:"

/** Runs a command on every line that matches; lines are followed by marks while the text changes. */
const global = (turn: Turn, range: LineRange, rule: { argument: string; inverted: boolean }): Turn => {
  const inverted = rule.inverted || rule.argument.startsWith("!")
  const text = rule.argument.replace(/^!/, "").trimStart()
  const delimiter = text[0]
  if (delimiter === undefined) return fail(turn, "E148: Regular expression missing from global")
  const { pattern: typed, rest } = splitPattern(text.slice(1), delimiter)
  const source = typed === "" ? (turn.vim.memory.search?.pattern ?? "") : typed
  const pattern = compilePattern(source, { ...turn.vim.options, replacement: "" })
  if (pattern === undefined || source === "") return fail(turn, "E35: No previous regular expression")
  const marks: Record<string, { line: number; column: number }> = {}
  for (let line = range.first; line <= range.last; line++) {
    if (matchesOnLine(turn.vim.buffer, line, pattern).length > 0 !== inverted) {
      marks[GLOBAL_MARK + line] = { line, column: 0 }
    }
  }
  const search = { pattern: source, backward: false, offset: "" }
  const noted = update(remember(turn, { search }), { registers: noteRegister(turn.vim.registers, "/", source) })
  const names = Object.keys(marks)
  if (names.length === 0) return fail(noted, `E486: Pattern not found: ${source}`)
  return runOnMarks(setMarks(noted, marks), names, rest ?? "")
}

const runOnMarks = (turn: Turn, names: ReadonlyArray<string>, command: string): Turn => {
  if (command.trim() === "" || /^\s*p(rint)?\s*$/.test(command)) {
    const lines = names.flatMap((name) => turn.vim.buffer.at(turn.vim.marks.get(name)?.line ?? 0))
    return dropMarks(emit(turn, { _tag: "Listing", title: "Matching lines", lines }), names)
  }
  let at = turn
  for (const name of names) {
    const mark = at.vim.marks.get(name)
    if (mark === undefined) continue
    const left = new Map(at.vim.marks)
    left.delete(name)
    at = executeEx(moveTo(update({ ...at, failed: false }, { marks: left }), { line: mark.line, column: 0 }), command)
  }
  return dropMarks({ ...at, failed: false }, names)
}

const dropMarks = (turn: Turn, names: ReadonlyArray<string>): Turn => {
  const marks = new Map(turn.vim.marks)
  for (const name of names) marks.delete(name)
  return update(turn, { marks })
}

interface Parsed extends ExLine {
  readonly range: LineRange | undefined
  readonly text: string
}

const runOther = (turn: Turn, { name, argument, range, text }: Parsed): Turn => {
  const here = range ?? { first: turn.vim.cursor.line, last: turn.vim.cursor.line }
  const all = range ?? { first: 0, last: turn.vim.buffer.count - 1 }
  switch (name) {
    case "substitute":
      return substitute(turn, here, argument)
    case "&":
      return substituteAgain(turn, here, argument)
    case "global":
      return global(turn, all, { argument, inverted: false })
    case "vglobal":
      return global(turn, all, { argument, inverted: true })
    case "nohlsearch":
      return remember(turn, { highlight: false })
    case "registers":
    case "display":
      return listRegisters(turn, argument)
    case "marks":
      return listMarks(turn)
    case "delmarks":
      return deleteMarks(turn, argument)
    case "undolist":
      return listUndo(turn)
    case "undo":
      return /\d/.test(argument) ? runTravel(turn, Number(argument)) : runUndo(turn, 1)
    case "redo":
      return runRedo(turn, 1)
    case "set":
      return setOption(turn, argument) ?? emit(turn, { _tag: "ExCommand", text, range })
    default:
      return emit(turn, { _tag: "ExCommand", text, range })
  }
}

/** Keeps an ex line that was typed for `@:` and the register `:`. */
export const noteEx = (turn: Turn, line: string): Turn =>
  turn.played ? turn : update(remember(turn, { ex: line }), { registers: noteRegister(turn.vim.registers, ":", line) })

/** A pattern in the range is the last search, with its direction. */
const notePattern = (turn: Turn, found: RangePattern | undefined): Turn => {
  if (found === undefined) return turn
  const { pattern, backward } = found
  const search = { pattern, backward, offset: "" }
  return update(remember(turn, { search }), { registers: noteRegister(turn.vim.registers, "/", pattern) })
}

/** The caret on another line, as many bytes into it. */
const onLine = (turn: Turn, line: number): Position => {
  const { buffer, cursor } = turn.vim
  return { line, column: columnAtByte(buffer.at(line), bytesBefore(buffer.at(cursor.line), cursor.column)) }
}

export const executeEx = (turn: Turn, line: string): Turn => {
  const noted = notePattern(turn, patternInRange(line))
  const read = readRange(noted.vim, line)
  if (typeof read === "string") return fail(noted, read)
  const wanted = noted.vim.wanted ?? currentCell(noted.vim)
  const searched = read.caret === undefined ? noted : clamp(moveTo(noted, onLine(noted, read.caret), wanted))
  const { range, rest } = read
  const text = rest.trim()
  if (text === "") return range === undefined ? turn : goToLine(searched, range)
  const { name, argument } = splitName(rest)
  if (name === "!" && range !== undefined) {
    return emit(searched, { _tag: "PipeThrough", first: range.first, last: range.last, command: argument.trim() })
  }
  const known = fullName(name) ?? name
  const here = range ?? { first: searched.vim.cursor.line, last: searched.vim.cursor.line }
  // `:copy` without a target is the application's: it copies to the clipboard.
  const command = known === "copy" && argument.trim() === "" ? undefined : lineCommands(range !== undefined)[known]
  if (command !== undefined) return command(searched, here, argument)
  return runOther(searched, { name: known, argument, range, text })
}

