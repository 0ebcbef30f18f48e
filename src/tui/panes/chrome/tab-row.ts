import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import type { Rect } from "../../screen/cell/rect.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { AppModel } from "../../model/app-model.ts"
import { nameOf } from "../../model/session-model.ts"

/** The row above the panes: tab pages, and on small screens the pane that took the transcript's place. */
export interface TabLabel {
  readonly id: string
  readonly text: string
  readonly isActive: boolean
}

const ACTIVE: Look = { role: "paneBorderFocused", bold: true, underline: true }
const OTHER: Look = { role: "paneTitle" }
const LONGEST = 24

const pageLabels = (model: AppModel): ReadonlyArray<TabLabel> =>
  model.tabs.map((page, at) => {
    const current = at === model.tab ? model.current : page.current
    const session = model.sessions.get(current)
    return {
      id: `tab:${at}`,
      text: `${at + 1} ${session === undefined ? "" : nameOf(session).slice(0, LONGEST)}`,
      isActive: at === model.tab
    }
  })

export const tabLabels = (model: AppModel): ReadonlyArray<TabLabel> => {
  const { temporary } = model.layout
  const pages = model.tabs.length > 1 ? pageLabels(model) : []
  if (temporary === undefined) return pages
  return [
    ...pages,
    { id: "transcript", text: "transcript", isActive: false },
    { id: temporary, text: temporary, isActive: true }
  ]
}

const placed = (
  labels: ReadonlyArray<TabLabel>
): ReadonlyArray<TabLabel & { readonly x: number; readonly width: number }> => {
  let x = 1
  return labels.map((label) => {
    const width = textWidth(label.text) + 2
    const at = { ...label, x, width }
    x += width + 1
    return at
  })
}

/** Which tab a column belongs to. */
export const tabAt = (labels: ReadonlyArray<TabLabel>, column: number): TabLabel | undefined =>
  placed(labels).find(({ x, width }) => column >= x && column < x + width)

export const drawTabs = (canvas: Canvas, area: Rect, labels: ReadonlyArray<TabLabel>): void => {
  for (const { text, isActive, x, width } of placed(labels)) {
    const look = isActive ? ACTIVE : OTHER
    const row = lineRow(
      sanitize(isActive ? `[${text}]` : ` ${text} `, "command", { look }),
      Math.max(0, Math.min(width, area.width - x))
    )
    if (x < area.width) canvas.row(area.x + x, area.y, row)
  }
}
