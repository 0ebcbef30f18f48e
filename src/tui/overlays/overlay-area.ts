/** How much of the screen the live region may take, and what does not fit there. */
import type { AppModel } from "../model/app-model.ts"
import { sizeClass } from "../model/app-model.ts"
import type { Size, SizeClass } from "../screen/layout/size-class.ts"
import { measurePanel, type Panel } from "./panel/panel.ts"

/**
 * Rows of the region are no wider than this. Terminals break wider ones when they get narrower, and what they then push
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
