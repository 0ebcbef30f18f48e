import type { OverlayActionId } from "../keymap/actions/action-tables.ts"
import type { ContextName } from "../keymap/actions/context.ts"
import { NO_PRESS, type Press } from "../model/action.ts"
import type { AppModel } from "../model/app-model.ts"
import { isAsk } from "../model/asks.ts"
import { isStartQuestion, type Overlay } from "../model/overlay.ts"
import { ANSWER_GUARD_MS } from "../model/questions/attention.ts"
import type { Update } from "../model/update-result.ts"
import { OVERLAYS } from "./overlays.ts"
import { overlayRoom } from "./panel/overlay-area.ts"
import { type MeasuredPanel, measurePanel } from "./panel/panel.ts"
import type { OpenField } from "./panel/overlay-spec.ts"

/** Actions and letters for what has the keyboard: a question above the prompt, or what lies over everything. */

/** Where the keys of an overlay are, the nearest first. */
export const contextsOf = (overlay: Overlay): ReadonlyArray<ContextName> => OVERLAYS[overlay._tag].contexts(overlay)

/** The field that letters and pastes go into. */
export const openFieldOf = (model: AppModel, overlay: Overlay): OpenField | undefined =>
  OVERLAYS[overlay._tag].field(model, overlay)

const NOWHERE: MeasuredPanel = { bodyHeight: 0, bodyRows: 0, top: 0, isUsable: false }

const placedIn = (model: AppModel, overlay: Overlay) => (): MeasuredPanel => {
  const panel = OVERLAYS[overlay._tag].panel(model, overlay)
  if (panel === undefined) return NOWHERE
  const { size, sizeClass } = overlayRoom(model, panel)
  return measurePanel(panel, size, sizeClass)
}

/** Undefined where the action means nothing to the overlay. */
export const actInOverlay = (
  model: AppModel,
  overlay: Overlay,
  id: OverlayActionId,
  press: Press = NO_PRESS
): Update | undefined => OVERLAYS[overlay._tag].act({ model, overlay, placed: placedIn(model, overlay) }, id, press)

export const chooseInOverlay = (model: AppModel, overlay: Overlay, key: string): Update | undefined =>
  OVERLAYS[overlay._tag].choose({ model, overlay, placed: placedIn(model, overlay) }, key)

/** Questions that came by themselves are not answered by keys that were meant for something else. */
export const isGuarded = (model: AppModel): boolean =>
  (isAsk(model.overlays.shown) || isStartQuestion(model.overlays.opened)) &&
  model.now - model.overlays.shownSince < ANSWER_GUARD_MS

export const leaveOverlay = (model: AppModel, overlay: Overlay): Update | undefined =>
  actInOverlay(model, overlay, OVERLAYS[overlay._tag].leave)

/** An Escape that comes too early counts a moment later, but not one with which somebody came back from a pane. */
export const holdEscape = (model: AppModel, overlay: Overlay, id: OverlayActionId): AppModel =>
  id === OVERLAYS[overlay._tag].leave && model.overlays.keyboard === "asked"
    ? { ...model, overlays: { ...model.overlays, heldEscape: true } }
    : model
