import { append as appendToHistory } from "../../model/request/api-history.ts"
import { estimateMessage } from "../../model/tokens/estimate.ts"
import { nextUuid, type Uuid } from "../../domain/id.ts"
import * as Log from "../../domain/append-list.ts"
import type { Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import { isoFromMillis } from "../../domain/time.ts"
import { type Command, NO_COMMANDS } from "./command.ts"
import { patchState, patchTurn } from "./patch-state.ts"
import type { Emission } from "./emission.ts"
import type { AgentState, Phase, Turn } from "./state.ts"

/** The outcome of handling an event. */
export type Step = readonly [AgentState, ReadonlyArray<Command>]

export const stay = (state: AgentState): Step => [state, NO_COMMANDS]

/** Runs the next transition on the state of the previous one and joins their commands in order. */
export const andThen = (step: Step, next: (state: AgentState) => Step): Step => {
  const [state, commands] = next(step[0])
  if (step[1].length === 0) return [state, commands]
  return [state, commands.length === 0 ? step[1] : [...step[1], ...commands]]
}

export const emit = (emission: Emission): Command => ({ _tag: "Emit", emission })

export const notice = (level: "info" | "warning" | "error", text: string): Command => emit({ _tag: "Notice", level, text })

export const setPhase = (state: AgentState, phase: Phase): AgentState => patchState(state, { phase })

export const setTurn = (state: AgentState, patch: Partial<Turn>): AgentState =>
  state.turn === undefined ? state : patchState(state, { turn: patchTurn(state.turn, patch) })

/** Draws a fresh uuid from the state's own source. */
export const freshUuid = (state: AgentState): readonly [Uuid, AgentState] => {
  const [uuid, ids] = nextUuid(state.ids)
  return [uuid, patchState(state, { ids })]
}

/** A name for a request, timer or hook run that no later one will have. */
export const freshName = (state: AgentState, prefix: string): readonly [string, AgentState] => [
  `${prefix}-${state.serial}`,
  patchState(state, { serial: state.serial + 1 })
]

export const timestamp = (state: AgentState): string => isoFromMillis(state.now)

/** Adds a message to the conversation and to the form the model sees. `shown` may stand in for it there. */
export const commit = (state: AgentState, message: Message, shown: Message = message): AgentState =>
  patchState(state, {
    messages: Log.append(state.messages, message),
    history: appendToHistory(state.history, shown),
    count: { ...state.count, estimatedSince: state.count.estimatedSince + estimateMessage(shown) }
  })

/** Announces a message and writes it down behind `parent`; it becomes the tip of the chain. */
export const publish = (state: AgentState, message: Message, parent: Uuid | null = state.tip): Step => [
  patchState(state, { tip: message.uuid }),
  [{ _tag: "Persist", messages: [message], parentUuid: parent }, emit({ _tag: "MessageAdded", message })]
]

export const commitAndPublish = (state: AgentState, message: Message): Step => publish(commit(state, message), message)

export const metaUser = (state: AgentState, text: string): readonly [UserMessage, AgentState] => {
  const [uuid, next] = freshUuid(state)
  return [
    {
      type: "user",
      uuid,
      timestamp: timestamp(state),
      isMeta: true,
      message: { role: "user", content: text }
    },
    next
  ]
}

export const informational = (
  state: AgentState,
  text: string,
  level: "info" | "warning" = "info"
): readonly [SystemMessage, AgentState] => {
  const [uuid, next] = freshUuid(state)
  return [{ type: "system", uuid, timestamp: timestamp(state), subtype: "informational", content: text, level }, next]
}
