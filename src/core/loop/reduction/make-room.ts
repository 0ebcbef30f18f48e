import { planReduction } from "../../context/reduction/plan.ts"
import type { RungName } from "../../context/reduction/reduction.ts"
import { wantsSummary } from "../../context/reduction/summarise.ts"
import { LIMITS } from "../../domain/limits.ts"
import type { Repair } from "../../model/failure/classify.ts"
import { endWithApiError } from "../turn/api-error.ts"
import { finish } from "../turn/finish.ts"
import { sendRequest, statusOf } from "../turn/send-request.ts"
import { setTurn } from "../machine/patch-state.ts"
import type { RefusedRequest, RunningState } from "../machine/state.ts"
import { andThen, type Step } from "../machine/transition.ts"
import { clearResults } from "./clear.ts"
import { startCompaction } from "./compact.ts"
import { countRapidRefills, endAtRapidRefill } from "./rapid-refill.ts"
import { rungInput, viewOf, visibleMessages } from "./view.ts"

/** Makes room for the next request, rung by rung, and sends it. Each rung is tried once for a request. */

const NONE: ReadonlySet<RungName> = new Set()

const goOn = (state: RunningState): Step => {
  const status = statusOf(state)
  const wants = wantsSummary(rungInput(state, { _tag: "Nothing" }, status))
  // There is nothing to summarise: whoever listens is told so, once.
  if (wants && !state.run.turn.recovery.foundNothing) return startCompaction(state, undefined)
  return status.state === "blocked" ? finish(state, "blocking_limit") : sendRequest(state)
}

export const makeRoom = (state: RunningState, spent: ReadonlySet<RungName> = NONE): Step => {
  const plan = planReduction(statusOf(state), viewOf(state, { _tag: "Nothing" }, spent), state.config.compaction)
  if (plan === undefined) return goOn(state)
  if (plan._tag === "ClearResults") {
    return andThen(clearResults(state, plan), (next) => makeRoom(next, new Set([...spent, plan.rung])))
  }
  return countRapidRefills(state) >= LIMITS.rapidRefills
    ? endAtRapidRefill(state, visibleMessages(state))
    : startCompaction(state, undefined)
}

/** By how much a conversation was too long, where the endpoint said so. */
export const overshoot = ({ actualTokens, maximumTokens }: Extract<Repair, { kind: "promptTooLong" }>) =>
  actualTokens === undefined || maximumTokens === undefined ? undefined : actualTokens - maximumTokens

/** Makes room because a request was refused. What helped once in a turn and not enough is not tried again. */
export const rescue = (state: RunningState, refused: RefusedRequest): Step => {
  const { recovery } = state.run.turn
  const ask = { _tag: "Rescue", overTokens: refused.overTokens } as const
  const plan = planReduction(statusOf(state), viewOf(state, ask, new Set(recovery.rescued)), state.config.compaction)
  if (plan === undefined) return endWithApiError(state, refused.reason, refused.error)
  const tried = setTurn(state, { recovery: { ...recovery, rescued: [...recovery.rescued, plan.rung] } })
  return plan._tag === "ClearResults"
    ? andThen(clearResults(setTurn(tried, { transition: "reactive_compact_retry" }), plan), sendRequest)
    : startCompaction(tried, refused)
}
