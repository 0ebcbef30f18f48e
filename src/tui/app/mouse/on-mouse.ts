import { PROMPT_ACTIONS } from "../../prompt/prompt-actions.ts"
import { onPromptAct } from "../../panes/prompt/on-prompt-key.ts"
import { NO_PRESS } from "../../model/action.ts"
import type { ActionId } from "../../keymap/actions/action-tables.ts"
import type { MouseEvent } from "../../terminal/input/event.ts"
import { contains } from "../../screen/cell/rect.ts"
import { isPaneId } from "../../screen/layout/tree.ts"
import { statusFieldAt } from "../../panes/status/status.ts"
import { planOf } from "../../model/windows/layout-and-focus.ts"
import { badgesOf } from "../../panes/chrome/badge.ts"
import { withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import { followEnd } from "../../model/conversation/scroll-to-end.ts"
import { menuPlace } from "../../panes/prompt/completion-menu.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { isAsk } from "../../model/asks.ts"
import { dockedOf } from "../../model/dock/docked.ts"
import { onDockMouse, onOverlayMouse } from "./mouse-overlay.ts"
import { dragBorder, dropTitle, dragHandleAt, startBorderDrag } from "./mouse-border.ts"
import { dragInPane, endPaneDrag, paneAt, pressInPane, releaseInPane, turnWheel } from "./mouse-pane.ts"
import { runAction } from "../keys/on-action.ts"
import { shownOverlay } from "../../overlays/shown-overlay.ts"
import { nextTab } from "../../model/windows/tabs.ts"
import { tabAt, tabLabels } from "../../panes/chrome/tab-row.ts"
import { showPane } from "../../model/windows/window-actions.ts"

/** The mouse (UI-84): the wheel scrolls what lies under it, a click focuses and points, dragging selects the source. */

const STATUS_ACTIONS: Readonly<Record<string, ActionId>> = {
  mode: "chat:cycleMode",
  session: "window:sessions",
  model: "chat:modelPicker",
  directory: "window:changes",
  context: "window:context",
  cost: "window:context",
  background: "window:tasks",
  approvals: "window:approvals",
  vim: "window:prompt",
  new: "scroll:bottom"
}

const onStatus = (model: AppModel, column: number): Update => {
  const session = currentSession(model)
  const field = session === undefined ? undefined : statusFieldAt(model, session, column)
  const action = field === undefined ? undefined : STATUS_ACTIONS[field]
  return action === undefined ? withoutCommands(model) : (runAction(model, action, NO_PRESS) ?? withoutCommands(model))
}

const onTabs = (model: AppModel, column: number): AppModel => {
  const id = tabAt(tabLabels(model), column)?.id ?? ""
  if (id.startsWith("tab:")) return nextTab(model, Number(id.slice("tab:".length)) + 1)
  return isPaneId(id) ? showPane(model, id) : model
}

/** A click on a suggestion takes it. */
const onMenu = (model: AppModel, event: MouseEvent): Update | undefined => {
  const session = currentSession(model)
  const place = session === undefined ? undefined : menuPlace(model, { session, plan: planOf(model) })
  if (place === undefined || !contains(place.area, event.column, event.row)) return undefined
  const selected = place.first + event.row - place.area.y
  const chosen = withCurrent(model, (each) => {
    const { completion } = each.prompt
    return completion.menu === undefined
      ? each
      : { ...each, prompt: { ...each.prompt, completion: { ...completion, menu: { ...completion.menu, selected } } } }
  })
  return onPromptAct(chosen, PROMPT_ACTIONS["autocomplete:accept"])
}

const onPress = (model: AppModel, event: MouseEvent): Update => {
  const taken = onMenu(model, event)
  if (taken !== undefined) return taken
  const plan = planOf(model)
  const badge = badgesOf(model, plan).find(({ area }) => contains(area, event.column, event.row))
  if (badge !== undefined) return withoutCommands(followEnd(model, badge.session))
  const { status, tabs } = plan
  if (event.row === status.y + status.height - 1) return onStatus(model, event.column)
  if (tabs !== undefined && contains(tabs, event.column, event.row)) return withoutCommands(onTabs(model, event.column))
  const grip = dragHandleAt(model, event)
  if (grip?._tag === "Border") return withoutCommands(startBorderDrag(model, event, grip))
  const pane = paneAt(model, event)
  if (pane === undefined) return withoutCommands(model)
  const [pressed, cmds] = pressInPane(model, pane, event)
  return [grip === undefined ? pressed : startBorderDrag(pressed, event, grip), cmds]
}

const onDrag = (model: AppModel, event: MouseEvent): AppModel =>
  model.drag?.grip === undefined ? dragInPane(model, event) : dragBorder(model, model.drag, event)

const onRelease = (model: AppModel, event: MouseEvent): Update => {
  const grip = model.drag?.grip
  const free = endPaneDrag(model)
  if (grip === undefined) return releaseInPane(free)
  return withoutCommands(grip._tag === "Title" ? dropTitle(free, grip.pane, event) : free)
}

export const onMouse = (model: AppModel, event: MouseEvent): Update => {
  const overlay = shownOverlay(model)
  const docked = dockedOf(model)
  if (overlay !== undefined && !isAsk(model.overlays.shown)) return onOverlayMouse(model, overlay, event)
  const { dock } = planOf(model)
  if (docked !== undefined && dock !== undefined && contains(dock, event.column, event.row)) {
    return onDockMouse(model, docked, { event, dock })
  }
  switch (event.action) {
    case "wheel":
      return withoutCommands(event.button === "wheelUp" || event.button === "wheelDown" ? turnWheel(model, event) : model)
    case "press":
      if (!model.options.mouseClicks) return withoutCommands(model)
      if (event.button === "middle") return withCommands(model, { _tag: "PastePrimary", otherwise: model.yanked })
      return event.button === "left" ? onPress(model, event) : withoutCommands(model)
    case "drag":
      return withoutCommands(event.button === "left" ? onDrag(model, event) : model)
    case "release":
      return onRelease(model, event)
    case "move":
      return withoutCommands(model)
  }
}
