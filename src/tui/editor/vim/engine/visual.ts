/** Selecting: entering and leaving visual mode, and what it remembers. */
import type { Shape } from "../../selection.ts"
import type { Position } from "../../lines.ts"
import { cellsOf, columnAtCell } from "../../clusters.ts"
import { currentCell } from "./motion-request.ts"
import type { Invocation, VisualSize } from "../state/invocation.ts"
import { positionOf } from "./marks.ts"
import { type Region, sizeOf } from "./region.ts"
import { type Memory, NO_PLACE, NORMAL, type VimState } from "../state/state.ts"
import { bytePlace, clamp, enterMode, fail, lineAt, moveTo, remember, type Turn, update } from "./running-command.ts"

/** Remembers the selection for `gv` and for the marks `<` and `>`. */
export const keepSelection = (turn: Turn): Turn => {
  const { buffer, mode, cursor, wanted } = turn.vim
  if (mode.name !== "visual") return turn
  const [anchor, head] = [bytePlace(buffer, mode.anchor), bytePlace(buffer, cursor)]
  return remember(turn, { visual: { shape: mode.shape, anchor, head, wanted } })
}

/** What vim remembers of a selection in cells: its end, and its start only within a line; after `$` nothing new. */
const cellsAfter = (vim: VimState, region: Region, shape: Shape): NonNullable<Memory["cells"]> => {
  const { cells = { start: 0, end: 0 } } = vim.memory
  if (shape === "block") return { start: region.columns.left, end: region.columns.right }
  if (vim.wanted === Infinity) return cells
  const { tabstop } = vim.options
  const { start, last } = region
  const end = cellsOf(vim.buffer.at(last.line), last.column, tabstop).end
  if (start.line !== last.line) return { start: cells.start, end }
  return { start: cellsOf(vim.buffer.at(start.line), start.column, tabstop).start, end }
}

/** Remembers how much was selected for a command, for a count before `v` and for putting text behind it. */
export const rememberSize = (turn: Turn, before: VimState, rule: { region: Region; shape: Shape }): Turn =>
  remember(turn, {
    selected: sizeOf(before, rule.region, rule.shape),
    cells: cellsAfter(before, rule.region, rule.shape)
  })

export const leaveVisual = (turn: Turn): Turn => clamp(enterMode(keepSelection(turn), NORMAL))

/** Escape also forgets the wanted column. */
export const escapeVisual = (turn: Turn): Turn => update(leaveVisual(turn), { wanted: undefined })

/** A count selects that many times what a command last worked on in visual mode. */
const selectAgain = (turn: Turn, { shape, lines, columns }: VisualSize, rule: { count: number; from: number }): Turn => {
  const { count, from } = rule
  const { buffer, cursor, options } = turn.vim
  const down = shape === "char" && lines === 1 ? 0 : lines * count - 1
  const line = Math.min(cursor.line + down, buffer.count - 1)
  const text = lineAt(turn, line)
  const cell = shape === "char" && lines > 1 ? columns : from + columns * count - 1
  const selected = enterMode(turn, { name: "visual", shape, anchor: cursor })
  if (columns === Infinity) return moveTo(selected, { line, column: text.length }, Infinity)
  if (shape === "line") return clamp(moveTo(selected, { line, column: cursor.column }))
  return moveTo(selected, { line, column: columnAtCell(text, cell, options.tabstop) }, cell)
}

/** A count selects that many characters or lines. */
const extendBy = (turn: Turn, name: string, count: number): Turn => {
  const operand = { kind: "motion", name, argument: "" } as const
  return turn.perform(turn, { name: "move", register: undefined, count, argument: "", operand })
}

/** `v V <C-v>`: begin, change the shape, or end when it is the same. */
export const toggleVisual =
  (shape: Shape) =>
  (turn: Turn, { count }: Invocation): Turn => {
    const { mode, cursor } = turn.vim
    if (mode.name !== "visual") {
      // On a tab the column is that of the caret before it selects.
      const wanted = turn.vim.wanted ?? currentCell(turn.vim)
      const begun = update(enterMode(turn, { name: "visual", shape, anchor: cursor }), { wanted })
      const { selected } = turn.vim.memory
      if (count !== undefined && selected !== undefined)
        return selectAgain(begun, selected, { count, from: currentCell(turn.vim) })
      return count === undefined || count === 1 ? begun : extendBy(begun, shape === "line" ? "j" : "l", count - 1)
    }
    return mode.shape === shape ? leaveVisual(turn) : enterMode(turn, { ...mode, shape })
  }

export const reselect = (turn: Turn): Turn => {
  const { buffer, memory, mode } = turn.vim
  const { visual } = memory
  if (visual === undefined || visual.anchor.line >= buffer.count) return fail(turn)
  const { anchor: first, head: last, shape, wanted } = visual
  if (first.line === NO_PLACE.line || last.line === NO_PLACE.line) return fail(turn)
  const kept = mode.name === "visual" ? keepSelection(turn) : turn
  const begun = clamp(
    moveTo(enterMode(kept, { name: "visual", shape, anchor: turn.vim.cursor }), positionOf(turn.vim, first))
  )
  const selected = enterMode(begun, { name: "visual", shape, anchor: begun.vim.cursor })
  return clamp(moveTo(selected, positionOf(turn.vim, last), wanted))
}

export const swapEnds = (turn: Turn): Turn => {
  const { mode, cursor } = turn.vim
  return mode.name === "visual" ? moveTo(enterMode(turn, { ...mode, anchor: cursor }), mode.anchor) : fail(turn)
}

/** `O` in a block goes to the other corner on the same line. */
export const swapCorners = (turn: Turn): Turn => {
  const { mode, cursor, options } = turn.vim
  if (mode.name !== "visual") return fail(turn)
  if (mode.shape !== "block") return swapEnds(turn)
  const { tabstop } = options
  const one = cellsOf(lineAt(turn, cursor.line), cursor.column, tabstop)
  const other = cellsOf(lineAt(turn, mode.anchor.line), mode.anchor.column, tabstop)
  const left = Math.min(one.start, other.start)
  const right = Math.max(one.end, other.end)
  const at = (line: number, cell: number): Position => ({
    line,
    column: columnAtCell(lineAt(turn, line), cell, tabstop)
  })
  const head = at(cursor.line, right)
  // The caret was on the right already, so it goes left and the anchor right.
  const [anchorCell, headCell] = head.column === cursor.column ? [right, left] : [left, right]
  const swapped = enterMode(turn, { ...mode, anchor: at(mode.anchor.line, anchorCell) })
  return moveTo(swapped, at(cursor.line, headCell), headCell)
}
