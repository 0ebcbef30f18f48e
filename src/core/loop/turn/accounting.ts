import { addCost, costOf } from "../../model/catalog/cost.ts"
import { addUsage, type Usage, zeroUsage } from "../../domain/usage.ts"
import type { AgentState } from "../machine/state.ts"
import { setTurn } from "../machine/transition.ts"

export interface ResponseUsage {
  readonly model: string
  readonly usage: Usage
}

/** Adds what one response cost to the conversation. Called once per response. */
export const recordUsage = (state: AgentState, { model, usage }: ResponseUsage): AgentState => {
  const cost = costOf(model, usage)
  const { models } = state.totals
  // The name comes from the endpoint: it may be any word, also one that every object has.
  const known = (Object.hasOwn(models, model) ? models[model] : undefined) ?? { usage: zeroUsage, costUsd: 0 }
  return {
    ...state,
    totals: {
      ...state.totals,
      costUsd: state.totals.costUsd + (cost ?? 0),
      models: {
        ...models,
        [model]: { usage: addUsage(known.usage, usage), costUsd: addCost(known.costUsd, cost) }
      }
    }
  }
}

/** Adds the time since the request began to the API time of turn and conversation. */
export const recordApiTime = (state: AgentState): AgentState => {
  const turn = state.turn
  if (turn === undefined) return state
  const spent = Math.max(0, state.now - turn.requestStartedAt)
  return setTurn(
    { ...state, totals: { ...state.totals, apiMs: state.totals.apiMs + spent } },
    {
      apiMs: turn.apiMs + spent
    }
  )
}
