import type { ModelFailure } from "../model/failure/model-failure.ts"
import { isThinking } from "../domain/block.ts"
import { LIMITS } from "../domain/limits.ts"
import type { OpenBlock } from "../model/stream/assemble.ts"
import { recordApiTime } from "./turn/accounting.ts"
import { classify } from "../model/failure/classify.ts"
import { abandonResponse } from "./turn/commit-response.ts"
import { describeFailure } from "../model/failure/describe-failure.ts"
import { holdTimer, publishBlock, releaseHeld } from "./on-model.ts"
import { repair } from "./continue/repair.ts"
import { finishResponse, keepIncomplete } from "./continue/finish-response.ts"
import { sendRequest } from "./turn/send-request.ts"
import type { AgentState } from "./machine/state.ts"
import { andThen, freshUuid, setTurn, type Step, stay } from "./machine/transition.ts"
import { type RequestFailure, retryOrGiveUp } from "./continue/retry-request.ts"

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

/** More thinking, or a text without a word in it yet: kept, it would make an empty answer. */
const addsNothing = (open: OpenBlock): boolean => {
  if (open.kind === "text") return open.text.trim() === ""
  return open.kind === "thinking" || (open.kind === "other" && open.block.type === "redacted_thinking")
}

const salvageOf = (state: AgentState): Salvage => {
  if (state.phase._tag !== "Streaming") return "nothing"
  const { assembly, held } = state.phase
  const shown = (state.turn?.assistant ?? []).flatMap(({ message }) => message.content)
  const blocks = held === undefined ? shown : [...shown, held.completed.block]
  if (blocks.length === 0) return "nothing"
  const onlyThinking = blocks.every(isThinking)
  return onlyThinking && (assembly.open === undefined || addsNothing(assembly.open)) ? "thinking" : "content"
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
