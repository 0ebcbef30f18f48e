import type { Canvas } from "../cell/canvas.ts"
import type { Plan } from "../layout/plan.ts"
import { type Rect, rect } from "../layout/rect.ts"
import { lineRow } from "../overlays/option-rows.ts"
import type { Look } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"
import type { AppModel } from "./model.ts"
import type { SessionModel } from "./session-model.ts"

/** The completion menu: above the prompt, over whatever is there, so that the caret's row never moves (UI-174). */

const MOST_ROWS = 10
const PLAIN: Look = { role: "text", background: "userMessageBackground" }
const CHOSEN: Look = { role: "claude", bold: true, background: "userMessageBackgroundHover" }
const QUIET: Look = { role: "subtle", background: "userMessageBackground" }

/** Rows of the menu on a screen, for drawing and for paging. */
export const menuRows = ({ size }: AppModel): number => Math.min(MOST_ROWS, Math.floor(size.rows / 2))

export interface MenuPlace {
  readonly area: Rect
  /** The item on the first row. */
  readonly first: number
}

/** Where the menu is; undefined while there is none. */
export const menuPlace = (
  model: AppModel,
  { session, plan }: { readonly session: SessionModel; readonly plan: Plan }
): MenuPlace | undefined => {
  const { menu } = session.prompt.completion
  const pane = plan.panes.find(({ leaf }) => leaf.pane === "prompt")
  if (menu === undefined || pane === undefined || model.focus !== "prompt") return undefined
  const bottom = pane.title?.y ?? pane.content.y
  const most = Math.min(menuRows(model), bottom)
  const first = Math.max(0, Math.min(menu.selected - most + 1, menu.items.length - most))
  const rows = Math.min(most, menu.items.length - first)
  return { area: rect(pane.content.x + 1, bottom - rows, Math.max(1, pane.content.width - 2), rows), first }
}

export const drawMenu = (
  canvas: Canvas,
  model: AppModel,
  at: { readonly session: SessionModel; readonly plan: Plan }
): void => {
  const { menu } = at.session.prompt.completion
  const place = menuPlace(model, at)
  if (menu === undefined || place === undefined) return
  const { area, first } = place
  const items = menu.items.slice(first, first + area.height)
  canvas.fill(area, PLAIN)
  for (const [index, { candidate }] of items.entries()) {
    const isChosen = first + index === menu.selected
    const look = isChosen ? CHOSEN : PLAIN
    const row = lineRow(
      [
        { text: isChosen ? "▸ " : "  ", look },
        ...sanitize(candidate.name, "command", { look }),
        { text: "  ", look: PLAIN },
        ...sanitize(candidate.description ?? "", "command", { look: QUIET })
      ],
      area.width
    )
    canvas.row(area.x, area.y + index, row)
    canvas.hit(rect(area.x, area.y + index, area.width, 1), `menu:${first + index}`)
  }
}
