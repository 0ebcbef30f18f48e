import { Result } from "effect"
import { afterApproval } from "../permission/classifier/objections.ts"
import { denialText } from "../permission/decide/explain.ts"
import { withDirectoriesSeen } from "../permission/context.ts"
import type { CallFacts } from "../permission/facts.ts"
import type { Decision } from "../permission/verdict.ts"
import { SHELL_TOOL, STRUCTURED_OUTPUT_TOOL, toolFor } from "../tools/pool.ts"
import { cancelWaitingSiblings, NOT_BEGUN, prepare } from "./calls/call-lifecycle.ts"
import { endCheck } from "./calls/classifier-check.ts"
import { patchState, setTurn } from "./machine/patch-state.ts"
import type { CallOutcome, HookOutcome, PermissionAnswer } from "./machine/event.ts"
import { errorResult, findCall } from "./calls/call-scheduler.ts"
import { withRemark } from "./calls/hook-remark.ts"
import { interruptTurn } from "./interrupt.ts"
import { checkAhead, deny, judge, knownDoubt, refuse } from "./judge.ts"
import { onHostAnswered, openHostQuestion } from "./on-host.ts"
import { onPermissionsUpdated } from "./on-control.ts"
import { callAt, continueTurn, patchCall, settle } from "./settle-call.ts"
import type { AgentState, CallResult, HookEvent, Running, RunningState, TrackedCall } from "./machine/state.ts"
import { andThen, emit, inTurn, isIn, type Step, stay } from "./machine/transition.ts"

export const onCallPrepared = (state: RunningState, callId: string, facts: CallFacts): Step => {
  const prepared = callAt(state, callId, "preparing")
  if (prepared === undefined) return stay(state)
  const call: TrackedCall = { ...prepared, facts }
  const located = withDirectoriesSeen(state.permission, facts.paths)
  const known = patchCall(located === state.permission ? state : patchState(state, { permission: located }), callId, {
    facts
  })
  if (!state.config.hookEvents.includes("PreToolUse") || call.rewritten) return judge(known, call)
  const asked: Step<Running> = [
    patchCall(known, callId, { stage: "hooks" }),
    [
      {
        _tag: "RunHooks",
        hookId: `pre:${callId}`,
        event: "PreToolUse",
        input: { tool_name: call.tool ?? call.name, tool_input: call.input, tool_use_id: callId }
      }
    ]
  ]
  return andThen(asked, (next) => checkAhead(next, call))
}

/** A world that never holds still would keep a call from ever running or settling. */
const MOST_REDECISIONS = 3

/** What was decided, and what somebody may have approved, is not what would run now: it is decided anew. */
export const onCallOutdated = (state: RunningState, callId: string, facts: CallFacts): Step => {
  const started = callAt(state, callId, "executing")
  if (started === undefined) return stay(state)
  const call: TrackedCall = { ...started, stage: "preparing", facts, granted: false, redecided: started.redecided + 1 }
  const known = patchCall(state, callId, call)
  if (isIn(state, "Settling")) return settle(known, call, errorResult("Cancelled before it ran."))
  if (call.redecided <= MOST_REDECISIONS) return judge(known, call)
  const message = `${call.name} was not run: the files it names keep changing places. Look at them before trying again.`
  return settle(known, call, errorResult(message))
}

const HOOK_SAID = {
  allow: "a PreToolUse hook allows it",
  ask: "a PreToolUse hook wants it approved"
} as const

/** PreToolUse hooks spoke: a denial ends the call, a changed input starts it over, the rest goes to the rules. */
export const onPreToolHooks = (before: RunningState, callId: string, outcome: HookOutcome): Step => {
  const asked = callAt(before, callId, "hooks")
  if (asked === undefined) return stay(before)
  const call: TrackedCall = { ...asked, context: outcome.context }
  const state = patchCall(before, callId, { context: outcome.context })
  if (outcome.stop !== undefined) {
    const stopped = setTurn(state, { stopAfterTools: "hook_stopped", stopText: outcome.stop })
    return settle(stopped, call, errorResult(`Stopped by a hook: ${outcome.stop}`))
  }
  if (outcome.decision === "deny" || outcome.block !== undefined) {
    const sentence = outcome.reason ?? outcome.block ?? "a PreToolUse hook refused the call"
    const decision: Decision = { verdict: "deny", reason: { type: "hook", sentence } }
    return deny(state, call, { decision, message: denialText(call.name, decision), kind: "hook" })
  }
  const hook: TrackedCall["hook"] =
    outcome.decision === undefined
      ? undefined
      : {
          verdict: outcome.decision,
          reason: outcome.reason ?? HOOK_SAID[outcome.decision],
          ...(outcome.decision === "allow" && outcome.updatedInput !== undefined ? { answers: true } : {})
        }
  if (outcome.updatedInput === undefined) return judge(patchCall(state, callId, { hook }), { ...call, hook })
  // Whoever granted the call has not seen what the hook made of it.
  return rewriteInput(state, { ...call, hook, rewritten: true, granted: false }, outcome.updatedInput)
}

/** A changed input goes through the whole pipeline again: decoding, validation, every rule. */
const rewriteInput = (state: RunningState, call: TrackedCall, input: unknown): Step => {
  const tool = call.tool === undefined ? undefined : toolFor(state.config, call.tool)
  const reading = tool?.accept(input)
  if (reading === undefined || Result.isFailure(reading)) {
    const text = reading === undefined ? `${call.name} is not available` : reading.failure
    return settle(state, call, errorResult(text))
  }
  const { input: accepted, summary } = reading.success
  const changed: TrackedCall = { ...call, input: accepted, summary, check: undefined }
  const begun: Step<Running> = [patchCall(state, call.id, changed), endCheck(call)]
  return andThen(
    andThen(begun, (next) => prepare(next, changed)),
    continueTurn
  )
}

export const onCallRefused = (state: RunningState, callId: string, message: string): Step => {
  const call = callAt(state, callId, "preparing")
  return call === undefined ? stay(state) : settle(state, call, errorResult(message))
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
  const granted: TrackedCall = { ...call, granted: true, grantedDoubt: undefined }
  const approved = patchState(patchCall(state, callId, granted), { objections: afterApproval(state.objections) })
  const updated = onPermissionsUpdated(approved, answer.updates ?? [])
  const { updatedInput } = answer
  return andThen(updated, (next) =>
    updatedInput === undefined || sameInput(updatedInput, call.input)
      ? judge(next, granted)
      : rewriteInput(next, { ...granted, grantedDoubt: knownDoubt(state, call) }, updatedInput)
  )
}

export const onCallProgressed = (state: RunningState, callId: string, progress: unknown): Step => {
  const call = callAt(state, callId, "executing")
  return call === undefined
    ? stay(state)
    : [state, [emit({ _tag: "CallProgress", callId, tool: call.tool ?? call.name, progress })]]
}

const STOPPED_EARLY = errorResult("Cancelled: the user stopped this call before it ran.")

/** One call ends, and the turn goes on with a result that says so. */
export const onCallStopped = (state: RunningState, callId: string): Step => {
  const call = findCall(state.run.turn.calls, callId)
  if (call === undefined || isIn(state, "Settling")) return stay(state)
  if (call.stage === "executing") return [state, [{ _tag: "CancelCall", callId }]]
  if (!NOT_BEGUN.has(call.stage)) return stay(state)
  const withdrawn: Step<Running> = [state, call.stage === "asking" ? [{ _tag: "WithdrawQuestion", callId }] : []]
  return andThen(withdrawn, (next) => settle(next, call, STOPPED_EARLY))
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
const sideEffects = (state: RunningState, call: TrackedCall, outcome: CallOutcome): Step<Running> => {
  const { turn } = state.run
  if (outcome._tag === "Returned" && !outcome.isError) {
    const moved = outcome.cwd === undefined || call.safe ? state : patchState(state, { cwd: outcome.cwd })
    return call.tool === STRUCTURED_OUTPUT_TOOL
      ? stay(setTurn(moved, { structuredOutput: turn.structuredOutput ?? { value: call.input } }))
      : stay(moved)
  }
  const cancelsSiblings = call.tool === SHELL_TOOL && outcome._tag !== "Cancelled" && turn.failedCall === undefined
  if (!cancelsSiblings || isIn(state, "Settling")) return stay(state)
  const running = turn.calls.filter((other) => other.id !== call.id && other.stage === "executing")
  return andThen(
    [
      setTurn(state, { failedCall: `${call.name}(${call.summary})` }),
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

export const onCallSettled = (state: RunningState, callId: string, outcome: CallOutcome): Step => {
  const call = callAt(state, callId, "executing")
  if (call === undefined) return stay(state)
  const result = resultOf(outcome, cancellingOf(state))
  return andThen(sideEffects(state, call, outcome), (next) => {
    const event = postHookEvent(outcome)
    const isHeard = event !== undefined && next.config.hookEvents.includes(event) && !isIn(next, "Settling")
    if (!isHeard) return settle(next, call, result)
    return [
      patchCall(next, callId, { stage: "reviewing", result }),
      [
        {
          _tag: "RunHooks",
          hookId: `post:${callId}`,
          event,
          input: {
            tool_name: call.tool ?? call.name,
            tool_input: call.input,
            tool_use_id: callId,
            tool_response: result.data
          }
        }
      ]
    ]
  })
}

/** PostToolUse hooks spoke: they may replace or comment the output or stop the turn. */
export const onPostToolHooks = (state: RunningState, callId: string, outcome: HookOutcome): Step => {
  const call = callAt(state, callId, "reviewing")
  if (call?.result === undefined) return stay(state)
  const base = outcome.updatedOutput === undefined ? call.result : { ...call.result, content: outcome.updatedOutput }
  const result = withRemark(base, call.context, outcome.block, outcome.context)
  const cleared = patchCall(state, callId, { context: undefined })
  const stopped =
    outcome.stop === undefined ? cleared : setTurn(cleared, { stopAfterTools: "hook_stopped", stopText: outcome.stop })
  return settle(stopped, call, result)
}
