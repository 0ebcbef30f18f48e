import type { MouseEvent } from "../../terminal/input/event.ts"
import type { Rect } from "../../screen/cell/rect.ts"
import { answeringOf, type Docked, dockPanelOf } from "../../model/dock/docked.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { choiceAt } from "../../overlays/dock/draw-dock.ts"
import { select } from "../../overlays/dock/on-docked-key.ts"
import type { Overlay } from "../../model/overlay.ts"
import { panelSpot } from "../../overlays/panel/panel.ts"
import { itemAtRow } from "../../overlays/pickers/picker.ts"
import { pickerItems } from "../../overlays/pickers/picker-catalog.ts"
import { doing, only, type Update } from "../../model/update-result.ts"
import { pressOf } from "./mouse-press.ts"
import { type AppModel, sizeClass } from "../../model/app-model.ts"
import { onOverlayKey } from "../../overlays/on-overlay-key.ts"
import { panelOf } from "../../overlays/shown-overlay.ts"
import { openOverlay } from "../../model/open-overlay.ts"

/**
 * The mouse over an overlay. Nothing behind it is reached. A click chooses in a picker; a dialog is answered only by
 * two clicks on the same option, and never in its first moment.
 */

const CHOICE = /^[▸ ] (\S) /u

const clickPicker = (model: AppModel, overlay: Extract<Overlay, { _tag: "Picker" }>, index: number): Update => {
  const selected = itemAtRow(pickerItems(model, overlay), overlay.picker, index)
  if (selected === undefined) return only(model)
  const pointed: Overlay = { ...overlay, picker: { ...overlay.picker, selected } }
  return onOverlayKey(openOverlay(model, pointed), pointed, "<CR>")
}

const onClick = (model: AppModel, overlay: Overlay, event: MouseEvent): Update => {
  const panel = panelOf(model, overlay)
  const spot = panel === undefined ? undefined : panelSpot(panel, { size: model.size, sizeClass: sizeClass(model) }, event)
  const pressed = { ...model, drag: pressOf(model, event) }
  if (spot === undefined) return only(pressed)
  if (overlay._tag === "Picker") return spot.part === "body" ? clickPicker(pressed, overlay, spot.index) : only(pressed)
  const [, key] = CHOICE.exec(spot.row.spans.map(({ text }) => text).join("")) ?? []
  return key !== undefined && pressed.drag.clicks === 2 ? onOverlayKey(pressed, overlay, key) : only(pressed)
}

/** A click on an answer selects it, a second one at the same place gives it; never in the first moment. */
export const onDockMouse = (model: AppModel, docked: Docked, at: { event: MouseEvent; dock: Rect }): Update => {
  const { event, dock } = at
  if (event.action !== "press" || event.button !== "left" || !model.options.mouseClicks) return only(model)
  const pressed = { ...focusOn(model, "prompt"), drag: pressOf(model, event) }
  const panel = dockPanelOf(model, docked)
  const size = { columns: dock.width, rows: dock.height }
  const index = panel === undefined ? undefined : choiceAt(panel, size, { x: event.column - dock.x, y: event.row - dock.y })
  const key = index === undefined ? undefined : panel?.choices[index]?.key
  if (index === undefined || key === undefined || answeringOf(model) === undefined) return only(pressed)
  const pointed = select(pressed, docked, index)
  return pressed.drag.clicks === 2 ? onOverlayKey(pointed, docked.dialog, key) : only(pointed)
}

/** The wheel moves through lists to read; it never answers. */
const onWheel = (model: AppModel, overlay: Overlay, event: MouseEvent): Update => {
  const isList = overlay._tag === "Picker" || overlay._tag === "Listing" || overlay._tag === "History"
  if (!isList || (event.button !== "wheelUp" && event.button !== "wheelDown")) return only(model)
  return onOverlayKey(model, overlay, event.button === "wheelUp" ? "<Up>" : "<Down>")
}

export const onOverlayMouse = (model: AppModel, overlay: Overlay, event: MouseEvent): Update => {
  if (event.action === "wheel") return onWheel(model, overlay, event)
  const isClick = event.action === "press" && model.options.mouseClicks
  if (isClick && event.button === "middle") return doing(model, { _tag: "PastePrimary", otherwise: model.yanked })
  return isClick && event.button === "left" ? onClick(model, overlay, event) : only(model)
}
