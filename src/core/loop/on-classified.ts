import type { CheckOutcome } from "../permission/classifier/outcome.ts"
import { recordUsage } from "./turn/accounting.ts"
import { endCheck } from "./calls/classifier-check.ts"
import { cancelTimer } from "./machine/pending.ts"
import type { LoopEvent } from "./machine/event.ts"
import { findCall, setCall } from "./calls/call-stage.ts"
import { judge } from "./judge.ts"
import { hostLookedAt, onHostChecked, reconsiderHosts } from "./on-host.ts"
import type { AgentState, Call, CallAt, RunningState } from "./machine/state.ts"
import { andThen, inTurn, isRunning, type Step, stay } from "./machine/transition.ts"

/** The classifier looks at a call while it waits for it, or while hooks still speak. */
type LookedAt = CallAt<"checking" | "hooks">

const isLookedAt = (call: Call): call is LookedAt => call.stage === "checking" || call.stage === "hooks"

/** The call that waits for this look; verdicts of any other look are late and ignored. */
const callWaiting = ({ run }: RunningState, checkId: string): LookedAt | undefined =>
  run.turn.calls.find(
    (call): call is LookedAt => isLookedAt(call) && call.check?.id === checkId && call.check.outcome === undefined
  )

/** The outcome is kept until the call is judged; while hooks still speak that is later. */
const take = (state: RunningState, call: LookedAt, outcome: CheckOutcome): Step => {
  const known: LookedAt = { ...call, check: { id: call.check?.id ?? "", outcome } }
  return known.stage === "checking" ? judge(state, known) : stay(setCall(state, known))
}

/** What an outcome means for whoever waits for it; undefined when nobody does. */
const taker = (state: AgentState, checkId: string, outcome: CheckOutcome): ((next: AgentState) => Step) | undefined => {
  const call = isRunning(state) ? callWaiting(state, checkId) : undefined
  if (call !== undefined) return (next) => inTurn(next, (running) => take(running, call, outcome))
  const host = hostLookedAt(state, checkId)
  return host === undefined ? undefined : (next) => onHostChecked(next, host, outcome)
}

export const onCallChecked = (state: AgentState, event: Extract<LoopEvent, { _tag: "CallChecked" }>): Step => {
  const { checkId, outcome } = event
  const next = taker(state, checkId, outcome)
  return next === undefined ? stay(state) : andThen(cancelTimer(event.spent.reduce(recordUsage, state), checkId), next)
}

/** The classifier took too long. */
export const giveUpOnCheck = (state: AgentState, checkId: string): Step => {
  const next = taker(state, checkId, { _tag: "NoVerdict", why: "timeout", detail: "" })
  return next === undefined ? stay(state) : andThen([state, [{ _tag: "AbortCheck", checkId }]], next)
}

const reconsiderCall = (state: RunningState, callId: string): Step => {
  const call = findCall(state, callId)
  if (call === undefined || !isLookedAt(call) || call.check === undefined) return stay(state)
  const unseen: LookedAt = { ...call, check: undefined }
  const dropped = endCheck(setCall(state, unseen), call)
  return unseen.stage === "checking" ? andThen(dropped, (next) => judge(next, unseen)) : dropped
}

const reconsiderCalls = (state: RunningState): Step =>
  state.run.turn.calls
    .filter(isLookedAt)
    .reduce<Step>(
      (step, { id }) => andThen(step, (next) => inTurn(next, (running) => reconsiderCall(running, id))),
      stay(state)
    )

/** Mode, rules or the user's word changed: what the classifier was asked no longer holds, and its answer is void. */
export const reconsider = (state: AgentState): Step =>
  andThen(reconsiderHosts(state), (next) => inTurn(next, reconsiderCalls))
