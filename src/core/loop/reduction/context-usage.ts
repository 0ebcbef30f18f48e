import { planReduction } from "../../context/reduction/plan.ts"
import type { Reduction } from "../../context/reduction/reduction.ts"
import { summarise } from "../../context/reduction/summarise.ts"
import { contextUsage, type ContextUsage, type NextReduction } from "../../context/usage/context-usage.ts"
import { itemsOf } from "../../context/usage/items.ts"
import * as Log from "../../domain/append-list.ts"
import { estimateMessages } from "../../model/tokens/estimate.ts"
import type { WindowStatus } from "../../model/tokens/window.ts"
import { currentModel, partsToSend, statusOf } from "../turn/send-request.ts"
import { patchConversation } from "../machine/patch-state.ts"
import type { AgentState } from "../machine/state.ts"
import { viewOf } from "./view.ts"

/** What fills the window of an agent, made when somebody asks for it: it looks at every message in the window. */

const describe = (reduction: Reduction, atTokens: number | undefined): NextReduction =>
  reduction._tag === "ClearResults"
    ? {
        kind: "clear",
        atTokens,
        calls: new Set(reduction.calls),
        messages: new Set(),
        freesTokens: reduction.freesTokens
      }
    : {
        kind: "summarise",
        atTokens,
        calls: new Set(),
        messages: new Set(reduction.older.map(({ uuid }) => uuid)),
        freesTokens: estimateMessages(reduction.older)
      }

/** The plan that will be made when the window is as full as it gets before something goes by itself. */
const whenFull = (status: WindowStatus): WindowStatus => ({
  ...status,
  usedTokens: Math.max(status.usedTokens, status.autoTokens),
  state: "compact"
})

/** What goes next: by itself, or where nothing does, with what a user may ask for. */
const nextReduction = (state: AgentState, status: WindowStatus): NextReduction | undefined => {
  const { compaction: settings } = state.config
  if (settings.isDisabled) return undefined
  if (settings.isAutomatic) {
    const plan = planReduction(whenFull(status), viewOf(state), settings)
    if (plan !== undefined) return describe(plan, status.autoTokens)
  }
  const view = viewOf(state, { _tag: "Manual", focus: "", part: { _tag: "All" } })
  const asked = summarise({ status, view, settings })
  return asked === undefined ? undefined : describe(asked, undefined)
}

/** The same state, with what the endpoint says that its next request takes. */
export const countedAs = (state: AgentState, tokens: number): AgentState =>
  patchConversation(state, { count: { counted: tokens, estimatedSince: 0 } })

/** `turnsBefore`: prompts that were said before the part of the conversation that is loaded. */
export const usageOf = (state: AgentState, turnsBefore = 0): ContextUsage => {
  const { conversation, config, toolbox } = state
  const status = statusOf(state)
  return contextUsage({
    model: currentModel(state),
    status,
    items: itemsOf({
      system: config.prompt.system,
      tools: toolbox.definitions,
      parts: partsToSend(state),
      messages: Log.toArray(conversation.messages),
      turnsBefore,
      pins: new Set(conversation.pins.map(({ uuid }) => uuid))
    }),
    next: nextReduction(state, status)
  })
}
