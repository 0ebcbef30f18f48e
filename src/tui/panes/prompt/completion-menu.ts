import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import type { Plan } from "../../screen/layout/plan.ts"
import { type Rect, rect } from "../../screen/cell/rect.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { CompletionMenu } from "../../prompt/completion.ts"
import type { Candidate, RankedCandidate } from "../../prompt/ranking.ts"
import type { Look } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** The completion menu: above the prompt, over whatever is there, so that the caret's row never moves. */

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

/** Commands are shown as they are typed. */
const nameOf = ({ name }: Candidate, { kind }: CompletionMenu): string => (kind === "command" ? `/${name}` : name)

const MOST_NAME_COLUMNS = 28

/** Names in one column, so that descriptions begin in one too. */
const nameColumns = (menu: CompletionMenu, items: ReadonlyArray<RankedCandidate>): number =>
  items.some(({ candidate }) => candidate.description !== undefined)
    ? Math.min(MOST_NAME_COLUMNS, Math.max(...items.map(({ candidate }) => textWidth(nameOf(candidate, menu)))))
    : 0

/** What stands behind the name: how it is called with an argument once it is chosen, and what it does. */
const asideOf = ({ hint, description = "" }: Candidate, isChosen: boolean): string =>
  isChosen && hint !== undefined ? `${hint}  ${description}` : description

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
  const columns = nameColumns(menu, items)
  canvas.fill(area, PLAIN)
  for (const [index, { candidate }] of items.entries()) {
    const isChosen = first + index === menu.selected
    const look = isChosen ? CHOSEN : PLAIN
    const name = nameOf(candidate, menu)
    const row = lineRow(
      [
        { text: isChosen ? "▸ " : "  ", look },
        ...sanitize(name, "command", { look }),
        { text: " ".repeat(Math.max(0, columns - textWidth(name)) + 2), look: PLAIN },
        ...sanitize(asideOf(candidate, isChosen), "prose", { look: QUIET })
      ],
      area.width
    )
    canvas.row(area.x, area.y + index, row)
    canvas.hit(rect(area.x, area.y + index, area.width, 1), `menu:${first + index}`)
  }
  if (items.length < menu.items.length) drawPosition(canvas, area, `${Math.max(0, menu.selected) + 1}/${menu.items.length}`)
}

/** Where in a longer list the choice is. */
const drawPosition = (canvas: Canvas, { x, y, width }: Rect, position: string): void => {
  const text = ` ${position} `
  if (text.length < width) canvas.text(x + width - text.length, y, text, QUIET)
}
