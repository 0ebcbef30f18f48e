import type { HookEvent } from "../hooks/hook-event.ts"
import type { HookOutcome } from "../hooks/outcome.ts"
import { Result } from "effect"
import { afterApproval } from "../permission/classifier/objections.ts"
import { onlyReads } from "../permission/decide/only-reads.ts"
import { withDirectoriesSeen } from "../permission/context.ts"
import type { CallFacts } from "../permission/facts.ts"
import type { Decision } from "../permission/verdict.ts"
import { SHELL_TOOL, toolFor } from "../tools/toolbox.ts"
import { STRUCTURED_OUTPUT } from "../tools/conversation/structured-output.ts"
import { callAt, findCall, setCall } from "./calls/call-stage.ts"
import {
  cancelWaitingSiblings,
  holdCall,
  isCrowded,
  isWaiting,
  permissionRequest,
  prepare,
  scheduleCalls
} from "./calls/call-lifecycle.ts"
import { endCheck } from "./calls/classifier-check.ts"
import { patchState, setTurn } from "./machine/patch-state.ts"
import { askHooks } from "./machine/pending.ts"
import type { CallOutcome, PermissionAnswer } from "./machine/event.ts"
import { errorResult, isSafe } from "./calls/call-scheduler.ts"
import { joinRemarks } from "./calls/hook-remark.ts"
import { noteCommandFiles } from "./context/touched-files.ts"
import { refusedCallText } from "../hooks/texts.ts"
import { promptText } from "./turn/queue.ts"
import { interruptTurn } from "./interrupt.ts"
import { checkAhead, deny, judge, knownDoubt, refuse, type Undecided } from "./judge.ts"
import { onHostAnswered, openHostQuestion } from "./on-host.ts"
import { onPermissionsUpdated } from "./on-control.ts"
import { continueTurn, settleCall } from "./settle-call.ts"
import type { HookVerdict } from "../permission/permission-request.ts"
import type { AgentState, CallAt, CallResult, PreparedCall, Running, RunningState } from "./machine/state.ts"
import { andThen, emit, inTurn, isIn, type Step, stay } from "./machine/transition.ts"

/** A call with what was found out about it. */
const withFacts = <C extends PreparedCall>(state: RunningState, call: C, facts: CallFacts): C => {
  const tool = call.tool === SHELL_TOOL ? toolFor(state.toolbox, call.tool) : undefined
  const isReading = tool !== undefined && onlyReads({ ...permissionRequest(state, tool, call.reading), facts })
  return { ...call, facts, onlyReads: isReading }
}

export const onCallPrepared = (state: RunningState, callId: string, facts: CallFacts): Step => {
  const preparing = callAt(state, callId, "preparing")
  if (preparing === undefined) return stay(state)
  const call = withFacts(state, preparing, facts)
  const located = withDirectoriesSeen(state.permission, facts.paths)
  const known = located === state.permission ? state : patchState(state, { permission: located })
  if (isCrowded(known, call)) return holdCall(known, call)
  const judged = hearHooks(known, call)
  return call.onlyReads ? andThen(judged, (next) => inTurn(next, scheduleCalls)) : judged
}

/** Hooks have their say before the rules, once about each call. */
const hearHooks = (state: RunningState, call: CallAt<"preparing">): Step => {
  if (!state.config.hookEvents.includes("PreToolUse") || call.isRewritten) return judge(state, call)
  const hookId = `pre:${call.id}`
  const asked: CallAt<"hooks"> = { ...call, stage: "hooks", hookId }
  const input = { tool_name: call.tool, tool_input: call.reading.input.value, tool_use_id: call.id }
  const then = { _tag: "JudgeCall", callId: call.id } as const
  return andThen(askHooks(setCall(state, asked), { hookId, event: "PreToolUse", input, then }), (next) =>
    checkAhead(next, asked)
  )
}

/** A world that never holds still would keep a call from ever running or settling. */
const MOST_REDECISIONS = 3

/** What was decided, and what somebody may have approved, is not what would run now: it is decided anew. */
export const onCallOutdated = (state: RunningState, callId: string, facts: CallFacts): Step => {
  const started = callAt(state, callId, "executing")
  if (started === undefined) return stay(state)
  const { redecided } = started
  const again: CallAt<"preparing"> = { ...started, stage: "preparing", grant: undefined, redecided: redecided + 1 }
  const call = withFacts(state, again, facts)
  if (isIn(state, "Settling")) return settleCall(state, call, errorResult("Cancelled before it ran."))
  if (isCrowded(state, call)) return holdCall(state, call)
  if (call.redecided <= MOST_REDECISIONS) return judge(state, call)
  const message = `${call.name} was not run: the files it names keep changing places. Look at them before trying again.`
  return settleCall(state, call, errorResult(message))
}

const HOOK_SAID = {
  allow: "a PreToolUse hook allows it",
  ask: "a PreToolUse hook wants it approved"
} as const

/** What hooks said, as the rules hear it. */
const verdictOf = ({ decision, reason, updatedInput }: HookOutcome): HookVerdict | undefined => {
  if (decision !== "allow" && decision !== "ask") return undefined
  const answers = decision === "allow" && updatedInput !== undefined
  return { verdict: decision, reason: reason ?? HOOK_SAID[decision], ...(answers ? { answers: true } : {}) }
}

/** PreToolUse hooks spoke: a denial ends the call, a changed input starts it over, the rest goes to the rules. */
export const onPreToolHooks = (state: RunningState, callId: string, outcome: HookOutcome): Step => {
  const asked = callAt(state, callId, "hooks")
  if (asked === undefined) return stay(state)
  const call = { ...asked, hookContext: outcome.context }
  return decideAsHooks(stoppedAfter(state, outcome), call, outcome)
}

/** What ends the turn does so when the calls of this response have settled. */
const stoppedAfter = (state: RunningState, { stop }: HookOutcome): RunningState =>
  stop === undefined ? state : setTurn(state, { stopAfterTools: "hook_stopped", stopText: stop })

const decideAsHooks = (state: RunningState, call: CallAt<"hooks">, outcome: HookOutcome): Step => {
  if (outcome.decision === "deny" || outcome.block !== undefined) {
    const sentence = outcome.reason ?? outcome.block ?? "a PreToolUse hook refused the call"
    const decision: Decision = { verdict: "deny", reason: { type: "hook", sentence } }
    return deny(state, call, { decision, message: refusedCallText(call.name, sentence), kind: "hook" })
  }
  const heard = { ...call, hook: verdictOf(outcome) }
  if (outcome.updatedInput === undefined) return judge(state, heard)
  // Whoever granted the call has not seen what the hook made of it.
  return rewriteInput(state, { ...heard, isRewritten: true, grant: undefined }, outcome.updatedInput)
}

/** A changed input goes through the whole pipeline again: decoding, validation, every rule. */
const rewriteInput = (state: RunningState, call: Undecided, input: unknown): Step => {
  const reading = toolFor(state.toolbox, call.tool)?.accept(input)
  if (reading === undefined || Result.isFailure(reading)) {
    const text = reading === undefined ? `${call.name} is not available` : reading.failure
    return settleCall(state, call, errorResult(text))
  }
  const changed = { ...call, reading: reading.success, check: undefined, onlyReads: false }
  return andThen(
    andThen(endCheck(state, call), (next) => prepare(next, changed)),
    continueTurn
  )
}

export const onCallRefused = (state: RunningState, callId: string, message: string): Step => {
  const call = callAt(state, callId, "preparing")
  return call === undefined ? stay(state) : settleCall(state, call, errorResult(message))
}

const sameInput = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The answer of a user or host. The rules have the last word, and an edited input is checked from the start. */
export const onPermissionAnswered = (state: AgentState, callId: string, answer: PermissionAnswer): Step => {
  const host = openHostQuestion(state, callId)
  return host === undefined
    ? inTurn(state, (running) => onCallAnswered(running, callId, answer))
    : onHostAnswered(state, host, answer)
}

const onCallAnswered = (state: RunningState, callId: string, answer: PermissionAnswer): Step => {
  const call = callAt(state, callId, "asking")
  if (call === undefined) return stay(state)
  if (answer.behavior === "deny") {
    const decision: Decision = { verdict: "deny", reason: { type: "other", sentence: answer.message } }
    const updated = onPermissionsUpdated(state, answer.updates ?? [])
    const refused = andThen(updated, (next) => refuse(next, call, { decision, message: answer.message, kind: "user" }))
    return andThen(refused, answer.interrupt === true ? (next) => interruptTurn(next, "inTool") : continueTurn)
  }
  const granted: CallAt<"asking"> = { ...call, grant: { doubt: undefined } }
  const approved = patchState(setCall(state, granted), { objections: afterApproval(state.objections) })
  const updated = onPermissionsUpdated(approved, answer.updates ?? [])
  const { updatedInput } = answer
  return andThen(updated, (next) =>
    updatedInput === undefined || sameInput(updatedInput, call.reading.input)
      ? judge(next, granted)
      : rewriteInput(next, { ...granted, grant: { doubt: knownDoubt(state, call) } }, updatedInput)
  )
}

export const onCallProgressed = (state: RunningState, callId: string, progress: unknown): Step => {
  const call = callAt(state, callId, "executing")
  return call === undefined ? stay(state) : [state, [emit({ _tag: "CallProgress", callId, tool: call.tool, progress })]]
}

const STOPPED_EARLY = errorResult("Cancelled: the user stopped this call before it ran.")

/** One call ends, and the turn goes on with a result that says so. */
export const onCallStopped = (state: RunningState, callId: string): Step => {
  const call = findCall(state, callId)
  if (call === undefined || isIn(state, "Settling")) return stay(state)
  if (call.stage === "executing") return [state, [{ _tag: "CancelCall", callId }]]
  if (!isWaiting(call)) return stay(state)
  const withdrawn: Step<Running> = [state, call.stage === "asking" ? [{ _tag: "WithdrawQuestion", callId }] : []]
  return andThen(withdrawn, (next) => settleCall(next, call, STOPPED_EARLY))
}

/** Why a call was cancelled: with its turn, because of a sibling, or alone. */
type Cancelling =
  | { readonly _tag: "Turn" }
  | { readonly _tag: "Sibling"; readonly failed: string }
  | { readonly _tag: "Alone" }

const cancelledContent = (content: string, why: Cancelling): string => {
  switch (why._tag) {
    case "Turn":
      return content
    case "Sibling":
      return `Cancelled: ${why.failed} failed in the same response.\n${content}`
    case "Alone":
      return `Cancelled: the user stopped this call.\n${content}`
  }
}

const cancellingOf = ({ run: { turn, phase } }: RunningState): Cancelling => {
  if (phase._tag === "Settling") return { _tag: "Turn" }
  return turn.failedCall === undefined ? { _tag: "Alone" } : { _tag: "Sibling", failed: turn.failedCall }
}

const resultOf = (outcome: CallOutcome, why: Cancelling): CallResult => {
  switch (outcome._tag) {
    case "Returned":
      return { content: outcome.content, isError: outcome.isError, data: outcome.data }
    case "Failed":
      return errorResult(outcome.message, outcome.data ?? `Error: ${outcome.message}`)
    case "Cancelled":
      return { content: cancelledContent(outcome.content, why), isError: true, data: outcome.data }
  }
}

/** What a finished call changes beyond its own result: the directory, the end of the run, the fate of its siblings. */
const sideEffects = (state: RunningState, call: CallAt<"executing">, outcome: CallOutcome): Step<Running> => {
  const { turn } = state.run
  if (outcome._tag === "Returned" && !outcome.isError) {
    const moved = outcome.cwd === undefined || isSafe(call) ? state : patchState(state, { cwd: outcome.cwd })
    return call.tool === STRUCTURED_OUTPUT
      ? stay(setTurn(moved, { structuredOutput: turn.structuredOutput ?? { value: call.reading.input.value } }))
      : stay(noteCommandFiles(moved, call))
  }
  const changes = call.tool === SHELL_TOOL && !call.onlyReads
  const cancelsSiblings = changes && outcome._tag !== "Cancelled" && turn.failedCall === undefined
  if (!cancelsSiblings || isIn(state, "Settling")) return stay(state)
  const running = turn.calls.filter((other) => other.id !== call.id && other.stage === "executing")
  return andThen(
    [
      setTurn(state, { failedCall: `${call.name}(${call.reading.summary})` }),
      running.map((other) => ({ _tag: "CancelCall" as const, callId: other.id }))
    ],
    cancelWaitingSiblings
  )
}

/** Hooks hear of calls that ended by themselves; a cancelled one is neither a success nor a failure. */
const postHookEvent = (outcome: CallOutcome): HookEvent | undefined => {
  if (outcome._tag === "Cancelled") return undefined
  return outcome._tag === "Returned" && !outcome.isError ? "PostToolUse" : "PostToolUseFailure"
}

const wasInterrupted = (data: unknown): boolean =>
  typeof data === "object" && data !== null && "interrupted" in data && data.interrupted === true

/** What hooks hear of a call that failed. */
const failureFields = ({ content, data }: CallResult) => ({
  error: promptText(content),
  is_interrupt: wasInterrupted(data)
})

export const onCallSettled = (state: RunningState, callId: string, outcome: CallOutcome): Step => {
  const call = callAt(state, callId, "executing")
  if (call === undefined) return stay(state)
  const result = resultOf(outcome, cancellingOf(state))
  return andThen(sideEffects(state, call, outcome), (next) => {
    const event = postHookEvent(outcome)
    const isHeard = event !== undefined && next.config.hookEvents.includes(event) && !isIn(next, "Settling")
    if (!isHeard) return settleCall(next, call, result)
    const hookId = `post:${callId}`
    const { tool, reading, startedAt } = call
    return askHooks(setCall(next, { ...call, stage: "reviewing", hookId, result }), {
      hookId,
      event,
      input: {
        tool_name: tool,
        tool_input: reading.input.value,
        tool_use_id: callId,
        ...(event === "PostToolUse" ? { tool_response: result.data } : failureFields(result)),
        ...(startedAt === undefined ? {} : { duration_ms: Math.max(0, next.now - startedAt) })
      },
      then: { _tag: "SettleCall", callId }
    })
  })
}

/** PostToolUse hooks spoke: they may replace or comment the output or stop the turn. */
export const onPostToolHooks = (state: RunningState, callId: string, outcome: HookOutcome): Step => {
  const call = callAt(state, callId, "reviewing")
  if (call === undefined) return stay(state)
  const base = outcome.updatedOutput === undefined ? call.result : { ...call.result, content: outcome.updatedOutput }
  const hookContext = joinRemarks(call.hookContext, outcome.block, outcome.context)
  return settleCall(stoppedAfter(state, outcome), { ...call, hookContext }, base)
}
