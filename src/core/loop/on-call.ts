import { Result } from "effect"
import { denialText } from "../permission/explain.ts"
import type { CallFacts } from "../permission/facts.ts"
import type { Decision } from "../permission/verdict.ts"
import { SHELL_TOOL, STRUCTURED_OUTPUT_TOOL, toolFor } from "../tools/pool.ts"
import { cancelWaitingSiblings, prepare } from "./calls.ts"
import type { CallOutcome, HookOutcome, PermissionAnswer } from "./event.ts"
import { errorResult } from "./executor.ts"
import { withRemark } from "./hook-remark.ts"
import { interruptTurn } from "./interrupt.ts"
import { deny, judge, refuse } from "./judge.ts"
import { onPermissionsUpdated } from "./on-control.ts"
import { callAt, moveOn, patchCall, settle } from "./settle-call.ts"
import type { AgentState, CallResult, HookEvent, TrackedCall } from "./state.ts"
import { andThen, emit, setTurn, type Step, stay } from "./transition.ts"

export const onCallPrepared = (state: AgentState, callId: string, facts: CallFacts): Step => {
  const prepared = callAt(state, callId, "preparing")
  if (prepared === undefined) return stay(state)
  const call: TrackedCall = { ...prepared, facts }
  const known = patchCall(state, callId, { facts })
  if (!state.config.hookEvents.includes("PreToolUse") || call.rewritten) return judge(known, call)
  return [
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
}

/** A world that never holds still would keep a call from ever running or settling. */
const MOST_REDECISIONS = 3

/** What was decided, and what somebody may have approved, is not what would run now: it is decided anew. */
export const onCallOutdated = (state: AgentState, callId: string, facts: CallFacts): Step => {
  const started = callAt(state, callId, "executing")
  if (started === undefined) return stay(state)
  const call: TrackedCall = { ...started, stage: "preparing", facts, granted: false, redecided: started.redecided + 1 }
  const known = patchCall(state, callId, call)
  if (state.phase._tag === "Settling") return settle(known, call, errorResult("Cancelled before it ran."))
  if (call.redecided <= MOST_REDECISIONS) return judge(known, call)
  const message = `${call.name} was not run: the files it names keep changing places. Look at them before trying again.`
  return settle(known, call, errorResult(message))
}

const HOOK_SAID = {
  allow: "a PreToolUse hook allows it",
  ask: "a PreToolUse hook wants it approved"
} as const

/** PreToolUse hooks spoke: a denial ends the call, a changed input starts it over, the rest goes to the rules. */
export const onPreToolHooks = (before: AgentState, callId: string, outcome: HookOutcome): Step => {
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
const rewriteInput = (state: AgentState, call: TrackedCall, input: unknown): Step => {
  const tool = call.tool === undefined ? undefined : toolFor(state.config, call.tool)
  const reading = tool?.accept(input)
  if (reading === undefined || Result.isFailure(reading)) {
    const text = reading === undefined ? `${call.name} is not available` : reading.failure
    return settle(state, call, errorResult(text))
  }
  const changed: TrackedCall = { ...call, input: reading.success.input, summary: reading.success.summary }
  return andThen(prepare(patchCall(state, call.id, changed), changed), moveOn)
}

export const onCallRefused = (state: AgentState, callId: string, message: string): Step => {
  const call = callAt(state, callId, "preparing")
  return call === undefined ? stay(state) : settle(state, call, errorResult(message))
}

const sameInput = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The answer of a person or host. The rules have the last word, and an edited input is checked from the start. */
export const onPermissionAnswered = (state: AgentState, callId: string, answer: PermissionAnswer): Step => {
  const call = callAt(state, callId, "asking")
  if (call === undefined) return stay(state)
  if (answer.behavior === "deny") {
    const decision: Decision = { verdict: "deny", reason: { type: "other", sentence: answer.message } }
    const refused = refuse(state, call, { decision, message: answer.message, kind: "user" })
    return andThen(refused, answer.interrupt === true ? (next) => interruptTurn(next, "inTool") : moveOn)
  }
  const granted: TrackedCall = { ...call, granted: true }
  const updated = onPermissionsUpdated(patchCall(state, callId, granted), answer.updates ?? [])
  const { updatedInput } = answer
  return andThen(updated, (next) =>
    updatedInput === undefined || sameInput(updatedInput, call.input)
      ? judge(next, granted)
      : rewriteInput(next, granted, updatedInput)
  )
}

export const onCallProgressed = (state: AgentState, callId: string, progress: unknown): Step => {
  const call = callAt(state, callId, "executing")
  return call === undefined
    ? stay(state)
    : [state, [emit({ _tag: "CallProgress", callId, tool: call.tool ?? call.name, progress })]]
}

/** A call that was cancelled because of a sibling says which one. */
const cancelledContent = (content: string, failedCall: string | undefined): string =>
  failedCall === undefined ? content : `Cancelled: ${failedCall} failed in the same response.\n${content}`

const resultOf = (outcome: CallOutcome, failedCall: string | undefined): CallResult => {
  switch (outcome._tag) {
    case "Returned":
      return { content: outcome.content, isError: outcome.isError, data: outcome.data }
    case "Failed":
      return errorResult(outcome.message, outcome.data ?? `Error: ${outcome.message}`)
    case "Cancelled":
      return { content: cancelledContent(outcome.content, failedCall), isError: true, data: outcome.data }
  }
}

/** What a finished call changes beyond its own result: the directory, the end of the run, the fate of its siblings. */
const sideEffects = (state: AgentState, call: TrackedCall, outcome: CallOutcome): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  if (outcome._tag === "Returned" && !outcome.isError) {
    const moved = outcome.cwd === undefined || call.safe ? state : { ...state, cwd: outcome.cwd }
    return call.tool === STRUCTURED_OUTPUT_TOOL
      ? stay(setTurn(moved, { structuredOutput: turn.structuredOutput ?? { value: call.input } }))
      : stay(moved)
  }
  const cancelsSiblings = call.tool === SHELL_TOOL && outcome._tag !== "Cancelled" && turn.failedCall === undefined
  if (!cancelsSiblings || state.phase._tag === "Settling") return stay(state)
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

export const onCallSettled = (state: AgentState, callId: string, outcome: CallOutcome): Step => {
  const call = callAt(state, callId, "executing")
  if (call === undefined) return stay(state)
  const result = resultOf(outcome, state.phase._tag === "Settling" ? undefined : state.turn?.failedCall)
  return andThen(sideEffects(state, call, outcome), (next) => {
    const event = postHookEvent(outcome)
    const isHeard = event !== undefined && next.config.hookEvents.includes(event) && next.phase._tag !== "Settling"
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
export const onPostToolHooks = (state: AgentState, callId: string, outcome: HookOutcome): Step => {
  const call = callAt(state, callId, "reviewing")
  if (call?.result === undefined) return stay(state)
  const base = outcome.updatedOutput === undefined ? call.result : { ...call.result, content: outcome.updatedOutput }
  const result = withRemark(base, call.context, outcome.block, outcome.context)
  const told = patchCall(state, callId, { context: undefined })
  const stopped =
    outcome.stop === undefined ? told : setTurn(told, { stopAfterTools: "hook_stopped", stopText: outcome.stop })
  return settle(stopped, call, result)
}

