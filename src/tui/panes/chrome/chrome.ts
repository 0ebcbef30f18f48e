import { ARM, type Borders, borderGlyph } from "../../screen/cell/border.ts"
import type { Canvas } from "../../screen/cell/canvas.ts"
import { sliceColumns, textWidth } from "../../screen/cell/width.ts"
import type { Plan, PlacedPane } from "../../screen/layout/plan.ts"
import { contains, type Rect } from "../../screen/cell/rect.ts"
import { leafId } from "../../screen/layout/tree.ts"
import type { Look } from "../../screen/style/row.ts"
import { visibleLine } from "../../text/sanitize.ts"
import type { Badge } from "./badge.ts"

/** The lines between panes and what is written on them. */

const BORDER: Look = { role: "paneBorder" }
const FOCUSED: Look = { role: "paneBorderFocused", bold: true }
const TITLE: Look = { role: "paneTitle" }
const TITLE_FOCUSED: Look = { role: "paneBorderFocused", bold: true }
const BADGE: Look = { role: "badge", bold: true, inverse: true }

export interface Label {
  readonly title: string
  /** Keys worth knowing here, at the right end where they fit. */
  readonly hint: string
  /** The part of the hint that matters most, where there is no room for all of it. */
  readonly shortHint?: string
  readonly look?: Look
}

export interface ChromeOptions {
  readonly borders: "line" | "ascii"
  readonly focus: string
  readonly labelOf: (pane: PlacedPane) => Label
  /** Drawn upon the rules; titles and hints make room for them. */
  readonly badges: ReadonlyArray<Badge>
}

/** Focus is told by a heavier line and a mark, not by colour alone. */
const RULES = {
  line: { plain: "─", focused: "━", mark: "▸" },
  ascii: { plain: "-", focused: "=", mark: ">" }
} as const

const LEAST_RULE = 2

interface Rule {
  readonly isFocused: boolean
  readonly borders: "line" | "ascii"
  readonly badges: ReadonlyArray<Badge>
}

/** A name that is cut says so. */
const shortened = (title: string, room: number, borders: Rule["borders"]): string => {
  if (textWidth(title) <= room) return title
  const more = borders === "ascii" ? "~" : "…"
  return `${sliceColumns(title, 0, room - 1).trimEnd()}${more}`
}

const drawTitle = (canvas: Canvas, area: Rect, label: Label, { isFocused, borders, badges }: Rule): void => {
  const rule = RULES[borders]
  const line = isFocused ? rule.focused : rule.plain
  const look = isFocused ? FOCUSED : BORDER
  const mark = isFocused ? rule.mark : line
  canvas.text(area.x, area.y, line.repeat(area.width), look)
  for (const badge of badges) canvas.text(badge.area.x, badge.area.y, badge.text, BADGE)
  const free = Math.min(area.width, ...badges.map((badge) => badge.area.x - area.x))
  const room = free - LEAST_RULE - 3
  if (room < 3) return
  const title = shortened(visibleLine(label.title, "command"), room, borders)
  canvas.text(area.x, area.y, mark, look)
  canvas.text(area.x + 1, area.y, ` ${title} `, isFocused ? TITLE_FOCUSED : (label.look ?? TITLE))
  const left = free - textWidth(title) - 3 - LEAST_RULE
  const hint = [label.hint, label.shortHint ?? ""]
    .filter((words) => words !== "")
    .map((words) => ` ${visibleLine(words, "command")} `)
    .find((words) => textWidth(words) + 1 <= left)
  if (hint !== undefined) canvas.text(area.x + free - textWidth(hint) - 1, area.y, hint, TITLE)
}

/** Separators join the rules that end at them. */
const drawSeparator = (canvas: Canvas, area: Rect, rules: ReadonlyArray<Rect>, borders: "line" | "ascii"): void => {
  for (let y = area.y; y < area.y + area.height; y++) {
    const left = rules.some((each) => each.y === y && each.x + each.width === area.x)
    const right = rules.some((each) => each.y === y && each.x === area.x + 1)
    const isTop = y === area.y && (left || right)
    const arms = (isTop ? 0 : ARM.up) | ARM.down | (left ? ARM.left : 0) | (right ? ARM.right : 0)
    const glyphs: Exclude<Borders, "none"> = borders
    canvas.text(area.x, y, borderGlyph(glyphs, arms, " "), BORDER)
  }
}

/** The rules of a question run into the separators beside it. */
const dockRules = ({ dock }: Plan): ReadonlyArray<Rect> =>
  dock === undefined
    ? []
    : [
        { ...dock, height: 1 },
        { ...dock, y: dock.y + dock.height - 1, height: 1 }
      ]

export const drawChrome = (canvas: Canvas, plan: Plan, { borders, focus, labelOf, badges }: ChromeOptions): void => {
  const rules = [...plan.panes.flatMap(({ title }) => (title === undefined ? [] : [title])), ...dockRules(plan)]
  for (const separator of plan.separators) drawSeparator(canvas, separator, rules, borders)
  for (const pane of plan.panes) {
    const { title } = pane
    if (title === undefined) continue
    const id = leafId(pane.leaf)
    const onIt = badges.filter(({ area }) => contains(title, area.x, area.y))
    drawTitle(canvas, title, labelOf(pane), { isFocused: id === focus, borders, badges: onIt })
    canvas.hit(title, `title:${id}`)
  }
}
