/** `d c y`: taking text away, and into registers. */
import { sliceLines } from "../../buffer.ts"
import type { Position } from "../../lines.ts"
import { blockPart, withoutPart } from "../text/block.ts"
import { startChange } from "../insert/block-insert.ts"
import { bytesBefore, columnAtByte } from "../text/bytes.ts"
import { type Carry, carryMarks } from "../engine/carry-marks.ts"
import { indentEnd, lastColumn, nextColumn, previousColumn } from "../../clusters.ts"
import { beginInsert } from "../insert/insert-session.ts"
import type { Invocation } from "../state/invocation.ts"
import { isWritable } from "../state/register.ts"
import { isEmptyRegion, lineCount, type Region } from "../engine/region.ts"
import {
  clamp,
  fail,
  forgetLine,
  lineAt,
  lineStart,
  moveTo,
  replaceSpan,
  setLine,
  setMarks,
  touch,
  type Turn
} from "../engine/running-command.ts"
import { cutRegion, yankRegion } from "../engine/yank.ts"

/** A deletion over several lines that leaves only blanks takes the lines as a whole. */
const promoted = (turn: Turn, region: Region): Region => {
  if (region.shape !== "char" || region.visual || region.forced || lineCount(region) === 1) return region
  const rest = lineAt(turn, region.end.line).slice(region.end.column)
  const before = lineAt(turn, region.start.line)
  const blank = rest.trim() === "" && indentEnd(before) >= region.start.column
  return blank ? { ...region, shape: "line" } : region
}

/** Takes the text of a region out without keeping it. */
export const removeRegion = (turn: Turn, region: Region): Turn => {
  const { start, end, columns } = region
  const count = lineCount(region)
  switch (region.shape) {
    case "char": {
      const text = lineAt(turn, start.line).slice(0, start.column) + lineAt(turn, end.line).slice(end.column)
      const removed = replaceSpan(turn, { line: start.line, count }, [text])
      if (count === 1) return removed
      // What is left of the last line is joined to the first, and its marks go along as far behind it as they were.
      const before = bytesBefore(lineAt(turn, start.line), start.column)
      const carry =
        (first: number): Carry =>
        ({ line, byte }) =>
          line >= first && line <= end.line ? { line: start.line, byte: before + byte } : undefined
      // The lines between go first, and an end of the selection there comes to the last line.
      const carried = carryMarks(turn, removed, { marks: carry(end.line), ends: carry(start.line + 1) })
      return setMarks(carried, { ".": { line: start.line + 1, column: 0 } })
    }
    case "line":
      return forgetLine(replaceSpan(turn, { line: start.line, count }, []))
    case "block": {
      const { tabstop } = turn.vim.options
      const lines = sliceLines(turn.vim.buffer, start.line, end.line + 1)
      const kept = lines.map((text) => {
        const part = blockPart(text, columns, tabstop)
        return part.short ? text : withoutPart(text, part)
      })
      return replaceSpan(turn, { line: start.line, count }, kept, start.column)
    }
  }
}

const markEnds = (turn: Turn, start: Position, end: Position): Turn => setMarks(turn, { "[": start, "]": end })

/** Where the caret rests after a block was taken out: behind the blanks that a cut tab left. */
const blockStart = (turn: Turn, region: Region): Position => {
  const part = blockPart(lineAt(turn, region.start.line), region.columns, turn.vim.options.tabstop)
  return part.short ? region.start : { line: region.start.line, column: part.start + part.before }
}

/** A motion that went nowhere and takes nothing in; forced to be a block it has a cell all the same. */
const isNothing = (region: Region): boolean => (isEmptyRegion(region) || region.shape === "block") && !region.inclusive

/** Some registers can only be read. */
const isRefused = (register: string | undefined): boolean => register !== undefined && !isWritable(register)

const runDelete = (turn: Turn, asked: Region, { register }: Invocation): Turn => {
  const region = promoted(turn, asked)
  if (turn.vim.emptied) return turn
  if (isNothing(region)) return touch(turn)
  if (region.shape !== "line" && lineCount(region) === 1 && lineAt(turn, region.start.line) === "") return turn
  if (isRefused(register)) return fail(clamp(turn))
  const cursor = region.shape === "block" ? blockStart(turn, region) : region.start
  const removed = removeRegion(cutRegion(turn, region, register), region)
  const line = Math.min(region.start.line, removed.vim.buffer.count - 1)
  const placed = moveTo(removed, region.shape === "line" ? lineStart(removed, line) : cursor)
  const end = region.shape === "block" ? { line: region.end.line, column: cursor.column } : region.start
  return clamp(markEnds(placed, region.start, end))
}

/** Typing goes on where the text was; at the end of a line vim compares with the column before the deletion. */
const changeStart = (turn: Turn, region: Region, { line, column }: Position): Turn => {
  const text = lineAt(turn, line)
  const last = Math.min(column, lastColumn(text))
  return moveTo(turn, { line, column: region.start.column > last && text !== "" ? nextColumn(text, last) : last })
}

/** Whole lines become one empty line; the rest is deleted as usual, and typing goes on there. */
const runChange = (turn: Turn, region: Region, invocation: Invocation): Turn => {
  if (turn.vim.emptied || isNothing(region)) return beginInsert(touch(turn), { kind: "insert", count: 1 })
  // Where it could not delete it goes on to type.
  if (isRefused(invocation.register)) return fail(beginInsert(turn, { kind: "insert", count: 1 }))
  const kept = cutRegion(turn, region, invocation.register)
  if (region.shape === "line") {
    const { line, column } = region.start
    const more = lineCount(region) - 1
    // The lines below go first; undo remembers that the caret was there.
    const belowColumn = columnAtByte(lineAt(kept, line + 1), bytesBefore(lineAt(kept, line), column))
    const below = moveTo(kept, { line: line + 1, column: belowColumn })
    const first = more === 0 ? kept : replaceSpan(below, { line: line + 1, count: more }, [])
    const emptied = setLine(first, line, "")
    const changed = more === 0 ? emptied : forgetLine(emptied)
    return beginInsert(moveTo(changed, { line, column: 0 }), { kind: "insert", count: 1 })
  }
  const cursor = region.shape === "block" ? blockStart(turn, region) : region.start
  const removed = changeStart(removeRegion(kept, region), region, cursor)
  if (region.shape === "char") return beginInsert(removed, { kind: "insert", count: 1 })
  return beginInsert(removed, { kind: "insert", count: 1, block: startChange(removed, region) })
}

/** The mark behind a yank: on its last character, or where an exclusive motion ended. */
const yankedTo = (turn: Turn, { shape, end, inclusive, adjusted }: Region): Position => {
  const isOnLast = shape === "char" && (inclusive || adjusted)
  return isOnLast ? { line: end.line, column: previousColumn(lineAt(turn, end.line), end.column) } : end
}

const runYank = (turn: Turn, region: Region, { register }: Invocation): Turn => {
  if (isRefused(register)) return fail(clamp(turn))
  const yanked = yankRegion(turn, region, register)
  if (region.shape === "line") {
    const end = { line: region.end.line, column: lineAt(turn, region.end.line).length }
    return clamp(markEnds(yanked, { line: region.start.line, column: 0 }, end))
  }
  return clamp(markEnds(yanked, region.start, yankedTo(turn, region)))
}

export const deleteOperator = { run: runDelete } as const
export const changeOperator = { run: runChange } as const
export const yankOperator = { run: runYank, reads: true } as const
