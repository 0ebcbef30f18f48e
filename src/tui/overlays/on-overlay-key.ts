import { overlayRoom } from "./panel/overlay-area.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { updateConfirm, onConfirmed } from "./dialogs/confirm.ts"
import { updateExit } from "./dialogs/exit.ts"
import { updateListing } from "./listing.ts"
import {
  isStartQuestion,
  type Overlay,
  type PickerOverlay,
  type SettingsDialog,
  type TrustDialog,
  type BrowserLine
} from "../model/overlay.ts"
import { measurePanel } from "./panel/panel.ts"
import { updateSettingsDialog } from "./dialogs/settings-error.ts"
import { updateTrust } from "./dialogs/trust.ts"
import { pasteInto } from "../editor/field.ts"
import { pasteIntoSearch, pressInHistory } from "../prompt/history-search.ts"
import { placeEntry } from "../prompt/recall.ts"
import { isAsk } from "../model/asks.ts"
import { answeringOf } from "../model/dock/docked.ts"
import { ANSWER_GUARD_MS } from "../model/questions/attention.ts"
import { doing, only, type Update } from "../model/update-result.ts"
import { type AppModel, withCurrent } from "../model/app-model.ts"
import { onOnboardingKey } from "./dialogs/on-onboarding.ts"
import { onPickerKey } from "./pickers/on-picker.ts"
import { onDockedKey, onDockedPaste } from "./dock/on-docked-key.ts"
import { closeOverlay, openOverlay } from "../model/open-overlay.ts"
import { panelOf } from "./shown-overlay.ts"

/** Keys for the overlay on screen. Each is told which row is really the first: nobody scrolls past the end. */

const measure = (model: AppModel, overlay: Overlay) => {
  const panel = panelOf(model, overlay)
  if (panel === undefined) return { bodyHeight: 0, bodyRows: 0, top: 0, isUsable: false }
  const room = overlayRoom(model, panel)
  return measurePanel(panel, room.size, room.sizeClass)
}

const onHistory = (model: AppModel, overlay: Extract<Overlay, { _tag: "History" }>, stroke: Stroke): Update => {
  const step = pressInHistory(overlay.search, stroke)
  if (step._tag === "Open") return only(openOverlay(model, { ...overlay, search: step.search }))
  const closed = closeOverlay(model)
  if (step._tag === "Cancelled") return only(closed)
  return only(withCurrent(closed, (session) => ({ ...session, prompt: placeEntry(session.prompt, step.entry, model.now) })))
}

/** What was seen may be trusted; leaving is always possible. */
const onTrust = (model: AppModel, dialog: TrustDialog, stroke: Stroke): Update => {
  const { bodyHeight, top, isUsable } = measure(model, dialog)
  const outcome = updateTrust({ ...dialog, top }, stroke, bodyHeight)
  if (outcome._tag === "Open") return only(openOverlay(model, outcome.dialog))
  if (!isUsable && outcome.answer === "trust") return only(model)
  return doing(closeOverlay(model), { _tag: "AnswerTrust", answer: outcome.answer })
}

const onSettings = (model: AppModel, dialog: SettingsDialog, stroke: Stroke): Update => {
  const { bodyHeight, top } = measure(model, dialog)
  const outcome = updateSettingsDialog({ ...dialog, top }, stroke, bodyHeight)
  if (outcome._tag === "Open") return only(openOverlay(model, outcome.dialog))
  return doing(closeOverlay(model), { _tag: "AnswerSettings", answer: outcome.answer })
}

/** Questions that came by themselves are not answered by keys that were meant for something else. */
export const isGuarded = (model: AppModel): boolean =>
  (isAsk(model.overlays.shown) || isStartQuestion(model.overlays.opened)) &&
  model.now - model.overlays.shownSince < ANSWER_GUARD_MS

/** An early Escape counts a moment later, but not one with which somebody came back from a pane. */
const held = (model: AppModel, stroke: Stroke): AppModel =>
  stroke === "<Esc>" && model.overlays.keyboard === "asked"
    ? { ...model, overlays: { ...model.overlays, heldEscape: true } }
    : model

export const onOverlayKey = (model: AppModel, overlay: Overlay, stroke: Stroke): Update => {
  if (isGuarded(model)) return only(held(model, stroke))
  switch (overlay._tag) {
    case "Permission":
    case "Host":
    case "Question": {
      const docked = answeringOf(model)
      return docked === undefined ? only(model) : onDockedKey(model, docked, stroke)
    }
    case "Picker":
      return onPickerKey(model, overlay, stroke)
    case "History":
      return onHistory(model, overlay, stroke)
    case "Listing": {
      const { bodyHeight, bodyRows, top } = measure(model, overlay)
      const next = updateListing({ ...overlay, top }, stroke, Math.max(0, bodyRows - bodyHeight))
      return only(next === undefined ? closeOverlay(model) : openOverlay(model, next))
    }
    case "Onboarding":
      return onOnboardingKey(model, overlay, stroke)
    case "Trust":
      return onTrust(model, overlay, stroke)
    case "Settings":
      return onSettings(model, overlay, stroke)
    case "Confirm": {
      const outcome = updateConfirm(overlay, stroke)
      return outcome._tag === "Open" ? only(openOverlay(model, outcome.dialog)) : onConfirmed(model, overlay, outcome.answer)
    }
    case "Exit": {
      const outcome = updateExit(overlay, stroke)
      if (outcome._tag === "Open") return only(openOverlay(model, outcome.dialog))
      return outcome._tag === "Stay" ? only(closeOverlay(model)) : doing(model, { _tag: "Quit", code: 0 })
    }
  }
}

const withTyped = (overlay: PickerOverlay, typing: BrowserLine, text: string): PickerOverlay => ({
  ...overlay,
  browser: { ...overlay.browser, typing: { ...typing, ...pasteInto(typing, text) } }
})

/** Pasted text goes into the field that is open and never answers. */
export const onOverlayPaste = (model: AppModel, overlay: Overlay, text: string): AppModel => {
  switch (overlay._tag) {
    case "Permission":
    case "Host":
    case "Question": {
      const docked = answeringOf(model)
      return docked === undefined ? model : onDockedPaste(model, docked, text)
    }
    case "History":
      return openOverlay(model, { ...overlay, search: pasteIntoSearch(overlay.search, text) })
    case "Picker":
      if (overlay.browser.typing !== undefined) {
        return openOverlay(model, withTyped(overlay, overlay.browser.typing, text))
      }
      return overlay.picker.isFiltering
        ? openOverlay(model, {
            ...overlay,
            picker: { ...overlay.picker, filter: pasteInto(overlay.picker.filter, text), selected: 0 }
          })
        : model
    default:
      return model
  }
}
