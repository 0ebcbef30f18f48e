import { textWidth } from "../../screen/cell/width.ts"
import { hintFor } from "../../keymap/help.ts"
import type { PlacedPane, Plan } from "../../screen/layout/plan.ts"
import { type Rect, rect } from "../../screen/cell/rect.ts"
import { newCount } from "../../transcript/list/view/viewport.ts"
import { planOf, sessionOf } from "../../model/windows/layout-and-focus.ts"
import { activeContexts } from "../../model/windows/key-contexts.ts"
import { type AppModel, currentSession } from "../../model/app-model.ts"
import type { SessionModel } from "../../model/session-model.ts"

/** What came below while somebody reads further up. It stands on a border and never on text. */
export interface Badge {
  readonly session: string
  readonly area: Rect
  readonly text: string
}

/** Rule that stays visible on each side. */
const RULE = 2

const badgeText = (model: AppModel, session: SessionModel): string => {
  const count = newCount(session.list)
  if (count === 0) return ""
  const { keymap } = model.keys
  const contexts = activeContexts(model)
  const key = hintFor(keymap, "pane:bottom", contexts) ?? hintFor(keymap, "scroll:bottom", contexts)
  const arrow = model.options.glyphs === "ascii" ? "v" : "↓"
  return `${arrow} ${count} new${key === undefined ? "" : ` (${key})`}`
}

const overlap = (a: Rect, b: Rect): Rect => {
  const x = Math.max(a.x, b.x)
  return rect(x, b.y, Math.min(a.x + a.width, b.x + b.width) - x, 1)
}

/** The longest part of a border right under a pane. */
const borderUnder = (plan: Plan, { content }: PlacedPane): Rect | undefined =>
  plan.panes
    .flatMap(({ title }) => (title !== undefined && title.y === content.y + content.height ? [overlap(content, title)] : []))
    .reduce<Rect | undefined>((best, each) => (each.width > (best?.width ?? 0) ? each : best), undefined)

const badgeOf = (model: AppModel, plan: Plan, pane: PlacedPane): Badge | undefined => {
  const session = pane.leaf.pane === "transcript" ? sessionOf(model, pane) : undefined
  const words = session === undefined ? "" : badgeText(model, session)
  const border = words === "" ? undefined : borderUnder(plan, pane)
  if (session === undefined || border === undefined) return undefined
  const text = ` ${words} `
  const width = textWidth(text)
  if (width + 2 * RULE > border.width) return undefined
  return { session: session.id, area: rect(border.x + border.width - width - 1, border.y, width, 1), text }
}

export const badgesOf = (model: AppModel, plan: Plan): ReadonlyArray<Badge> =>
  plan.panes.flatMap((pane) => badgeOf(model, plan, pane) ?? [])

/** The same words for the status row, where no border has room for them. */
export const statusBadge = (model: AppModel): string => {
  const session = currentSession(model)
  const words = session === undefined ? "" : badgeText(model, session)
  if (session === undefined || words === "") return ""
  const plan = planOf(model)
  const isShown = plan.panes.some((pane) => pane.leaf.pane === "transcript" && sessionOf(model, pane)?.id === session.id)
  return isShown && badgesOf(model, plan).every((badge) => badge.session !== session.id) ? words : ""
}
