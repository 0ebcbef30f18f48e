import { paneOfId } from "../../screen/layout/tree.ts"
import { questionsOf } from "../dialogs/question-state.ts"
import type { Attention, OverlayRequest } from "./overlay-choice.ts"
import { chooseOverlay } from "./overlay-choice.ts"
import type { AppModel } from "../app-model.ts"
import type { Ask, SessionModel } from "../session-model.ts"

/** Everything that wants the person, gathered from the sessions and from what was opened by hand. */

const TYPING_MS = 700

export const askId = (session: string, callId: string): string => `ask:${session}/${callId}`

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
  return { id: OPENED, kind: opened._tag === "Picker" && SELECTING.has(opened.purpose) ? "selector" : "opened" }
}

const requestsOf = (model: AppModel): ReadonlyArray<OverlayRequest> => {
  const opened = openedKind(model)
  const asks = [...model.sessions.values()].flatMap((session) => session.asks.map((ask) => requestOf(model, session, ask)))
  return opened === undefined ? asks : [...asks, opened]
}

export const attentionOf = (model: AppModel): Attention => ({
  requests: requestsOf(model),
  shown: model.overlays.shown,
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

/** The ask behind a request. */
export const askOf = (model: AppModel, id: string): { readonly session: SessionModel; readonly ask: Ask } | undefined => {
  for (const session of model.sessions.values()) {
    const ask = session.asks.find(({ question }) => askId(session.id, question.callId) === id)
    if (ask !== undefined) return { session, ask }
  }
  return undefined
}

/** Chooses anew what is drawn, and remembers since when: a dialog cannot be answered in its first moment. */
export const settleAttention = (model: AppModel): AppModel => {
  const chosen = chooseOverlay(attentionOf(model))
  if (chosen?.id === model.overlays.shown) return model
  return {
    ...model,
    overlays: {
      ...model.overlays,
      shown: chosen?.id,
      shownSince: model.now,
      summoned: chosen !== undefined && model.overlays.summoned,
      heldEscape: false
    }
  }
}

/** The most that a dialog hides from: keys that come sooner were meant for something else. */
export const ANSWER_GUARD_MS = 150
