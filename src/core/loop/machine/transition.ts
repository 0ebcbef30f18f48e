import { append as appendToHistory } from "../../model/request/api-history.ts"
import { estimateMessage } from "../../model/tokens/estimate.ts"
import { withPrompt } from "../../context/sources/new-prompts.ts"
import { paceAfter } from "../../context/sources/pace.ts"
import { withMessage } from "../../context/sources/sent.ts"
import { nextUuid, type Uuid } from "../../domain/id.ts"
import * as Log from "../../domain/append-list.ts"
import type { Message, SystemMessage, UserMessage } from "../../domain/message.ts"
import { isoFromMillis } from "../../domain/time.ts"
import { type Command, NO_COMMANDS } from "./command.ts"
import type { Emission } from "./emission.ts"
import { patchConversation, patchState } from "./patch-state.ts"
import type { AgentState, ObservedPhase, Phase, PhaseOf, Run, RunningState, Turn } from "./state.ts"

/** The outcome of handling an event. */
export type Step<R extends Run = Run> = readonly [AgentState<R>, ReadonlyArray<Command>]

export const stay = <R extends Run>(state: AgentState<R>): Step<R> => [state, NO_COMMANDS]

/** Runs the next transition on the state of the previous one and joins their commands in order. */
export const andThen = <R extends Run, Q extends Run>(step: Step<R>, next: (state: AgentState<R>) => Step<Q>): Step<Q> => {
  const [state, commands] = next(step[0])
  if (step[1].length === 0) return [state, commands]
  return [state, commands.length === 0 ? step[1] : [...step[1], ...commands]]
}

export const isRunning = (state: AgentState): state is RunningState => state.run._tag === "Running"

export const turnOf = ({ run }: AgentState): Turn | undefined => (run._tag === "Running" ? run.turn : undefined)

export const phaseOf = ({ run }: AgentState): ObservedPhase => (run._tag === "Running" ? run.phase : run)

/** The door to the handlers of a turn: whatever comes for one when none runs is late. */
export const inTurn = (state: AgentState, handle: (state: RunningState) => Step): Step =>
  isRunning(state) ? handle(state) : stay(state)

export const isIn = <T extends Phase["_tag"]>(state: RunningState, phase: T): state is RunningState<PhaseOf<T>> =>
  state.run.phase._tag === phase

export const emit = (emission: Emission): Command => ({ _tag: "Emit", emission })

export const notice = (level: "info" | "warning" | "error", text: string): Command => emit({ _tag: "Notice", level, text })

/** Draws a fresh uuid from the state's own source. */
export const freshUuid = <R extends Run>(state: AgentState<R>): readonly [Uuid, AgentState<R>] => {
  const [uuid, ids] = nextUuid(state.ids)
  return [uuid, patchState(state, { ids })]
}

/** A name for a request, timer or hook run that no later one will have. */
export const freshName = <R extends Run>(state: AgentState<R>, prefix: string): readonly [string, AgentState<R>] => [
  `${prefix}-${state.serial}`,
  patchState(state, { serial: state.serial + 1 })
]

export const timestamp = (state: AgentState): string => isoFromMillis(state.now)

/** Adds a message to the conversation and to the form the model sees. `shown` may stand in for it there. */
export const commit = <R extends Run>(state: AgentState<R>, message: Message, shown: Message = message): AgentState<R> => {
  const { messages, history, count, context } = state.conversation
  const sent = withMessage(context.sent, message)
  const pace = paceAfter(context.pace, message)
  const prompts = withPrompt(context.prompts, message)
  const isNews = sent !== context.sent || pace !== context.pace || prompts !== context.prompts
  return patchConversation(state, {
    ...(isNews ? { context: { ...context, sent, pace, prompts } } : {}),
    messages: Log.append(messages, message),
    history: appendToHistory(history, shown),
    count: { ...count, estimatedSince: count.estimatedSince + estimateMessage(shown) }
  })
}

/** Announces a message and writes it down behind `parent`; it becomes the tip of the chain. */
export const publish = <R extends Run>(
  state: AgentState<R>,
  message: Message,
  parent: Uuid | null = state.conversation.tip
): Step<R> => [
  patchConversation(state, { tip: message.uuid }),
  [{ _tag: "Persist", messages: [message], parentUuid: parent }, emit({ _tag: "MessageAdded", message })]
]

export const commitAndPublish = <R extends Run>(state: AgentState<R>, message: Message): Step<R> =>
  publish(commit(state, message), message)

export const metaUser = <R extends Run>(state: AgentState<R>, text: string): readonly [UserMessage, AgentState<R>] => {
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

export const informational = <R extends Run>(
  state: AgentState<R>,
  text: string,
  level: "info" | "warning" = "info"
): readonly [SystemMessage, AgentState<R>] => {
  const [uuid, next] = freshUuid(state)
  return [{ type: "system", uuid, timestamp: timestamp(state), subtype: "informational", content: text, level }, next]
}
