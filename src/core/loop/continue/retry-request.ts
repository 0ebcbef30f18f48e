import type { ModelFailure } from "../../model/failure/model-failure.ts"
import { LIMITS } from "../../domain/limits.ts"
import { endWithApiError } from "../turn/api-error.ts"
import { classify, type FailureReading } from "../../model/failure/classify.ts"
import { describeFailure } from "../../model/failure/describe-failure.ts"
import { retryDelay, retryLimit } from "../../model/failure/retry.ts"
import { currentModel, sendRequest } from "../turn/send-request.ts"
import { setPhase, setTurn } from "../machine/patch-state.ts"
import { cancelTimer, startTimer, timerFor } from "../machine/pending.ts"
import type { ApiErrorNote, RunningState } from "../machine/state.ts"
import {
  andThen,
  commitAndPublish,
  emit,
  freshName,
  freshUuid,
  informational,
  isIn,
  notice,
  type Step,
  stay
} from "../machine/transition.ts"

/** A request that failed is sent again after a while, to another model, or given up. */

export interface RequestFailure {
  readonly requestId: string
  readonly failure: ModelFailure
  readonly jitter: number
}

const unavailable = (state: RunningState, failure: ModelFailure): string =>
  `${currentModel(state)} is not available (${describeFailure(failure)})`

export const retryOrGiveUp = (state: RunningState, failed: RequestFailure, reading: FailureReading): Step => {
  const { turn } = state.run
  const overloaded = reading.errorClass === "overloaded"
  const attempt = {
    failures: turn.attempt.failures + 1,
    overloads: overloaded ? turn.attempt.overloads + 1 : 0
  }
  const counted = setTurn(state, { attempt })
  const tired = reading.fallback === "afterOverloads" && attempt.overloads >= LIMITS.overloadsBeforeFallback
  if ((tired || reading.fallback === "now") && hasFallback(counted))
    return switchModel(counted, unavailable(counted, failed.failure))
  const worthwhile = reading.retryable && attempt.failures <= (reading.mostRetries ?? Infinity)
  const delay = worthwhile
    ? retryDelay(state.config.limits.retry, {
        failures: attempt.failures,
        capacity: overloaded || reading.errorClass === "rate_limit",
        jitter: failed.jitter,
        ...(failed.failure.retryAfterMs === undefined ? {} : { retryAfterMs: failed.failure.retryAfterMs })
      })
    : undefined
  if (delay !== undefined) return waitAndRetry(counted, failed, delay)
  const exhausted = reading.fallback === "whenExhausted" || reading.fallback === "afterOverloads"
  if (exhausted && hasFallback(counted)) return switchModel(counted, unavailable(counted, failed.failure))
  return giveUp(counted, failed.failure)
}

/** Stands for "without end" where a number has to be said. */
const ENDLESS = 1_000_000

const waitAndRetry = (state: RunningState, failed: RequestFailure, delayMs: number): Step => {
  const reading = classify(failed.failure)
  const [timerId, named] = freshName(state, "retry")
  const [uuid, drawn] = freshUuid(named)
  const capacity = reading.errorClass === "overloaded" || reading.errorClass === "rate_limit"
  const scheduled = emit({
    _tag: "RetryScheduled",
    uuid,
    attempt: state.run.turn.attempt.failures,
    maxRetries: Math.min(retryLimit(state.config.limits.retry, capacity), reading.mostRetries ?? ENDLESS),
    delayMs,
    status: failed.failure.status,
    errorClass: reading.errorClass,
    text: describeFailure(failed.failure)
  })
  const waiting = setPhase(drawn, { _tag: "Waiting" })
  return andThen(startTimer(waiting, { timerId, ms: delayMs, then: { _tag: "RetryRequest" } }), (next) => [
    next,
    [scheduled]
  ])
}

/** What was to be waited for is over. A model that is not there cannot be asked, and then the wait goes on. */
export const onRetryHastened = (state: RunningState, by: "sameModel" | "nextModel"): Step => {
  if (!isIn(state, "Waiting")) return stay(state)
  if (by === "nextModel" && !hasFallback(state)) {
    return [state, [notice("warning", "There is no other model to ask: --fallback-model names some.")]]
  }
  return andThen(cancelTimer(state, timerFor(state, "RetryRequest")), (next) =>
    by === "sameModel"
      ? andThen([next, [notice("info", "Trying again now.")]], sendRequest)
      : switchModel(next, `You did not wait for ${currentModel(state)}`)
  )
}

export const hasFallback = ({ run, config }: RunningState): boolean =>
  run.turn.modelIndex < config.choice.fallbackModels.length

/** The next model in the chain answers for the rest of this turn; the next prompt tries the primary first. */
export const switchModel = (state: RunningState, why: string): Step => {
  const switched = setTurn(state, {
    modelIndex: state.run.turn.modelIndex + 1,
    attempt: { failures: 0, overloads: 0 },
    transition: "fallback_retry"
  })
  const text = `${why}; ${currentModel(switched)} answers for this turn.`
  const [message, drawn] = informational(switched, text, "warning")
  return andThen(commitAndPublish(drawn, message), sendRequest)
}

export const errorNote = (failure: ModelFailure): ApiErrorNote => ({
  text: `API Error: ${describeFailure(failure)}`,
  status: failure.status,
  errorClass: classify(failure).errorClass
})

export const giveUp = (state: RunningState, failure: ModelFailure): Step =>
  endWithApiError(state, "api_error", errorNote(failure))
