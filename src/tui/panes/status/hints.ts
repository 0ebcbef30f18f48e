import { hasHintRow } from "../../model/windows/prompt-height.ts"
import type { AppModel } from "../../model/app-model.ts"
import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Look, Row } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { tipOf } from "./tips.ts"

/** Keys that wait for more and the notice of the moment: in a row under the prompt, where there is none over the status. */

const QUIET: Look = { role: "subtle" }
const TIP: Look = { role: "subtle", dim: true }
const NOTICE_LOOKS: Readonly<Record<"plain" | "success" | "warning" | "error", Look>> = {
  plain: { role: "text" },
  success: { role: "success" },
  warning: { role: "warning" },
  error: { role: "error" }
}
const HINT_COLUMN = 3

const bannerRow = (text: string, more: number, width: number): Row => {
  const count = more === 0 ? "" : ` (+${more})`
  const room = Math.max(1, width - textWidth(count))
  const row = lineRow(sanitize(`! ${text}`, "command", { look: NOTICE_LOOKS.warning }), room)
  return lineRow([...row.spans, { text: count, look: NOTICE_LOOKS.warning }], width)
}

/** What must stay in sight gives way to a notice, and comes back after it. */
const shownRow = (model: AppModel, width: number): Row | undefined => {
  const [first, ...more] = model.banners
  return noticeRow(model, width) ?? (first === undefined ? undefined : bannerRow(first, more.length, Math.max(1, width - 2)))
}

/** The same in few words, for a status row without a row of hints. */
export const bannerWords = (model: AppModel): string => {
  const count = model.banners.length
  if (count === 0 || hasHintRow(model)) return ""
  return count === 1 ? "! a rule does not hold" : "! rules do not hold"
}

const noticeRow = ({ notices: { current } }: AppModel, width: number): Row | undefined => {
  if (current === undefined) return undefined
  const look = NOTICE_LOOKS[current.notice.style ?? "plain"]
  return lineRow(sanitize(current.notice.text, "command", { look }), Math.max(1, width - 2))
}

/** What was begun and waits for more, as vim shows it at the lower right. */
const begunKeys = ({ keys }: AppModel): string => [...keys.pending, ...keys.typed].join("")

export const drawHints = (canvas: Canvas, model: AppModel, y: number): void => {
  const { width } = canvas.area
  canvas.text(HINT_COLUMN, y, begunKeys(model), QUIET)
  const notice = shownRow(model, width)
  if (notice !== undefined) canvas.row(Math.max(1, width - notice.width - 1), y, notice)
  else if (model.keys.pending.length === 0) drawTip(canvas, model, y)
}

/** A tip is read whole or not at all. */
const drawTip = (canvas: Canvas, model: AppModel, y: number): void => {
  const tip = tipOf(model)
  if (tip === undefined) return
  const row = lineRow(sanitize(`Tip: ${tip}`, "command", { look: TIP }), Number.MAX_SAFE_INTEGER)
  if (row.width <= canvas.area.width - HINT_COLUMN - 1) canvas.row(HINT_COLUMN, y, row)
}

/** Without a row of its own a hint takes the status row as long as it lasts; false when there is none. */
export const drawHintsAsStatus = (canvas: Canvas, model: AppModel): boolean => {
  if (hasHintRow(model)) return false
  const notice = noticeRow(model, canvas.area.width)
  if (notice !== undefined) canvas.row(1, 0, notice)
  else canvas.text(1, 0, begunKeys(model), QUIET)
  return notice !== undefined || begunKeys(model) !== ""
}
