import { decideMessageBudget, type Replacement } from "../../tools/contract/result-size.ts"
import type { UserMessage } from "../../domain/message.ts"
import { addUsage, contextTokens, isZeroUsage } from "../../domain/usage.ts"
import { recordUsage } from "./accounting.ts"
import { withReplacements } from "./start-turn.ts"
import type { Command } from "../machine/command.ts"
import type { AgentState, Turn } from "../machine/state.ts"
import { commit, emit, setTurn, type Step, stay } from "../machine/transition.ts"

/** What becomes of a response and its results: they join the conversation, or are taken back. */

/** Usage of the response in progress joins turn and totals; an aborted response was paid for too. */
export const recordStreamed = (state: AgentState): AgentState => {
  const { phase, turn } = state
  if (phase._tag !== "Streaming" || turn === undefined) return state
  const { messageId, model, usage } = phase.assembly
  if (messageId === "" || isZeroUsage(usage)) return state
  return recordUsage(setTurn(state, { usage: addUsage(turn.usage, usage) }), { model, usage })
}

/** The finished blocks of this response become part of the conversation. */
export const commitResponse = (state: AgentState): AgentState => {
  const turn = state.turn
  if (turn === undefined || turn.assistant.length === 0) return state
  const committed = turn.assistant.reduce((next, message) => commit(next, message), state)
  const usage = state.phase._tag === "Streaming" ? state.phase.assembly.usage : undefined
  const count =
    usage === undefined || isZeroUsage(usage) ? committed.count : { counted: contextTokens(usage), estimatedSince: 0 }
  return setTurn({ ...committed, count }, { assistant: [] })
}

const replacedResults = (state: AgentState, results: ReadonlyArray<UserMessage>): ReadonlyArray<Replacement> =>
  decideMessageBudget({
    results: results.flatMap((message) => (typeof message.message.content === "string" ? [] : message.message.content)),
    calls: state.turn?.calls.map((call) => ({ id: call.id, tool: call.tool })) ?? [],
    sessionDir: state.config.sessionDir
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
export const commitResults = (state: AgentState): Step => {
  const turn = state.turn
  if (turn === undefined || turn.results.length === 0) return stay(state)
  const spilled = replacedResults(state, turn.results)
  const replacements = new Map(spilled.map((entry) => [entry.callId, entry.replacement]))
  const committed = turn.results.reduce(
    (next, message) => commit(next, message, withReplacements(message, replacements)),
    state
  )
  const tip = turn.results.at(-1)?.uuid ?? state.tip
  const known = spilled.length === 0 ? state.replacements : new Map([...state.replacements, ...replacements])
  return [setTurn({ ...committed, tip, replacements: known }, { results: [] }), spillCommands(spilled)]
}

const hasShownSomething = (state: AgentState, turn: Turn): boolean =>
  turn.assistant.length > 0 ||
  (state.phase._tag === "Streaming" && (state.phase.assembly.open !== undefined || state.phase.held !== undefined))

/** Takes back what an abandoned try had shown: consumers remove it, the chain goes on from before it. */
export const abandonResponse = (state: AgentState): Step => {
  const turn = state.turn
  if (turn === undefined) return stay(state)
  const clean = setTurn(state, {
    assistant: [],
    calls: [],
    results: [],
    failedCall: undefined,
    lastText: turn.textBefore
  })
  return [
    { ...clean, tip: turn.tipBefore },
    [
      ...turn.assistant.map((message) => emit({ _tag: "Tombstone", uuid: message.uuid })),
      ...(hasShownSomething(state, turn) ? [emit({ _tag: "PartialDiscarded" })] : [])
    ]
  ]
}
