import { focusedPane, focusOn } from "../windows/layout-and-focus.ts"
import { paneOfId } from "../../screen/layout/tree.ts"
import { questionsOf } from "../dialogs/question-state.ts"
import type { Attention, OverlayRequest } from "./overlay-choice.ts"
import { chooseOverlay } from "./overlay-choice.ts"
import type { AppModel } from "../app-model.ts"
import { askId, coveredAsk } from "../asks.ts"
import type { Ask, SessionModel } from "../session-model.ts"

/** Everything that wants the user, gathered from the sessions and from what was opened by hand. */

const TYPING_MS = 700

const requestOf = (model: AppModel, session: SessionModel, { question }: Ask): OverlayRequest => {
  const id = askId(session.id, question.callId)
  if (questionsOf(question) !== undefined) return { id, kind: "question" }
  if (session.id !== model.current) return { id, kind: "worker" }
  return { id, kind: question.host === undefined ? "permission" : "sandbox" }
}

/** What was opened by hand, among the requests. */
export const OPENED = "opened"

/** Both steps of going back to an earlier message. */
const SELECTING: ReadonlySet<string> = new Set(["selector", "rewind"])

const openedKind = (model: AppModel): OverlayRequest | undefined => {
  const { opened } = model.overlays
  if (opened === undefined) return undefined
  // Who waits for the work to end still has to answer what it asks.
  if (opened._tag === "Exit") return { id: OPENED, kind: opened.isWaiting ? "opened" : "exit" }
  if (opened._tag === "Onboarding") return { id: OPENED, kind: "onboarding" }
  if (opened._tag === "Trust" || opened._tag === "Settings") return { id: OPENED, kind: "trust" }
  if (opened._tag !== "Picker" || !SELECTING.has(opened.purpose)) {
    return { id: OPENED, kind: coveredAsk(model) === undefined ? "opened" : "over" }
  }
  return { id: OPENED, kind: "selector" }
}

const requestsOf = (model: AppModel): ReadonlyArray<OverlayRequest> => {
  const opened = openedKind(model)
  const asks = [...model.sessions.values()].flatMap((session) => session.asks.map((ask) => requestOf(model, session, ask)))
  return opened === undefined ? asks : [...asks, opened]
}

/** What is on screen: when what was opened over a question is closed, the question is, whatever the hands do. */
const shownIn = ({ overlays: { shown, opened, over } }: AppModel): string | undefined =>
  shown === OPENED && opened === undefined ? over : shown

export const attentionOf = (model: AppModel): Attention => ({
  requests: requestsOf(model),
  shown: shownIn(model),
  isTyping: model.now - model.keys.lastTypedAt < TYPING_MS,
  isChoosing: paneOfId(model.focus) === "approvals",
  summoned: model.overlays.summoned
})

/** When the hands will have been still for long enough; undefined when nothing waits for that. */
export const stillAt = (model: AppModel): number | undefined => {
  const attention = attentionOf(model)
  const isHeld = attention.isTyping && chooseOverlay(attention)?.id !== chooseOverlay({ ...attention, isTyping: false })?.id
  return isHeld ? model.keys.lastTypedAt + TYPING_MS : undefined
}

/** Chooses anew what is drawn, and remembers since when: a dialog cannot be answered in its first moment. */
export const chooseAttention = (model: AppModel): AppModel => {
  const { overlays } = model
  const chosen = chooseOverlay(attentionOf(model))?.id
  if (chosen === overlays.shown) {
    return overlays.keyboard === "left" && model.focus === "prompt" ? withKeyboard(model, "back") : model
  }
  const isSame = chosen !== undefined && chosen === overlays.over
  const over = chosen === OPENED ? overlays.over : undefined
  const summoned = chosen !== undefined && overlays.summoned
  // Over a question and after it the keyboard is where it was: whoever had gone to a pane is there again.
  const stays = (over !== undefined || isSame) && overlays.keyboard === "left"
  const changed = { ...model, overlays: { ...overlays, shown: chosen, summoned, over } }
  const next = stays ? changed : withKeyboard(changed, isSame ? "back" : "asked")
  // What was read in full is answered: nothing of it stays on screen.
  const isOver = focusedPane(next) === "decision" && chosen !== OPENED && !isSame
  return isOver ? focusOn(next, "prompt") : next
}

/** What is shown has the keyboard from now on. */
const withKeyboard = (model: AppModel, keyboard: "asked" | "back"): AppModel => ({
  ...model,
  overlays: { ...model.overlays, shownSince: model.now, heldEscape: false, keyboard }
})

/** The most that a dialog hides from: keys that come sooner were meant for something else. */
export const ANSWER_GUARD_MS = 150
