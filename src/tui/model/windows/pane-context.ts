import type { Canvas } from "../../screen/cell/canvas.ts"
import type { PlacedPane } from "../../screen/layout/plan.ts"
import type { AppModel } from "../app-model.ts"
import type { UiOptions } from "../ui-options.ts"
import type { SessionModel } from "../session-model.ts"

/** What a pane needs to know to draw itself or to understand a key. */
export interface PaneScene {
  readonly model: AppModel
  readonly session: SessionModel
  readonly options: UiOptions
  readonly now: number
  readonly spinner: number
  readonly width: number
  readonly height: number
}

/** A pane where it is drawn; its canvas has no more room than that. */
export interface PaneDrawing {
  readonly canvas: Canvas
  readonly model: AppModel
  readonly session: SessionModel
  readonly pane: PlacedPane
  readonly isFocused: boolean
}
