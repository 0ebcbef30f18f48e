import type { Frame } from "../../screen/cell/frame.ts"
import type { Capabilities } from "./capabilities.ts"
import { diffRow } from "./diff-row.ts"
import { modeChange, NO_MODES } from "./modes.ts"
import type { DrawOp } from "./op.ts"
import { changedRows, rowOf, type ShownRow, unknownRow } from "./rows.ts"
import type { Cursor, Progress, Screen, Shown } from "./screen.ts"
import { findScroll } from "./scroll.ts"

/**
 * What must be done to a terminal that shows one screen to make it show another. Nothing known means a terminal that
 * nobody has entered yet.
 */
export const diff = (previous: Shown | undefined, next: Screen, caps: Capabilities): ReadonlyArray<DrawOp> => {
  const shown: Shown = previous ?? { modes: NO_MODES }
  const ops: Array<DrawOp> = []
  const { set, reset } = modeChange(shown.modes, next.modes)
  if (set.length + reset.length > 0) ops.push({ op: "Modes", reset, set })
  diffCells(isFullRedraw(shown, next) ? undefined : shown.frame, next, caps, ops)
  if (ops.length > 0 || !sameCursor(shown.cursor, next.cursor)) {
    ops.push({ op: "CursorState", cursor: next.cursor, before: shown.cursor })
  }
  diffWindow(shown, next, caps, ops)
  return ops
}

/** Whether the next frame is drawn without regard to what is shown. */
export const isFullRedraw = (previous: Shown | undefined, next: Screen): boolean =>
  !isComparable(previous?.frame, next.frame) || previous?.modes.altScreen !== next.modes.altScreen

const isComparable = (frame: Frame | undefined, next: Frame): boolean =>
  frame !== undefined && frame.columns === next.columns && frame.rows === next.rows && frame.pools === next.pools

const sameCursor = (a: Cursor | undefined, b: Cursor): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.visible === b.visible && a.shape === b.shape

const NOWHERE = -1
/** Fewer changed rows hold no block that is worth scrolling. */
const LEAST_CHANGED_ROWS = 3

/** Which rows to draw, and what stands in each before its cells are drawn. */
interface Work {
  readonly rows: Iterable<number>
  readonly shownRow: (y: number) => ShownRow
}

const diffCells = (shown: Frame | undefined, next: Screen, caps: Capabilities, ops: Array<DrawOp>): void => {
  const { frame, cursor } = next
  const caretRow = cursor.visible ? cursor.y : NOWHERE
  const { rows, shownRow } = shown === undefined ? wholeFrame(frame) : changesOf(shown, frame, caretRow, { caps, ops })
  for (const y of rows) {
    const keepFrom = y === caretRow ? cursor.x : frame.columns
    diffRow({ frame, y, shown: shownRow(y), caps, keepFrom }, ops)
  }
}

const wholeFrame = (frame: Frame): Work => {
  const unknown = unknownRow(frame.columns)
  return { rows: Array(frame.rows).keys(), shownRow: () => unknown }
}

/** A scroll that pays is done first, and every row looked at again. */
const changesOf = (
  shown: Frame,
  next: Frame,
  caretRow: number,
  { caps, ops }: { readonly caps: Capabilities; readonly ops: Array<DrawOp> }
): Work => {
  const rows = changedRows(shown, next)
  const mayScroll = caps.scrollRegions && rows.length >= LEAST_CHANGED_ROWS
  const moved = mayScroll ? findScroll(shown, next, caretRow) : undefined
  if (moved === undefined) return { rows, shownRow: (y) => rowOf(shown, y) }
  ops.push(moved.scroll)
  return { rows: Array(next.rows).keys(), shownRow: moved.shownRow }
}

export const diffWindow = (shown: Shown, next: Screen, caps: Capabilities, ops: Array<DrawOp>): void => {
  if (caps.title && next.title !== undefined && next.title !== shown.title) ops.push({ op: "Title", text: next.title })
  const { progress } = next
  if (caps.progress && !sameProgress(shown.progress, progress)) ops.push({ op: "Progress", progress })
}

const sameProgress = (a: Progress | undefined, b: Progress | undefined): boolean =>
  a?.state === b?.state && (a?.state !== "share" || b?.state !== "share" || a.percent === b.percent)
