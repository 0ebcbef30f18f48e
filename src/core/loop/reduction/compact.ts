import type { HookOutcome } from "../../hooks/outcome.ts"
import { Result } from "effect"
import { applyReduction, type Applied, type Material } from "../../context/reduction/apply.ts"
import { factsOf, type CompactionFacts } from "../../context/reduction/facts.ts"
import { lostFiles } from "../../context/reduction/restore.ts"
import { roundsToDrop } from "../../context/reduction/leave-out.ts"
import { roomAfter, type Ask, type Summarise } from "../../context/reduction/reduction.ts"
import { snip } from "../../context/reduction/snip.ts"
import { summarise } from "../../context/reduction/summarise.ts"
import { type SummaryRequest, summaryInstruction, summaryRequest } from "../../context/reduction/summary-request.ts"
import { isToolResult } from "../../domain/block.ts"
import type { Uuid } from "../../domain/id.ts"
import type { ModelFailure } from "../../model/failure/model-failure.ts"
import { LIMITS } from "../../domain/limits.ts"
import * as Log from "../../domain/append-list.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import type { Usage } from "../../domain/usage.ts"
import { isBoundaryLine, preservedOf } from "../../session/transcript/boundary.ts"
import { recordUsage } from "../turn/accounting.ts"
import { endWithApiError } from "../turn/api-error.ts"
import { classify } from "../../model/failure/classify.ts"
import { patchConversation, setPhase, setTurn } from "../machine/patch-state.ts"
import { tellFromHooks } from "../calls/hook-remark.ts"
import { inNewWindow } from "../machine/context-state.ts"
import { lookAround } from "../context/look-around.ts"
import { askHooks } from "../machine/pending.ts"
import type { LoopEvent } from "../machine/event.ts"
import { finish } from "../turn/finish.ts"
import { countRapidRefills } from "./rapid-refill.ts"
import { requestFor, sendRequest, statusOf, usedTokens } from "../turn/send-request.ts"
import type { AgentState, CompactionAim, Conversation, RefusedRequest, Running, RunningState } from "../machine/state.ts"
import type { Command } from "../machine/command.ts"
import { andThen, emit, freshName, freshUuid, isIn, notice, type Step, stay, timestamp } from "../machine/transition.ts"
import { countOf, historyWith, rungInput, visibleMessages } from "./view.ts"

/** The older part of a conversation gives way to words about it. */

export type Aim = CompactionAim

const askOf = ({ asked, rescue }: Aim): Ask => {
  if (asked !== undefined) return asked
  return rescue === undefined ? { _tag: "Nothing" } : { _tag: "Rescue", overTokens: rescue.overTokens }
}

const focusOf = ({ asked }: Aim): string => (asked?._tag === "Manual" ? asked.focus : "")

/** What to summarise now. The same while nobody says anything: the plan that was asked with is the plan applied. */
const planFor = (state: AgentState, aim: Aim): Summarise | undefined => {
  const input = rungInput(state, askOf(aim))
  return aim.asked?._tag === "Snip" ? snip(input) : summarise(input)
}

const requestForSummary = (state: RunningState, plan: Summarise, aim: Aim): SummaryRequest =>
  summaryRequest({
    read: plan.read,
    request: requestFor(state, state.run.turn),
    strippedMedia: state.conversation.strippedMedia,
    windowTokens: statusOf(state).windowTokens,
    leaveOut: aim.leaveOut,
    withoutMedia: aim.rescue !== undefined,
    instruction: summaryInstruction({
      focus: focusOf(aim),
      fromHooks: aim.fromHooks ?? "",
      isOfTheEnd: plan.side === "end"
    })
  })

const askForSummary = (state: RunningState, plan: Summarise, aim: Aim): Step => {
  const [compactionId, named] = freshName(state, "compaction")
  const { request, leftOut } = requestForSummary(named, plan, aim)
  return [
    setPhase(named, { ...aim, _tag: "Compacting", compactionId, leaveOut: leftOut }),
    [{ _tag: "Compact", compactionId, request }]
  ]
}

/** Asks for a summary of the older part, because the window is full or to rescue a request that was refused. */
export const startCompaction = (state: RunningState, rescue: RefusedRequest | undefined): Step =>
  announceCompaction(state, { rescue, leaveOut: 0, tooLong: 0 })

/** Everybody hears that a compaction begins; hooks may say what matters, or that it must not be. */
export const announceCompaction = (state: RunningState, aim: Aim): Step => {
  const [uuid, drawn] = freshUuid(state)
  const announced: Step<Running> = [drawn, [emit({ _tag: "StatusChanged", uuid, status: "compacting" })]]
  return andThen(announced, (next) => {
    if (!next.config.hookEvents.includes("PreCompact")) return beginCompaction(next, aim)
    const [hookId, named] = freshName(next, "compact-hooks")
    return askHooks(setPhase(named, { _tag: "Hooks", hookId }), {
      hookId,
      event: "PreCompact",
      input: { trigger: triggerOf(aim), custom_instructions: focusOf(aim) === "" ? null : focusOf(aim) },
      then: { _tag: "Compact", aim }
    })
  })
}

const triggerOf = ({ asked }: Aim): "manual" | "auto" => (asked === undefined ? "auto" : "manual")

export const onCompactHooks = (state: RunningState, aim: Aim, outcome: HookOutcome): Step => {
  const refusal = outcome.block ?? outcome.stop
  if (refusal !== undefined) return endFailed(state, aim, refusal)
  return beginCompaction(state, outcome.context === undefined ? aim : { ...aim, fromHooks: outcome.context })
}

const NOTHING_TO_SUMMARISE = "there is nothing to summarise"

const beginCompaction = (state: RunningState, aim: Aim): Step => {
  const plan = planFor(state, aim)
  if (plan !== undefined) return askForSummary(state, plan, aim)
  const { recovery } = state.run.turn
  return endFailed(setTurn(state, { recovery: { ...recovery, foundNothing: true } }), aim, NOTHING_TO_SUMMARISE)
}

/** The same once more with fewer rounds, if the endpoint found the request too long; undefined when that is no use. */
const askForLess = (state: RunningState, aim: Aim, failure: ModelFailure | undefined): Step | undefined => {
  const repair = failure === undefined ? undefined : classify(failure).repair
  if (repair?.kind !== "promptTooLong" || aim.tooLong >= LIMITS.summaryRetries) return undefined
  const { actualTokens, maximumTokens } = repair
  const over = actualTokens === undefined || maximumTokens === undefined ? undefined : actualTokens - maximumTokens
  const plan = planFor(state, aim)
  const drop = plan === undefined ? undefined : roundsToDrop(requestForSummary(state, plan, aim).rounds, over)
  if (plan === undefined || drop === undefined) return undefined
  return askForSummary(state, plan, { ...aim, leaveOut: aim.leaveOut + drop, tooLong: aim.tooLong + 1 })
}

const endStatus = (state: RunningState, compacted: "success" | "failed"): Step<Running> => {
  const [uuid, drawn] = freshUuid(state)
  return [drawn, [emit({ _tag: "StatusChanged", uuid, status: null, compacted })]]
}

/** Nothing changed: the turn goes on if there is still room, and ends if not. */
const endFailed = (state: RunningState, aim: Aim, cause: string): Step =>
  andThen(endStatus(state, "failed"), (next) => withoutCompaction(next, aim, cause))

const withoutCompaction = (state: RunningState, { rescue, asked }: Aim, cause: string): Step => {
  if (asked !== undefined) return finish(setTurn(state, { stopText: `Compaction failed: ${cause}` }), "completed")
  if (rescue === undefined) {
    return statusOf(state).state === "blocked" ? finish(state, "blocking_limit") : sendRequest(state)
  }
  const { text } = rescue.error
  return endWithApiError(state, rescue.reason, { ...rescue.error, text, detail: `automatic compaction failed: ${cause}` })
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

/** The messages as they were written, not as the model sees them: what was cleared is cleared by its own record. */
const asWritten = (state: AgentState, visible: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const written = new Map(Log.toArray(state.conversation.messages).map((message) => [message.uuid, message]))
  return visible.map((message) => written.get(message.uuid) ?? message)
}

/** What the summary stands for is let go: the transcript has it, and a long conversation must not grow without end. */
const replaceHistory = (state: AgentState, { boundary, visible }: Applied, plan: Summarise): Partial<Conversation> => {
  const { conversation } = state
  const messages = [boundary, ...asWritten(state, visible)]
  const uuids = new Set(visible.map(({ uuid }) => uuid))
  const replacements = replacementsIn(conversation.replacements, visible)
  const { sent } = conversation.context
  const isInstruction = (path: string): boolean => sent.has(`instructions:${path}`) || sent.has(`nested:${path}`)
  const lost = lostFiles(plan.older, visible, isInstruction)
  return {
    messages: Log.fromArray(messages),
    replacements,
    strippedMedia: Object.fromEntries(Object.entries(conversation.strippedMedia).filter(([uuid]) => uuids.has(uuid))),
    history: historyWith(conversation, messages, replacements),
    context: inNewWindow(conversation.context, visible, lost),
    count: countOf(visible)
  }
}

export interface CompactionReport {
  readonly compactionId: string
  readonly summary: string
  readonly model: string
  readonly usage: Usage
}

/** Facts that code reads from the conversation, beside what stays in it word for word. */
const factsBeside = (state: AgentState, { kept }: Summarise): CompactionFacts => {
  const { pins } = state.conversation
  const uuids = new Set(kept.map(({ uuid }) => uuid))
  const { mode } = state.permission
  const { sessionDir } = state.config.place
  return {
    ...factsOf(visibleMessages(state), uuids),
    pinned: pins.filter(({ uuid }) => !uuids.has(uuid)).map(({ text }) => text),
    ...(mode === "default" ? {} : { permissionMode: mode }),
    ...(sessionDir === "" ? {} : { transcriptPath: `${sessionDir}.jsonl` })
  }
}

const keptByBoundary = ({ conversation: { messages } }: AgentState): ReadonlySet<Uuid> => {
  const at = Log.findLastIndex(messages, isBoundaryLine)
  const boundary = Log.get(messages, at)
  const following = Log.toArray(messages, at + 1).map(({ uuid }) => uuid)
  return boundary?.type === "system" ? preservedOf(boundary, following) : new Set()
}

/** What was refused as too long is known to be larger than the window, whatever was counted before. */
const boundsFor = (state: RunningState, aim: Aim): Material["bounds"] => {
  const input = rungInput(state, askOf(aim))
  const known = aim.rescue === undefined ? 0 : input.status.windowTokens
  return { belowTokens: Math.max(usedTokens(state), known), roomTokens: roomAfter(input) }
}

const materialFor = (state: RunningState, plan: Summarise, { aim, words }: { aim: Aim; words: string }) => {
  const [boundaryUuid, s1] = freshUuid(state)
  const [summaryUuid, drawn] = freshUuid(s1)
  const material: Material = {
    words,
    facts: factsBeside(state, plan),
    boundaryUuid,
    summaryUuid,
    timestamp: timestamp(state),
    trigger: triggerOf(aim),
    preTokens: usedTokens(state),
    previousTip: state.conversation.tip,
    focus: focusOf(aim),
    keptBefore: keptByBoundary(state),
    windowWith: (messages) => usedTokens(patchConversation(state, { count: countOf(messages) })),
    bounds: aim.asked === undefined ? boundsFor(state, aim) : undefined
  }
  return { material, drawn }
}

const postCompact = (state: RunningState, aim: Aim, summary: string): Step<Running> => {
  if (!state.config.hookEvents.includes("PostCompact")) return stay(state)
  const [hookId, named] = freshName(state, "compacted-hooks")
  const input = { trigger: triggerOf(aim), compact_summary: summary }
  return [named, [{ _tag: "RunHooks", hookId, event: "PostCompact", input }]]
}

/** Boundary and summary are written in one go: a conversation is read back as it was before, or as it is after. */
const put = (state: RunningState, applied: Applied, plan: Summarise): Step<Running> => {
  const { boundary, summary } = applied
  const { compaction } = state.conversation
  const commands: ReadonlyArray<Command> = [
    { _tag: "Persist", messages: [boundary, summary], parentUuid: null },
    emit({ _tag: "MessageAdded", message: boundary })
  ]
  const next = patchConversation(state, {
    ...replaceHistory(state, applied, plan),
    tip: summary.uuid,
    compaction: {
      ...compaction,
      failures: 0,
      iterationsSince: 0,
      rapidRefills: countRapidRefills(state),
      clearedAtTokens: undefined,
      isUndone: false
    }
  })
  return [next, commands]
}

/** Words take the place of what the plan lets go; where they do not help, everything stays. */
export const reduceTo = (state: RunningState, plan: Summarise, written: { aim: Aim; words: string }): Step => {
  const { aim, words } = written
  const { material, drawn } = materialFor(state, plan, written)
  const applied = applyReduction(plan, material)
  if (Result.isFailure(applied)) return countFailure(drawn, aim, applied.failure)
  const done = andThen(endStatus(drawn, "success"), (next) => put(next, applied.success, plan))
  const heard = andThen(done, (next) => postCompact(next, aim, words))
  return andThen(heard, (next) => {
    if (aim.asked !== undefined) return finish(setTurn(next, { stopText: "" }), "completed")
    const ready = aim.rescue === undefined ? next : setTurn(next, { transition: "reactive_compact_retry" as const })
    return beginWindow(ready)
  })
}

/** Hooks hear that a window begins, as they do of a session; what they say is part of it. */
const beginWindow = (state: RunningState): Step => {
  if (!state.config.hookEvents.includes("SessionStart")) return lookAround(state, "sendRequest", sendRequest)
  const [hookId, named] = freshName(state, "session-hooks")
  return askHooks(setPhase(named, { _tag: "Hooks", hookId }), {
    hookId,
    event: "SessionStart",
    input: { source: "compact" },
    then: { _tag: "BeginWindow" }
  })
}

export const onWindowHooks = (state: RunningState, outcome: HookOutcome): Step =>
  andThen(tellFromHooks(state, outcome.context), (next) => lookAround(next, "sendRequest", sendRequest))

/** The summary arrived: it takes the place of the older part, and the loop goes on. An empty one is a failure. */
export const onCompactionSettled = (state: RunningState, report: CompactionReport): Step => {
  if (!isIn(state, "Compacting") || state.run.phase.compactionId !== report.compactionId) return stay(state)
  const aim = aimOf(state.run.phase)
  const paid = recordUsage(state, report)
  const plan = planFor(paid, aim)
  if (plan === undefined) return endFailed(paid, aim, NOTHING_TO_SUMMARISE)
  return reduceTo(paid, plan, { aim, words: report.summary })
}

const aimOf = ({ rescue, leaveOut, tooLong, asked, fromHooks }: Aim): Aim => ({
  rescue,
  leaveOut,
  tooLong,
  ...(asked === undefined ? {} : { asked }),
  ...(fromHooks === undefined ? {} : { fromHooks })
})

const failureText = (cause: string, failures: number): string =>
  failures < LIMITS.compactFailures
    ? `Compaction failed: ${cause}`
    : `Compaction failed ${failures} times in a row (${cause}); it is no longer tried by itself. Fix: /compact tries again`

const countFailure = (state: RunningState, aim: Aim, cause: string): Step => {
  const { compaction } = state.conversation
  const failures = compaction.failures + 1
  const counted = patchConversation(state, { compaction: { ...compaction, failures } })
  return andThen([counted, [notice("warning", failureText(cause, failures))]], (next) => endFailed(next, aim, cause))
}

type FailedCompaction = Pick<Extract<LoopEvent, { _tag: "CompactionFailed" }>, "compactionId" | "cause" | "failure">

export const onCompactionFailed = (state: RunningState, { compactionId, cause, failure }: FailedCompaction): Step => {
  if (!isIn(state, "Compacting") || state.run.phase.compactionId !== compactionId) return stay(state)
  const aim = aimOf(state.run.phase)
  return askForLess(state, aim, failure) ?? countFailure(state, aim, cause)
}
