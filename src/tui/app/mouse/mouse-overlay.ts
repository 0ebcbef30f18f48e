import { chooseInOverlay, actInOverlay, isGuarded } from "../../overlays/overlay-keys.ts"
import { chooseRow } from "../../overlays/pickers/picker-overlay.ts"
import type { MouseEvent } from "../../terminal/input/event.ts"
import type { Rect } from "../../screen/cell/rect.ts"
import { answeringOf, type Docked, dockPanelOf } from "../../model/dock/docked.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { choiceAt } from "../../overlays/dock/draw-dock.ts"
import { select } from "../../overlays/dock/on-docked-key.ts"
import type { Overlay } from "../../model/overlay.ts"
import { panelSpot } from "../../overlays/panel/panel.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { pressOf } from "./mouse-press.ts"
import { type AppModel, sizeClass } from "../../model/app-model.ts"
import { panelOf } from "../../overlays/shown-overlay.ts"

/**
 * The mouse over an overlay. Nothing behind it is reached. A click chooses in a picker; a dialog is answered only by
 * two clicks on the same option, and never in its first moment.
 */

const CHOICE = /^[▸ ] (\S) /u

const onClick = (model: AppModel, overlay: Overlay, event: MouseEvent): Update => {
  const panel = panelOf(model, overlay)
  const spot = panel === undefined ? undefined : panelSpot(panel, { size: model.size, sizeClass: sizeClass(model) }, event)
  const pressed = { ...model, drag: pressOf(model, event) }
  if (spot === undefined) return withoutCommands(pressed)
  if (overlay._tag === "Picker")
    return spot.part === "body" ? chooseRow(pressed, overlay, spot.index) : withoutCommands(pressed)
  const [, key] = CHOICE.exec(spot.row.spans.map(({ text }) => text).join("")) ?? []
  return key !== undefined && pressed.drag.clicks === 2 ? choose(pressed, overlay, key) : withoutCommands(pressed)
}

const choose = (model: AppModel, overlay: Overlay, key: string): Update =>
  isGuarded(model) ? withoutCommands(model) : (chooseInOverlay(model, overlay, key) ?? withoutCommands(model))

/** A click on an answer selects it, a second one at the same place gives it; never in the first moment. */
export const onDockMouse = (model: AppModel, docked: Docked, at: { event: MouseEvent; dock: Rect }): Update => {
  const { event, dock } = at
  if (event.action !== "press" || event.button !== "left" || !model.options.mouseClicks) return withoutCommands(model)
  const pressed = { ...focusOn(model, "prompt"), drag: pressOf(model, event) }
  const panel = dockPanelOf(model, docked)
  const size = { columns: dock.width, rows: dock.height }
  const index = panel === undefined ? undefined : choiceAt(panel, size, { x: event.column - dock.x, y: event.row - dock.y })
  const key = index === undefined ? undefined : panel?.choices[index]?.key
  if (index === undefined || key === undefined || answeringOf(model) === undefined) return withoutCommands(pressed)
  const pointed = select(pressed, docked, index)
  return pressed.drag.clicks === 2 ? choose(pointed, docked.dialog, key) : withoutCommands(pointed)
}

/** What the wheel does to lists to read; it never answers. */
const WHEEL = {
  History: { wheelUp: "historySearch:newer", wheelDown: "historySearch:older" },
  Listing: { wheelUp: "select:previous", wheelDown: "select:next" },
  Picker: { wheelUp: "select:previous", wheelDown: "select:next" }
} as const

const onWheel = (model: AppModel, overlay: Overlay, { button }: MouseEvent): Update => {
  const isList = overlay._tag === "Picker" || overlay._tag === "Listing" || overlay._tag === "History"
  if (!isList || (button !== "wheelUp" && button !== "wheelDown")) return withoutCommands(model)
  return actInOverlay(model, overlay, WHEEL[overlay._tag][button]) ?? withoutCommands(model)
}

export const onOverlayMouse = (model: AppModel, overlay: Overlay, event: MouseEvent): Update => {
  if (event.action === "wheel") return onWheel(model, overlay, event)
  const isClick = event.action === "press" && model.options.mouseClicks
  if (isClick && event.button === "middle") return withCommands(model, { _tag: "PastePrimary", otherwise: model.yanked })
  return isClick && event.button === "left" ? onClick(model, overlay, event) : withoutCommands(model)
}
