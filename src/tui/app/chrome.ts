import { ARM, type Borders, borderGlyph } from "../cell/border.ts"
import type { Canvas } from "../cell/canvas.ts"
import { sliceColumns, textWidth } from "../cell/width.ts"
import type { Plan, PlacedPane } from "../layout/plan.ts"
import type { Rect } from "../layout/rect.ts"
import { leafId } from "../layout/tree.ts"
import type { Look } from "../text/row.ts"
import { visibleText } from "../text/sanitize.ts"

/** The lines between panes and what is written on them. */

const BORDER: Look = { role: "paneBorder" }
const FOCUSED: Look = { role: "paneBorderFocused", bold: true }
const TITLE: Look = { role: "paneTitle" }
const TITLE_FOCUSED: Look = { role: "paneBorderFocused", bold: true }

export interface Label {
  readonly title: string
  /** Keys worth knowing here, at the right end where they fit. */
  readonly hint: string
  readonly look?: Look
}

export interface ChromeOptions {
  readonly borders: "line" | "ascii"
  readonly focus: string
  readonly labelOf: (pane: PlacedPane) => Label
}

/** Focus is told by a heavier line and a mark, not by colour alone. */
const RULES = {
  line: { plain: "─", focused: "━", mark: "▸" },
  ascii: { plain: "-", focused: "=", mark: ">" }
} as const

const LEAST_RULE = 2

const drawTitle = (canvas: Canvas, area: Rect, label: Label, at: { readonly isFocused: boolean; readonly borders: "line" | "ascii" }): void => {
  const rule = RULES[at.borders]
  const line = at.isFocused ? rule.focused : rule.plain
  const look = at.isFocused ? FOCUSED : BORDER
  const mark = at.isFocused ? rule.mark : line
  canvas.text(area.x, area.y, line.repeat(area.width), look)
  const room = area.width - LEAST_RULE - 3
  if (room < 3) return
  const title = sliceColumns(visibleText(label.title, "command"), 0, room)
  canvas.text(area.x, area.y, mark, look)
  canvas.text(area.x + 1, area.y, ` ${title} `, at.isFocused ? TITLE_FOCUSED : (label.look ?? TITLE))
  const hint = label.hint === "" ? "" : ` ${visibleText(label.hint, "command")} `
  const left = area.width - textWidth(title) - 3 - LEAST_RULE
  const width = textWidth(hint)
  if (width > 0 && width + 1 <= left) canvas.text(area.x + area.width - width - 1, area.y, hint, TITLE)
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

export const drawChrome = (canvas: Canvas, plan: Plan, { borders, focus, labelOf }: ChromeOptions): void => {
  const rules = plan.panes.flatMap(({ title }) => (title === undefined ? [] : [title]))
  for (const separator of plan.separators) drawSeparator(canvas, separator, rules, borders)
  for (const pane of plan.panes) {
    if (pane.title === undefined) continue
    const id = leafId(pane.leaf)
    drawTitle(canvas, pane.title, labelOf(pane), { isFocused: id === focus, borders })
    canvas.hit(pane.title, `title:${id}`)
  }
}
