import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { rect } from "../../screen/cell/rect.ts"
import { textRows } from "../../text/line-rows.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { occurrences } from "./list-search.ts"
import { cursorIndex, type Item, type ListState, topRowOf } from "../../model/list-state.ts"

/** Draws the items of a list pane and says where the cursor is. */
export interface ListView {
  readonly items: ReadonlyArray<Item>
  readonly list: ListState
  readonly isFocused: boolean
  /** For an empty list: what would be here, and the key that makes it. */
  readonly empty: string
}

const MARGIN = 1
const EMPTY: Look = { role: "subtle", dim: true }

/** Each pane has its words, which are laid out again only for another width: an empty list is part of most frames. */
const emptyRows = new Map<string, { readonly width: number; readonly rows: ReadonlyArray<Row> }>()

const rowsOfEmpty = (words: string, width: number): ReadonlyArray<Row> => {
  const known = emptyRows.get(words)
  if (known?.width === width) return known.rows
  const rows = textRows(words, width, EMPTY)
  emptyRows.set(words, { width, rows })
  return rows
}

const drawEmpty = (canvas: Canvas, words: string): void => {
  const rows = rowsOfEmpty(words, Math.max(1, canvas.area.width - 2 * MARGIN))
  for (const [y, row] of rows.slice(0, canvas.area.height).entries()) canvas.row(MARGIN, y, row)
}

const drawMatches = (
  canvas: Canvas,
  at: { readonly row: Row; readonly y: number; readonly list: ListState; readonly isHere: boolean }
): void => {
  const text = at.row.spans.map((span) => span.text).join("")
  for (const { start, end } of occurrences(at.list, text)) {
    const area = rect(MARGIN + textWidth(text.slice(0, start)), at.y, textWidth(text.slice(start, end)), 1)
    canvas.restyle(area, { background: at.isHere ? "searchCurrent" : "searchMatch" })
  }
}

export const drawList = (
  canvas: Canvas,
  { items, list, isFocused, empty }: ListView
): { readonly x: number; readonly y: number } => {
  const { width, height } = canvas.area
  if (items.length === 0) {
    drawEmpty(canvas, empty)
    return { x: 0, y: 0 }
  }
  const index = cursorIndex(list, items)
  let y = -topRowOf(list, { items, height })
  let cursorY = 0
  for (const [at, item] of items.entries()) {
    const isHere = at === index
    if (isHere) cursorY = Math.max(0, y)
    for (const [line, row] of item.rows.entries()) {
      if (y >= 0 && y < height) {
        canvas.row(MARGIN, y, row)
        if (isHere && line === 0 && isFocused) canvas.restyle(rect(0, y, width, 1), { background: "cursorLine" })
        drawMatches(canvas, { row, y, list, isHere })
      }
      y += 1
    }
    if (y >= height) break
  }
  return { x: 0, y: Math.min(cursorY, height - 1) }
}
