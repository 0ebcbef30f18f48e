import { perform } from "./perform.ts"
import { onPaneAction } from "../../panes/pane-actions.ts"
import type { KeyEvent } from "../../terminal/input/event.ts"
import { ACTIONS } from "../../keymap/actions/action-tables.ts"
import { isTakenAway, usualStrokes } from "../../keymap/rebound.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { expire, legacyTwin, lookup, meantBy } from "../../keymap/trie.ts"
import { askOf, isAsk } from "../../model/asks.ts"
import { dockedOf } from "../../model/dock/docked.ts"
import { andThen, only, type Update } from "../../model/update-result.ts"
import { besideDock, isWindowChord, nodeOf, ownNodeOf } from "./chords.ts"
import { heldAfter, isHeldOver } from "./held-key.ts"
import { onExitKey, onInterruptKey } from "./interrupt.ts"
import { type AppModel, currentSession, sizeClass } from "../../model/app-model.ts"
import { runAction } from "./on-action.ts"
import { onEscapeKey } from "./on-escape.ts"
import { onLineKey } from "./on-line-input.ts"
import { onOverlayKey } from "../../overlays/on-overlay-key.ts"
import { focusedPane, focusOn } from "../../model/windows/layout-and-focus.ts"
import { beginsObject, onObject } from "../../panes/transcript/on-transcript-key.ts"
import { onPromptInput } from "../../panes/prompt/on-prompt-key.ts"
import { isStartQuestion, type Overlay } from "../../model/overlay.ts"
import { throughMappings, typedLate } from "./mapped-keys.ts"
import { isTypedInto, overlayContexts } from "../../overlays/panel/overlay-contexts.ts"
import { shownOverlay } from "../../overlays/shown-overlay.ts"
import { isStray, withStray } from "./stray-key.ts"
import { isHesitating } from "./which-key.ts"

/** Where a key goes: to what is pending, to the line, the overlay, the keymap, and at last to the prompt. */

const calm = (model: AppModel): AppModel => ({
  ...model,
  keys: { ...model.keys, pending: [], count: "", waiting: undefined }
})

const countOf = ({ keys }: AppModel): number | undefined => (keys.count === "" ? undefined : Number(keys.count))

/** Vim waits for the rest of a command: nobody else may take the key. */
const vimIsWaiting = (model: AppModel): boolean => {
  const editor = currentSession(model)?.prompt.editor
  return editor?._tag === "Vim" && (editor.vim.pending.length > 0 || editor.vim.mode.name === "commandLine")
}

/** What an action does where the keyboard is. */
const runHere = (model: AppModel, action: string, count: number | undefined): Update => {
  if (model.focus !== "prompt" && ACTIONS.get(action)?.takes === "character") {
    return only({ ...calm(model), keys: { ...calm(model).keys, waiting: { action, count } } })
  }
  const isPaneAction = /^(?:pane|transcript|list|changes|approvals):/.test(action)
  if (!isPaneAction || model.focus === "prompt") return runAction(calm(model), action, count)
  return onPaneAction(calm(model), action, { count, argument: "" })
}

/** The character that an action was waiting for, or the second letter of a text object. */
const onWaited = (model: AppModel, stroke: Stroke): Update => {
  const { waiting } = model.keys
  const next = calm(model)
  if (waiting === undefined || stroke === "<Esc>") return only(next)
  if (waiting.action === "i" || waiting.action === "a") return onObject(next, waiting.action + stroke, waiting.count)
  return onPaneAction(next, waiting.action, { count: waiting.count, argument: stroke })
}

const isDigit = (model: AppModel, stroke: Stroke): boolean =>
  /^[1-9]$/.test(stroke) || (stroke === "0" && model.keys.count !== "")

const withCount = (model: AppModel, digit: Stroke): AppModel => ({
  ...model,
  keys: { ...model.keys, count: model.keys.count + digit }
})

const withPending = (model: AppModel, stroke: Stroke): AppModel => ({
  ...model,
  keys: { ...model.keys, pending: [...model.keys.pending, stroke], pendingSince: model.now }
})

const onKeymap = (model: AppModel, stroke: Stroke): Update => {
  const node = nodeOf(model)
  const isPane = model.focus !== "prompt"
  const takesCount = isPane ? model.keys.pending.length === 0 || node.takesCount : node.takesCount
  if (takesCount && isDigit(model, stroke)) return only(withCount(model, stroke))
  const found = lookup(node, stroke)
  switch (found._tag) {
    case "Pending":
      return only(withPending(model, stroke))
    case "Matched":
      return runHere(model, found.action, countOf(model))
    case "Cancelled":
      return only(calm(model))
    case "NotFound":
      return isPane ? unboundInPane(model, stroke) : onPromptInput(calm(model), stroke)
  }
}

/** Actions that go from a question to a pane; the others leave the keyboard where it is. */
const isGoing = (action: string): boolean => action.startsWith("window:") || action === "app:toggleTranscript"

/** Beside a question one may look around. A pane is reached as from the prompt, and leaving it leads back. */
const besideQuestion = (model: AppModel, action: string, count: number | undefined): Update => {
  if (!isGoing(action)) return runHere(model, action, count)
  const left = focusOn(model, "prompt")
  return runHere({ ...left, overlays: { ...left.overlays, keyboard: "left" } }, action, count)
}

/** A window key over a list: what waits comes before it, and anything else puts the list away first. */
const overList = (before: AppModel, overlay: Overlay, action: string): Update => {
  const model = calm(before)
  if (isAsk(model.overlays.shown)) return besideQuestion(model, action, countOf(before))
  const isWaiting = [...model.sessions.values()].some(({ asks }) => asks.length > 0)
  if (action === "window:approvals" && isWaiting) {
    return only({ ...model, overlays: { ...model.overlays, summoned: true } })
  }
  const closed = onOverlayKey(model, overlay, "<Esc>")
  return action === "window:close" ? closed : andThen(closed, (next) => runHere(next, action, countOf(before)))
}

const onWindowChord = (model: AppModel, overlay: Overlay, stroke: Stroke): Update => {
  const node = nodeOf(model)
  if (node.takesCount && isDigit(model, stroke)) return only(withCount(model, stroke))
  const found = lookup(node, stroke)
  if (found._tag === "Pending") return only(withPending(model, stroke))
  return found._tag === "Matched" ? overList(model, overlay, found.action) : only(calm(model))
}

const isText = (stroke: Stroke): boolean => !(stroke.length > 1 && stroke.startsWith("<"))

/** A letter that means nothing here is lost, unless the person wants it to go to the prompt. */
const unboundInPane = (model: AppModel, stroke: Stroke): Update =>
  model.options.typeThrough && isText(stroke) && dockedOf(model) === undefined
    ? onPromptInput(focusOn(calm(model), "prompt"), stroke)
    : only(calm(model))

/** No second key came in time: what the first alone means, if anything. */
export const onChordTimeout = (model: AppModel): Update => {
  const found = expire(nodeOf(model))
  if (found._tag === "Matched") return runHere(model, found.action, countOf(model))
  // Somebody reads what may follow; the chord waits for them.
  return only(isHesitating(model) ? model : calm(model))
}

/** What the person bound for an overlay, as the key that it knows; undefined when they said nothing about the stroke. */
const onBoundInOverlay = (model: AppModel, overlay: Overlay, stroke: Stroke): Update | undefined => {
  const contexts = overlayContexts(overlay)
  const node = ownNodeOf(model, overlay)
  if (node === undefined || (isTypedInto(overlay) && isText(stroke))) return undefined
  const found = lookup(node, stroke)
  switch (found._tag) {
    case "Pending":
      return only(withPending(model, stroke))
    case "Cancelled":
      return only(calm(model))
    case "NotFound":
      return isTakenAway(model.keys.keymap, contexts, stroke) ? only(model) : undefined
    case "Matched":
      return onOwnAction(calm(model), overlay, found)
  }
}

const onOwnAction = (
  model: AppModel,
  overlay: Overlay,
  { action, keys }: { readonly action: string; readonly keys: ReadonlyArray<Stroke> }
): Update | undefined => {
  const usual = usualStrokes(action, overlayContexts(overlay), keys)
  if (usual.length === 0) return runHere(model, action, undefined)
  if (isTypedInto(overlay) && usual.some(isText)) return undefined
  return usual.reduce<Update>(
    (update, stroke) => andThen(update, (next) => onOverlayKey(next, shownOverlay(next) ?? overlay, stroke)),
    only(model)
  )
}

/** Lines and keys that wait for a character know no bindings; overlays know those that the person made. */
const meant = (model: AppModel, typed: Stroke): Stroke => {
  if (model.line !== undefined || model.keys.waiting !== undefined) return legacyTwin(typed)
  const overlay = shownOverlay(model)
  const node = overlay === undefined ? nodeOf(model) : ownNodeOf(model, overlay)
  return node === undefined ? legacyTwin(typed) : meantBy(node, typed)
}

const onPress = (model: AppModel, typed: Stroke): Update => {
  const stroke = meant(model, typed)
  if (stroke === "<C-c>") return onInterruptKey(calm(model))
  const isAlone = model.keys.pending.length === 0 && model.line === undefined
  if (stroke === "<C-d>" && isAlone && shownOverlay(model) === undefined) {
    const left = onExitKey(model)
    if (left !== undefined) return left
  }
  if (sizeClass(model) === "below") return onPromptInput(model, stroke)
  const overlay = shownOverlay(model)
  if (model.keys.waiting !== undefined) return onWaited(model, stroke)
  if (model.line !== undefined) return onLineKey(model, model.line, stroke)
  const bound = overlay === undefined ? undefined : onBoundInOverlay(model, overlay, stroke)
  if (bound !== undefined) return bound
  if (stroke === "<Esc>") return onEscapeKey(model)
  if (overlay !== undefined) {
    if (isWindowChord(model, overlay, stroke)) return onWindowChord(model, overlay, stroke)
    const beside = isAsk(model.overlays.shown) && !isText(stroke) ? besideDock(model, stroke) : undefined
    if (beside?._tag === "Pending") return only(withPending(model, stroke))
    return beside?._tag === "Matched"
      ? besideQuestion(model, beside.action, undefined)
      : onOverlayKey(model, overlay, stroke)
  }
  if (model.focus === "prompt" && vimIsWaiting(model)) return onPromptInput(model, stroke)
  if (beginsObject(model, stroke) && model.keys.pending.length === 0) {
    return only({ ...model, keys: { ...model.keys, waiting: { action: stroke, count: countOf(model) } } })
  }
  return onKeymap(model, stroke)
}

/** Done before the next key of a mapping, which may depend on it. */
const press = (model: AppModel, typed: Stroke): Update => perform(onPress(model, typed))

/** Enter and Escape end something; whoever presses any other key is at work, wherever it goes. */
const isWork = (stroke: Stroke): boolean => stroke !== "<CR>" && stroke !== "<Esc>"

/** Hands at work keep what asks waiting (UI-182), unless what they do is to answer or to choose what to answer. */
const afterKey = (before: AppModel, stroke: Stroke, update: Update): Update => {
  const { shown } = before.overlays
  const [next] = update
  const hasAnswered = isAsk(shown) && askOf(next, shown) === undefined
  const isChoosing = focusedPane(before) === "approvals"
  if (!isWork(stroke) || hasAnswered || isChoosing) return update
  return andThen(update, (model) => only({ ...model, keys: { ...model.keys, lastTypedAt: before.now } }))
}

const isQuestionShown = (model: AppModel): boolean => {
  const overlay = shownOverlay(model)
  return overlay !== undefined && (isAsk(model.overlays.shown) || isStartQuestion(overlay))
}

export const onKey = (model: AppModel, { stroke, kind }: KeyEvent): Update => {
  if (kind === "release") return only(model)
  const held = heldAfter(model, stroke)
  const pressed = { ...model, keys: { ...model.keys, held } }
  if (isQuestionShown(pressed) && (kind === "repeat" || isHeldOver(pressed, held))) return only(pressed)
  const overlay = shownOverlay(pressed)
  const isOverAsk = overlay !== undefined && isAsk(pressed.overlays.shown) && pressed.line === undefined
  if (isOverAsk && isStray(pressed, overlay, stroke)) return afterKey(pressed, stroke, only(withStray(pressed)))
  return afterKey(pressed, stroke, throughMappings(pressed, stroke, press))
}

/** Keys that waited for more of a mapping are what they are. */
export const onMappingTimeout = (model: AppModel): Update => typedLate(model, press)
