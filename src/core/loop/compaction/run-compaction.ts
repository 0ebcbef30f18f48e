import { Result } from "effect"
import { historyOf } from "../../model/request/api-history.ts"
import {
  type CompactionPlan,
  formatSummary,
  planCompaction,
  type SummaryInput,
  summaryMessages
} from "../../context/compaction/summary.ts"
import { NO_TAIL } from "../../context/compaction/cut.ts"
import { estimateMessages } from "../../model/tokens/estimate.ts"
import { roundsToDrop } from "../../context/compaction/leave-out.ts"
import { isToolResult } from "../../domain/block.ts"
import type { ModelFailure } from "../../model/failure/model-failure.ts"
import { LIMITS } from "../../domain/limits.ts"
import * as Log from "../../domain/append-list.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import type { Usage } from "../../domain/usage.ts"
import { isBoundaryLine } from "../../session/transcript/boundary.ts"
import { recordUsage } from "../turn/accounting.ts"
import { endWithApiError } from "../turn/api-error.ts"
import { allWithReplacements, openTurn } from "../turn/start-turn.ts"
import { classify } from "../../model/failure/classify.ts"
import { patchConversation, setPhase, setTurn } from "../machine/patch-state.ts"
import type { LoopEvent } from "../machine/event.ts"
import { finish } from "../turn/finish.ts"
import { countRapidRefills } from "./rapid-refill.ts"
import { overBudget, requestFor, sendRequest, statusOf, usedTokens } from "../turn/send-request.ts"
import type { AgentState, Conversation, PhaseOf, RefusedRequest, Running, RunningState } from "../machine/state.ts"
import {
  andThen,
  emit,
  freshName,
  freshUuid,
  isIn,
  isRunning,
  notice,
  type Step,
  stay,
  timestamp
} from "../machine/transition.ts"

/** Messages the model still sees, as it sees them: everything after the last compaction boundary. */
export const visibleMessages = ({ conversation: { messages, replacements } }: AgentState): ReadonlyArray<Message> =>
  allWithReplacements(Log.toArray(messages, Log.findLastIndex(messages, isBoundaryLine) + 1), replacements)

type Compacting = PhaseOf<"Compacting">
type Aim = Pick<Compacting, "rescue" | "leaveOut" | "tooLong" | "asked">

/**
 * What to summarise. Where the newest rounds are all there is, even these give way if nothing can be sent otherwise;
 * what the user asked stands in the summary word for word. Who asks for a summary gets one of everything.
 */
const planFor = (state: RunningState, { rescue, leaveOut, asked }: Aim): CompactionPlan | undefined => {
  const input = {
    messages: visibleMessages(state),
    request: requestFor(state, state.run.turn),
    userContext: state.config.prompt.userContext,
    windowTokens: statusOf(state).windowTokens,
    leaveOut
  }
  if (asked !== undefined) return planCompaction({ ...input, tail: NO_TAIL, focus: asked.focus })
  const mustShrink = rescue !== undefined || statusOf(state).state === "blocked"
  return planCompaction(input) ?? (mustShrink ? planCompaction({ ...input, tail: NO_TAIL }) : undefined)
}

const askForSummary = (state: RunningState, plan: CompactionPlan, aim: Aim): Step => {
  const [compactionId, named] = freshName(state, "compaction")
  return [
    setPhase(named, { ...aim, _tag: "Compacting", compactionId, leaveOut: plan.leftOut }),
    [{ _tag: "Compact", compactionId, request: plan.request }]
  ]
}

/** Asks for a summary of the older part, because the window is full or to rescue a request that was refused. */
export const startCompaction = (state: RunningState, rescue: RefusedRequest | undefined): Step => {
  const aim: Aim = { rescue, leaveOut: 0, tooLong: 0 }
  const plan = planFor(state, aim)
  return plan === undefined ? withoutCompaction(state, aim) : announced(state, plan, aim)
}

const announced = (state: RunningState, plan: CompactionPlan, aim: Aim): Step => {
  const [uuid, drawn] = freshUuid(state)
  const announced: Step<Running> = [drawn, [emit({ _tag: "StatusChanged", uuid, status: "compacting" })]]
  return andThen(announced, (next) => askForSummary(next, plan, aim))
}

const whyNot = (state: AgentState): string | undefined => {
  if (isRunning(state)) return "The conversation is compacted between turns: ask again when this one has ended."
  if (state.config.compaction.isDisabled) return "Compaction is switched off here. Fix: start without DISABLE_COMPACT"
  return overBudget(state) ? "There is no budget left to have a summary written." : undefined
}

/** Somebody wants a summary now. It is a turn of its own, so that it can be paid for, interrupted and waited for. */
export const onCompactionRequested = (state: AgentState, focus: string): Step => {
  const refusal = whyNot(state)
  if (refusal !== undefined) return [state, [notice("warning", refusal)]]
  const [promptUuid, drawn] = freshUuid(state)
  const begun = openTurn(drawn, promptUuid)
  const aim: Aim = { rescue: undefined, leaveOut: 0, tooLong: 0, asked: { focus } }
  const plan = planFor(begun, aim)
  if (plan === undefined) return [state, [notice("info", "There is nothing to compact yet.")]]
  return andThen([begun, [emit({ _tag: "TurnStarted", promptUuid })]], (next) => announced(next, plan, aim))
}

/** The same once more with fewer rounds, if the endpoint found the request too long; undefined when that is no use. */
const askForLess = (state: RunningState, phase: Compacting, failure: ModelFailure | undefined): Step | undefined => {
  const repair = failure === undefined ? undefined : classify(failure).repair
  if (repair?.kind !== "promptTooLong" || phase.tooLong >= LIMITS.summaryRetries) return undefined
  const { actualTokens, maximumTokens } = repair
  const over = actualTokens === undefined || maximumTokens === undefined ? undefined : actualTokens - maximumTokens
  const drop = roundsToDrop(planFor(state, phase)?.rounds ?? [], over)
  if (drop === undefined) return undefined
  const aim: Aim = { ...phase, leaveOut: phase.leaveOut + drop, tooLong: phase.tooLong + 1 }
  const plan = planFor(state, aim)
  return plan === undefined ? undefined : askForSummary(state, plan, aim)
}

/** There is no older part, or summarising it failed: the turn goes on if there is still room, and ends if not. */
const withoutCompaction = (state: RunningState, { rescue, asked }: Aim, cause?: string): Step => {
  if (asked !== undefined) {
    return finish(
      setTurn(state, { stopText: `Compaction failed: ${cause ?? "there is nothing to summarise"}` }),
      "completed"
    )
  }
  if (rescue === undefined) {
    return statusOf(state).state === "blocked" ? finish(state, "blocking_limit") : sendRequest(state)
  }
  const detail = cause === undefined ? {} : { detail: `automatic compaction failed: ${cause}` }
  return endWithApiError(state, rescue.reason, { ...rescue.error, ...detail })
}

const replacementsIn = (
  replacements: Conversation["replacements"],
  kept: ReadonlyArray<Message>
): Conversation["replacements"] => {
  if (replacements.size === 0) return replacements
  const results = kept
    .flatMap((message) => (message.type === "user" ? blocksOf(message.message.content) : []))
    .filter(isToolResult)
  const calls = new Set(results.map((block) => block.tool_use_id))
  return new Map([...replacements].filter(([call]) => calls.has(call)))
}

/** What the summary stands for is let go: the transcript has it, and a long conversation must not grow without end. */
const replaceHistory = (
  { replacements, strippedMedia, history }: Conversation,
  boundary: Message,
  kept: ReadonlyArray<Message>
): Partial<Conversation> => {
  const visible = [boundary, ...kept]
  const uuids = new Set(kept.map(({ uuid }) => uuid))
  return {
    messages: Log.fromArray(visible),
    replacements: replacementsIn(replacements, kept),
    strippedMedia: Object.fromEntries(Object.entries(strippedMedia).filter(([uuid]) => uuids.has(uuid))),
    // Call ids stay taken: the transcript still holds the calls that were summarised.
    history: { ...historyOf(visible), calls: history.calls },
    count: { counted: undefined, estimatedSince: estimateMessages(kept) }
  }
}

export interface CompactionReport {
  readonly compactionId: string
  readonly summary: string
  readonly model: string
  readonly usage: Usage
}

interface Written {
  readonly summary: string
  readonly asked: Compacting["asked"]
}

/** Pinned texts that the kept tail does not hold anyway. */
const pinnedBeside = ({ pins }: Conversation, kept: ReadonlyArray<Message>): ReadonlyArray<string> =>
  pins.filter(({ uuid }) => kept.every((message) => message.uuid !== uuid)).map(({ text }) => text)

/** Tokens in the window after it: what stood around the conversation, and what is left of the conversation. */
const tokensAfter = (state: AgentState, left: ReadonlyArray<Message>): number => {
  const before = usedTokens(state)
  const around = Math.max(0, before - estimateMessages(visibleMessages(state)))
  return Math.min(before, around + estimateMessages(left))
}

/** The older part becomes a boundary, the summary and the kept tail. */
const compact = (state: RunningState, plan: CompactionPlan, { summary, asked }: Written): Step<Running> => {
  const [boundaryUuid, s1] = freshUuid(state)
  const [summaryUuid, s2] = freshUuid(s1)
  const [statusUuid, s3] = freshUuid(s2)
  const input: SummaryInput = {
    summary,
    boundaryUuid,
    summaryUuid,
    timestamp: timestamp(state),
    trigger: asked === undefined ? "auto" : "manual",
    preTokens: usedTokens(state),
    previousTip: state.conversation.tip,
    keptTail: plan.keptTail,
    facts: { ...plan.facts, pinned: pinnedBeside(state.conversation, plan.keptTail) },
    messagesSummarized: plan.messagesSummarized,
    ...(asked === undefined || asked.focus === "" ? {} : { focus: asked.focus })
  }
  const left = [summaryMessages(input).summary, ...plan.keptTail]
  const built = summaryMessages({ ...input, postTokens: tokensAfter(state, left) })
  return [
    patchConversation(s3, {
      ...replaceHistory(state.conversation, built.boundary, [built.summary, ...plan.keptTail]),
      tip: built.summary.uuid,
      compaction: { failures: 0, iterationsSince: 0, rapidRefills: countRapidRefills(state) }
    }),
    [
      { _tag: "Persist", messages: [built.boundary], parentUuid: null },
      { _tag: "Persist", messages: [built.summary], parentUuid: built.boundary.uuid },
      emit({ _tag: "MessageAdded", message: built.boundary }),
      emit({ _tag: "StatusChanged", uuid: statusUuid, status: null })
    ]
  ]
}

/** The summary arrived: it takes the place of the older part, and the loop goes on. An empty one is a failure. */
export const onCompactionSettled = (state: RunningState, report: CompactionReport): Step => {
  if (!isIn(state, "Compacting") || state.run.phase.compactionId !== report.compactionId) return stay(state)
  const { phase, turn } = state.run
  const paid = recordUsage(state, report)
  const readable = formatSummary(report.summary)
  if (Result.isFailure(readable)) {
    return onCompactionFailed(paid, { compactionId: report.compactionId, cause: readable.failure })
  }
  const plan = planFor(paid, phase)
  if (plan === undefined) return withoutCompaction(paid, phase)
  const written: Written = { summary: report.summary, asked: phase.asked }
  if (phase.asked !== undefined) {
    const done = setTurn(paid, { stopText: "The conversation so far was summarised." })
    return andThen(compact(done, plan, written), (next) => finish(next, "completed"))
  }
  const transition = phase.rescue === undefined ? turn.transition : ("reactive_compact_retry" as const)
  return andThen(compact(paid, plan, written), (next) => sendRequest(setTurn(next, { transition })))
}

const failureText = (cause: string, failures: number): string =>
  failures < LIMITS.compactFailures
    ? `Compaction failed: ${cause}`
    : `Compaction failed ${failures} times in a row (${cause}); it is no longer tried by itself in this session.`

type FailedCompaction = Pick<Extract<LoopEvent, { _tag: "CompactionFailed" }>, "compactionId" | "cause" | "failure">

export const onCompactionFailed = (state: RunningState, { compactionId, cause, failure }: FailedCompaction): Step => {
  if (!isIn(state, "Compacting") || state.run.phase.compactionId !== compactionId) return stay(state)
  const { phase } = state.run
  const again = askForLess(state, phase, failure)
  if (again !== undefined) return again
  const [uuid, drawn] = freshUuid(state)
  const { compaction } = state.conversation
  const failures = compaction.failures + 1
  const announced: Step<Running> = [
    patchConversation(drawn, { compaction: { ...compaction, failures } }),
    [emit({ _tag: "StatusChanged", uuid, status: null }), notice("warning", failureText(cause, failures))]
  ]
  return andThen(announced, (next) => withoutCompaction(next, phase, cause))
}
