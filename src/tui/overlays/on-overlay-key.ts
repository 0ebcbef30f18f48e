import { overlayRoom } from "./overlay-area.ts"
import type { Stroke } from "../keymap/stroke.ts"
import { updateConfirm, onConfirmed } from "./dialogs/confirm.ts"
import { updateExit } from "./dialogs/exit.ts"
import { updateListing } from "./listing.ts"
import { updateHost } from "./dialogs/host.ts"
import {
  type HostDialog,
  isStartQuestion,
  type Overlay,
  type PickerOverlay,
  type SettingsDialog,
  type TrustDialog,
  type BrowserLine
} from "../model/overlay.ts"
import { measurePanel } from "./panel/panel.ts"
import { type PermissionDialog, updatePermission } from "../model/dialogs/permission-state.ts"
import { isConfined } from "./dialogs/confinement.ts"
import { updateSettingsDialog } from "./dialogs/settings-error.ts"
import { updateTrust } from "./dialogs/trust.ts"
import { pasteWords, type QuestionDialog, updateQuestion } from "../model/dialogs/question-state.ts"
import { pasteInto } from "../editor/field.ts"
import { pasteIntoSearch, pressInHistory } from "../prompt/history-search.ts"
import { placeEntry } from "../prompt/recall.ts"
import { ANSWER_GUARD_MS, askOf } from "../model/questions/attention.ts"
import { doing, only, type Update } from "../model/update-result.ts"
import { type AppModel, withCurrent } from "../model/app-model.ts"
import { onOnboardingKey } from "./dialogs/on-onboarding.ts"
import { onPickerKey } from "./pickers/on-picker.ts"
import { withAsk, withoutAsk } from "../model/questions/pending-questions.ts"
import { closeOverlay, openOverlay } from "../model/open-overlay.ts"
import { displayedAsk, panelOf } from "./shown-overlay.ts"
import type { Ask, SessionModel } from "../model/session-model.ts"

/** Keys for the overlay on screen. Each is told which row is really the first: nobody scrolls past the end. */

const withDialog = (model: AppModel, id: string, dialog: Overlay): AppModel => ({
  ...model,
  overlays: { ...model.overlays, dialogs: new Map(model.overlays.dialogs).set(id, dialog) }
})

const measure = (model: AppModel, overlay: Overlay) => {
  const panel = panelOf(model, overlay)
  if (panel === undefined) return { bodyHeight: 0, bodyRows: 0, top: 0, isUsable: false }
  const room = overlayRoom(model, panel)
  return measurePanel(panel, room.size, room.sizeClass)
}

interface Asked {
  readonly id: string
  readonly session: SessionModel
  readonly ask: Ask
}

/** The model is asked once; after a failure, again. */
const explain = (model: AppModel, { session, ask: { question, risk } }: Asked): Update => {
  if (risk !== undefined && risk._tag !== "Failed") return only(model)
  const { callId, tool, input, decision } = question
  return doing(withAsk(model, session.id, callId, { risk: { _tag: "Asking" } }), {
    _tag: "ExplainCall",
    session: session.id,
    callId,
    tool,
    input,
    whyAsked: decision.reason.sentence,
    sandbox: isConfined(question, session)
  })
}

const onPermission = (model: AppModel, dialog: PermissionDialog, at: Asked & { readonly stroke: Stroke }): Update => {
  const { question } = displayedAsk(model, at, dialog)
  const { bodyHeight, top, isUsable } = measure(model, dialog)
  const outcome = updatePermission(dialog, question, { stroke: at.stroke, bodyHeight, top })
  if (outcome._tag === "Open") {
    const changed = withDialog(model, at.id, outcome.dialog)
    return outcome.dialog.explains && !dialog.explains ? explain(changed, at) : only(changed)
  }
  // What cannot be seen cannot be answered.
  if (!isUsable) return only(model)
  const answered = withoutAsk(model, at.session.id, question.callId)
  const answer = { _tag: "Answer" as const, session: at.session.id, callId: question.callId, answer: outcome.answer }
  return outcome.aside === ""
    ? doing(answered, answer)
    : doing(answered, answer, { _tag: "Submit", session: at.session.id, text: outcome.aside, priority: "next" })
}

const onHost = (model: AppModel, dialog: HostDialog, at: Asked & { readonly stroke: Stroke }): Update => {
  const { host, callId } = at.ask.question
  if (host === undefined) return only(model)
  const { bodyHeight, top, isUsable } = measure(model, dialog)
  const outcome = updateHost({ ...dialog, top }, host, { stroke: at.stroke, bodyHeight })
  if (outcome._tag === "Open") return only(withDialog(model, at.id, outcome.dialog))
  if (!isUsable) return only(model)
  return doing(withoutAsk(model, at.session.id, callId), {
    _tag: "Answer",
    session: at.session.id,
    callId,
    answer: outcome.answer
  })
}

const onQuestion = (model: AppModel, dialog: QuestionDialog, at: Asked & { readonly stroke: Stroke }): Update => {
  const { question } = at.ask
  const { bodyHeight, top, isUsable } = measure(model, dialog)
  const outcome = updateQuestion({ ...dialog, top }, question, { stroke: at.stroke, bodyHeight })
  if (outcome._tag === "Open") return only(withDialog(model, at.id, outcome.dialog))
  if (!isUsable) return only(model)
  return doing(withoutAsk(model, at.session.id, question.callId), {
    _tag: "Answer",
    session: at.session.id,
    callId: question.callId,
    answer: outcome.answer
  })
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
export const isGuarded = (model: AppModel, id: string): boolean =>
  (askOf(model, id) !== undefined || isStartQuestion(model.overlays.opened)) &&
  model.now - model.overlays.shownSince < ANSWER_GUARD_MS

export const onOverlayKey = (model: AppModel, overlay: Overlay, stroke: Stroke): Update => {
  const id = model.overlays.shown ?? ""
  if (isGuarded(model, id)) {
    return only(stroke === "<Esc>" ? { ...model, overlays: { ...model.overlays, heldEscape: true } } : model)
  }
  const found = askOf(model, id)
  const asked = found === undefined ? undefined : { id, ...found, stroke }
  switch (overlay._tag) {
    case "Permission":
      return asked === undefined ? only(model) : onPermission(model, overlay, asked)
    case "Host":
      return asked === undefined ? only(model) : onHost(model, overlay, asked)
    case "Question":
      return asked === undefined ? only(model) : onQuestion(model, overlay, asked)
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
  const id = model.overlays.shown ?? ""
  switch (overlay._tag) {
    case "Permission":
      if (overlay.typing === "comment") {
        return withDialog(model, id, { ...overlay, comment: pasteInto(overlay.comment, text) })
      }
      return overlay.typing === "rule" && overlay.rule !== undefined
        ? withDialog(model, id, { ...overlay, rule: pasteInto(overlay.rule, text) })
        : model
    case "Question": {
      const asked = askOf(model, id)
      return asked === undefined ? model : withDialog(model, id, pasteWords(overlay, asked.ask.question, text))
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
