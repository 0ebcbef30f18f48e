import type { Canvas } from "../../screen/cell/canvas.ts"
import { rect } from "../../screen/cell/rect.ts"
import { sliceColumns, textWidth } from "../../screen/cell/width.ts"
import type { Look, Span } from "../../screen/style/row.ts"
import { spanRow } from "../../text/line-rows.ts"
import { visibleLine } from "../../text/sanitize.ts"
import { DOCK_MARGIN, innerOf, layoutDock, type DockLayout } from "../../model/dock/dock-layout.ts"
import type { DockPanel, DockTitle, BoundPanel } from "../../model/dock/dock-panel.ts"

/** Draws a docked question: a rule with its title, what is asked, the choices, and a rule with the keys. */

const TEXT: Look = { role: "text" }
const HINT: Look = { role: "subtle" }
const MORE: Look = { role: "fold" }
const NOTE: Look = { role: "warning" }
const RULES: Readonly<Record<DockPanel["tone"], Look>> = {
  calm: { role: "dialogBorder" },
  destructive: { role: "destructive" }
}

const GLYPHS = {
  unicode: { line: "─", top: ["┌", "┐"], bottom: ["└", "┘"], more: "…" },
  ascii: { line: "-", top: ["+", "+"], bottom: ["+", "+"], more: "~" }
} as const

export interface DockDrawing {
  readonly ascii: boolean
  /** What stands beside it has a border that its rules run into. */
  readonly joins: { readonly left: boolean; readonly right: boolean }
  /** Without the keyboard it says how to come back. */
  readonly hasKeyboard: boolean
}

export interface DockCursor {
  readonly x: number
  readonly y: number
  readonly visible: boolean
}

/** Counts give way first, then the beginning of the path: what is left of it still names the file. */
const fittingTitle = ({ lead, path, tail }: DockTitle, room: number, more: string): string => {
  const before = visibleLine(lead, "command")
  const name = visibleLine(path, "command")
  const whole = [`${before}${name}${visibleLine(tail, "command")}`, `${before}${name}`]
  const fits = whole.find((words) => textWidth(words) <= room)
  if (fits !== undefined) return fits
  const left = room - textWidth(before) - 1
  const width = textWidth(name)
  if (left < 1 || width === 0) return `${sliceColumns(before, 0, Math.max(0, room - 1))}${more}`
  return `${before}${more}${sliceColumns(name, width - left, left)}`
}

/** A rule with words at its ends; those at the right give way. */
const drawRule = (
  canvas: Canvas,
  y: number,
  at: {
    readonly ends: readonly [string, string]
    readonly line: string
    readonly joins: DockDrawing["joins"]
    readonly look: Look
    readonly words: string
    readonly wordsLook: Look
    readonly aside: Span | undefined
  }
): void => {
  const { width } = canvas.area
  const [left, right] = [at.joins.left ? at.line : at.ends[0], at.joins.right ? at.line : at.ends[1]]
  canvas.text(0, y, `${left}${at.line.repeat(Math.max(0, width - 2))}${right}`, at.look)
  if (at.words !== "") canvas.text(1, y, ` ${at.words} `, at.wordsLook)
  const { aside } = at
  if (aside === undefined || aside.text === "") return
  const x = width - textWidth(aside.text) - 4
  if (x > textWidth(at.words) + 4) canvas.text(x, y, ` ${aside.text} `, aside.look)
}

/** Whole hints from the left, as many as fit. */
const fittingHints = (hints: ReadonlyArray<string>, room: number): string => {
  const shown = [...hints]
  while (shown.length > 0 && textWidth(shown.join(" · ")) > room) shown.pop()
  return shown.join(" · ")
}

/** What is not seen, and the key that shows it. */
const hiddenWords = ({ moreKey }: BoundPanel, hidden: number, more: string): string =>
  hidden > 0 ? `${more} ${hidden} more${inBrackets(moreKey())}` : ""

const inBrackets = (key: string): string => (key === "" ? "" : ` (${key})`)

/** What stands at the end of the title: all that there is to say, or as much of it as a long title leaves room for. */
const asideOf = (panel: BoundPanel, { isRoomy, hidden }: DockLayout, at: { width: number; more: string }): Span => {
  if (isRoomy) return { text: visibleLine(panel.aside, "command"), look: HINT }
  if (panel.note !== "") return { text: visibleLine(panel.note, "command"), look: NOTE }
  const title = textWidth(visibleLine(`${panel.title.lead}${panel.title.path}`, "command"))
  const words = hiddenWords(panel, hidden, at.more)
  return {
    text: words === "" || title + textWidth(words) + 9 <= at.width ? words : `${at.more}${inBrackets(panel.moreKey())}`,
    look: MORE
  }
}

const drawTop = (
  canvas: Canvas,
  panel: BoundPanel,
  layout: DockLayout,
  { ascii, joins, hasKeyboard }: DockDrawing
): void => {
  const { line, top, more } = GLYPHS[ascii ? "ascii" : "unicode"]
  const { width } = canvas.area
  const aside = asideOf(panel, layout, { width, more })
  const room = Math.max(0, width - 6 - (layout.isRoomy || aside.text === "" ? 0 : textWidth(aside.text) + 3))
  const look = RULES[panel.tone]
  const words = fittingTitle(panel.title, room, more)
  drawRule(canvas, 0, {
    ends: top,
    line,
    joins,
    look,
    words,
    wordsLook: hasKeyboard ? { ...look, bold: true } : look,
    aside
  })
}

const drawBottom = (canvas: Canvas, panel: BoundPanel, { ascii, joins, hasKeyboard }: DockDrawing): void => {
  const { line, bottom } = GLYPHS[ascii ? "ascii" : "unicode"]
  const hints = hasKeyboard ? panel.hints() : ["Esc back to the question"]
  const words = fittingHints(hints, Math.max(0, canvas.area.width - 6))
  const look = RULES[panel.tone]
  drawRule(canvas, canvas.area.height - 1, { ends: bottom, line, joins, look, words, wordsLook: HINT, aside: undefined })
}

/** What is asked and why, what of it is not on screen, and what has to be known before the choices. */
const drawBody = (canvas: Canvas, panel: BoundPanel, layout: DockLayout, ascii: boolean): void => {
  const { body, why, isBodyCut, hidden, isRoomy, choicesAt } = layout
  const words = isRoomy ? hiddenWords(panel, hidden, GLYPHS[ascii ? "ascii" : "unicode"].more) : ""
  const more = words === "" ? [] : [spanRow([{ text: words, look: MORE }])]
  const rows = isBodyCut ? [...body, ...more, ...why] : [...body, ...why, ...more]
  for (const [index, row] of rows.entries()) canvas.row(DOCK_MARGIN, 1 + index, row)
  if (isRoomy) canvas.text(DOCK_MARGIN, choicesAt - 1, visibleLine(panel.note, "command"), NOTE)
}

const drawChoices = (canvas: Canvas, { choices, choicesAt, firstChoice, isRoomy }: DockLayout): void => {
  const rows = canvas.area.height - choicesAt - (isRoomy ? 1 : 0)
  for (const [index, row] of choices.rows.slice(firstChoice, firstChoice + rows).entries()) {
    canvas.row(DOCK_MARGIN, choicesAt + index, row)
  }
}

/** Draws a question on the whole of a canvas. */
export const drawDock = (canvas: Canvas, panel: BoundPanel, drawing: DockDrawing): DockCursor => {
  const { width, height } = canvas.area
  const layout = layoutDock(panel, width, height)
  canvas.fill(rect(0, 0, width, height), TEXT)
  canvas.hit(rect(0, 0, width, height), "dock")
  drawTop(canvas, panel, layout, drawing)
  const text = canvas.within(rect(0, 0, DOCK_MARGIN + innerOf(width), height))
  drawBody(text, panel, layout, drawing.ascii)
  drawChoices(text, layout)
  if (layout.isRoomy) drawBottom(canvas, panel, drawing)
  const { caret, spots } = layout.choices
  const chosen = spots.find(({ index }) => index === panel.selected)
  const row = caret?.row ?? chosen?.row ?? 0
  return {
    x: DOCK_MARGIN + (caret?.column ?? chosen?.from ?? 0),
    y: layout.choicesAt + row - layout.firstChoice,
    visible: caret !== undefined
  }
}

/** The choice under a cell of the panel. */
export const choiceAt = (
  panel: BoundPanel,
  size: { readonly columns: number; readonly rows: number },
  at: { readonly x: number; readonly y: number }
): number | undefined => {
  const { choices, choicesAt, firstChoice } = layoutDock(panel, size.columns, size.rows)
  const row = at.y - choicesAt + firstChoice
  const x = at.x - DOCK_MARGIN
  return choices.spots.find((spot) => spot.row === row && x >= spot.from && x < spot.to)?.index
}
