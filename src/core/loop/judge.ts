import { Result } from "effect"
import { afterAllow, afterObjection, type ObjectionCount } from "../permission/classifier/objections.ts"
import { askInstead, applyOutcome } from "../permission/classifier/outcome.ts"
import { type Route, routeOf } from "../permission/classifier/route.ts"
import { decide } from "../permission/decide/decide.ts"
import { decisionDigest } from "../permission/decide/digest.ts"
import { denialText, headlessDenial, wireReasonType } from "../permission/decide/explain.ts"
import { type FactsWanted, factsWanted, NOTHING_WANTED } from "../permission/decide/facts-wanted.ts"
import type { Need } from "../permission/need.ts"
import { suggestionsFor } from "../permission/configuration/update.ts"
import type { Decision } from "../permission/verdict.ts"
import { SHELL_TOOL, toolFor } from "../tools/pool.ts"
import { completeCall, permissionRequest } from "./calls/call-lifecycle.ts"
import { type Checked, dropCheck, openCheck } from "./calls/classifier-check.ts"
import { patchState, setTurn } from "./machine/patch-state.ts"
import { currentModel, overBudget } from "./turn/send-request.ts"
import { continueTurn, patchCall } from "./settle-call.ts"
import type { AgentState, CallResult, Running, RunningState, TrackedCall } from "./machine/state.ts"
import { andThen, emit, freshUuid, type Step, stay } from "./machine/transition.ts"

/** The verdict on a prepared call: run it, ask, or refuse it with the reason. */

export interface Denial {
  readonly decision: Decision
  readonly message: string
  readonly kind: "rule" | "headless" | "hook" | "user" | "classifier"
}

/** Gives the call its refusal as result and notes the denial; what follows is up to the caller. */
export const refuse = (state: RunningState, call: TrackedCall, { decision, message, kind }: Denial): Step<Running> => {
  const [uuid, drawn] = freshUuid(state)
  const noted = setTurn(drawn, {
    denials: [...state.run.turn.denials, { tool_name: call.name, tool_use_id: call.id, tool_input: call.input }]
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

export const deny = (state: RunningState, call: TrackedCall, denial: Denial): Step =>
  andThen(refuse(state, call, denial), continueTurn)

const counting = (state: RunningState, objections: ObjectionCount): RunningState =>
  objections === state.objections ? state : patchState(state, { objections })

/** What let the call run, in words. */
const whyAllowed = ({ granted }: TrackedCall, { verdict, reason }: Decision): string =>
  granted && verdict !== "allow" ? `an answer allowed it; it was asked because: ${reason.sentence}` : reason.sentence

const start = (state: RunningState, call: TrackedCall, { decision, wanted, digest }: Judged): Step => [
  patchCall(counting(state, afterAllow(state.objections)), call.id, { stage: "executing" }),
  [
    emit({
      _tag: "CallStarted",
      callId: call.id,
      tool: call.tool ?? call.name,
      summary: call.summary,
      why: whyAllowed(call, decision)
    }),
    {
      _tag: "StartCall",
      callId: call.id,
      tool: call.tool ?? call.name,
      input: call.input,
      cwd: state.cwd,
      model: currentModel(state),
      ...(state.config.choice.effort === undefined ? {} : { effort: state.config.choice.effort }),
      facts: call.facts,
      digest,
      wanted,
      onlyReads: decision.verdict === "allow" && decision.reason.type === "readOnly",
      outside: decision.verdict === "ask" && decision.reason.type === "sandboxOverride"
    }
  ]
]

const ask = (state: RunningState, call: TrackedCall, decision: Decision): Step => {
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

/** Somebody is asked, or the call is refused where nobody is there. */
const question = (state: RunningState, call: TrackedCall, decision: Decision): Step => {
  if (state.config.canAsk) return ask(state, call, decision)
  const message = headlessDenial(call.name, decision)
  return deny(state, call, { decision: { ...decision, verdict: "deny" }, message, kind: "headless" })
}

interface Judged extends Checked {
  /** Binds the decision to what it was made about. */
  readonly digest: string
  readonly wanted: FactsWanted
  readonly needs: ReadonlyArray<Need>
}

const judged = (state: AgentState, call: TrackedCall): Judged => {
  const tool = call.tool === undefined ? undefined : toolFor(state.config, call.tool)
  const reading = tool?.accept(call.input)
  if (tool === undefined || reading === undefined || Result.isFailure(reading)) {
    const reason = { type: "other", sentence: `${call.name} is not available` } as const
    return { decision: { verdict: "deny", reason }, digest: "", wanted: NOTHING_WANTED, needs: [], input: "" }
  }
  const request = { ...permissionRequest(state, tool, reading.success), facts: call.facts, hook: call.hook }
  return {
    decision: decide(request),
    digest: decisionDigest(request),
    wanted: factsWanted(request),
    needs: request.needs,
    input: reading.success.classifierInput()
  }
}

const routed = (state: AgentState, { decision, needs, input }: Judged): Route => {
  const route = routeOf({ decision, context: state.permission, needs, input, objections: state.objections })
  return route.to === "classifier" && overBudget(state) ? { to: "person", because: "the budget is used up" } : route
}

const awaitCheck = (state: RunningState, call: TrackedCall): Step => [
  patchCall(state, call.id, { stage: "checking" }),
  call.stage === "checking"
    ? []
    : [emit({ _tag: "CallChecking", callId: call.id, tool: call.tool ?? call.name, summary: call.summary })]
]

/** The classifier answers: it is asked, it is waited for, or what it said counts, once. */
const checked = (state: RunningState, call: TrackedCall, found: Judged): Step => {
  const { check } = call
  if (check === undefined) return andThen(openCheck(state, call, found), (next) => awaitCheck(next, call))
  if (check.outcome === undefined) return awaitCheck(state, call)
  const decision = applyOutcome(found.decision, check.outcome)
  const [used] = dropCheck(state, call)
  switch (decision.verdict) {
    case "allow":
      return start(used, call, { ...found, decision })
    case "ask":
      return question(used, call, decision)
    case "deny": {
      const counted = counting(used, afterObjection(used.objections))
      return deny(counted, call, { decision, message: denialText(call.name, decision), kind: "classifier" })
    }
  }
}

/** Lets the classifier begin while hooks still speak; it is used only if the call comes to it. */
export const checkAhead = (state: RunningState, call: TrackedCall): Step<Running> => {
  if (call.tool !== SHELL_TOOL) return stay(state)
  const found = judged(state, call)
  return routed(state, found).to === "classifier" ? openCheck(state, call, found) : stay(state)
}

/** What nothing but an answer settles about the decision; questions for the user are answered by their very input. */
const gravity = ({ verdict, immune, reason }: Decision): string =>
  verdict === "ask" && immune === true && reason.type !== "requiresInteraction" ? `${reason.type}: ${reason.sentence}` : ""

/** What whoever answers a question about the call knows to be grave about it. */
export const knownDoubt = (state: AgentState, call: TrackedCall): string => gravity(judged(state, call).decision)

/** Somebody approved the call and changed it; what it is now nobody was asked about. */
const isGraverNow = ({ granted, grantedDoubt }: TrackedCall, decision: Decision): boolean =>
  granted && grantedDoubt !== undefined && gravity(decision) !== "" && gravity(decision) !== grantedDoubt

/** Rules and mode of this very moment decide: neither an answer nor a hook ever turns a deny into an allow. */
export const judge = (state: RunningState, call: TrackedCall): Step => {
  const found = judged(state, call)
  const { decision } = found
  if (decision.verdict === "deny") {
    return deny(state, call, { decision, message: denialText(call.name, decision), kind: "rule" })
  }
  if (isGraverNow(call, decision)) {
    const unsettled: TrackedCall = { ...call, granted: false, grantedDoubt: undefined }
    return question(patchCall(state, call.id, unsettled), unsettled, decision)
  }
  const route: Route = call.granted ? { to: "allow" } : routed(state, found)
  if (route.to === "classifier") return checked(state, call, found)
  return andThen(dropCheck(state, call), (next) => {
    if (route.to === "person") return question(next, call, askInstead(decision, route.because))
    return route.to === "allow" || decision.verdict === "allow" ? start(next, call, found) : question(next, call, decision)
  })
}
