import { decideMessageBudget, type Replacement } from "../../tools/contract/result-size.ts"
import type { UserMessage } from "../../domain/message.ts"
import { addUsage, contextTokens, isZeroUsage } from "../../domain/usage.ts"
import { watchCache } from "../../model/tokens/cache-breaks.ts"
import { cacheSight } from "./send-request.ts"
import { ttlMsOf } from "../../model/request/cache.ts"
import { recordUsage } from "./accounting.ts"
import { withReplacements } from "./start-turn.ts"
import type { Command } from "../machine/command.ts"
import { patchConversation, setTurn } from "../machine/patch-state.ts"
import type { Running, RunningState, StreamingState } from "../machine/state.ts"
import { commit, emit, isIn, type Step, stay } from "../machine/transition.ts"

/** What becomes of a response and its results: they join the conversation, or are withdrawn. */

/** Usage of the response in progress joins turn and totals; an aborted response was paid for too. */
export const recordStreamed = (state: RunningState): RunningState => {
  if (!isIn(state, "Streaming")) return state
  const { turn, phase } = state.run
  const { messageId, model, usage } = phase.assembly
  if (messageId === "" || isZeroUsage(usage)) return state
  return recordUsage(setTurn(state, { usage: addUsage(turn.usage, usage) }), { model, usage })
}

/** Before the response joins the conversation: what was asked is still as it was. */
export const watchResponse = (state: StreamingState): StreamingState => {
  const { usage } = state.run.phase.assembly
  if (isZeroUsage(usage)) return state
  const cache = watchCache(state.conversation.cache, cacheSight(state, usage), ttlMsOf(state.config.choice.caching))
  return patchConversation(state, { cache })
}

/** The finished blocks of this response become part of the conversation. */
export const commitResponse = (state: RunningState): RunningState => {
  const { assistant } = state.run.turn
  if (assistant.length === 0) return state
  const committed = setTurn(
    assistant.reduce((next, message) => commit(next, message), state),
    { assistant: [] }
  )
  const usage = isIn(state, "Streaming") ? state.run.phase.assembly.usage : undefined
  return usage === undefined || isZeroUsage(usage)
    ? committed
    : patchConversation(committed, { count: { counted: contextTokens(usage), estimatedSince: 0 } })
}

const replacedResults = (state: RunningState, results: ReadonlyArray<UserMessage>): ReadonlyArray<Replacement> =>
  decideMessageBudget({
    results: results.flatMap((message) => (typeof message.message.content === "string" ? [] : message.message.content)),
    calls: state.run.turn.calls.map((call) => ({ id: call.id, tool: call.tool })),
    sessionDir: state.config.place.sessionDir
  })

const spillCommands = (spilled: ReadonlyArray<Replacement>): ReadonlyArray<Command> => {
  if (spilled.length === 0) return []
  const replacements = spilled.map(({ callId, replacement }) => ({
    kind: "tool-result" as const,
    toolUseId: callId,
    replacement
  }))
  return [
    ...spilled.map(({ callId, text, path }): Command => ({ _tag: "SpillResult", callId, text, path })),
    { _tag: "Note", record: { type: "content-replacement", replacements } }
  ]
}

/** The results of this response become part of the conversation; too large a batch is shortened for the model only. */
export const commitResults = (state: RunningState): Step<Running> => {
  const { results } = state.run.turn
  if (results.length === 0) return stay(state)
  const spilled = replacedResults(state, results)
  const replacements = new Map(spilled.map((entry) => [entry.callId, entry.replacement]))
  const committed = results.reduce((next, message) => commit(next, message, withReplacements(message, replacements)), state)
  const { tip, replacements: earlier } = state.conversation
  const known = patchConversation(committed, {
    tip: results.at(-1)?.uuid ?? tip,
    replacements: spilled.length === 0 ? earlier : new Map([...earlier, ...replacements])
  })
  return [setTurn(known, { results: [] }), spillCommands(spilled)]
}

const isShowing = ({ run: { phase } }: StreamingState): boolean =>
  phase.assembly.open !== undefined || phase.held !== undefined

/** Withdraws what an abandoned try had shown: consumers remove it, the chain goes on from before it. */
export const abandonResponse = (state: RunningState): Step<Running> => {
  const { turn } = state.run
  const hasShownSomething = turn.assistant.length > 0 || (isIn(state, "Streaming") && isShowing(state))
  const clean = setTurn(state, {
    assistant: [],
    calls: [],
    results: [],
    failedCall: undefined,
    lastText: turn.textBefore
  })
  return [
    patchConversation(clean, { tip: turn.tipBefore }),
    [
      ...turn.assistant.map((message) => emit({ _tag: "Tombstone", uuid: message.uuid })),
      ...(hasShownSomething ? [emit({ _tag: "PartialDiscarded" })] : [])
    ]
  ]
}
