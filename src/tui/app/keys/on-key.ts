import { onOverlay } from "./on-overlay.ts"
import { calm, isDigit, withCount, withPending, runHere, countOf, isText, hasBegun } from "./begun-keys.ts"
import { isPromptAction } from "../../prompt/prompt-actions.ts"
import { perform } from "./perform.ts"
import type { KeyEvent } from "../../terminal/input/event.ts"
import type { Stroke } from "../../keymap/stroke.ts"
import { expire, legacyTwin, lookup, boundStroke } from "../../keymap/trie.ts"
import { askOf, isAsk } from "../../model/asks.ts"
import { dockedOf } from "../../model/dock/docked.ts"
import { andThen, withoutCommands, type Update } from "../../model/update-result.ts"
import { nodeOf, ownNodeOf } from "./chords.ts"
import { heldAfter, isHeldOver } from "./held-key.ts"
import { onInterruptKey } from "./interrupt.ts"
import { type AppModel, currentSession, sizeClass, type LineInput } from "../../model/app-model.ts"
import { runAction } from "./on-action.ts"
import { onLineKey } from "./on-line-input.ts"
import { focusedPane, focusOn } from "../../model/windows/layout-and-focus.ts"
import { beginsObject, onObject } from "../../panes/transcript/transcript-handlers.ts"
import { onPromptInput } from "../../panes/prompt/on-prompt-key.ts"
import { isStartQuestion } from "../../model/overlay.ts"
import { throughMappings, typedLate } from "./mapped-keys.ts"
import { shownOverlay } from "../../overlays/shown-overlay.ts"
import { isStray, withStray } from "./stray-key.ts"
import { isHesitating } from "./which-key.ts"

/** Where a key goes: to what is pending, to the line, the overlay, the keymap, and at last to the prompt. */

/** Vim waits for the rest of a command: nobody else may take the key. */
const vimIsWaiting = (model: AppModel): boolean => {
  const editor = currentSession(model)?.prompt.editor
  return editor?._tag === "Vim" && (editor.vim.pending.length > 0 || editor.vim.mode.name === "commandLine")
}

/** The character that an action was waiting for, or the second letter of a text object. */
const onWaited = (model: AppModel, stroke: Stroke): Update => {
  const { waiting } = model.keys
  const next = calm(model)
  if (waiting === undefined || stroke === "<Esc>") return withoutCommands(next)
  const { action, count } = waiting
  if (action === "i" || action === "a") return onObject(next, action + stroke, count)
  return runAction(next, action, { count, argument: stroke }) ?? withoutCommands(next)
}

const onKeymap = (model: AppModel, stroke: Stroke): Update => {
  const node = nodeOf(model)
  const isPane = model.focus !== "prompt"
  const takesCount = isPane ? model.keys.pending.length === 0 || node.takesCount : node.takesCount
  if (takesCount && isDigit(model, stroke)) return withoutCommands(withCount(model, stroke))
  const found = lookup(node, stroke)
  switch (found._tag) {
    case "Pending":
      return withoutCommands(withPending(model, stroke))
    case "Matched":
      return runHere(model, found.action, countOf(model)) ?? unbound(model, stroke)
    case "Cancelled":
      return withoutCommands(calm(model))
    case "NotFound":
      return unbound(model, stroke)
  }
}

/** The prompt types what is no action; in a pane a letter is lost, unless the user wants it to go to the prompt. */
const unbound = (model: AppModel, stroke: Stroke): Update => {
  if (model.focus === "prompt") return onPromptInput(calm(model), stroke)
  const isTyped = model.options.typeThrough && isText(stroke) && dockedOf(model) === undefined
  return isTyped ? onPromptInput(focusOn(calm(model), "prompt"), stroke) : withoutCommands(calm(model))
}

/** No second key came in time: what the first alone means, if anything. */
export const onChordTimeout = (model: AppModel): Update => {
  const found = expire(nodeOf(model))
  if (found._tag === "Matched") return runHere(model, found.action, countOf(model)) ?? withoutCommands(calm(model))
  // Somebody reads what may follow; the chord waits for them.
  return withoutCommands(isHesitating(model) ? model : calm(model))
}

/** What a stroke means where the keyboard is: one that is bound itself, or else its twin on simpler terminals. */
const meant = (model: AppModel, typed: Stroke): Stroke => {
  if (model.keys.waiting !== undefined) return legacyTwin(typed)
  const overlay = model.line === undefined ? shownOverlay(model) : undefined
  const node = overlay === undefined ? nodeOf(model) : ownNodeOf(model, overlay)
  return node === undefined ? legacyTwin(typed) : boundStroke(node, typed)
}

/** On a screen that is too small for anything else the prompt is typed into, and nothing is sent. */
const onTooSmall = (model: AppModel, stroke: Stroke): Update => {
  const found = lookup(nodeOf(model), stroke)
  if (found._tag !== "Matched") return onPromptInput(model, stroke)
  return isPromptAction(found.action) && found.action !== "chat:submit"
    ? (runAction(model, found.action) ?? onPromptInput(model, stroke))
    : withoutCommands(model)
}

const onLine = (model: AppModel, line: LineInput, stroke: Stroke): Update => {
  const found = isText(stroke) ? undefined : lookup(nodeOf(model), stroke)
  if (found?._tag === "Pending") return withoutCommands(withPending(model, stroke))
  if (found?._tag === "Cancelled") return withoutCommands(calm(model))
  const done = found?._tag === "Matched" ? runAction(calm(model), found.action) : undefined
  return done ?? onLineKey(calm(model), line, stroke)
}

/** It always interrupts, but for a search that it has always ended. */
const isOwnInterrupt = (model: AppModel): boolean => {
  const overlay = shownOverlay(model)
  return overlay?._tag === "History" && ownNodeOf(model, overlay)?.children.has("<C-c>") === true
}

const onPress = (model: AppModel, typed: Stroke): Update => {
  const stroke = meant(model, typed)
  if (stroke === "<C-c>" && !isOwnInterrupt(model)) return onInterruptKey(calm(model))
  if (sizeClass(model) === "below") return onTooSmall(model, stroke)
  if (model.keys.waiting !== undefined) return onWaited(model, stroke)
  if (model.line !== undefined) return onLine(model, model.line, stroke)
  const overlay = shownOverlay(model)
  if (overlay !== undefined) return onOverlay(model, overlay, stroke)
  if (stroke === "<Esc>" && hasBegun(model)) return withoutCommands(calm(model))
  if (model.focus === "prompt" && vimIsWaiting(model)) return onPromptInput(model, stroke)
  if (beginsObject(model, stroke) && model.keys.pending.length === 0) {
    return withoutCommands({ ...model, keys: { ...model.keys, waiting: { action: stroke, count: countOf(model) } } })
  }
  return onKeymap(model, stroke)
}

/** Done before the next key of a mapping, which may depend on it. */
const press = (model: AppModel, typed: Stroke): Update => perform(onPress(model, typed))

/** Enter and Escape end something; whoever presses any other key is at work, wherever it goes. */
const isWork = (stroke: Stroke): boolean => stroke !== "<CR>" && stroke !== "<Esc>"

/** Hands at work keep what asks waiting, unless what they do is to answer or to choose what to answer. */
const afterKey = (before: AppModel, stroke: Stroke, update: Update): Update => {
  const { shown } = before.overlays
  const [next] = update
  const hasAnswered = isAsk(shown) && askOf(next, shown) === undefined
  const isChoosing = focusedPane(before) === "approvals"
  if (!isWork(stroke) || hasAnswered || isChoosing) return update
  return andThen(update, (model) => withoutCommands({ ...model, keys: { ...model.keys, lastTypedAt: before.now } }))
}

const isQuestionShown = (model: AppModel): boolean => {
  const overlay = shownOverlay(model)
  return overlay !== undefined && (isAsk(model.overlays.shown) || isStartQuestion(overlay))
}

export const onKey = (model: AppModel, { stroke, kind }: KeyEvent): Update => {
  if (kind === "release") return withoutCommands(model)
  const held = heldAfter(model, stroke)
  const pressed = { ...model, keys: { ...model.keys, held } }
  if (isQuestionShown(pressed) && (kind === "repeat" || isHeldOver(pressed, held))) return withoutCommands(pressed)
  const overlay = shownOverlay(pressed)
  const isOverAsk = overlay !== undefined && isAsk(pressed.overlays.shown) && pressed.line === undefined
  if (isOverAsk && isStray(pressed, overlay, stroke)) return afterKey(pressed, stroke, withoutCommands(withStray(pressed)))
  return afterKey(pressed, stroke, throughMappings(pressed, stroke, press))
}

/** Keys that waited for more of a mapping are what they are. */
export const onMappingTimeout = (model: AppModel): Update => typedLate(model, press)
