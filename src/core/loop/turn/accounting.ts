import { addCost, costOf } from "../../model/catalog/cost.ts"
import { addUsage, type Usage, zeroUsage } from "../../domain/usage.ts"
import { patchState, setTurn } from "../machine/patch-state.ts"
import type { AgentState, Phase, Run, RunningState } from "../machine/state.ts"

export interface ResponseUsage {
  readonly model: string
  readonly usage: Usage
}

/** Adds what one response cost to the conversation. Called once per response. */
export const recordUsage = <R extends Run>(state: AgentState<R>, { model, usage }: ResponseUsage): AgentState<R> => {
  const cost = costOf(model, usage)
  const { models } = state.totals
  // The name comes from the endpoint: it may be any word, also one that every object has.
  const known = (Object.hasOwn(models, model) ? models[model] : undefined) ?? { usage: zeroUsage, costUsd: 0 }
  return patchState(state, {
    totals: {
      ...state.totals,
      costUsd: state.totals.costUsd + (cost ?? 0),
      models: {
        ...models,
        [model]: { usage: addUsage(known.usage, usage), costUsd: addCost(known.costUsd, cost) }
      }
    }
  })
}

/** Adds the time since the request began to the API time of turn and conversation. */
export const recordApiTime = <P extends Phase>(state: RunningState<P>): RunningState<P> => {
  const { turn } = state.run
  const spent = Math.max(0, state.now - turn.requestStartedAt)
  const totals = { ...state.totals, apiMs: state.totals.apiMs + spent }
  return setTurn(patchState(state, { totals }), { apiMs: turn.apiMs + spent })
}
