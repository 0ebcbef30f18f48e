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
import { SHELL_TOOL, toolFor } from "../tools/toolbox.ts"
import { completeCall, permissionRequest } from "./calls/call-lifecycle.ts"
import { enter, setCall } from "./calls/call-stage.ts"
import { type Checked, endCheck, openCheck } from "./calls/classifier-check.ts"
import { patchState, setTurn } from "./machine/patch-state.ts"
import { currentModel, overBudget } from "./turn/send-request.ts"
import { continueTurn } from "./settle-call.ts"
import type { AgentState, CallAt, CallResult, PreparedCall, Running, RunningState } from "./machine/state.ts"
import { andThen, emit, freshUuid, type Step, stay } from "./machine/transition.ts"

/** The verdict on a prepared call: run it, ask, or refuse it with the reason. */

export interface Denial {
  readonly decision: Decision
  readonly message: string
  readonly kind: "rule" | "headless" | "hook" | "user" | "classifier"
}

/** Gives the call its refusal as result and notes the denial; what follows is up to the caller. */
export const refuse = (state: RunningState, call: Undecided, { decision, message, kind }: Denial): Step<Running> => {
  const [uuid, drawn] = freshUuid(state)
  const noted = setTurn(drawn, {
    denials: [
      ...state.run.turn.denials,
      { tool_name: call.name, tool_use_id: call.id, tool_input: call.reading.input.value }
    ]
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

export const deny = (state: RunningState, call: Undecided, denial: Denial): Step =>
  andThen(refuse(state, call, denial), continueTurn)

/** A call that is decided about. */
export type Undecided = CallAt<"preparing" | "hooks" | "checking" | "asking">

const counting = (state: RunningState, objections: ObjectionCount): RunningState =>
  objections === state.objections ? state : patchState(state, { objections })

/** What let the call run, in words. */
const whyAllowed = ({ grant }: PreparedCall, { verdict, reason }: Decision): string =>
  grant !== undefined && verdict !== "allow"
    ? `an answer allowed it; it was asked because: ${reason.sentence}`
    : reason.sentence

const start = (state: RunningState, call: Undecided, { decision, wanted, digest }: Judged): Step => {
  const { id: callId, tool, reading, facts } = call
  return [
    setCall(counting(state, afterAllow(state.objections)), { ...enter(call, "executing"), startedAt: state.now }),
    [
      emit({ _tag: "CallStarted", callId, tool, summary: reading.summary, why: whyAllowed(call, decision) }),
      {
        _tag: "StartCall",
        callId,
        tool,
        input: reading.input,
        cwd: state.cwd,
        model: currentModel(state),
        ...(state.config.choice.effort === undefined ? {} : { effort: state.config.choice.effort }),
        facts,
        digest,
        wanted,
        onlyReads: decision.verdict === "allow" && decision.reason.type === "readOnly",
        outside: decision.verdict === "ask" && decision.reason.type === "sandboxOverride"
      }
    ]
  ]
}

const ask = (state: RunningState, call: Undecided, decision: Decision): Step => {
  const { id: callId, tool, reading } = call
  const input = reading.input.value
  const suggestions = suggestionsFor({ context: state.permission, tool, decision, input })
  const question = { callId, tool, input, summary: reading.summary, decision, suggestions }
  return [setCall(state, { ...enter(call, "asking"), question }), [{ _tag: "AskPermission", question }]]
}

/** Somebody is asked, or the call is refused where nobody is there. */
const question = (state: RunningState, call: Undecided, decision: Decision): Step => {
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

const judged = (state: AgentState, call: PreparedCall): Judged => {
  const tool = toolFor(state.toolbox, call.tool)
  if (tool === undefined) {
    const reason = { type: "other", sentence: `${call.name} is not available` } as const
    return { decision: { verdict: "deny", reason }, digest: "", wanted: NOTHING_WANTED, needs: [], input: "" }
  }
  const request = { ...permissionRequest(state, tool, call.reading), facts: call.facts, hook: call.hook }
  return {
    decision: decide(request),
    digest: decisionDigest(request),
    wanted: factsWanted(request),
    needs: request.needs,
    input: tool.classifierInput(call.reading.input)
  }
}

const routed = (state: AgentState, { decision, needs, input }: Judged): Route => {
  const route = routeOf({ decision, context: state.permission, needs, input, objections: state.objections })
  return route.to === "classifier" && overBudget(state) ? { to: "person", because: "the budget is used up" } : route
}

const awaitCheck = (state: RunningState, call: Undecided): Step => [
  setCall(state, enter(call, "checking")),
  call.stage === "checking"
    ? []
    : [emit({ _tag: "CallChecking", callId: call.id, tool: call.tool, summary: call.reading.summary })]
]

/** The classifier answers: it is asked, it is waited for, or what it said counts, once. */
const checked = (state: RunningState, call: Undecided, found: Judged): Step => {
  const { check } = call
  if (check === undefined) {
    const [looked, begun] = openCheck(state, call, found)
    return andThen(begun, (next) => awaitCheck(next, looked))
  }
  if (check.outcome === undefined) return awaitCheck(state, call)
  const decision = applyOutcome(found.decision, check.outcome)
  const used = { ...call, check: undefined }
  switch (decision.verdict) {
    case "allow":
      return start(state, used, { ...found, decision })
    case "ask":
      return question(state, used, decision)
    case "deny": {
      const counted = counting(state, afterObjection(state.objections))
      return deny(counted, used, { decision, message: denialText(call.name, decision), kind: "classifier" })
    }
  }
}

/** Lets the classifier begin while hooks still speak; it is used only if the call comes to it. */
export const checkAhead = (state: RunningState, call: CallAt<"hooks">): Step => {
  if (call.tool !== SHELL_TOOL) return stay(state)
  const found = judged(state, call)
  if (routed(state, found).to !== "classifier") return stay(state)
  const [looked, begun] = openCheck(state, call, found)
  return andThen(begun, (next) => stay(setCall(next, looked)))
}

/** What nothing but an answer settles about the decision; questions for the user are answered by their very input. */
const gravity = ({ verdict, immune, reason }: Decision): string =>
  verdict === "ask" && immune === true && reason.type !== "requiresInteraction" ? `${reason.type}: ${reason.sentence}` : ""

/** What whoever answers a question about the call knows to be grave about it. */
export const knownDoubt = (state: AgentState, call: PreparedCall): string => gravity(judged(state, call).decision)

/** Somebody approved the call and changed it; what it is now nobody was asked about. */
const isGraverNow = ({ grant }: PreparedCall, decision: Decision): boolean =>
  grant?.doubt !== undefined && gravity(decision) !== "" && gravity(decision) !== grant.doubt

/** Rules and mode of this very moment decide: neither an answer nor a hook ever turns a deny into an allow. */
export const judge = (state: RunningState, call: Undecided): Step => {
  const found = judged(state, call)
  const { decision } = found
  if (decision.verdict === "deny") {
    return deny(state, call, { decision, message: denialText(call.name, decision), kind: "rule" })
  }
  if (isGraverNow(call, decision)) return question(state, { ...call, grant: undefined }, decision)
  const route: Route = call.grant === undefined ? routed(state, found) : { to: "allow" }
  if (route.to === "classifier") return checked(state, call, found)
  const settled = { ...call, check: undefined }
  return andThen(endCheck(state, call), (next) => {
    if (route.to === "person") return question(next, settled, askInstead(decision, route.because))
    const isAllowed = route.to === "allow" || decision.verdict === "allow"
    return isAllowed ? start(next, settled, found) : question(next, settled, decision)
  })
}
