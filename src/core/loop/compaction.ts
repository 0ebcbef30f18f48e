import { append as appendToHistory, emptyHistory } from "../context/normalize.ts"
import { planCompaction, summaryMessages } from "../budget/summary.ts"
import { estimateMessage } from "../budget/estimate.ts"
import { LIMITS } from "../domain/limits.ts"
import * as Log from "../domain/log.ts"
import type { Message } from "../domain/message.ts"
import type { Usage } from "../domain/usage.ts"
import { recordUsage } from "./accounting.ts"
import { endWithApiError } from "./api-error.ts"
import { finish } from "./finish.ts"
import { currentModel, requestFor, sendRequest, usedTokens } from "./sending.ts"
import type { AgentState } from "./state.ts"
import {
  andThen,
  emit,
  freshName,
  freshUuid,
  notice,
  setPhase,
  setTurn,
  type Step,
  stay,
  timestamp
} from "./transition.ts"

const LAST_BOUNDARY = (message: Message): boolean => message.type === "system" && message.subtype === "compact_boundary"

/** Messages the model still sees: everything after the last compaction boundary. */
export const visibleMessages = (state: AgentState): ReadonlyArray<Message> =>
  Log.toArray(state.messages, Log.findLastIndex(state.messages, LAST_BOUNDARY) + 1)

/** Asks for a summary of the older part. Without an older part there is nothing to gain and the cause stands. */
export const startCompaction = (state: AgentState, kind: "auto" | "reactive", cause: string): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const plan = planCompaction({ messages: visibleMessages(state), request: requestFor(state, turn) })
  if (plan === undefined) return withoutCompaction(state, kind, cause)
  const [compactionId, named] = freshName(state, "compaction")
  const [uuid, drawn] = freshUuid(named)
  return [
    setPhase(drawn, { _tag: "Compacting", compactionId, kind, cause }),
    [
      emit({ _tag: "StatusChanged", uuid, status: "compacting" }),
      { _tag: "Compact", compactionId, request: plan.request }
    ]
  ]
}

/** The conversation is one exchange only, or summarising failed: an automatic attempt is skipped, a needed one ends. */
const withoutCompaction = (state: AgentState, kind: "auto" | "reactive", cause: string): Step => {
  if (kind === "auto") return sendRequest(state)
  return endWithApiError(state, "prompt_too_long", {
    text: "Prompt is too long",
    status: 400,
    errorClass: "prompt_too_long",
    detail: cause
  })
}

const replaceHistory = (state: AgentState, boundary: Message, kept: ReadonlyArray<Message>): AgentState => {
  const visible = [boundary, ...kept]
  return {
    ...state,
    messages: Log.appendAll(state.messages, visible),
    // Call ids stay taken: the transcript still holds the calls that were summarised.
    history: { ...visible.reduce(appendToHistory, emptyHistory), calls: state.history.calls },
    count: { counted: undefined, estimatedSince: kept.reduce((sum, message) => sum + estimateMessage(message), 0) }
  }
}

export interface CompactionReport {
  readonly compactionId: string
  readonly summary: string
  readonly model: string
  readonly usage: Usage
}

const rapidRefill = (state: AgentState): number =>
  state.compaction.requestsSince <= LIMITS.rapidRefillIterations && state.compaction.rapidRefills > 0
    ? state.compaction.rapidRefills + 1
    : 1

/** The summary arrived: the older part becomes a boundary, the summary and the kept tail, and the loop goes on. */
export const onCompactionSettled = (state: AgentState, report: CompactionReport): Step => {
  const phase = state.phase
  const turn = state.turn
  if (phase._tag !== "Compacting" || phase.compactionId !== report.compactionId || turn === undefined) {
    return stay(state)
  }
  const before = usedTokens(state)
  const plan = planCompaction({ messages: visibleMessages(state), request: requestFor(state, turn) })
  if (plan === undefined) return sendRequest(state)
  const [boundaryUuid, s1] = freshUuid(state)
  const [summaryUuid, s2] = freshUuid(s1)
  const [statusUuid, s3] = freshUuid(s2)
  const built = summaryMessages({
    summary: report.summary,
    boundaryUuid,
    summaryUuid,
    timestamp: timestamp(state),
    trigger: "auto",
    preTokens: before,
    previousTip: state.tip,
    keptTail: plan.keptTail,
    facts: plan.facts,
    messagesSummarized: plan.messagesSummarized
  })
  const refills = rapidRefill(state)
  const compacted = replaceHistory(s3, built.boundary, [built.summary, ...plan.keptTail])
  const counted = recordUsage(compacted, { model: report.model, usage: report.usage, messageId: report.compactionId })
  const next: AgentState = {
    ...counted,
    tip: built.summary.uuid,
    compaction: { failures: 0, requestsSince: 0, rapidRefills: refills }
  }
  const announced: Step = [
    next,
    [
      { _tag: "Persist", messages: [built.boundary], parentUuid: null },
      { _tag: "Persist", messages: [built.summary], parentUuid: built.boundary.uuid },
      emit({ _tag: "MessageAdded", message: built.boundary }),
      emit({ _tag: "StatusChanged", uuid: statusUuid, status: null })
    ]
  ]
  if (refills > LIMITS.rapidRefills) return andThen(announced, (s) => finish(s, "rapid_refill_breaker"))
  const transition = phase.kind === "reactive" ? ("reactive_compact_retry" as const) : turn.transition
  return andThen(announced, (s) => sendRequest(setTurn(s, { transition })))
}

export const onCompactionFailed = (state: AgentState, compactionId: string, cause: string): Step => {
  const phase = state.phase
  if (phase._tag !== "Compacting" || phase.compactionId !== compactionId) return stay(state)
  const [uuid, drawn] = freshUuid(state)
  const failed: AgentState = {
    ...drawn,
    compaction: { ...state.compaction, failures: state.compaction.failures + 1 }
  }
  return andThen(
    [
      failed,
      [
        emit({ _tag: "StatusChanged", uuid, status: null }),
        notice("warning", `Compaction of ${currentModel(state)}'s context failed: ${cause}`)
      ]
    ],
    (next) => withoutCompaction(next, phase.kind, `${phase.cause} · automatic compaction failed: ${cause}`)
  )
}
