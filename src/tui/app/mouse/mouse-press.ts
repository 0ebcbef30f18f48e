import type { MouseEvent } from "../../terminal/input/event.ts"
import type { AppModel, DragModel } from "../../model/app-model.ts"

const DOUBLE_CLICK_MS = 400
const MOST_CLICKS = 3

/** A press, and which in a row it is at the same place. */
export const pressOf = (model: AppModel, { column, row }: MouseEvent): DragModel => {
  const { drag } = model
  const isAgain = drag !== undefined && drag.x === column && drag.y === row && model.now - drag.at < DOUBLE_CLICK_MS
  return { x: column, y: row, at: model.now, clicks: isAgain ? (drag.clicks % MOST_CLICKS) + 1 : 1 }
}
