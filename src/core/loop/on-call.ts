import { Result } from "effect"
import { decide } from "../permission/decide.ts"
import { denialText, headlessDenial, wireReasonType } from "../permission/explain.ts"
import type { PathFact } from "../permission/need.ts"
import { applyUpdates, suggestionsFor } from "../permission/update.ts"
import type { Decision } from "../permission/verdict.ts"
import { SHELL_TOOL, STRUCTURED_OUTPUT_TOOL, toolFor } from "../tools/pool.ts"
import { completeCall, permissionRequest, prepare } from "./calls.ts"
import type { CallOutcome, HookOutcome, PermissionAnswer } from "./event.ts"
import { errorResult, findCall, updateCall } from "./executor.ts"
import { concludeWhenSettled, interruptTurn } from "./interrupt.ts"
import { finishToolsWhenSettled } from "./response.ts"
import { currentModel } from "./sending.ts"
import type { AgentState, CallResult, CallStage, TrackedCall } from "./state.ts"
import { andThen, emit, freshUuid, setTurn, type Step, stay } from "./transition.ts"

/** The tracked call if it is at the given stage; events for any other stage are late and ignored. */
const callAt = (state: AgentState, callId: string, stage: CallStage): TrackedCall | undefined => {
  const call = findCall(state.turn?.calls ?? [], callId)
  return call?.stage === stage ? call : undefined
}

const patchCall = (state: AgentState, callId: string, patch: Partial<TrackedCall>): AgentState =>
  setTurn(state, { calls: updateCall(state.turn?.calls ?? [], callId, patch) })

/** After a call settled: the turn goes on, or ends if it was only waiting for this. */
const moveOn = (state: AgentState): Step =>
  state.phase._tag === "Settling" ? concludeWhenSettled(state) : finishToolsWhenSettled(state)

const settle = (state: AgentState, call: TrackedCall, result: CallResult): Step =>
  andThen(completeCall(state, call, result), moveOn)

const deny = (state: AgentState, call: TrackedCall, denial: { decision: Decision; message: string; kind: string }): Step => {
  const [uuid, drawn] = freshUuid(state)
  const noted = setTurn(drawn, {
    denials: [...(state.turn?.denials ?? []), { tool_name: call.name, tool_use_id: call.id, tool_input: call.input }]
  })
  const announced: Step = [
    noted,
    [
      emit({
        _tag: "PermissionDenied",
        uuid,
        callId: call.id,
        tool: call.name,
        reasonType: wireReasonType(denial.decision.reason),
        reason: denial.decision.reason.sentence,
        message: denial.message
      })
    ]
  ]
  const result: CallResult = {
    content: denial.message,
    isError: true,
    data: `Error: ${denial.message}`,
    denial: denial.kind
  }
  return andThen(announced, (next) => settle(next, call, result))
}

const start = (state: AgentState, call: TrackedCall): Step => [
  patchCall(state, call.id, { stage: "executing", startedAt: state.now }),
  [
    emit({ _tag: "CallStarted", callId: call.id, tool: call.tool ?? call.name, summary: call.summary }),
    {
      _tag: "StartCall",
      callId: call.id,
      tool: call.tool ?? call.name,
      input: call.input,
      cwd: state.cwd,
      model: currentModel(state),
      facts: call.facts
    }
  ]
]

const ask = (state: AgentState, call: TrackedCall, decision: Decision): Step => [
  patchCall(state, call.id, { stage: "asking" }),
  [
    {
      _tag: "AskPermission",
      question: {
        callId: call.id,
        tool: call.tool ?? call.name,
        input: call.input,
        summary: call.summary,
        decision,
        suggestions: suggestionsFor({ context: state.permission, tool: call.tool ?? call.name, decision, input: call.input })
      }
    }
  ]
]

const decisionFor = (state: AgentState, call: TrackedCall): Decision => {
  const tool = call.tool === undefined ? undefined : toolFor(state.config, call.tool)
  const reading = tool?.accept(call.input)
  if (tool === undefined || reading === undefined || Result.isFailure(reading)) {
    return { verdict: "deny", reason: { type: "other", sentence: `${call.name} is not available` } }
  }
  return decide({ ...permissionRequest(state, tool, reading.success), facts: call.facts })
}

/** The verdict on a prepared call: run it, ask, or refuse it with the reason. */
const judge = (state: AgentState, call: TrackedCall, hook: HookOutcome = {}): Step => {
  const decision = decisionFor(state, call)
  const asked = hook.decision === "ask"
  const hookAllows = hook.decision === "allow" && decision.immune !== true
  if (decision.verdict === "deny") {
    return deny(state, call, { decision, message: denialText(call.name, decision), kind: "rule" })
  }
  if (decision.verdict === "allow" && !asked) return start(state, call)
  if (call.granted || (decision.verdict === "ask" && hookAllows)) return start(state, call)
  if (state.permission.mode === "dontAsk" || !state.config.canAsk) {
    const refused: Decision = { ...decision, verdict: "deny" }
    return deny(state, call, { decision: refused, message: headlessDenial(call.name, decision), kind: "headless" })
  }
  return ask(state, call, decision)
}

export const onCallPrepared = (state: AgentState, callId: string, facts: ReadonlyArray<PathFact>): Step => {
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

/** PreToolUse hooks spoke: a denial ends the call, a changed input starts it over, everything else goes to the rules. */
export const onPreToolHooks = (state: AgentState, callId: string, outcome: HookOutcome): Step => {
  const call = callAt(state, callId, "hooks")
  if (call === undefined) return stay(state)
  if (outcome.stop !== undefined) {
    const stopped = setTurn(state, { stopAfterTools: "hook_stopped", stopText: outcome.stop })
    return settle(stopped, call, errorResult(`Stopped by a hook: ${outcome.stop}`))
  }
  if (outcome.decision === "deny" || outcome.block !== undefined) {
    const sentence = outcome.reason ?? outcome.block ?? "a PreToolUse hook refused the call"
    const decision: Decision = { verdict: "deny", reason: { type: "hook", sentence } }
    return deny(state, call, { decision, message: denialText(call.name, decision), kind: "hook" })
  }
  if (outcome.updatedInput !== undefined) {
    return rewriteInput(patchCall(state, callId, { rewritten: true }), { ...call, rewritten: true }, outcome.updatedInput)
  }
  return judge(state, call, outcome)
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
  return prepare(patchCall(state, call.id, changed), changed)
}

export const onCallRefused = (state: AgentState, callId: string, message: string): Step => {
  const call = callAt(state, callId, "preparing")
  return call === undefined ? stay(state) : settle(state, call, errorResult(message))
}

const sameInput = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** The answer of a person or host. An edited input is checked again: an answer can never turn a deny into an allow. */
export const onPermissionAnswered = (state: AgentState, callId: string, answer: PermissionAnswer): Step => {
  const call = callAt(state, callId, "asking")
  if (call === undefined) return stay(state)
  if (answer.behavior === "deny") {
    const decision: Decision = { verdict: "deny", reason: { type: "other", sentence: answer.message } }
    const denied = deny(state, call, { decision, message: answer.message, kind: "user" })
    return answer.interrupt === true ? andThen(denied, interruptTurn) : denied
  }
  const granted: TrackedCall = { ...call, granted: true }
  const updated: AgentState = {
    ...patchCall(state, callId, { granted: true }),
    permission: applyUpdates(state.permission, answer.updates ?? [])
  }
  return answer.updatedInput === undefined || sameInput(answer.updatedInput, call.input)
    ? start(updated, granted)
    : rewriteInput(updated, granted, answer.updatedInput)
}

export const onCallProgressed = (state: AgentState, callId: string, progress: unknown): Step => {
  const call = callAt(state, callId, "executing")
  return call === undefined
    ? stay(state)
    : [state, [emit({ _tag: "CallProgress", callId, tool: call.tool ?? call.name, progress })]]
}

const resultOf = (outcome: CallOutcome): CallResult => {
  switch (outcome._tag) {
    case "Returned":
      return { content: outcome.content, isError: outcome.isError, data: outcome.data }
    case "Failed":
      return errorResult(outcome.message, outcome.data ?? `Error: ${outcome.message}`)
    case "Cancelled":
      return { content: outcome.content, isError: true, data: outcome.data }
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
  if (!cancelsSiblings) return stay(state)
  const running = turn.calls.filter((other) => other.id !== call.id && other.stage === "executing")
  return [
    setTurn(state, { failedCall: `${call.name}(${call.summary})` }),
    running.map((other) => ({ _tag: "CancelCall" as const, callId: other.id }))
  ]
}

const postHookEvent = (outcome: CallOutcome) =>
  outcome._tag === "Returned" ? ("PostToolUse" as const) : ("PostToolUseFailure" as const)

export const onCallSettled = (state: AgentState, callId: string, outcome: CallOutcome): Step => {
  const call = callAt(state, callId, "executing")
  if (call === undefined) return stay(state)
  const result = resultOf(outcome)
  return andThen(sideEffects(state, call, outcome), (next) => {
    const event = postHookEvent(outcome)
    if (!next.config.hookEvents.includes(event) || next.phase._tag === "Settling") return settle(next, call, result)
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
  const remark = [outcome.block, outcome.context].filter((text) => text !== undefined).join("\n")
  const result: CallResult =
    remark === "" || typeof base.content !== "string"
      ? base
      : { ...base, content: `${base.content}\n\n<hook-feedback>\n${remark}\n</hook-feedback>` }
  const stopped =
    outcome.stop === undefined ? state : setTurn(state, { stopAfterTools: "hook_stopped", stopText: outcome.stop })
  return settle(stopped, call, result)
}

