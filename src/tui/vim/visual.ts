/** Selecting: entering and leaving visual mode, and what it remembers. */
import type { Shape } from "../editor/selection.ts"
import { cellsOf, columnAtCell, lastColumn } from "./chars.ts"
import { NORMAL } from "./state.ts"
import { clamp, enter, fail, lineAt, moveTo, remember, type Turn } from "./turn.ts"

/** Remembers the selection for `gv` and for the marks `<` and `>`. */
export const keepSelection = (turn: Turn): Turn => {
  const { mode, cursor, wanted } = turn.vim
  if (mode.name !== "visual") return turn
  return remember(turn, { visual: { shape: mode.shape, anchor: mode.anchor, head: cursor, wanted } })
}

export const leaveVisual = (turn: Turn): Turn => clamp(enter(keepSelection(turn), NORMAL))

/** `v V <C-v>`: begin, change the shape, or end when it is the same. */
export const toggleVisual = (shape: Shape) => (turn: Turn): Turn => {
  const { mode, cursor } = turn.vim
  if (mode.name !== "visual") return enter(turn, { name: "visual", shape, anchor: cursor })
  return mode.shape === shape ? leaveVisual(turn) : enter(turn, { ...mode, shape })
}

export const reselect = (turn: Turn): Turn => {
  const { memory, mode } = turn.vim
  const { visual } = memory
  if (visual === undefined) return fail(turn)
  const kept = mode.name === "visual" ? keepSelection(turn) : turn
  const selected = enter(kept, { name: "visual", shape: visual.shape, anchor: visual.anchor })
  return clamp(moveTo(selected, visual.head, visual.wanted))
}

export const swapEnds = (turn: Turn): Turn => {
  const { mode, cursor } = turn.vim
  return mode.name === "visual" ? moveTo(enter(turn, { ...mode, anchor: cursor }), mode.anchor) : fail(turn)
}

/** `O` in a block goes to the other corner on the same line. */
export const swapCorners = (turn: Turn): Turn => {
  const { mode, cursor, options, wanted } = turn.vim
  if (mode.name !== "visual") return fail(turn)
  if (mode.shape !== "block") return swapEnds(turn)
  const { tabstop } = options
  const cellOf = (line: number, column: number): number => cellsOf(lineAt(turn, line), column, tabstop).start
  const anchorCell = cellOf(mode.anchor.line, mode.anchor.column)
  const cursorCell = wanted === Infinity ? Infinity : cellOf(cursor.line, cursor.column)
  const columnOf = (line: number, cell: number): number => {
    const text = lineAt(turn, line)
    return Math.min(columnAtCell(text, cell, tabstop), lastColumn(text))
  }
  const anchor = { line: mode.anchor.line, column: columnOf(mode.anchor.line, cursorCell) }
  return moveTo(enter(turn, { ...mode, anchor }), { line: cursor.line, column: columnOf(cursor.line, anchorCell) })
}
