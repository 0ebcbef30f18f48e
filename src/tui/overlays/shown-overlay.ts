import type { AppModel } from "../model/app-model.ts"
import { isAsk } from "../model/asks.ts"
import { answeringOf } from "../model/dock/docked.ts"
import type { Overlay } from "../model/overlay.ts"
import { OVERLAYS } from "./overlays.ts"
import type { Panel } from "./panel/panel.ts"

/** The overlay that is on screen, as a value and as a panel. */

/** What has the keyboard: a question above the prompt, or what lies over everything. */
export const shownOverlay = (model: AppModel): Overlay | undefined => {
  const { shown, opened } = model.overlays
  if (isAsk(shown)) return answeringOf(model)?.dialog
  return shown === undefined ? undefined : opened
}

/** The panel of what lies over everything; a docked question has none. */
export const panelOf = (model: AppModel, overlay: Overlay): Panel | undefined => OVERLAYS[overlay._tag].panel(model, overlay)
