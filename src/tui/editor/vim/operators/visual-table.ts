/** Operators that exist only on a selection: `J gJ r I A <C-a> <C-x>` and those that count up. */
import { characterOf } from "../text/character.ts"
import { isEmpty, sliceLines } from "../../buffer.ts"
import type { Position } from "../../lines.ts"
import { blockPart, withPart } from "../text/block.ts"
import { startBlock } from "../insert/block-insert.ts"
import { displayWidth, lastColumn, nextColumn } from "../../clusters.ts"
import { beginInsert } from "../insert/insert-session.ts"
import type { Invocation } from "../state/invocation.ts"
import { joinLines } from "../engine/join.ts"
import { addToNumber } from "../text/number.ts"
import { isEmptyRegion, lineCount, type Region } from "../engine/region.ts"
import { clamp, fail, lineAt, moveTo, replaceSpan, setMarks, touch, type Turn } from "../engine/running-command.ts"
import { mapRegion, markMapped } from "./case.ts"
import type { Operator } from "./operator.ts"

const joining = (spaces: boolean): Operator => ({
  byLines: true,
  run: (turn, region) => {
    const count = Math.max(2, lineCount(region))
    if (region.start.line + count > turn.vim.buffer.count) return fail(turn)
    return joinLines(turn, { line: region.start.line, count }, spaces)
  }
})

/** In a block a character fills the cells that it replaces, so a wide one fits half as often. */
const replaceBlock = (turn: Turn, region: Region, char: string): Turn => {
  const { tabstop } = turn.vim.options
  const width = displayWidth(char, tabstop)
  const { line } = region.start
  const lines = sliceLines(turn.vim.buffer, line, region.end.line + 1).map((text) => {
    const part = blockPart(text, region.columns, tabstop)
    const { cells } = part
    const rest = part.missing > 0 ? 0 : cells % width
    return part.short ? text : withPart(text, part, char.repeat(Math.floor(cells / width)) + " ".repeat(rest))
  })
  return markMapped(turn, replaceSpan(turn, { line, count: lineCount(region) }, lines, region.start.column), region)
}

const replacing = (turn: Turn, region: Region, { argument }: Invocation): Turn => {
  const char = characterOf(argument)
  if (char === undefined) return fail(turn)
  const { cursor } = turn.vim
  const home = region.shape === "line" ? { line: cursor.line, column: 0 } : cursor
  if (char !== "\n" && region.shape === "block") return clamp(replaceBlock(turn, region, char))
  if (isEmptyRegion(region)) return moveTo(turn, home)
  // Where the letter stands already, putting it there is a change too, unless the whole text is empty.
  const counts = !isEmpty(turn.vim.buffer)
  if (char !== "\n")
    return moveTo(
      mapRegion(turn, region, () => char, counts),
      home
    )
  const broken = mapRegion(turn, region, () => "\n")
  const { line } = region.start
  const lines = sliceLines(broken.vim.buffer, line, region.end.line + 1).flatMap((text) => text.split("\n"))
  return clamp(replaceSpan(broken, { line, count: lineCount(region) }, lines))
}

const insertBefore = (turn: Turn, region: Region, { count }: Invocation): Turn => {
  if (region.shape !== "block") {
    return beginInsert(moveTo(turn, region.start), { kind: "insert", count: count ?? 1 })
  }
  const { turn: placed, block } = startBlock(turn, region, false)
  return beginInsert(placed, { kind: "insert", count: count ?? 1, block })
}

const appendBehind = (turn: Turn, region: Region, { count }: Invocation): Turn => {
  if (region.shape === "block") {
    const { turn: placed, block } = startBlock(turn, region, true)
    return beginInsert(placed, { kind: "insert", count: count ?? 1, block })
  }
  // Vim compares display columns, which may be those of a selection before: where they are the same it inserts.
  const { line, column } = region.last
  const text = lineAt(turn, line)
  const last = Math.min(column, lastColumn(text))
  const { start, end } = turn.vim.memory.cells ?? { start: 0, end: 0 }
  const stays = start === end
  const at = { line, column: stays ? last : nextColumn(text, last) }
  return beginInsert(moveTo(turn, at), { kind: "insert", count: count ?? 1 })
}

/** Adds to the first number of every line in the selection; `g` forms add more with every line. */
const adding = (sign: 1 | -1, grows: boolean): Operator => ({
  run: (turn, region, { count }) => {
    const first = region.start.line
    const { tabstop } = turn.vim.options
    const ends: Array<{ readonly start: Position; readonly last: Position }> = []
    const lines = sliceLines(turn.vim.buffer, first, region.end.line + 1).map((text, index) => {
      const line = first + index
      const span = spanIn(text, region, { line, tabstop })
      const by = sign * (count ?? 1) * (grows ? ends.length + 1 : 1)
      // After `$` a number that begins in the selection counts to its end, even where the caret could not go there.
      const to = region.toEnd && region.shape === "char" ? text.length : span.to
      const made = addToNumber(text.slice(span.from, to), 0, by)
      if (made === undefined || span.from + made.start >= span.to) return text
      const last = { line, column: span.from + made.column }
      ends.push({ start: { line, column: span.from + made.start }, last })
      return text.slice(0, span.from) + made.text + text.slice(to)
    })
    const [from, to] = [ends[0], ends.at(-1)]
    const isChanged = from !== undefined && to !== undefined
    const added = isChanged
      ? setMarks(replaceSpan(turn, { line: first, count: lines.length }, lines, 0), { "[": from.start, "]": to.last })
      : touch(turn, { line: first, count: lines.length })
    const { line, column } = region.start
    return clamp(moveTo(added, { line, column: region.shape === "line" ? 0 : column }))
  }
})

interface Span {
  readonly from: number
  readonly to: number
}

const spanIn = (text: string, region: Region, rule: { line: number; tabstop: number }): Span => {
  if (region.shape === "block") {
    const part = blockPart(text, region.columns, rule.tabstop)
    return { from: part.start, to: part.end }
  }
  if (region.shape === "line") return { from: 0, to: text.length }
  return {
    from: rule.line === region.start.line ? region.start.column : 0,
    to: rule.line === region.end.line ? region.end.column : text.length
  }
}

export const visualOperators: ReadonlyMap<string, Operator> = new Map<string, Operator>(
  Object.entries({
    J: joining(true),
    gJ: joining(false),
    r: { run: replacing },
    I: { run: insertBefore },
    A: { run: appendBehind },
    "<C-a>": adding(1, false),
    "<C-x>": adding(-1, false),
    "g<C-a>": adding(1, true),
    "g<C-x>": adding(-1, true)
  })
)
