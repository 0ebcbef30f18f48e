import { LIMITS } from "../../domain/limits.ts"
import { outputCap } from "../../model/catalog/model.ts"
import { PROGRAM_OPENINGS } from "../../domain/program-texts.ts"
import { endWithApiError } from "../turn/api-error.ts"
import { abandonResponse, commitResponse } from "../turn/commit-response.ts"
import { iterate, turnsUsedUp } from "./iterate.ts"
import { currentModel, outputLimit, sendRequest } from "../turn/send-request.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { AgentState, RunningState } from "../machine/state.ts"
import { andThen, commitAndPublish, metaUser, type Step } from "../machine/transition.ts"

/** An answer that hit the output limit: once with a larger limit, then bit by bit, then the error. */

export const hitOutputLimit = (stopReason: string | null): boolean =>
  stopReason === "max_tokens" || stopReason === "model_context_window_exceeded"

const CONTINUE_AFTER_CUT =
  `${PROGRAM_OPENINGS.outputCut} Go on exactly where it stopped: no apology, no recap. ` +
  "Split what remains into smaller pieces."

const largestLimit = (state: AgentState): number => Math.min(LIMITS.escalatedOutputTokens, outputCap(currentModel(state)))

const canEscalate = (state: RunningState): boolean => {
  const { turn } = state.run
  return (
    !turn.recovery.escalated &&
    state.config.choice.explicitOutputTokens === undefined &&
    outputLimit(state, turn) < outputLimit(state, { ...turn, outputTokens: largestLimit(state) })
  )
}

/** The same response once more with more room: it does not count as another one. */
const escalate = (state: RunningState): Step => {
  const { responses, recovery } = state.run.turn
  return andThen(abandonResponse(state), (next) =>
    sendRequest(
      setTurn(next, {
        outputTokens: largestLimit(state),
        transition: "max_output_tokens_escalate",
        responses: responses - 1,
        recovery: { ...recovery, escalated: true }
      })
    )
  )
}

const goOnAfterCut = (state: RunningState): Step => {
  const { recovery } = state.run.turn
  const [message, drawn] = metaUser(state, CONTINUE_AFTER_CUT)
  const counted = setTurn(commitResponse(drawn), {
    recovery: { ...recovery, continuations: recovery.continuations + 1 }
  })
  return andThen(commitAndPublish(counted, message), (next) => iterate(next, "max_output_tokens_recovery"))
}

export const recoverOutputLimit = (state: RunningState): Step => {
  const { turn } = state.run
  if (canEscalate(state)) return escalate(state)
  if (turn.recovery.continuations < LIMITS.outputContinuations && !turnsUsedUp(state)) return goOnAfterCut(state)
  return endWithApiError(commitResponse(state), turn.lastText === "" ? "model_error" : "completed", {
    text: `The answer exceeded the output limit of ${outputLimit(state, turn)} tokens`,
    status: null,
    errorClass: "max_output_tokens",
    detail: "set CLAUDE_CODE_MAX_OUTPUT_TOKENS higher or ask for a shorter answer"
  })
}
