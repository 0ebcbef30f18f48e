/** How much of the screen the live region may take, and what does not fit there. */
import type { AppModel } from "../../model/app-model.ts"
import { sizeClass } from "../../model/app-model.ts"
import type { Size, SizeClass } from "../../screen/layout/size-class.ts"
import { dockRows } from "../../model/dock/dock-layout.ts"
import type { DockPanel } from "../../model/dock/dock-panel.ts"
import { planOf } from "../../model/windows/layout-and-focus.ts"
import { measurePanel, type Panel } from "./panel.ts"

/**
 * Rows of the region are not wider than this. Terminals break wider ones when they get narrower, and what they then push
 * off the screen cannot be taken back.
 */
export const MOST_COLUMNS = 80

/** The region is never more than half of the screen, so that what is finished stays in view. */
export const mostRows = ({ size }: AppModel): number => Math.max(1, Math.floor(size.rows / 2))

export interface OverlayRoom {
  readonly size: Size
  readonly sizeClass: SizeClass
  readonly isInRegion: boolean
}

const STATUS_ROWS = 1

/** Where an overlay is drawn: in the live region when it can be answered there, else over the whole screen. */
export const overlayRoom = (model: AppModel, panel: Panel): OverlayRoom => {
  const whole: OverlayRoom = { size: model.size, sizeClass: sizeClass(model), isInRegion: false }
  if (model.options.interface !== "inline" || model.focus !== "prompt") return whole
  const size = { columns: Math.min(model.size.columns, MOST_COLUMNS), rows: Math.max(1, mostRows(model) - STATUS_ROWS) }
  return measurePanel(panel, size, "tiny").isUsable ? { size, sizeClass: "tiny", isInRegion: true } : whole
}

export interface DockSize {
  readonly columns: number
  readonly rows: number
}

/** Rows of the region besides a question: the status and the prompt. */
export const ROWS_AROUND = 2

/** Rows of the terminal that stay above the region, so that the sentence before the question is in view. */
const ROWS_ABOVE = 3

/** The question in the live region; undefined where it has to have the whole screen. */
export const dockInRegion = (model: AppModel, panel: DockPanel): DockSize | undefined => {
  if (model.options.interface !== "inline" || model.focus !== "prompt") return undefined
  const columns = Math.min(model.size.columns, MOST_COLUMNS)
  const most = model.size.rows - ROWS_AROUND - ROWS_ABOVE
  return { columns, rows: dockRows(panel)({ columns, wish: mostRows(model) - ROWS_AROUND, most }) }
}

/** How large a question is drawn; undefined where it is not on screen. */
export const dockSize = (model: AppModel, panel: DockPanel): DockSize | undefined => {
  const placed = planOf(model).dock
  return dockInRegion(model, panel) ?? (placed === undefined ? undefined : { columns: placed.width, rows: placed.height })
}
