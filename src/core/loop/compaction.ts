import { Result } from "effect"
import { append as appendToHistory, emptyHistory } from "../context/normalize.ts"
import { type CompactionPlan, formatSummary, planCompaction, summaryMessages } from "../budget/summary.ts"
import { NO_TAIL } from "../budget/cut.ts"
import { estimateMessages } from "../budget/estimate.ts"
import { LIMITS } from "../domain/limits.ts"
import * as Log from "../domain/log.ts"
import type { Message } from "../domain/message.ts"
import type { Usage } from "../domain/usage.ts"
import { isBoundaryLine } from "../session/boundary.ts"
import { recordUsage } from "./accounting.ts"
import { endWithApiError } from "./api-error.ts"
import { withReplacements } from "./begin.ts"
import { finish } from "./finish.ts"
import { refillsOf } from "./rapid-refill.ts"
import { requestFor, sendRequest, statusOf, usedTokens } from "./sending.ts"
import type { AgentState, Rescue, Turn } from "./state.ts"
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

/** Messages the model still sees, as it sees them: everything after the last compaction boundary. */
export const visibleMessages = (state: AgentState): ReadonlyArray<Message> =>
  Log.toArray(state.messages, Log.findLastIndex(state.messages, isBoundaryLine) + 1).map((message) =>
    withReplacements(message, state.replacements)
  )

/**
 * What to summarise. Where the newest rounds are all there is, even these give way if nothing can be sent otherwise;
 * what the user asked stands in the summary word for word.
 */
const planFor = (state: AgentState, turn: Turn, rescue: Rescue | undefined): CompactionPlan | undefined => {
  const input = { messages: visibleMessages(state), request: requestFor(state, turn) }
  const mustShrink = rescue !== undefined || statusOf(state).state === "blocked"
  return planCompaction(input) ?? (mustShrink ? planCompaction({ ...input, tail: NO_TAIL }) : undefined)
}

/** Asks for a summary of the older part, because the window is full or to rescue a request that was refused. */
export const startCompaction = (state: AgentState, rescue: Rescue | undefined): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const plan = planFor(state, turn, rescue)
  if (plan === undefined) return withoutCompaction(state, rescue)
  const [compactionId, named] = freshName(state, "compaction")
  const [uuid, drawn] = freshUuid(named)
  return [
    setPhase(drawn, { _tag: "Compacting", compactionId, rescue }),
    [
      emit({ _tag: "StatusChanged", uuid, status: "compacting" }),
      { _tag: "Compact", compactionId, request: plan.request }
    ]
  ]
}

/** There is no older part, or summarising it failed: the turn goes on if there is still room, and ends if not. */
const withoutCompaction = (state: AgentState, rescue: Rescue | undefined, cause?: string): Step => {
  if (rescue === undefined) {
    return statusOf(state).state === "blocked" ? finish(state, "blocking_limit") : sendRequest(state)
  }
  const detail = cause === undefined ? {} : { detail: `automatic compaction failed: ${cause}` }
  return endWithApiError(state, rescue.reason, { ...rescue.error, ...detail })
}

const replaceHistory = (state: AgentState, boundary: Message, kept: ReadonlyArray<Message>): AgentState => {
  const visible = [boundary, ...kept]
  return {
    ...state,
    messages: Log.appendAll(state.messages, visible),
    // Call ids stay taken: the transcript still holds the calls that were summarised.
    history: { ...visible.reduce(appendToHistory, emptyHistory), calls: state.history.calls },
    count: { counted: undefined, estimatedSince: estimateMessages(kept) }
  }
}

export interface CompactionReport {
  readonly compactionId: string
  readonly summary: string
  readonly model: string
  readonly usage: Usage
}

/** The older part becomes a boundary, the summary and the kept tail. */
const compact = (state: AgentState, plan: CompactionPlan, summary: string): Step => {
  const [boundaryUuid, s1] = freshUuid(state)
  const [summaryUuid, s2] = freshUuid(s1)
  const [statusUuid, s3] = freshUuid(s2)
  const built = summaryMessages({
    summary,
    boundaryUuid,
    summaryUuid,
    timestamp: timestamp(state),
    trigger: "auto",
    preTokens: usedTokens(state),
    previousTip: state.tip,
    keptTail: plan.keptTail,
    facts: plan.facts,
    messagesSummarized: plan.messagesSummarized
  })
  const replaced = replaceHistory(s3, built.boundary, [built.summary, ...plan.keptTail])
  return [
    {
      ...replaced,
      tip: built.summary.uuid,
      compaction: { failures: 0, iterationsSince: 0, rapidRefills: refillsOf(state) }
    },
    [
      { _tag: "Persist", messages: [built.boundary], parentUuid: null },
      { _tag: "Persist", messages: [built.summary], parentUuid: built.boundary.uuid },
      emit({ _tag: "MessageAdded", message: built.boundary }),
      emit({ _tag: "StatusChanged", uuid: statusUuid, status: null })
    ]
  ]
}

/** The summary arrived: it takes the place of the older part, and the loop goes on. An empty one is a failure. */
export const onCompactionSettled = (state: AgentState, report: CompactionReport): Step => {
  const phase = state.phase
  const turn = state.turn
  if (phase._tag !== "Compacting" || phase.compactionId !== report.compactionId || turn === undefined) {
    return stay(state)
  }
  const paid = recordUsage(state, report)
  const readable = formatSummary(report.summary)
  if (Result.isFailure(readable)) return onCompactionFailed(paid, report.compactionId, readable.failure)
  const plan = planFor(paid, turn, phase.rescue)
  if (plan === undefined) return withoutCompaction(paid, phase.rescue)
  const transition = phase.rescue === undefined ? turn.transition : ("reactive_compact_retry" as const)
  return andThen(compact(paid, plan, report.summary), (next) => sendRequest(setTurn(next, { transition })))
}

const failureText = (cause: string, failures: number): string =>
  failures < LIMITS.compactFailures
    ? `Compaction failed: ${cause}`
    : `Compaction failed ${failures} times in a row (${cause}); it is no longer tried by itself in this session.`

export const onCompactionFailed = (state: AgentState, compactionId: string, cause: string): Step => {
  const phase = state.phase
  if (phase._tag !== "Compacting" || phase.compactionId !== compactionId) return stay(state)
  const [uuid, drawn] = freshUuid(state)
  const failures = state.compaction.failures + 1
  const announced: Step = [
    { ...drawn, compaction: { ...state.compaction, failures } },
    [emit({ _tag: "StatusChanged", uuid, status: null }), notice("warning", failureText(cause, failures))]
  ]
  return andThen(announced, (next) => withoutCompaction(next, phase.rescue, cause))
}
