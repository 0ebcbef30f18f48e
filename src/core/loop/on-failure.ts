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
import { setTurn } from "./machine/patch-state.ts"
import { cancelTimer } from "./machine/pending.ts"
import type { Running, RunningState, StreamingState } from "./machine/state.ts"
import { andThen, freshUuid, isIn, type Step, stay } from "./machine/transition.ts"
import { type RequestFailure, retryOrGiveUp } from "./continue/retry-request.ts"

const CUT: ModelFailure = {
  kind: "network",
  status: null,
  errorType: null,
  message: "the connection closed before the response was complete"
}

const isCurrent = ({ run: { phase } }: RunningState, requestId: string): boolean =>
  (phase._tag === "Requesting" || phase._tag === "Streaming") && phase.requestId === requestId

/** The connection ended. Fine after the last event of a response, a broken connection before it. */
export const onStreamEnded = (state: RunningState, requestId: string): Step => {
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

const salvageOf = ({ run: { turn, phase } }: RunningState): Salvage => {
  if (phase._tag !== "Streaming") return "nothing"
  const { assembly, held } = phase
  const shown = turn.assistant.flatMap(({ message }) => message.content)
  const blocks = held === undefined ? shown : [...shown, held.completed.block]
  if (blocks.length === 0) return "nothing"
  const onlyThinking = blocks.every(isThinking)
  return onlyThinking && (assembly.open === undefined || addsNothing(assembly.open)) ? "thinking" : "content"
}

/** Half a text is kept as it stood; half a tool call is dropped. */
const closeOpenText = (state: RunningState): Step<Running> => {
  if (!isIn(state, "Streaming") || state.run.phase.assembly.open?.kind !== "text") return stay<Running>(state)
  const { text } = state.run.phase.assembly.open
  const [uuid, drawn] = freshUuid(state)
  return publishBlock(drawn, uuid, { block: { type: "text", text } })
}

const dropHeld = (state: RunningState): Step<Running> =>
  isIn(state, "Streaming") && state.run.phase.held !== undefined
    ? cancelTimer(state, holdTimer(state.run.phase.requestId))
    : stay(state)

const isComplete = ({ run }: StreamingState): boolean => run.phase.assembly.stopped || run.phase.assembly.stopReason !== null

/** The request broke. What it means depends on how far the response had come. */
export const onRequestFailed = (state: RunningState, failed: RequestFailure): Step => {
  if (!isCurrent(state, failed.requestId)) return stay(state)
  if (isIn(state, "Streaming") && isComplete(state)) return andThen(releaseHeld(state), finishResponse)
  const salvage = salvageOf(state)
  if (salvage === "content") {
    const released = andThen(releaseHeld(state), closeOpenText)
    return andThen(released, (next) => keepIncomplete(next, describeFailure(failed.failure)))
  }
  const abandoned = andThen(dropHeld(recordApiTime(state)), abandonResponse)
  return andThen(abandoned, (next) => retryOrRepair(next, failed, salvage))
}

const retryOrRepair = (state: RunningState, failed: RequestFailure, salvage: Salvage): Step => {
  const reading = classify(failed.failure)
  if (reading.repair !== undefined) return repair(state, failed, reading.repair)
  if (salvage === "thinking") {
    const limit = failed.failure.kind === "stalled" ? LIMITS.thinkingResendsAfterStall : LIMITS.thinkingResends
    const { recovery } = state.run.turn
    if (recovery.thinkingResends < limit) {
      return sendRequest(setTurn(state, { recovery: { ...recovery, thinkingResends: recovery.thinkingResends + 1 } }))
    }
  }
  return retryOrGiveUp(state, failed, reading)
}
