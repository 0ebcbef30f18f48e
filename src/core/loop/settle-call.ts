import { completeCall } from "./calls/call-lifecycle.ts"
import { findCall, updateCall } from "./calls/call-scheduler.ts"
import { concludeWhenSettled } from "./interrupt.ts"
import { finishToolsWhenSettled } from "./continue/finish-response.ts"
import type { AgentState, CallResult, CallStage, TrackedCall } from "./machine/state.ts"
import { andThen, setTurn, type Step } from "./machine/transition.ts"

/** The tracked call if it is at the given stage; events for any other stage are late and ignored. */
export const callAt = (state: AgentState, callId: string, stage: CallStage): TrackedCall | undefined => {
  const call = findCall(state.turn?.calls ?? [], callId)
  return call?.stage === stage ? call : undefined
}

export const patchCall = (state: AgentState, callId: string, patch: Partial<TrackedCall>): AgentState =>
  setTurn(state, { calls: updateCall(state.turn?.calls ?? [], callId, patch) })

/** After a call settled: the turn goes on, or ends if it was only waiting for this. */
export const continueTurn = (state: AgentState): Step =>
  state.phase._tag === "Settling" ? concludeWhenSettled(state) : finishToolsWhenSettled(state)

export const settle = (state: AgentState, call: TrackedCall, result: CallResult): Step =>
  andThen(completeCall(state, call, result), continueTurn)
