import { updateField } from "../../editor/field.ts"
import { lookup } from "../../keymap/trie.ts"
import { nodeOf, isWindowChord, besideDock, ownNodeOf } from "./chords.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { leaveOverlay, openFieldOf, isGuarded, holdEscape, actInOverlay } from "../../overlays/overlay-keys.ts"
import { isAsk } from "../../model/asks.ts"
import type { Overlay } from "../../model/overlay.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { runHere, calm, countOf, isDigit, withCount, withPending, hasBegun, isText } from "./begun-keys.ts"
import { type Update, withoutCommands, andThen } from "../../model/update-result.ts"
import type { AppModel } from "../../model/app-model.ts"
import { type ActionId, isOverlayAction } from "../../keymap/actions/action-tables.ts"

/** A key while something has the keyboard that is neither pane nor prompt: a question, a dialog, a list. */

/** Actions that go from a question to a pane; the others leave the keyboard where it is. */
const isGoing = (action: ActionId): boolean => action.startsWith("window:") || action === "app:toggleTranscript"

/** Beside a question one may look around. A pane is reached as from the prompt, and leaving it leads back. */
const besideQuestion = (model: AppModel, action: ActionId, count?: number): Update => {
  const going = isGoing(action) ? focusOn(model, "prompt") : model
  return runHere(going, action, count) ?? withoutCommands(going)
}

/** A window key over a list: what waits comes before it, and anything else puts the list away first. */
const overList = (before: AppModel, overlay: Overlay, action: ActionId): Update => {
  const model = calm(before)
  if (isAsk(model.overlays.shown)) return besideQuestion(model, action, countOf(before))
  const isWaiting = [...model.sessions.values()].some(({ asks }) => asks.length > 0)
  if (action === "window:approvals" && isWaiting) {
    return withoutCommands({ ...model, overlays: { ...model.overlays, summoned: true } })
  }
  const closed = leaveOverlay(model, overlay) ?? withoutCommands(model)
  return action === "window:close"
    ? closed
    : andThen(closed, (next) => runHere(next, action, countOf(before)) ?? withoutCommands(next))
}

const onWindowChord = (model: AppModel, overlay: Overlay, stroke: Stroke): Update => {
  const node = nodeOf(model)
  if (node.takesCount && isDigit(model, stroke)) return withoutCommands(withCount(model, stroke))
  const found = lookup(node, stroke)
  if (found._tag === "Pending") return withoutCommands(withPending(model, stroke))
  return found._tag === "Matched" ? overList(model, overlay, found.action) : withoutCommands(calm(model))
}

/** Keys that the overlay has no use for: what goes on working beside a question, and what edits the open field. */
const onOther = (model: AppModel, overlay: Overlay, stroke: Stroke): Update => {
  if (stroke === "<Esc>" && hasBegun(model)) return withoutCommands(calm(model))
  if (isWindowChord(model, overlay, stroke)) return onWindowChord(model, overlay, stroke)
  const beside = isAsk(model.overlays.shown) && !isText(stroke) ? besideDock(model, stroke) : undefined
  if (beside?._tag === "Pending") return withoutCommands(withPending(model, stroke))
  if (beside?._tag === "Matched") return besideQuestion(model, beside.action)
  return withoutCommands(calm(typedInto(model, overlay, stroke) ?? model))
}

const typedInto = (model: AppModel, overlay: Overlay, stroke: Stroke): AppModel | undefined => {
  const field = openFieldOf(model, overlay)
  const next = field === undefined ? undefined : updateField(field.value, stroke)
  return next === undefined ? undefined : field?.put(next)
}

const onOwn = (model: AppModel, overlay: Overlay, id: ActionId): Update | undefined => {
  if (!isOverlayAction(id)) return runHere(model, id)
  return isGuarded(model) ? withoutCommands(holdEscape(model, overlay, id)) : actInOverlay(calm(model), overlay, id)
}

/** Letters are text where there is a field; else the overlay's own keys come first, and what they leave alone after them. */
export const onOverlay = (model: AppModel, overlay: Overlay, stroke: Stroke): Update => {
  const typed = isText(stroke) && !hasBegun(model) && !isGuarded(model) ? typedInto(model, overlay, stroke) : undefined
  if (typed !== undefined) return withoutCommands(typed)
  const node = ownNodeOf(model, overlay)
  const found = node === undefined ? undefined : lookup(node, stroke)
  switch (found?._tag) {
    case "Pending":
      return withoutCommands(withPending(model, stroke))
    case "Cancelled":
      return withoutCommands(calm(model))
    case "Matched":
      return onOwn(model, overlay, found.action) ?? onOther(model, overlay, stroke)
    default:
      return onOther(model, overlay, stroke)
  }
}
