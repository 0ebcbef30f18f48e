import { addCost, costOf } from "../../model/catalog/cost.ts"
import { addUsage, type Usage, usageSince, zeroUsage } from "../../domain/usage.ts"
import type { Occurrence } from "../machine/event.ts"
import { patchState, setTurn } from "../machine/patch-state.ts"
import type { AgentState, Phase, Run, RunningState, Totals } from "../machine/state.ts"

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

/** What an event added to the totals of a conversation, response by response: prices depend on how long each one was. */
export const spentOn = (event: Occurrence, before: Totals, after: Totals): ReadonlyArray<ResponseUsage> => {
  if (before.models === after.models) return []
  if ("spent" in event) return event.spent
  return Object.entries(after.models).flatMap(([model, { usage }]) => {
    const known = Object.hasOwn(before.models, model) ? before.models[model] : undefined
    return known?.usage === usage ? [] : [{ model, usage: usageSince(known?.usage ?? zeroUsage, usage) }]
  })
}

/** Adds the time since the request began to the API time of turn and conversation. */
export const recordApiTime = <P extends Phase>(state: RunningState<P>): RunningState<P> => {
  const { turn } = state.run
  const spent = Math.max(0, state.now - turn.requestStartedAt)
  const totals = { ...state.totals, apiMs: state.totals.apiMs + spent }
  return setTurn(patchState(state, { totals }), { apiMs: turn.apiMs + spent })
}
