import type { CheckOutcome } from "../permission/classifier/outcome.ts"
import { recordUsage } from "./turn/accounting.ts"
import { dropCheck } from "./calls/classifier-check.ts"
import type { Command } from "./machine/command.ts"
import type { LoopEvent } from "./machine/event.ts"
import { findCall } from "./calls/call-scheduler.ts"
import { judge } from "./judge.ts"
import { hostLookedAt, onHostChecked, reconsiderHosts } from "./on-host.ts"
import { patchCall } from "./settle-call.ts"
import type { AgentState, RunningState, TrackedCall } from "./machine/state.ts"
import { andThen, inTurn, isRunning, type Step, stay } from "./machine/transition.ts"

/** The call that waits for this look; verdicts of any other look are late and ignored. */
const callWaiting = ({ run }: RunningState, checkId: string): TrackedCall | undefined =>
  run.turn.calls.find(({ check }) => check?.id === checkId && check.outcome === undefined)

/** The outcome is kept until the call is judged; while hooks still speak that is later. */
const take = (state: RunningState, call: TrackedCall, outcome: CheckOutcome): Step => {
  const check = { id: call.check?.id ?? "", outcome }
  const known = patchCall(state, call.id, { check })
  return call.stage === "checking" ? judge(known, { ...call, check }) : stay(known)
}

const afterwards = (commands: ReadonlyArray<Command>, state: AgentState, next: (state: AgentState) => Step): Step =>
  andThen([state, commands], next)

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
  if (next === undefined) return stay(state)
  return afterwards([{ _tag: "CancelTimer", timerId: checkId }], event.spent.reduce(recordUsage, state), next)
}

/** The classifier took too long; undefined when the timer is none of its own. */
export const onCheckTimeout = (state: AgentState, timerId: string): Step | undefined => {
  const next = taker(state, timerId, { _tag: "NoVerdict", why: "timeout", detail: "" })
  return next === undefined ? undefined : afterwards([{ _tag: "AbortCheck", checkId: timerId }], state, next)
}

const reconsiderCall = (state: RunningState, callId: string): Step => {
  const call = findCall(state.run.turn.calls, callId)
  if (call?.check === undefined) return stay(state)
  const dropped = dropCheck(state, call)
  return call.stage === "checking" ? andThen(dropped, (next) => judge(next, { ...call, check: undefined })) : dropped
}

const reconsiderCalls = (state: RunningState): Step =>
  state.run.turn.calls
    .filter(({ check }) => check !== undefined)
    .reduce<Step>(
      (step, { id }) => andThen(step, (next) => inTurn(next, (running) => reconsiderCall(running, id))),
      stay(state)
    )

/** Mode, rules or the user's word changed: what the classifier was asked no longer holds, and its answer is void. */
export const reconsider = (state: AgentState): Step =>
  andThen(reconsiderHosts(state), (next) => inTurn(next, reconsiderCalls))
