import type { Canvas } from "../../screen/cell/canvas.ts"
import { sliceColumns, textWidth } from "../../screen/cell/width.ts"
import { inset, type Rect, rect } from "../../screen/cell/rect.ts"
import type { Size, SizeClass } from "../../screen/layout/size-class.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { visibleLine } from "../../text/sanitize.ts"

/**
 * What an overlay looks like, before it has a place: a body that scrolls and a foot that is always there. All overlays
 * are drawn here, in a border that nothing else uses.
 */
export interface Panel {
  readonly title: string
  readonly tone: "calm" | "destructive"
  /** The widest it would like to be, border included. */
  readonly width: number
  readonly body: (width: number) => ReadonlyArray<Row>
  /** First row of the body to show, as far as the user scrolled. */
  readonly top: number
  /** A row of the body that must be in view. */
  readonly selected?: number
  /** Options and fields, with the caret where one of them is typed into. */
  readonly foot: (width: number) => ReadonlyArray<Row>
  readonly caret?: (width: number) => PanelCaret
  readonly hint: string
  /** The key that shows all hints, where some of them find no room. */
  readonly hintKey?: string
  /** The key that shows more of the body, where there is one. */
  readonly scrollKey?: string
}

export interface PanelCaret {
  readonly part: "body" | "foot"
  readonly row: number
  readonly column: number
}

export interface PlacedPanel {
  /** Where the terminal's cursor goes; the start of the selected row where nothing is typed. */
  readonly cursor: { readonly x: number; readonly y: number; readonly visible: boolean }
  readonly area: Rect
  /** Enough of the panel can be seen to answer it. */
  readonly isUsable: boolean
  readonly bodyHeight: number
  readonly bodyRows: number
  readonly top: number
}

const LEAST_BODY = 3
const FRAME = 2

const BORDERS: Readonly<Record<Panel["tone"], Look>> = {
  calm: { role: "dialogBorder" },
  destructive: { role: "destructive" }
}
const TITLES: Readonly<Record<Panel["tone"], Look>> = {
  calm: { role: "dialogBorder", bold: true },
  destructive: { role: "destructive", bold: true }
}
const TEXT: Look = { role: "text" }
const HINT: Look = { role: "subtle" }
const MORE: Look = { role: "fold" }

/** The room an overlay may take: nine tenths of the screen, all of it on small ones. */
const roomOf = ({ columns, rows }: Size, sizeClass: SizeClass): Size =>
  sizeClass === "narrow" || sizeClass === "tiny" || sizeClass === "below"
    ? { columns, rows }
    : { columns: Math.floor(columns * 0.9), rows: Math.floor(rows * 0.9) }

const scrollTop = (panel: Panel, { rows, height }: { readonly rows: number; readonly height: number }): number => {
  const last = Math.max(0, rows - height)
  const top = Math.min(panel.top, last)
  if (panel.selected === undefined) return top
  return Math.max(Math.min(top, panel.selected), Math.min(panel.selected - height + 1, last), 0)
}

interface Layout {
  /** Enough of the panel can be seen to answer it. */
  readonly isUsable: boolean
  readonly area: Rect
  readonly body: ReadonlyArray<Row>
  readonly foot: ReadonlyArray<Row>
  readonly bodyHeight: number
  readonly top: number
}

const layoutOf = (panel: Panel, size: Size, sizeClass: SizeClass): Layout => {
  const room = roomOf(size, sizeClass)
  const width = Math.min(Math.max(panel.width, 1), room.columns)
  const inner = Math.max(1, width - FRAME - 2)
  const body = panel.body(inner)
  const foot = panel.foot(inner)
  const isCut = body.length + foot.length + FRAME > room.rows
  // The row between body and foot also says what does not fit.
  const gap = body.length > 0 && (foot.length > 0 || isCut) ? 1 : 0
  const height = Math.min(body.length + gap + foot.length + FRAME, room.rows)
  const bodyHeight = Math.max(0, height - FRAME - gap - foot.length)
  const area = rect(Math.floor((size.columns - width) / 2), Math.floor((size.rows - height) / 2), width, height)
  const isUsable = foot.length <= height - FRAME && (body.length === 0 || bodyHeight >= Math.min(LEAST_BODY, body.length))
  return { isUsable, area, body, foot, bodyHeight, top: scrollTop(panel, { rows: body.length, height: bodyHeight }) }
}

/** As many of the hints as fit, whole ones from the left; the key that shows the others comes last. */
const fittingHint = ({ hint, hintKey }: Panel, room: number): string => {
  if (textWidth(hint) <= room) return hint
  const parts = hint.split(" · ")
  const others = hintKey === undefined ? [] : [`${hintKey} more keys`]
  while (parts.length > 0 && textWidth([...parts, ...others].join(" · ")) > room) parts.pop()
  const words = [...parts, ...others].join(" · ")
  return textWidth(words) <= room ? words : ""
}

/** What of the body is out of sight, and the keys that bring it. */
const hiddenWords = ({ scrollKey }: Panel, { above, below }: { readonly above: number; readonly below: number }): string =>
  [
    below > 0 ? `… ${below} more${scrollKey === undefined ? "" : ` (${scrollKey})`}` : "",
    above > 0 ? `… ${above} above` : ""
  ]
    .filter((words) => words !== "")
    .join(" · ")

const drawBorder = (canvas: Canvas, area: Rect, panel: Panel, ascii: boolean): void => {
  canvas.fill(area, TEXT)
  canvas.box(area, BORDERS[panel.tone], ascii ? "asciiDialog" : "dialog")
  const room = Math.max(0, area.width - 6)
  canvas.text(area.x + 2, area.y, ` ${sliceColumns(visibleLine(panel.title, "command"), 0, room)} `, TITLES[panel.tone])
  const hint = fittingHint(panel, room)
  if (hint !== "") canvas.text(area.x + area.width - textWidth(hint) - 4, area.y + area.height - 1, ` ${hint} `, HINT)
}

/** Draws a panel in the middle of the screen. */
export const drawPanel = (
  canvas: Canvas,
  panel: Panel,
  at: { readonly size: Size; readonly sizeClass: SizeClass; readonly ascii: boolean }
): PlacedPanel => {
  const { isUsable, area, body, foot, bodyHeight, top } = layoutOf(panel, at.size, at.sizeClass)
  drawBorder(canvas, area, panel, at.ascii)
  const inside = inset(area, { top: 1, right: 2, bottom: 1, left: 2 })
  const content = canvas.within(inside)
  canvas.hit(area, "overlay")
  const footTop = inside.height - foot.length
  for (const [index, row] of body.slice(top, top + bodyHeight).entries()) {
    content.row(0, index, row)
    content.hit(rect(0, index, inside.width, 1), `overlay:body:${top + index}`)
  }
  const hidden = hiddenWords(panel, { above: top, below: body.length - top - bodyHeight })
  if (hidden !== "" && footTop - bodyHeight >= 1) content.text(0, bodyHeight, hidden, MORE)
  for (const [index, row] of foot.entries()) {
    content.row(0, footTop + index, row)
    content.hit(rect(0, footTop + index, inside.width, 1), `overlay:foot:${index}`)
  }
  const columns = Math.max(1, inside.width)
  const caret = panel.caret?.(columns)
  const row =
    caret === undefined ? (panel.selected ?? 0) - top : caret.part === "foot" ? footTop + caret.row : caret.row - top
  return {
    cursor: { x: inside.x + (caret?.column ?? 0), y: inside.y + Math.max(0, row), visible: caret !== undefined },
    area,
    isUsable,
    bodyHeight,
    bodyRows: body.length,
    top
  }
}

/** What keys need to know about scrolling and answering. */
export interface MeasuredPanel {
  readonly bodyHeight: number
  readonly bodyRows: number
  readonly top: number
  readonly isUsable: boolean
}

/** Where the panel would be, without drawing it. */
export const measurePanel = (panel: Panel, size: Size, sizeClass: SizeClass): MeasuredPanel => {
  const { isUsable, body, bodyHeight, top } = layoutOf(panel, size, sizeClass)
  return { bodyHeight, bodyRows: body.length, top, isUsable }
}

export interface PanelSpot {
  readonly part: "body" | "foot"
  /** Which row of the part. */
  readonly index: number
  readonly row: Row
}

/** The row of the panel under a cell of the screen, for the mouse. */
export const panelSpot = (
  panel: Panel,
  screen: { readonly size: Size; readonly sizeClass: SizeClass },
  at: { readonly column: number; readonly row: number }
): PanelSpot | undefined => {
  const { area, body, foot, bodyHeight, top } = layoutOf(panel, screen.size, screen.sizeClass)
  const inside = inset(area, { top: 1, right: 2, bottom: 1, left: 2 })
  const y = at.row - inside.y
  if (at.column < inside.x || at.column >= inside.x + inside.width || y < 0 || y >= inside.height) return undefined
  const inFoot = y - (inside.height - foot.length)
  const row = inFoot >= 0 ? foot[inFoot] : y < bodyHeight ? body[top + y] : undefined
  if (row === undefined) return undefined
  return inFoot >= 0 ? { part: "foot", index: inFoot, row } : { part: "body", index: top + y, row }
}
