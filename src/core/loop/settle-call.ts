import { completeCall } from "./calls/call-lifecycle.ts"
import { findCall, updateCall } from "./calls/call-scheduler.ts"
import { concludeWhenSettled } from "./interrupt.ts"
import { finishToolsWhenSettled } from "./continue/finish-response.ts"
import { setTurn } from "./machine/patch-state.ts"
import type { CallResult, CallStage, RunningState, TrackedCall } from "./machine/state.ts"
import { andThen, isIn, type Step } from "./machine/transition.ts"

/** The tracked call if it is at the given stage; events for any other stage are late and ignored. */
export const callAt = (state: RunningState, callId: string, stage: CallStage): TrackedCall | undefined => {
  const call = findCall(state.run.turn.calls, callId)
  return call?.stage === stage ? call : undefined
}

export const patchCall = (state: RunningState, callId: string, patch: Partial<TrackedCall>): RunningState =>
  setTurn(state, { calls: updateCall(state.run.turn.calls, callId, patch) })

/** After a call settled: the turn goes on, or ends if it was only waiting for this. */
export const continueTurn = (state: RunningState): Step =>
  isIn(state, "Settling") ? concludeWhenSettled(state) : finishToolsWhenSettled(state)

export const settle = (state: RunningState, call: TrackedCall, result: CallResult): Step =>
  andThen(completeCall(state, call, result), continueTurn)
