/** An ex line: its range, then the command by its name or a shorter form of it. */
import { byteLength, bytesBefore } from "../text/bytes.ts"
import { lastColumn } from "../../clusters.ts"
import type { LineRange } from "../state/command.ts"
import { currentCell } from "../engine/motion-request.ts"
import { noteRegister } from "../state/register.ts"
import type { Search } from "../state/state.ts"
import {
  bytePlace,
  clamp,
  emit,
  fail,
  hasError,
  lineAt,
  moveTo,
  remember,
  type Turn,
  update
} from "../engine/running-command.ts"
import { runRedo } from "../engine/undo.ts"
import { runGlobal } from "./global.ts"
import { goToLine, type LineCommand, lineCommands, type LineRequest, onLine } from "./lines.ts"
import { deleteMarks, listMarks, listRegisters, listUndo, setOption } from "./listing.ts"
import { type Addresses, INVALID_RANGE, rangeInText, readRange } from "./range.ts"
import { readSort } from "./sort.ts"
import { commandBehind, substitute } from "./substitute-line.ts"
import { travelBy, undoBy } from "./undo-by-time.ts"

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
  ["sort", "sor"],
  ["mark", "ma"],
  ["k", "k"],
  ["print", "p"],
  ["number", "nu"],
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
  ["earlier", "ea"],
  ["later", "lat"],
  ["set", "se"]
]

export const fullName = (typed: string): string | undefined =>
  NAMES.find(([name, short]) => name.startsWith(typed) && typed.startsWith(short))?.[0]

interface ExLine {
  readonly name: string
  readonly argument: string
}

/** `:s` right before its flags. */
const FLAGGED = /^s(?:g|I|i(?![mlg])|r(?!e)|c(?![sr]))[cegiInpr]*$/

/** Letters, or one sign. `:k` and `:s` may stand right before their argument. */
const splitName = (text: string): ExLine => {
  const trimmed = text.trimStart()
  const letters = /^[a-zA-Z]+/.exec(trimmed)?.[0]
  if (letters === undefined) return { name: trimmed.slice(0, 1), argument: trimmed.slice(1) }
  if (fullName(letters) === undefined && /^k[a-z]$/.test(letters)) return { name: "k", argument: trimmed.slice(1) }
  const length = FLAGGED.test(letters) ? 1 : letters.length
  return { name: letters.slice(0, length), argument: trimmed.slice(length) }
}

interface Parsed extends ExLine {
  readonly given: Addresses
  readonly range: LineRange | undefined
  readonly text: string
  /** The byte of the caret in its line. */
  readonly byte: number
  /** One of the lines of `:g`: a pattern that is not found is not an error. */
  readonly inGlobal: boolean
}

const runOther = (turn: Turn, { name, argument, given, range, text, inGlobal }: Parsed): Turn => {
  const here = range ?? { first: turn.vim.cursor.line, last: turn.vim.cursor.line }
  const all = range ?? { first: 0, last: turn.vim.buffer.count - 1 }
  switch (name) {
    case "substitute":
    case "&":
    case "~":
      return substitute(turn, here, { name, argument, inGlobal })
    case "global":
      return runGlobal(turn, all, { argument, inverted: false, inGlobal, execute: executeEx })
    case "vglobal":
      return runGlobal(turn, all, { argument, inverted: true, inGlobal, execute: executeEx })
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
      return undoBy(turn, argument, given)
    case "redo":
      return runRedo(turn, 1)
    case "earlier":
      return travelBy(turn, argument, -1)
    case "later":
      return travelBy(turn, argument, 1)
    case "set":
      return setOption(turn, argument) ?? emit(turn, { _tag: "ExCommand", text, range })
    default:
      return emit(turn, { _tag: "ExCommand", text, range })
  }
}

/** Keeps an ex line that was typed for `@:` and the register `:`. */
const noteEx = (turn: Turn, line: string): Turn =>
  turn.played ? turn : update(remember(turn, { ex: line }), { registers: noteRegister(turn.vim.registers, ":", line) })

/** A pattern in the range is the last search, with its direction. */
const notePattern = (turn: Turn, search: Search | undefined): Turn => {
  if (search === undefined) return turn
  const registers = noteRegister(turn.vim.registers, "/", search.pattern)
  return update(remember(turn, { search }), { registers, wanted: undefined })
}

/** These take a bar as a part of their argument, and so does whatever the application runs. */
const TAKES_BAR: ReadonlySet<string> = new Set(["global", "vglobal", "normal"])

/** A bar ends a command; a backslash before it makes it a part of the argument. */
const splitBar = (name: string, argument: string): { argument: string; next: string | undefined } => {
  if (name === "substitute" || name === "&" || name === "~") return { argument, next: commandBehind(name, argument) }
  if (name === "sort") return { argument, next: readSort(argument.replace(/^!/, "")).next }
  if (fullName(name) === undefined && !/^[<>#]$/.test(name)) return { argument, next: undefined }
  const end = TAKES_BAR.has(name) ? -1 : argument.search(/"|(?<!\\)\|/)
  // A quote begins a comment, even where a register could be named.
  if (argument[end] === '"') return { argument: argument.slice(0, end), next: undefined }
  const bar = end
  return bar < 0 ? { argument, next: undefined } : { argument: argument.slice(0, bar), next: argument.slice(bar + 1) }
}

/** What stands behind the name of a line command; undefined when there is more than it takes. */
const readArgument = (command: LineCommand, asked: LineRequest, last: number): LineRequest | undefined => {
  if (command.takes === undefined) return asked
  const pattern = command.takes === "register" ? PUT_ARGUMENT : command.takes === "count" ? COUNT : REGISTER_AND_COUNT
  const match = pattern.exec(asked.argument)
  if (match === null) return undefined
  const [, register = "", digits = ""] = match
  const count = digits === "" ? undefined : Number(digits)
  const range = count === undefined ? asked.range : { first: asked.range.last, last: asked.range.last + count - 1 }
  return {
    ...asked,
    argument: register,
    given: asked.given + (count === undefined ? 0 : 1),
    range: { first: range.first, last: Math.min(range.last, last) }
  }
}

const PUT_ARGUMENT = /^\s*([a-zA-Z0-9"\-_+*.:/%]?)()\s*(?:".*)?$/
const REGISTER_AND_COUNT = /^\s*([a-zA-Z"\-_+*]?)\s*([1-9]\d*)?\s*[lp#]*\s*(?:".*)?$/
const COUNT = /^([<>]*)\s*([1-9]\d*)?\s*[lp#]*\s*(?:".*)?$/

const runLines = (turn: Turn, command: LineCommand, { name, argument, given, range, byte }: Parsed): Turn => {
  const caret = { first: turn.vim.cursor.line, last: turn.vim.cursor.line }
  const isZero = command.zero === true && given.range?.last === -1
  const whole = command.whole === true ? { first: 0, last: turn.vim.buffer.count - 1 } : caret
  const here = isZero ? { first: -1, last: -1 } : (range ?? whole)
  const bang = argument.startsWith("!")
  const behind = (bang ? argument.slice(1) : argument).replace(name === "normal" ? /^\s+/ : "", "")
  const request = { range: here, given: given.count, argument: behind, bang, byte }
  const read = readArgument(command, request, turn.vim.buffer.count - 1)
  return read === undefined ? fail(turn, `E488: Trailing characters: ${behind.trim()}`) : command.run(turn, read)
}

const runCommand = (turn: Turn, parsed: Parsed): Turn => {
  const { name, argument, range } = parsed
  if (name === "!" && range !== undefined) {
    return emit(turn, { _tag: "PipeThrough", first: range.first, last: range.last, command: argument.trim() })
  }
  const known = fullName(name) ?? name
  // `:copy` without a target is the application's: it copies to the clipboard.
  const command = known === "copy" && argument.trim() === "" ? undefined : lineCommands[known]
  if (command !== undefined) return runLines(turn, command, { ...parsed, name: known })
  return runOther(turn, { ...parsed, name: known })
}

const TAKES_TARGET: ReadonlySet<string> = new Set(["move", "copy", "t"])
const WRONG_ADDRESS = /^E(?:20|35|486):/

interface Done {
  readonly turn: Turn
  /** An error left commands behind a bar undone. */
  readonly cut: boolean
}

const ANY_RANGE = /^[\s:]*[%.$,;*+\-\d'/?\\]/

/** Commands that take no lines, and the ranges that they refuse. A pattern in them is not even searched for. */
const NO_RANGE: ReadonlyMap<string, RegExp> = new Map([
  ["undo", /^[\s:]*[%'/?]/],
  ...["redo", "earlier", "later", "nohlsearch", "registers", "display", "marks", "delmarks", "undolist", "set"].map(
    (name) => [name, ANY_RANGE] as const
  )
])

/** The name of a command without reading the range before it. */
const nameBehindRange = (line: string): string => {
  const range = /^(?:[\s:%.$,;*+\-\d]|'.|\\[/?&]|\/(?:\\.|[^\\/])*\/?|\?(?:\\.|[^\\?])*\??)*/.exec(line)?.[0] ?? ""
  return splitName(line.slice(range.length)).name
}

/** The range that `:` puts in for a selection is not an address when it stands alone. */
const ONLY_SELECTION = /^[\s:]*'<,'>\s*$/

const runLine = (turn: Turn, line: string, inGlobal: boolean): Done => {
  if (ONLY_SELECTION.test(line)) return { turn, cut: false }
  const asked = nameBehindRange(line)
  if (NO_RANGE.get(fullName(asked) ?? "")?.test(line) === true) {
    // A number before `;` has moved the caret by then.
    const number = /^[\s:]*(\d+);/.exec(line)?.[1]
    const target = Math.max(0, Math.min(Number(number) - 1, turn.vim.buffer.count - 1))
    const moved = number === undefined ? turn : clamp(moveTo(turn, onLine(turn, target)))
    return { turn: fail(moved, "E481: No range allowed"), cut: false }
  }
  const read = readRange(turn.vim, line)
  const noted = notePattern(turn, read.search)
  if ("error" in read) {
    // What `;` had reached when the next address was wrong stays.
    const reached = read.caret === undefined ? noted : clamp(moveTo(noted, onLine(noted, read.caret)))
    return { turn: fail(reached, read.error), cut: false }
  }
  const wanted = read.search === undefined ? (noted.vim.wanted ?? currentCell(noted.vim)) : undefined
  const searched = read.caret === undefined ? noted : clamp(moveTo(noted, onLine(noted, read.caret), wanted))
  const own = bytePlace(noted.vim.buffer, noted.vim.cursor).byte
  const here = lineAt(searched, searched.vim.cursor.line)
  const byte = read.caret !== undefined && own >= byteLength(here) ? bytesBefore(here, lastColumn(here)) : own
  const { range, rest } = read
  const text = rest.trim()
  if (text === "" || text.startsWith('"')) {
    return { turn: range === undefined ? turn : goToLine(searched, range), cut: false }
  }
  const { name, argument: typed } = splitName(rest)
  const { argument, next: behind } = splitBar(fullName(name) ?? name, typed)
  const takesLines = fullName(name) !== "undo"
  const inText = range && (takesLines ? rangeInText(searched.vim, range, inGlobal) : range)
  if (range !== undefined && inText === undefined) return { turn: fail(searched, INVALID_RANGE), cut: false }
  // One line is sorted already: what stands behind the name is not even read.
  const isOne = inText === undefined ? searched.vim.buffer.count === 1 : inText.first === inText.last
  const next = isOne && fullName(name) === "sort" ? undefined : behind
  const done = runCommand(searched, { name, argument, given: read, range: inText, text, byte, inGlobal })
  if (next === undefined) return { turn: done, cut: false }
  if (!hasError(done, turn.commands.length)) return runLine(done, next, inGlobal)
  // A wrong target takes the rest of the line with it.
  return {
    turn: done,
    cut: !(TAKES_TARGET.has(fullName(name) ?? name) && hasError(done, turn.commands.length, WRONG_ADDRESS))
  }
}

export const executeEx = (turn: Turn, line: string, inGlobal = false): Turn => runLine(turn, line, inGlobal).turn

/** A line that was typed is known once it is done, unless an error cut it short. */
export const executeTyped = (turn: Turn, line: string): Turn => {
  const { turn: done, cut } = runLine(turn, line, false)
  return cut || line.trim() === "" ? done : noteEx(done, line)
}
