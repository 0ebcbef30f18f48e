import { LIMITS } from "../domain/limits.ts"
import type { ModelFailure } from "../domain/failure.ts"
import { recordApiTime } from "./accounting.ts"
import { endWithApiError } from "./api-error.ts"
import { classify, type FailureReading, type Repair } from "./classify.ts"
import { startCompaction } from "./compaction.ts"
import { describeFailure } from "./describe-failure.ts"
import { abandonResponse } from "./commit-response.ts"
import { stripMedia } from "./media.ts"
import { holdTimer, publishBlock, releaseHeld } from "./on-model.ts"
import { finishResponse, keepIncomplete } from "./response.ts"
import { retryDelay, retryLimit } from "./retry.ts"
import type { OpenBlock } from "../stream/assemble.ts"
import { currentModel, sendRequest } from "./sending.ts"
import type { AgentState, ApiErrorNote, Rescue, Turn } from "./state.ts"
import { andThen, emit, freshName, freshUuid, informational, commitAndPublish, setPhase, setTurn, type Step, stay } from "./transition.ts"

export interface RequestFailure {
  readonly requestId: string
  readonly failure: ModelFailure
  readonly jitter: number
}

const CUT: ModelFailure = {
  kind: "network",
  status: null,
  errorType: null,
  message: "the connection closed before the response was complete"
}

const isCurrent = (state: AgentState, requestId: string): boolean =>
  (state.phase._tag === "Requesting" || state.phase._tag === "Streaming") && state.phase.requestId === requestId

/** The connection ended. Fine after the last event of a response, a broken connection before it. */
export const onStreamEnded = (state: AgentState, requestId: string): Step => {
  if (!isCurrent(state, requestId)) return stay(state)
  return onRequestFailed(state, { requestId, failure: CUT, jitter: 0 })
}

/** What of a broken response is worth keeping. */
type Salvage = "nothing" | "thinking" | "content"

const isOpenThinking = (open: OpenBlock): boolean =>
  open.kind === "thinking" || (open.kind === "other" && open.block.type === "redacted_thinking")

const salvageOf = (state: AgentState): Salvage => {
  if (state.phase._tag !== "Streaming") return "nothing"
  const { assembly, held } = state.phase
  const blocks = [...(state.turn?.assistant ?? []).flatMap((m) => m.message.content), ...(held ? [held.completed.block] : [])]
  if (blocks.length === 0) return "nothing"
  const onlyThinking = blocks.every((block) => block.type === "thinking" || block.type === "redacted_thinking")
  return onlyThinking && (assembly.open === undefined || isOpenThinking(assembly.open)) ? "thinking" : "content"
}

/** Half a text is kept as it stood; half a tool call is dropped. */
const closeOpenText = (state: AgentState): Step => {
  const phase = state.phase
  if (phase._tag !== "Streaming" || phase.assembly.open?.kind !== "text") return stay(state)
  const text = phase.assembly.open.text
  const [uuid, drawn] = freshUuid(state)
  return publishBlock(drawn, phase, uuid, { block: { type: "text", text } })
}

const dropHeld = (state: AgentState): Step =>
  state.phase._tag === "Streaming" && state.phase.held !== undefined
    ? [state, [{ _tag: "CancelTimer", timerId: holdTimer(state.phase.requestId) }]]
    : stay(state)

/** The request broke. What it means depends on how far the response had come. */
export const onRequestFailed = (state: AgentState, failed: RequestFailure): Step => {
  if (!isCurrent(state, failed.requestId)) return stay(state)
  const phase = state.phase
  if (phase._tag === "Streaming" && (phase.assembly.stopped || phase.assembly.stopReason !== null)) {
    return andThen(releaseHeld(state), finishResponse)
  }
  const salvage = salvageOf(state)
  if (salvage === "content") {
    const released = andThen(releaseHeld(state), closeOpenText)
    return andThen(released, (next) => keepIncomplete(next, describeFailure(failed.failure)))
  }
  const abandoned = andThen(dropHeld(recordApiTime(state)), abandonResponse)
  return andThen(abandoned, (next) => retryOrRepair(next, failed, salvage))
}

const retryOrRepair = (state: AgentState, failed: RequestFailure, salvage: Salvage): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const reading = classify(failed.failure)
  if (reading.repair !== undefined) return repair(state, failed, reading.repair)
  if (salvage === "thinking") {
    const limit = failed.failure.kind === "stalled" ? LIMITS.thinkingResendsAfterStall : LIMITS.thinkingResends
    if (turn.recovery.thinkingResends < limit) {
      return sendRequest(
        setTurn(state, { recovery: { ...turn.recovery, thinkingResends: turn.recovery.thinkingResends + 1 } })
      )
    }
  }
  return retryOrGiveUp(state, failed, reading)
}

/** Changes the request so that it can succeed; each repair has its own bound. */
const repair = (state: AgentState, failed: RequestFailure, plan: Repair): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  switch (plan.kind) {
    case "promptTooLong":
      return compactOrGiveUp(state, turn, { reason: "prompt_too_long", error: tooLongNote(failed.failure) })
    case "media":
      return turn.recovery.mediaStripped
        ? compactOrGiveUp(state, turn, { reason: "image_error", error: errorNote(failed.failure) })
        : stripMedia(state, plan.mediaType, failed.failure.message)
    case "outputTooLarge":
      return shrinkOutput(state, turn, { failed, windowTokens: plan.windowTokens, inputTokens: plan.inputTokens })
    case "thinkingBudget":
      return shrinkThinking(state, turn, failed)
    case "omitField":
      if (turn.recovery.omitted.includes(plan.field)) return giveUp(state, failed.failure)
      return sendRequest(
        setTurn(state, { recovery: { ...turn.recovery, omitted: [...turn.recovery.omitted, plan.field] } })
      )
  }
}

/** Compacting to rescue a request is tried once per turn. */
const compactOrGiveUp = (state: AgentState, turn: Turn, rescue: Rescue): Step =>
  turn.recovery.reactiveCompacted
    ? endWithApiError(state, rescue.reason, rescue.error)
    : startCompaction(setTurn(state, { recovery: { ...turn.recovery, reactiveCompacted: true } }), rescue)

const shrinkOutput = (
  state: AgentState,
  turn: Turn,
  over: { failed: RequestFailure; windowTokens: number; inputTokens: number }
): Step => {
  const room = over.windowTokens - over.inputTokens - LIMITS.overflowMarginTokens
  if (room < LIMITS.minOutputTokens || room >= turn.outputTokens) {
    return repair(state, over.failed, { kind: "promptTooLong" })
  }
  return sendRequest(setTurn(state, { outputTokens: room }))
}

const shrinkThinking = (state: AgentState, turn: Turn, failed: RequestFailure): Step => {
  const budget = turn.outputTokens - 1
  if (turn.thinkingTokens === undefined && budget >= LIMITS.minThinkingTokens) {
    return sendRequest(setTurn(state, { thinkingTokens: budget }))
  }
  return repair(state, failed, { kind: "omitField", field: "thinking" })
}

const retryOrGiveUp = (state: AgentState, failed: RequestFailure, reading: FailureReading): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const overloaded = reading.errorClass === "overloaded"
  const attempt = {
    failures: turn.attempt.failures + 1,
    overloads: overloaded ? turn.attempt.overloads + 1 : 0
  }
  const counted = setTurn(state, { attempt })
  const tired = reading.fallback === "afterOverloads" && attempt.overloads >= LIMITS.overloadsBeforeFallback
  if ((tired || reading.fallback === "now") && hasFallback(counted)) return switchModel(counted, failed.failure)
  const delay = reading.retryable
    ? retryDelay(state.config.retry, {
        failures: attempt.failures,
        capacity: overloaded || reading.errorClass === "rate_limit",
        jitter: failed.jitter,
        ...(failed.failure.retryAfterMs === undefined ? {} : { retryAfterMs: failed.failure.retryAfterMs })
      })
    : undefined
  if (delay !== undefined) return waitAndRetry(counted, failed, delay)
  const exhausted = reading.fallback === "whenExhausted" || reading.fallback === "afterOverloads"
  if (exhausted && hasFallback(counted)) return switchModel(counted, failed.failure)
  return giveUp(counted, failed.failure)
}

const waitAndRetry = (state: AgentState, failed: RequestFailure, delayMs: number): Step => {
  const reading = classify(failed.failure)
  const [timerId, named] = freshName(state, "retry")
  const [uuid, drawn] = freshUuid(named)
  const capacity = reading.errorClass === "overloaded" || reading.errorClass === "rate_limit"
  return [
    setPhase(drawn, { _tag: "Waiting", timerId }),
    [
      { _tag: "StartTimer", timerId, ms: delayMs },
      emit({
        _tag: "RetryScheduled",
        uuid,
        attempt: state.turn?.attempt.failures ?? 1,
        maxRetries: Math.min(retryLimit(state.config.retry, capacity), 1_000_000),
        delayMs,
        status: failed.failure.status,
        errorClass: reading.errorClass,
        text: describeFailure(failed.failure)
      })
    ]
  ]
}

const hasFallback = (state: AgentState): boolean =>
  (state.turn?.modelIndex ?? 0) < state.config.fallbackModels.length

/** The next model in the chain answers for the rest of this turn; the next prompt tries the primary first. */
const switchModel = (state: AgentState, failure: ModelFailure): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const from = currentModel(state)
  const switched = setTurn(state, {
    modelIndex: turn.modelIndex + 1,
    attempt: { failures: 0, overloads: 0 },
    transition: "fallback_retry"
  })
  const text = `${from} is not available (${describeFailure(failure)}); ${currentModel(switched)} answers for this turn.`
  const [message, drawn] = informational(switched, text, "warning")
  return andThen(commitAndPublish(drawn, message), sendRequest)
}

const errorNote = (failure: ModelFailure): ApiErrorNote => ({
  text: `API Error: ${describeFailure(failure)}`,
  status: failure.status,
  errorClass: classify(failure).errorClass
})

const tooLongNote = (failure: ModelFailure): ApiErrorNote => ({
  text: "Prompt is too long",
  status: failure.status,
  errorClass: "prompt_too_long"
})

const giveUp = (state: AgentState, failure: ModelFailure): Step => endWithApiError(state, "api_error", errorNote(failure))

/** The wait is over: the same request goes out again. */
export const onRetryTimer = (state: AgentState, timerId: string): Step =>
  state.phase._tag === "Waiting" && state.phase.timerId === timerId ? sendRequest(state) : stay(state)
