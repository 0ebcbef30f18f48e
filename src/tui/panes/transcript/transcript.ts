import { MARGIN, transcriptContext } from "../../model/conversation/transcript-context.ts"
import type { Canvas } from "../../screen/cell/canvas.ts"
import { rect } from "../../screen/cell/rect.ts"
import { textRows } from "../../text/line-rows.ts"
import { cursorCell } from "../../transcript/list/state/cursor.ts"
import { matchCells, matchCount } from "../../transcript/list/commands/search.ts"
import { selectionCells } from "../../transcript/list/commands/selection.ts"
import type { ListContext } from "../../transcript/list/view/list-context.ts"
import { type PlacedRow, visibleRows } from "../../transcript/list/view/viewport.ts"
import type { TranscriptList } from "../../transcript/list/state/transcript-list.ts"
import type { Look } from "../../screen/style/row.ts"
import type { View } from "../../transcript/block.ts"
import { welcomeLines } from "../chrome/welcome.ts"
import type { PaneDrawing } from "../../model/windows/pane-context.ts"

/** The conversation: the rows in view, with what is found, selected and under the cursor marked on them. */

const EMPTY: Look = { role: "subtle", dim: true }

const drawMarks = (canvas: Canvas, list: TranscriptList, placed: PlacedRow, context: ListContext): void => {
  for (const { from, to, current } of matchCells(list, placed)) {
    canvas.restyle(rect(MARGIN + from, placed.y, to - from, 1), {
      background: current ? "searchCurrent" : "searchMatch"
    })
  }
  for (const { from, to } of selectionCells(list, placed, context)) {
    canvas.restyle(rect(MARGIN + from, placed.y, to - from, 1), { background: "selectionBg" })
  }
}

/** What the border says about the place in the conversation. */
export const transcriptHint = (list: TranscriptList, view: View): string => {
  const matches = matchCount(list)
  const place = matches === undefined ? "" : `${matches.at}/${matches.of}`
  const search = list.search.parked === undefined ? place : "searching further back"
  return [view === "default" ? "" : view, search].filter((part) => part !== "").join(" · ")
}

export const drawTranscript = ({
  canvas,
  model,
  session,
  pane,
  isFocused
}: PaneDrawing): { readonly x: number; readonly y: number } => {
  const { list } = session
  const context = transcriptContext(model, session, pane.content)
  const rows = visibleRows(list, context)
  if (rows.length === 0) {
    const lines = welcomeLines(model, session).flatMap((line) =>
      textRows(line, Math.max(1, canvas.area.width - 2 * MARGIN), EMPTY)
    )
    for (const [y, row] of lines.entries()) canvas.row(MARGIN, y + 1, row)
    return { x: 0, y: 0 }
  }
  const cursor = cursorCell(list, rows, context)
  for (const placed of rows) {
    canvas.row(MARGIN, placed.y, placed.row)
    // Under the marks: what was found or selected in the row of the cursor is seen like any other.
    if (isFocused && placed.y === cursor?.y) {
      canvas.restyle(rect(0, placed.y, canvas.area.width, 1), { background: "cursorLine" })
    }
    drawMarks(canvas, list, placed, context)
  }
  return cursor === undefined ? { x: 0, y: 0 } : { x: MARGIN + cursor.x, y: cursor.y }
}
