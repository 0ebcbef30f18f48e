import { type AppModel, sizeClass } from "../app/model.ts"
import type { Canvas } from "../cell/canvas.ts"
import { lineRow } from "../overlays/option-rows.ts"
import type { Look, Row } from "../text/row.ts"
import { sanitize } from "../text/sanitize.ts"

/** Keys that wait for more and the notice of the moment: in a row under the prompt, in tiny windows over the status. */

const QUIET: Look = { role: "subtle" }
const NOTICE_LOOKS: Readonly<Record<"plain" | "success" | "warning" | "error", Look>> = {
  plain: { role: "text" },
  success: { role: "success" },
  warning: { role: "warning" },
  error: { role: "error" }
}
const HINT_COLUMN = 3

export const hasHintRow = (model: AppModel): boolean => sizeClass(model) !== "tiny"

const noticeRow = ({ notices: { current } }: AppModel, width: number): Row | undefined => {
  if (current === undefined) return undefined
  const look = NOTICE_LOOKS[current.notice.style ?? "plain"]
  return lineRow(sanitize(current.notice.text, "command", { look }), Math.max(1, width - 2))
}

export const drawHints = (canvas: Canvas, model: AppModel, y: number): void => {
  const { width } = canvas.area
  canvas.text(HINT_COLUMN, y, model.keys.pending.join(""), QUIET)
  const notice = noticeRow(model, width)
  if (notice !== undefined) canvas.row(Math.max(1, width - notice.width - 1), y, notice)
}

/** Without a row of its own a hint takes the status row as long as it lasts; false when there is none. */
export const drawHintsAsStatus = (canvas: Canvas, model: AppModel): boolean => {
  if (hasHintRow(model)) return false
  const notice = noticeRow(model, canvas.area.width)
  if (notice !== undefined) canvas.row(1, 0, notice)
  else canvas.text(1, 0, model.keys.pending.join(""), QUIET)
  return notice !== undefined || model.keys.pending.length > 0
}
