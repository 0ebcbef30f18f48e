import type { ModelFailure } from "../../model/failure/model-failure.ts"
import { LIMITS } from "../../domain/limits.ts"
import type { OptionalField, Repair } from "../../model/failure/classify.ts"
import { overshoot, rescue } from "../reduction/make-room.ts"
import { stripMedia } from "./strip-media.ts"
import { optionalFields, outputLimit, sendRequest } from "../turn/send-request.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { ApiErrorNote, RunningState } from "../machine/state.ts"
import type { Step } from "../machine/transition.ts"
import { errorNote, giveUp, type RequestFailure } from "./retry-request.ts"

/** Changes the request so that it can succeed; each repair has its own bound. */
export const repair = (state: RunningState, failed: RequestFailure, plan: Repair): Step => {
  switch (plan.kind) {
    case "promptTooLong":
      return rescue(state, {
        reason: "prompt_too_long",
        error: tooLongNote(failed.failure),
        overTokens: overshoot(plan)
      })
    case "media":
      return state.run.turn.recovery.mediaStripped
        ? rescue(state, { reason: "image_error", error: errorNote(failed.failure), overTokens: undefined })
        : stripMedia(state, plan.mediaType, failed.failure.message)
    case "outputTooLarge":
      return shrinkOutput(state, { failed, windowTokens: plan.windowTokens, inputTokens: plan.inputTokens })
    case "omitField":
      return omitOneMore(state, { failed, named: plan.field })
  }
}

/** An endpoint that refuses a request without a clear word may only not know one of its extras. */
const omitOneMore = (
  state: RunningState,
  { failed, named }: { failed: RequestFailure; named: OptionalField | undefined }
): Step => {
  const { turn } = state.run
  const { omitted } = turn.recovery
  const sent = optionalFields(state, turn)
  const field = named !== undefined && sent.includes(named) ? named : sent[0]
  if (field === undefined || omitted.length >= LIMITS.omittedFields) return giveUp(state, failed.failure)
  return sendRequest(setTurn(state, { recovery: { ...turn.recovery, omitted: [...omitted, field] } }))
}

const shrinkOutput = (
  state: RunningState,
  over: { failed: RequestFailure; windowTokens: number; inputTokens: number }
): Step => {
  const room = over.windowTokens - over.inputTokens - LIMITS.overflowMarginTokens
  if (room < LIMITS.minOutputTokens || room >= outputLimit(state, state.run.turn)) {
    return repair(state, over.failed, { kind: "promptTooLong" })
  }
  return sendRequest(setTurn(state, { outputTokens: room }))
}

const tooLongNote = (failure: ModelFailure): ApiErrorNote => ({
  text: "Prompt is too long",
  status: failure.status,
  errorClass: "prompt_too_long"
})
