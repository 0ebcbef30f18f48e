import type { Look } from "../context/sources/source.ts"
import { tellNews } from "./context/look-around.ts"
import { patchConversation } from "./machine/patch-state.ts"
import { cancelTimer } from "./machine/pending.ts"
import { makeRoom } from "./reduction/make-room.ts"
import { sendRequest } from "./turn/send-request.ts"
import type { AgentState, AfterLook, Run, RunningState } from "./machine/state.ts"
import { andThen, inTurn, isIn, type Step, stay } from "./machine/transition.ts"

const NEXT: Readonly<Record<AfterLook, (state: RunningState) => Step>> = { makeRoom, sendRequest }

const goOn = (state: RunningState, then: AfterLook): Step => andThen(tellNews(state), NEXT[then])

const withReadings = <R extends Run>(state: AgentState<R>, look: Look): AgentState<R> => {
  const { context } = state.conversation
  return patchConversation(state, {
    context: { ...context, awaited: undefined, readings: { ...context.readings, ...look } }
  })
}

/** What was seen. Late it is kept for the next request. */
export const onContextRead = (state: AgentState, collectId: string, look: Look): Step => {
  if (state.conversation.context.awaited !== collectId) return stay(state)
  const known = withReadings(state, look)
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
