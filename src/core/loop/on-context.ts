import { tellNews } from "./context/look-around.ts"
import { patchConversation } from "./machine/patch-state.ts"
import { cancelTimer } from "./machine/pending.ts"
import type { LoopEvent } from "./machine/event.ts"
import { makeRoom } from "./reduction/make-room.ts"
import { sendRequest } from "./turn/send-request.ts"
import type { AgentState, AfterLook, Run, RunningState } from "./machine/state.ts"
import { andThen, inTurn, isIn, type Step, stay } from "./machine/transition.ts"

const NEXT: Readonly<Record<AfterLook, (state: RunningState) => Step>> = { makeRoom, sendRequest }

const goOn = (state: RunningState, then: AfterLook): Step => andThen(tellNews(state), NEXT[then])

type ContextRead = Extract<LoopEvent, { _tag: "ContextRead" }>

const withReadings = <R extends Run>(state: AgentState<R>, { collectId, look, isLast }: ContextRead): AgentState<R> => {
  const { context } = state.conversation
  const awaited = isLast ? context.awaited.filter((id) => id !== collectId) : context.awaited
  return patchConversation(state, { context: { ...context, awaited, readings: { ...context.readings, ...look } } })
}

/** What was seen so far is told at once; what comes late is kept for the next request. */
export const onContextRead = (state: AgentState, event: ContextRead): Step => {
  const { collectId } = event
  if (!state.conversation.context.awaited.includes(collectId)) return stay(state)
  const known = withReadings(state, event)
  return inTurn(known, (running) => {
    if (!isIn(running, "Collecting") || running.run.phase.collectId !== collectId) return stay(running)
    const { then } = running.run.phase
    return andThen(cancelTimer(running, collectId), (next) => inTurn(next, (awake) => goOn(awake, then)))
  })
}

/** The next request waits for a new look; what it finds changed is said again. */
export const onContextOutdated = (state: AgentState): Step => {
  const { context } = state.conversation
  return stay(context.isWindowSeen ? patchConversation(state, { context: { ...context, isWindowSeen: false } }) : state)
}

/** It takes too long: the request goes out without. */
export const goOnWithoutContext = (state: RunningState, collectId: string): Step => {
  if (!isIn(state, "Collecting") || state.run.phase.collectId !== collectId) return stay(state)
  return goOn(state, state.run.phase.then)
}
