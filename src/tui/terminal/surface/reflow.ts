/**
 * Where the top of the live region is after the terminal changed its width. Terminals break long rows anew, each in its
 * own way, and none reports it; the region is found again by counting what it must have done to our rows.
 */
import { type Frame, isContinuation } from "../../screen/cell/frame.ts"
import type { Reflow } from "../render/capabilities.ts"
import type { Cursor } from "../render/screen.ts"
import { writtenEnd } from "./row-ops.ts"

/** Rows that the first cells of a row take at another width. */
const rowsOf = ({ words, columns }: Frame, y: number, at: { readonly end: number; readonly width: number }): number => {
  let rows = 1
  let column = 0
  for (let x = 0; x < at.end; x++) {
    if (isContinuation(words[y * columns + x] ?? 0)) continue
    const wide = x + 1 < columns && isContinuation(words[y * columns + x + 1] ?? 0) ? 2 : 1
    if (column + wide > at.width) {
      rows += 1
      column = 0
    }
    column += wide
  }
  return rows
}

export interface ShownRegion {
  readonly frame: Frame
  readonly cursor: Pick<Cursor, "x" | "y">
}

/**
 * How many rows above the cursor the region begins, once the terminal is so wide. Where terminals differ this is the
 * least: a row too few leaves a row of the old region, a row too many would take one of the conversation.
 */
export const rowsAboveCursor = ({ frame, cursor }: ShownRegion, width: number, reflow: Reflow): number => {
  if (reflow === "none" || width >= frame.columns || width < 1) return cursor.y
  let rows = 0
  for (let y = 0; y < cursor.y; y++) rows += rowsOf(frame, y, { end: writtenEnd(frame, y), width })
  if (reflow === "spares") return rows
  return rows + rowsOf(frame, cursor.y, { end: Math.min(cursor.x + 1, writtenEnd(frame, cursor.y)), width }) - 1
}
