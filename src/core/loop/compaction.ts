import { Result } from "effect"
import { historyOf } from "../context/normalize.ts"
import { type CompactionPlan, formatSummary, planCompaction, summaryMessages } from "../budget/summary.ts"
import { NO_TAIL } from "../budget/cut.ts"
import { estimateMessages } from "../budget/estimate.ts"
import { roundsToDrop } from "../budget/leave-out.ts"
import { isToolResult } from "../domain/block.ts"
import type { ModelFailure } from "../domain/failure.ts"
import { LIMITS } from "../domain/limits.ts"
import * as Log from "../domain/log.ts"
import { blocksOf, type Message } from "../domain/message.ts"
import type { Usage } from "../domain/usage.ts"
import { isBoundaryLine } from "../session/boundary.ts"
import { recordUsage } from "./accounting.ts"
import { endWithApiError } from "./api-error.ts"
import { allWithReplacements } from "./begin.ts"
import { classify } from "./classify.ts"
import type { LoopEvent } from "./event.ts"
import { finish } from "./finish.ts"
import { refillsOf } from "./rapid-refill.ts"
import { requestFor, sendRequest, statusOf, usedTokens } from "./sending.ts"
import type { AgentState, Phase, Rescue, Turn } from "./state.ts"
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
  allWithReplacements(
    Log.toArray(state.messages, Log.findLastIndex(state.messages, isBoundaryLine) + 1),
    state.replacements
  )

type Compacting = Extract<Phase, { _tag: "Compacting" }>
type Aim = Pick<Compacting, "rescue" | "leaveOut" | "tooLong">

/**
 * What to summarise. Where the newest rounds are all there is, even these give way if nothing can be sent otherwise;
 * what the user asked stands in the summary word for word.
 */
const planFor = (state: AgentState, turn: Turn, { rescue, leaveOut }: Aim): CompactionPlan | undefined => {
  const input = {
    messages: visibleMessages(state),
    request: requestFor(state, turn),
    userContext: state.config.userContext,
    windowTokens: statusOf(state).windowTokens,
    leaveOut
  }
  const mustShrink = rescue !== undefined || statusOf(state).state === "blocked"
  return planCompaction(input) ?? (mustShrink ? planCompaction({ ...input, tail: NO_TAIL }) : undefined)
}

const askForSummary = (state: AgentState, plan: CompactionPlan, aim: Aim): Step => {
  const [compactionId, named] = freshName(state, "compaction")
  return [
    setPhase(named, { _tag: "Compacting", compactionId, ...aim, leaveOut: plan.leftOut }),
    [{ _tag: "Compact", compactionId, request: plan.request }]
  ]
}

/** Asks for a summary of the older part, because the window is full or to rescue a request that was refused. */
export const startCompaction = (state: AgentState, rescue: Rescue | undefined): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const aim: Aim = { rescue, leaveOut: 0, tooLong: 0 }
  const plan = planFor(state, turn, aim)
  if (plan === undefined) return withoutCompaction(state, rescue)
  const [uuid, drawn] = freshUuid(state)
  const told: Step = [drawn, [emit({ _tag: "StatusChanged", uuid, status: "compacting" })]]
  return andThen(told, (next) => askForSummary(next, plan, aim))
}

/** The same once more with fewer rounds, if the endpoint found the request too long; undefined when that is no use. */
const askForLess = (state: AgentState, phase: Compacting, failure: ModelFailure | undefined): Step | undefined => {
  const turn = state.turn
  const repair = failure === undefined ? undefined : classify(failure).repair
  if (turn === undefined || repair?.kind !== "promptTooLong" || phase.tooLong >= LIMITS.summaryRetries) return undefined
  const { actualTokens, maximumTokens } = repair
  const over = actualTokens === undefined || maximumTokens === undefined ? undefined : actualTokens - maximumTokens
  const drop = roundsToDrop(planFor(state, turn, phase)?.rounds ?? [], over)
  if (drop === undefined) return undefined
  const aim: Aim = { rescue: phase.rescue, leaveOut: phase.leaveOut + drop, tooLong: phase.tooLong + 1 }
  const plan = planFor(state, turn, aim)
  return plan === undefined ? undefined : askForSummary(state, plan, aim)
}

/** There is no older part, or summarising it failed: the turn goes on if there is still room, and ends if not. */
const withoutCompaction = (state: AgentState, rescue: Rescue | undefined, cause?: string): Step => {
  if (rescue === undefined) {
    return statusOf(state).state === "blocked" ? finish(state, "blocking_limit") : sendRequest(state)
  }
  const detail = cause === undefined ? {} : { detail: `automatic compaction failed: ${cause}` }
  return endWithApiError(state, rescue.reason, { ...rescue.error, ...detail })
}

const replacementsIn = (
  replacements: AgentState["replacements"],
  kept: ReadonlyArray<Message>
): AgentState["replacements"] => {
  if (replacements.size === 0) return replacements
  const results = kept
    .flatMap((message) => (message.type === "user" ? blocksOf(message.message.content) : []))
    .filter(isToolResult)
  const calls = new Set(results.map((block) => block.tool_use_id))
  return new Map([...replacements].filter(([call]) => calls.has(call)))
}

/** What the summary stands for is let go: the transcript has it, and a long conversation must not grow without end. */
const replaceHistory = (state: AgentState, boundary: Message, kept: ReadonlyArray<Message>): AgentState => {
  const visible = [boundary, ...kept]
  const uuids = new Set(kept.map(({ uuid }) => uuid))
  return {
    ...state,
    messages: Log.fromArray(visible),
    replacements: replacementsIn(state.replacements, kept),
    strippedMedia: Object.fromEntries(Object.entries(state.strippedMedia).filter(([uuid]) => uuids.has(uuid))),
    // Call ids stay taken: the transcript still holds the calls that were summarised.
    history: { ...historyOf(visible), calls: state.history.calls },
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
  if (Result.isFailure(readable)) {
    return onCompactionFailed(paid, { compactionId: report.compactionId, cause: readable.failure })
  }
  const plan = planFor(paid, turn, phase)
  if (plan === undefined) return withoutCompaction(paid, phase.rescue)
  const transition = phase.rescue === undefined ? turn.transition : ("reactive_compact_retry" as const)
  return andThen(compact(paid, plan, report.summary), (next) => sendRequest(setTurn(next, { transition })))
}

const failureText = (cause: string, failures: number): string =>
  failures < LIMITS.compactFailures
    ? `Compaction failed: ${cause}`
    : `Compaction failed ${failures} times in a row (${cause}); it is no longer tried by itself in this session.`

type FailedCompaction = Pick<Extract<LoopEvent, { _tag: "CompactionFailed" }>, "compactionId" | "cause" | "failure">

export const onCompactionFailed = (state: AgentState, { compactionId, cause, failure }: FailedCompaction): Step => {
  const phase = state.phase
  if (phase._tag !== "Compacting" || phase.compactionId !== compactionId) return stay(state)
  const again = askForLess(state, phase, failure)
  if (again !== undefined) return again
  const [uuid, drawn] = freshUuid(state)
  const failures = state.compaction.failures + 1
  const announced: Step = [
    { ...drawn, compaction: { ...state.compaction, failures } },
    [emit({ _tag: "StatusChanged", uuid, status: null }), notice("warning", failureText(cause, failures))]
  ]
  return andThen(announced, (next) => withoutCompaction(next, phase.rescue, cause))
}
