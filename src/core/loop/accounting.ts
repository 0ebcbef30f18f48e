import { costOf } from "../budget/cost.ts"
import { addUsage, type Usage, zeroUsage } from "../domain/usage.ts"
import type { AgentState } from "./state.ts"
import { setTurn } from "./transition.ts"

export interface ResponseUsage {
  readonly model: string
  readonly usage: Usage
  readonly messageId: string
}

/** Adds what one response cost to the conversation and, while a turn runs, to the turn. Called once per response. */
export const recordUsage = (state: AgentState, response: ResponseUsage): AgentState => {
  const cost = costOf(response.model, response.usage)
  const known = state.totals.models[response.model] ?? { usage: zeroUsage, costUsd: 0 }
  const totals = {
    ...state.totals,
    costUsd: state.totals.costUsd + (cost ?? 0),
    models: {
      ...state.totals.models,
      [response.model]: {
        usage: addUsage(known.usage, response.usage),
        costUsd: cost === undefined || known.costUsd === undefined ? undefined : known.costUsd + cost
      }
    }
  }
  const turn = state.turn
  const counted = { ...state, totals }
  return turn === undefined ? counted : setTurn(counted, { usage: addUsage(turn.usage, response.usage) })
}

/** Adds the time since the request began to the API time of turn and conversation. */
export const recordApiTime = (state: AgentState): AgentState => {
  const turn = state.turn
  if (turn === undefined) return state
  const spent = Math.max(0, state.now - turn.requestStartedAt)
  return setTurn({ ...state, totals: { ...state.totals, apiMs: state.totals.apiMs + spent } }, {
    apiMs: turn.apiMs + spent
  })
}
