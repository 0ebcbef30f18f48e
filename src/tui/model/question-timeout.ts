import type { AskUserQuestionInput } from "../../core/tools/conversation/ask-user-question.ts"
import { openQuestion, type QuestionDialog, questionsOf } from "./dialogs/question-state.ts"
import type { AppModel } from "./app-model.ts"
import { askId } from "./asks.ts"

/**
 * Questions of the model that nobody answers: after the time that the user set, what is selected is
 * sent. Any key starts the time again. Permissions wait for ever.
 */

const COUNTDOWN_MS = 20_000
const SECOND_MS = 1_000

export interface UnansweredQuestion {
  readonly session: string
  readonly callId: string
  readonly input: AskUserQuestionInput
  readonly dialog: QuestionDialog
  readonly due: number
}

const dialogOf = (model: AppModel, id: string, input: AskUserQuestionInput): QuestionDialog => {
  const known = model.overlays.dialogs.get(id)
  return known?._tag === "Question" ? known : openQuestion(input)
}

/** Every question that ends without the user, with its time. */
export const unansweredOf = (model: AppModel): ReadonlyArray<UnansweredQuestion> => {
  const { questionTimeoutMs } = model.options
  if (questionTimeoutMs === 0) return []
  const lastKeyAt = model.keys.held?.at ?? 0
  return [...model.sessions.values()].flatMap(({ id, asks }) =>
    asks.flatMap(({ question, askedAt }) => {
      const input = questionsOf(question)
      if (input === undefined) return []
      const { callId } = question
      const due = Math.max(askedAt, lastKeyAt) + questionTimeoutMs
      return [{ session: id, callId, input, dialog: dialogOf(model, askId(id, callId), input), due }]
    })
  )
}

/** Seconds until the question is answered without the user, while they are counted down. */
export const secondsLeft = (model: AppModel, id: string): number | undefined => {
  const waiting = unansweredOf(model).find(({ session, callId }) => askId(session, callId) === id)
  const left = waiting === undefined ? COUNTDOWN_MS + 1 : waiting.due - model.now
  return left > COUNTDOWN_MS ? undefined : Math.max(0, Math.ceil(left / SECOND_MS))
}

/** When time alone changes a question: as the countdown begins, with every second of it, and at its end. */
export const questionWake = (model: AppModel): number | undefined => {
  const times = unansweredOf(model).map(({ due }) => {
    const left = due - model.now
    if (left > COUNTDOWN_MS) return due - COUNTDOWN_MS
    const rest = left % SECOND_MS
    return Math.min(due, model.now + (rest <= 0 ? SECOND_MS : rest))
  })
  return times.length === 0 ? undefined : Math.min(...times)
}
