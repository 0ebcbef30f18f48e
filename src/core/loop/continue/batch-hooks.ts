import type { HookOutcome } from "../../hooks/outcome.ts"
import { tellFromHooks } from "../calls/hook-remark.ts"
import type { ContinueReason } from "../machine/reasons.ts"
import { setPhase, setTurn } from "../machine/patch-state.ts"
import { askHooks } from "../machine/pending.ts"
import type { Call, RunningState } from "../machine/state.ts"
import { andThen, freshName, type Step } from "../machine/transition.ts"
import { finish } from "../turn/finish.ts"
import { foldQueued, promptText } from "../turn/queue.ts"
import { iterate } from "./iterate.ts"

/** What hooks hear of a call: its input, and its result as the model sees it. */
const heardOf = (call: Call) => ({
  tool_name: call.tool ?? call.name,
  tool_input: call.reading?.input.value,
  tool_use_id: call.id,
  tool_response: call.stage === "completed" ? promptText(call.result.content) : ""
})

/** All calls of a response have their results. Before the model goes on, hooks may say something to all of them. */
export const askBatchHooks = (state: RunningState, calls: ReadonlyArray<Call>, reason: ContinueReason): Step => {
  if (!state.config.hookEvents.includes("PostToolBatch")) return goOn(state, reason)
  const [hookId, named] = freshName(state, "batch")
  return askHooks(setPhase(named, { _tag: "Hooks", hookId }), {
    hookId,
    event: "PostToolBatch",
    input: { tool_calls: calls.map(heardOf) },
    then: { _tag: "NextRequest", reason }
  })
}

const goOn = (state: RunningState, reason: ContinueReason): Step =>
  andThen(foldQueued(state), (next) => iterate(next, reason))

export const onBatchHooks = (state: RunningState, reason: ContinueReason, outcome: HookOutcome): Step => {
  const refusal = outcome.stop ?? outcome.block
  if (refusal !== undefined) return finish(setTurn(state, { stopText: refusal }), "hook_stopped")
  return andThen(tellFromHooks(state, outcome.context), (next) => goOn(next, reason))
}
