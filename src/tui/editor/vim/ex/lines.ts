/** Ex commands on whole lines: `:d :y :m :t :j :> :< :pu :norm :k :sor :p`. */
import { sliceLines } from "../../buffer.ts"
import type { Position } from "../../lines.ts"
import { parseStrokes } from "../../../keymap/stroke.ts"
import { bytesBefore, columnAtByte } from "../text/bytes.ts"
import { carryMarks } from "../engine/carry-marks.ts"
import { indentEnd, lastColumn } from "../../clusters.ts"
import type { LineRange } from "../state/command.ts"
import type { Invocation } from "../state/invocation.ts"
import { joinLines } from "../engine/join.ts"
import { askedColumn } from "../engine/motion-request.ts"
import { deleteOperator, yankOperator } from "../operators/delete.ts"
import { shiftText } from "../operators/shift.ts"
import { putText } from "../engine/put.ts"
import { isKept } from "../state/register.ts"
import { readNamed } from "../engine/register-read.ts"
import type { Region } from "../engine/region.ts"
import {
  clamp,
  emit,
  fail,
  forgetLine,
  insertLines,
  lineAt,
  lineStart,
  moveTo,
  noteJump,
  replaceSpan,
  setMarks,
  touch,
  type Turn
} from "../engine/running-command.ts"
import { INVALID_RANGE, readAddress } from "./range.ts"
import { runSort } from "./sort.ts"

export interface LineRequest {
  readonly range: LineRange
  /** How many addresses and counts said so; none when it is the caret's line. */
  readonly given: number
  readonly argument: string
  readonly bang: boolean
  /** The byte of the caret in its line before a `;` in the range took it elsewhere. */
  readonly byte: number
}

export interface LineCommand {
  readonly run: (turn: Turn, request: LineRequest) => Turn
  /** What may stand behind the name. */
  readonly takes?: "register" | "register and count" | "count"
  /** Without a range it works on the whole text. */
  readonly whole?: true
  /** A line 0 before the first line is a line to work on. */
  readonly zero?: true
}

const regionOf = ({ first, last }: LineRange): Region => ({
  shape: "line",
  start: { line: first, column: 0 },
  end: { line: last, column: 0 },
  last: { line: last, column: 0 },
  columns: { left: 0, right: 0, toEnd: false },
  visual: false,
  adjusted: false,
  forced: false,
  inclusive: true,
  toEnd: false,
  numbered: false
})

/** The caret on another line, as many bytes into it. */
export const onLine = (turn: Turn, line: number): Position => {
  const { buffer, cursor } = turn.vim
  return { line, column: columnAtByte(buffer.at(line), bytesBefore(buffer.at(cursor.line), cursor.column)) }
}

/** The caret goes to another line and keeps its column, as far as the line goes. */
const goTo = (turn: Turn, line: number, byte: number): Turn =>
  clamp(moveTo(turn, { line, column: columnAtByte(lineAt(turn, line), byte) }, askedColumn(turn.vim)))

const invocationOf = (name: string, register: string): Invocation => ({
  name,
  register: register === "" ? undefined : register,
  count: undefined,
  argument: ""
})

/** Where the caret is when lines are about to change: undo returns there. */
const atStartOf = (turn: Turn, line: number): Turn => moveTo(noteJump(turn), lineStart(turn, line))

const deleteLines: LineCommand = {
  takes: "register and count",
  run: (turn, { range, argument }) =>
    deleteOperator.run(atStartOf(turn, range.first), regionOf(range), invocationOf("d", argument))
}

const yankLines: LineCommand = {
  takes: "register and count",
  run: (turn, { range, argument }) => {
    const { cursor, wanted } = turn.vim
    return moveTo(yankOperator.run(turn, regionOf(range), invocationOf("y", argument)), cursor, wanted)
  }
}

const readTarget = (turn: Turn, argument: string): number | string => {
  const { line, error } = readAddress(turn.vim, argument)
  if (error !== undefined) return error
  return line === undefined || line < -1 || line >= turn.vim.buffer.count ? INVALID_RANGE : line
}

/** The marks around lines, at their starts. */
const markLines = (turn: Turn, first: number, last: number): Turn =>
  setMarks(turn, { "[": { line: first, column: 0 }, "]": { line: last, column: 0 } })

/** Two changes, as undo sees them: the lines appear in their new place, then they go from the old one. */
const copyAndDelete = (turn: Turn, range: LineRange, target: number): Turn => {
  const lines = sliceLines(turn.vim.buffer, range.first, range.last + 1)
  const copied = insertLines(turn, target + 1, lines)
  const line = target >= range.last ? range.first : range.first + lines.length
  return replaceSpan(copied, { line, count: lines.length }, [])
}

const moveLines: LineCommand = {
  run: (turn, { range, argument }) => {
    const target = readTarget(turn, argument)
    if (typeof target === "string") return fail(turn, target)
    if (target >= range.first && target < range.last) {
      return fail(turn, "E134: Cannot move a range of lines into itself")
    }
    const count = range.last - range.first + 1
    const down = target >= range.last
    const last = down ? target : target + count
    if (target === range.first - 1 || target === range.last) return moveTo(turn, lineStart(turn, last))
    const first = down ? range.first : target + 1
    const behind = down ? target : range.last
    // Marks go with their lines.
    const own = down ? target - range.last : target + 1 - range.first
    const others = down ? -count : count
    const moved = carryMarks(turn, copyAndDelete(turn, range, target), (mark) => {
      if (mark.line < first || mark.line > behind) return undefined
      return { ...mark, line: mark.line + (mark.line >= range.first && mark.line <= range.last ? own : others) }
    })
    const changed = setMarks(forgetLine(moved), { ".": { line: first, column: 0 } })
    return moveTo(markLines(changed, last - count + 1, last), lineStart(changed, last))
  }
}

const copyLines: LineCommand = {
  run: (turn, { range, argument }) => {
    const target = readTarget(turn, argument)
    if (typeof target === "string") return fail(turn, target)
    const lines = sliceLines(turn.vim.buffer, range.first, range.last + 1)
    const copied = forgetLine(insertLines(turn, target + 1, lines))
    const last = target + lines.length
    return moveTo(markLines(copied, target + 1, last), lineStart(copied, last))
  }
}

const joinRange: LineCommand = {
  takes: "count",
  run: (turn, { range, given, bang, byte }) => {
    const { first } = range
    const begun = goTo(turn, first, byte)
    // A range of one line is not joined to the next, a single address is.
    const isOne = range.last === first
    if (isOne && given >= 2) return begun
    if (isOne && first === turn.vim.buffer.count - 1) return fail(begun)
    const count = isOne ? 2 : range.last - first + 1
    const joined = joinLines(begun, { line: first, count }, !bang)
    return moveTo(joined, lineStart(joined, first))
  }
}

/** Where the caret ends after a shift: on the last line, as far in as the last indent that really changed. */
const homeAfterShift = (turn: Turn, range: LineRange, shifted: ReadonlyArray<string>): Position => {
  let { column } = lineStart(turn, range.first)
  for (const [index, text] of shifted.entries()) {
    if (text === "") column = 0
    else if (text !== lineAt(turn, range.first + index)) column = indentEnd(text)
  }
  return { line: range.last, column: Math.min(column, lastColumn(shifted.at(-1) ?? "")) }
}

/** `:>`, `:>>`, `:> 3`: the number of signs is the number of shifts. */
const shiftRange = (sign: 1 | -1): LineCommand => ({
  takes: "count",
  run: (turn, { range, argument }) => {
    const { first, last } = range
    const by = sign * (argument.length + 1)
    const lines = sliceLines(turn.vim.buffer, first, last + 1)
    const shifted = lines.map((text) => shiftText(text, by, turn.vim.options))
    const done = replaceSpan(atStartOf(turn, first), { line: first, count: lines.length }, shifted, 0)
    const end = { line: last, column: Math.max(0, lineAt(done, last).length - 1) }
    return clamp(moveTo(setMarks(done, { "[": { line: first, column: 0 }, "]": end }), homeAfterShift(turn, range, shifted)))
  }
})

const putBelow: LineCommand = {
  takes: "register",
  zero: true,
  run: (turn, { range, argument, bang, byte }) => {
    const line = Math.max(0, range.last)
    const above = bang || range.last < 0
    const begun = goTo(turn, line, byte)
    const text = readNamed(turn, argument === "" ? undefined : argument)
    if (text === undefined) {
      const { cursor } = begun.vim
      const tried = isKept(argument) ? touch(begun, { line: cursor.line + 1, count: 0 }) : begun
      return fail(setMarks(tried, { "[": cursor, "]": cursor }), `E353: Nothing in register ${argument || '"'}`)
    }
    const content = { type: "line", lines: text.lines } as const
    const put = putText(begun, content, { count: 1, after: !above, leap: false })
    const last = (above ? line : line + 1) + text.lines.length - 1
    return moveTo(put, lineStart(put, last))
  }
}

/** Normal commands, for every line when a range is given; a line that is no longer there means the last one. */
const normal: LineCommand = {
  run: (turn, { range, given, argument }) => {
    const strokes = parseStrokes(argument.replaceAll("<", "<lt>"))
    // What fails in there drops the rest of these keys, not those of a macro that gave the command.
    if (given === 0) return { ...turn.play({ ...turn, failed: false }, strokes), failed: turn.failed }
    let at = turn
    for (let line = range.first; line <= range.last; line++) {
      at = turn.play(clamp(moveTo({ ...at, failed: false }, { line, column: 0 }, askedColumn(at.vim))), strokes)
    }
    return { ...at, failed: turn.failed }
  }
}

const setMark: LineCommand = {
  run: (turn, { range, argument }) => {
    const name = argument.trim()
    if (!/^[a-zA-Z'[\]]$/.test(name)) {
      return fail(turn, name.length > 1 ? `E488: Trailing characters: ${name.slice(1)}` : "E471: Argument required")
    }
    return setMarks(turn, { [name]: lineStart(turn, range.last) })
  }
}

/** Shows lines, and the caret goes to the last of them. */
const printLines: LineCommand = {
  takes: "count",
  run: (turn, { range }) => {
    if (turn.vim.emptied) return fail(turn, "E749: Empty buffer")
    const lines = sliceLines(turn.vim.buffer, range.first, range.last + 1)
    return emit(atStartOf(turn, range.last), { _tag: "Listing", title: "Lines", lines })
  }
}

const sort: LineCommand = { whole: true, run: (turn, { range, ...rule }) => runSort(turn, range, rule) }

export const lineCommands: Readonly<Record<string, LineCommand>> = {
  delete: deleteLines,
  yank: yankLines,
  move: moveLines,
  copy: copyLines,
  t: copyLines,
  join: joinRange,
  ">": shiftRange(1),
  "<": shiftRange(-1),
  put: putBelow,
  normal,
  mark: setMark,
  k: setMark,
  sort,
  print: printLines,
  number: printLines,
  "#": printLines
}

/** A range alone: its last line, the last there is when the text is shorter. */
export const goToLine = (turn: Turn, range: LineRange): Turn => {
  if (range.last < -1) return fail(turn, INVALID_RANGE)
  return moveTo(turn, lineStart(turn, Math.max(0, Math.min(range.last, turn.vim.buffer.count - 1))))
}
