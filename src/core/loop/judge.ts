import { Result } from "effect"
import { decide } from "../permission/decide.ts"
import { decisionDigest } from "../permission/digest.ts"
import { denialText, headlessDenial, wireReasonType } from "../permission/explain.ts"
import { type FactsWanted, factsWanted, NOTHING_WANTED } from "../permission/facts-wanted.ts"
import { suggestionsFor } from "../permission/update.ts"
import type { Decision } from "../permission/verdict.ts"
import { toolFor } from "../tools/pool.ts"
import { completeCall, permissionRequest } from "./calls.ts"
import { currentModel } from "./sending.ts"
import { moveOn, patchCall } from "./settle-call.ts"
import type { AgentState, CallResult, TrackedCall } from "./state.ts"
import { andThen, emit, freshUuid, setTurn, type Step } from "./transition.ts"

/** The verdict on a prepared call: run it, ask, or refuse it with the reason. */

export interface Denial {
  readonly decision: Decision
  readonly message: string
  readonly kind: "rule" | "headless" | "hook" | "user"
}

/** Gives the call its refusal as result and notes the denial; what follows is up to the caller. */
export const refuse = (state: AgentState, call: TrackedCall, { decision, message, kind }: Denial): Step => {
  const [uuid, drawn] = freshUuid(state)
  const noted = setTurn(drawn, {
    denials: [...(state.turn?.denials ?? []), { tool_name: call.name, tool_use_id: call.id, tool_input: call.input }]
  })
  const denied = emit({
    _tag: "PermissionDenied",
    uuid,
    callId: call.id,
    tool: call.name,
    reasonType: wireReasonType(decision.reason),
    reason: decision.reason.sentence,
    message
  })
  const result: CallResult = { content: message, isError: true, data: `Error: ${message}`, denial: kind }
  return andThen([noted, [denied]], (next) => completeCall(next, call, result))
}

export const deny = (state: AgentState, call: TrackedCall, denial: Denial): Step =>
  andThen(refuse(state, call, denial), moveOn)

const start = (state: AgentState, call: TrackedCall, { decision, wanted, digest }: Judged): Step => [
  patchCall(state, call.id, { stage: "executing" }),
  [
    emit({ _tag: "CallStarted", callId: call.id, tool: call.tool ?? call.name, summary: call.summary }),
    {
      _tag: "StartCall",
      callId: call.id,
      tool: call.tool ?? call.name,
      input: call.input,
      cwd: state.cwd,
      model: currentModel(state),
      facts: call.facts,
      digest,
      wanted,
      onlyReads: decision.verdict === "allow" && decision.reason.type === "readOnly"
    }
  ]
]

const ask = (state: AgentState, call: TrackedCall, decision: Decision): Step => {
  const tool = call.tool ?? call.name
  const suggestions = suggestionsFor({ context: state.permission, tool, decision, input: call.input })
  return [
    patchCall(state, call.id, { stage: "asking" }),
    [
      {
        _tag: "AskPermission",
        question: { callId: call.id, tool, input: call.input, summary: call.summary, decision, suggestions }
      }
    ]
  ]
}

interface Judged {
  readonly decision: Decision
  /** Binds the decision to what it was made about. */
  readonly digest: string
  readonly wanted: FactsWanted
}

const judged = (state: AgentState, call: TrackedCall): Judged => {
  const tool = call.tool === undefined ? undefined : toolFor(state.config, call.tool)
  const reading = tool?.accept(call.input)
  if (tool === undefined || reading === undefined || Result.isFailure(reading)) {
    const reason = { type: "other", sentence: `${call.name} is not available` } as const
    return { decision: { verdict: "deny", reason }, digest: "", wanted: NOTHING_WANTED }
  }
  const request = { ...permissionRequest(state, tool, reading.success), facts: call.facts, hook: call.hook }
  return { decision: decide(request), digest: decisionDigest(request), wanted: factsWanted(request) }
}

/** Rules and mode of this very moment decide: neither an answer nor a hook ever turns a deny into an allow. */
export const judge = (state: AgentState, call: TrackedCall): Step => {
  const found = judged(state, call)
  const { decision } = found
  if (decision.verdict === "deny") {
    return deny(state, call, { decision, message: denialText(call.name, decision), kind: "rule" })
  }
  if (decision.verdict === "allow" || call.granted) return start(state, call, found)
  if (!state.config.canAsk) {
    const message = headlessDenial(call.name, decision)
    return deny(state, call, { decision: { ...decision, verdict: "deny" }, message, kind: "headless" })
  }
  return ask(state, call, decision)
}
