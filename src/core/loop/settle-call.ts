import { completeCall } from "./calls/call-lifecycle.ts"
import { concludeWhenSettled } from "./interrupt.ts"
import { finishToolsWhenSettled } from "./continue/finish-response.ts"
import type { Call, CallResult, RunningState } from "./machine/state.ts"
import { andThen, isIn, type Step } from "./machine/transition.ts"

/** After a call settled: the turn goes on, or ends if it was only waiting for this. */
export const continueTurn = (state: RunningState): Step =>
  isIn(state, "Settling") ? concludeWhenSettled(state) : finishToolsWhenSettled(state)

export const settleCall = (state: RunningState, call: Call, result: CallResult): Step =>
  andThen(completeCall(state, call, result), continueTurn)
