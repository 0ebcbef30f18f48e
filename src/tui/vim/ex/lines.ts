/** Ex commands on whole lines: `:d :y :m :t :j :> :< :pu :norm :k`. */
import { sliceLines } from "../../editor/buffer.ts"
import type { LineRange } from "../command.ts"
import type { Invocation } from "../invocation.ts"
import { joinLines } from "../join.ts"
import { deleteOperator, yankOperator } from "../operators/delete.ts"
import { shiftText } from "../operators/shift.ts"
import { readNamed } from "../register-read.ts"
import type { Region } from "../region.ts"
import { parseStrokes } from "../../keymap/stroke.ts"
import { fail, insertLines, lineStart, moveTo, noteJump, replaceSpan, setMarks, type Turn } from "../turn.ts"
import { readAddress } from "./range.ts"

export type LineCommand = (turn: Turn, range: LineRange, argument: string) => Turn

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

interface RegisterArgument {
  readonly register: string | undefined
  readonly range: LineRange
}

/** `[x] [count]` behind `:d` and `:y`: a count begins at the last line of the range. */
const readRegisterAndCount = (turn: Turn, range: LineRange, argument: string): RegisterArgument => {
  const match = /^\s*([a-zA-Z"\-_+*])?\s*(\d+)?/.exec(argument)
  const count = match?.[2] === undefined ? undefined : Number(match[2])
  const last = count === undefined ? range.last : Math.min(range.last + count - 1, turn.vim.buffer.count - 1)
  return { register: match?.[1], range: count === undefined ? range : { first: range.last, last } }
}

const invocationOf = (name: string, register: string | undefined): Invocation => ({
  name,
  register,
  count: undefined,
  argument: ""
})

const deleteLines: LineCommand = (turn, range, argument) => {
  const read = readRegisterAndCount(turn, range, argument)
  const region = regionOf(read.range)
  return deleteOperator.run(moveTo(turn, region.start), region, invocationOf("d", read.register))
}

const yankLines: LineCommand = (turn, range, argument) => {
  const { cursor } = turn.vim
  const read = readRegisterAndCount(turn, range, argument)
  return moveTo(yankOperator.run(turn, regionOf(read.range), invocationOf("y", read.register)), cursor)
}

const readTarget = (turn: Turn, argument: string): number | undefined => {
  const address = readAddress(turn.vim, argument, turn.vim.cursor.line)
  if (address === null || address === undefined || address.line < -1 || address.line >= turn.vim.buffer.count) {
    return undefined
  }
  return address.line
}

const moveLines: LineCommand = (turn, range, argument) => {
  const target = readTarget(turn, argument)
  if (target === undefined) return fail(turn, "E16: Invalid range")
  if (target >= range.first && target < range.last) return fail(turn, "E134: Cannot move a range of lines into itself")
  const lines = sliceLines(turn.vim.buffer, range.first, range.last + 1)
  const count = lines.length
  const down = target >= range.last
  const start = { line: range.first, column: 0 }
  const between = down
    ? [...sliceLines(turn.vim.buffer, range.last + 1, target + 1), ...lines]
    : [...lines, ...sliceLines(turn.vim.buffer, target + 1, range.first)]
  const line = down ? range.first : target + 1
  const moved = replaceSpan(moveTo(turn, start), { line, count: between.length }, between)
  const last = down ? target : target + count
  return moveTo(moved, lineStart(moved, last))
}

const copyLines: LineCommand = (turn, range, argument) => {
  const target = readTarget(turn, argument)
  if (target === undefined) return fail(turn, "E16: Invalid range")
  const lines = sliceLines(turn.vim.buffer, range.first, range.last + 1)
  const copied = insertLines(moveTo(turn, { line: target, column: 0 }), target + 1, lines)
  return moveTo(copied, lineStart(copied, target + lines.length))
}

const joinRange = (spaces: boolean, given: boolean): LineCommand => (turn, range, argument) => {
  const count = /^\s*(\d+)/.exec(argument)?.[1]
  const first = count === undefined ? range.first : range.last
  const wanted = count === undefined ? range.last - range.first + 1 : Number(count)
  const size = Math.min(given || count !== undefined ? Math.max(wanted, 2) : 2, turn.vim.buffer.count - first)
  if (size < 2) return given ? turn : fail(turn)
  const joined = joinLines(moveTo(turn, { line: first, column: 0 }), { line: first, count: size }, spaces)
  return moveTo(joined, lineStart(joined, first))
}

/** `:>`, `:>>`, `:> 3`: the number of signs is the number of shifts. */
const shiftRange = (sign: 1 | -1): LineCommand => (turn, range, argument) => {
  const more = /^[<>]*/.exec(argument)?.[0].length ?? 0
  const count = /(\d+)\s*$/.exec(argument)?.[1]
  const first = count === undefined ? range.first : range.last
  const last = count === undefined ? range.last : Math.min(range.last + Number(count) - 1, turn.vim.buffer.count - 1)
  const lines = sliceLines(turn.vim.buffer, first, last + 1)
  const shifted = lines.map((text) => shiftText(text, sign * (more + 1), turn.vim.options))
  const done = replaceSpan(moveTo(turn, { line: first, column: 0 }), { line: first, count: lines.length }, shifted)
  return moveTo(done, lineStart(done, last))
}

const putBelow: LineCommand = (turn, range, argument) => {
  const above = argument.startsWith("!")
  const name = argument.replace("!", "").trim()
  const text = readNamed(turn, name === "" ? undefined : name)
  if (text === undefined) return fail(turn, `E353: Nothing in register ${name || '"'}`)
  const at = above ? range.last : range.last + 1
  const put = insertLines(turn, at, text.lines)
  return moveTo(put, lineStart(put, at + text.lines.length - 1))
}

/** Normal commands, for every line when a range is given. */
const normal = (given: boolean): LineCommand => (turn, range, argument) => {
  const strokes = parseStrokes(argument.replace(/^!?\s*/, "").replaceAll("<", "<lt>"))
  if (!given) return turn.play(turn, strokes)
  let at = turn
  for (let line = range.first; line <= Math.min(range.last, at.vim.buffer.count - 1); line++) {
    at = turn.play(moveTo({ ...at, failed: false }, { line, column: 0 }), strokes)
  }
  return at
}

const setMark: LineCommand = (turn, range, argument) => {
  const name = argument.trim()
  if (!/^[a-zA-Z']$/.test(name)) return fail(turn, "E471: Argument required")
  return setMarks(turn, { [name]: { line: range.last, column: 0 } })
}

export const lineCommands = (given: boolean): Readonly<Record<string, LineCommand>> => ({
  delete: deleteLines,
  yank: yankLines,
  move: moveLines,
  copy: copyLines,
  t: copyLines,
  join: joinRange(true, given),
  ">": shiftRange(1),
  "<": shiftRange(-1),
  put: putBelow,
  normal: normal(given),
  mark: setMark,
  k: setMark
})

export const goToLine = (turn: Turn, range: LineRange): Turn => {
  const line = Math.max(0, range.last)
  return moveTo(noteJump(turn), lineStart(turn, line))
}

