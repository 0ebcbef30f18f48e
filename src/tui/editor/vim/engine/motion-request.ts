/** What a motion gets to know, taken from the state. */
import { clusters } from "../../../screen/cell/width.ts"
import { comparePositions } from "../../lines.ts"
import { cellsOf, cellWidth, wantedColumn } from "../../clusters.ts"
import type { VimContext } from "../state/context.ts"
import { findMark } from "./marks.ts"
import type { MotionRequest } from "../motions/motion.ts"
import type { VimState, WantedColumn } from "../state/state.ts"
import type { Turn } from "./running-command.ts"

const hardRows = (text: string, rule: { width: number; tabstop: number }): ReadonlyArray<number> => {
  const starts = [0]
  let cell = 0
  let offset = 0
  let limit = rule.width
  for (const cluster of clusters(text)) {
    const next = cell + cellWidth(cluster, cell, rule.tabstop)
    if (next > limit && offset > 0) {
      starts.push(offset)
      limit = cell + rule.width
    }
    cell = next
    offset += cluster.length
  }
  return starts
}

const rowsOf = (context: VimContext, tabstop: number): MotionRequest["rowStarts"] =>
  context.rowStarts ?? ((text) => hardRows(text, { width: context.width, tabstop }))

/** The cell the caret is drawn on: the last one of a tab, the first while typing and before a selection's anchor. */
export const currentCell = ({ buffer, cursor, mode, options }: VimState): number => {
  const text = buffer.at(cursor.line)
  const atStart = mode.name === "insert" || (mode.name === "visual" && comparePositions(cursor, mode.anchor) <= 0)
  return atStart ? cellsOf(text, cursor.column, options.tabstop).start : wantedColumn(text, cursor.column, options.tabstop)
}

/**
 * The column that was asked for, for a command that moves the caret and leaves it alone: where it is only the caret's
 * own column it will be that of the caret's new place.
 */
export const askedColumn = (vim: VimState): WantedColumn => {
  const { buffer, cursor, drawn, wanted } = vim
  const isDrawn = drawn !== undefined && comparePositions(drawn.at, cursor) === 0 && drawn.text === buffer.at(cursor.line)
  return isDrawn && drawn.cell === wanted ? undefined : wanted
}

export const motionRequest = (
  turn: Turn,
  rule: { readonly count: number | undefined; readonly argument: string; readonly operator?: string }
): MotionRequest => {
  const { vim, context } = turn
  const { tabstop } = vim.options
  return {
    count: rule.count,
    argument: rule.argument,
    wanted: vim.wanted ?? currentCell(vim),
    operator: rule.operator,
    visual: vim.mode.name === "visual",
    find: vim.memory.find,
    search: vim.memory.search,
    mark: (name) => findMark(vim, name),
    options: vim.options,
    view: context.view,
    width: context.width,
    rowStarts: rowsOf(context, tabstop)
  }
}
