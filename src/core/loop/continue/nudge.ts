import { isText, isThinking } from "../../domain/block.ts"
import { PROGRAM_OPENINGS } from "../../domain/program-texts.ts"
import { endWithApiError } from "../turn/api-error.ts"
import { abandonResponse, commitResponse } from "../turn/commit-response.ts"
import { finish } from "../turn/finish.ts"
import { iterate, turnsUsedUp } from "./iterate.ts"
import type { ContinueReason } from "../machine/reasons.ts"
import { currentModel, overBudget } from "../turn/send-request.ts"
import { hasFallback, switchModel } from "./retry-request.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { Recovery, RunningState, Turn } from "../machine/state.ts"
import { andThen, commitAndPublish, metaUser, type Step } from "../machine/transition.ts"

/** Answers that help nobody: the model is told so, once per turn, and asked again. */

const AFTER_SILENCE = `${PROGRAM_OPENINGS.silence} Go on with the task, or say in words what came of it.`

const AFTER_REFUSAL =
  `${PROGRAM_OPENINGS.refusal} Do not repeat it. ` +
  "Help with what you can help with, and say plainly which part you will not do and why."

interface Nudge {
  readonly text: string
  readonly recovery: Partial<Recovery>
  readonly reason: ContinueReason
}

/** What the response did say stays in the conversation; the nudge follows it as the user's next words. */
const askAgain = (state: RunningState, { text, recovery, reason }: Nudge): Step => {
  const [message, drawn] = metaUser(state, text)
  const noted = setTurn(commitResponse(drawn), { recovery: { ...state.run.turn.recovery, ...recovery } })
  return andThen(commitAndPublish(noted, message), (next) => iterate(next, reason))
}

/** No calls, and not a word besides thinking. */
export const saysNothing = (turn: Turn): boolean =>
  turn.calls.length === 0 &&
  turn.assistant.every(({ message }) =>
    message.content.every((block) => isThinking(block) || (isText(block) && block.text.trim() === ""))
  )

export const recoverSilence = (state: RunningState): Step =>
  state.run.turn.recovery.silenceNudged || turnsUsedUp(state)
    ? finish(commitResponse(state), "completed")
    : askAgain(state, {
        text: AFTER_SILENCE,
        recovery: { silenceNudged: true },
        reason: "empty_response_retry"
      })

const refused = (state: RunningState): Step =>
  endWithApiError(commitResponse(state), "model_error", {
    text: "The model declined to answer this request (stop reason refusal)",
    status: null,
    errorClass: "invalid_request",
    detail: "rephrase the prompt or choose another model with --model"
  })

/** Another model may see it differently: what the first one said is withdrawn. */
const askNextModel = (state: RunningState): Step =>
  andThen(abandonResponse(state), (next) => switchModel(next, `${currentModel(state)} declined to answer`))

export const recoverRefusal = (state: RunningState): Step => {
  if (turnsUsedUp(state) || overBudget(state)) return refused(state)
  if (state.run.turn.recovery.refusalNudged) return hasFallback(state) ? askNextModel(state) : refused(state)
  return askAgain(state, { text: AFTER_REFUSAL, recovery: { refusalNudged: true }, reason: "refusal_retry" })
}
