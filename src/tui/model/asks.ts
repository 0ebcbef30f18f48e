import type { AppModel } from "./app-model.ts"
import type { Ask, SessionModel } from "./session-model.ts"

/** Questions of the agent by their ids, whichever session they are of. */

export interface Asked {
  readonly id: string
  readonly session: SessionModel
  readonly ask: Ask
}

export const askId = (session: string, callId: string): string => `ask:${session}/${callId}`

export const isAsk = (id: string | undefined): id is string => id?.startsWith("ask:") === true

/** The ask behind a request. */
export const askOf = (model: AppModel, id: string | undefined): Asked | undefined => {
  if (!isAsk(id)) return undefined
  for (const session of model.sessions.values()) {
    const ask = session.asks.find(({ question }) => askId(session.id, question.callId) === id)
    if (ask !== undefined) return { id, session, ask }
  }
  return undefined
}

/** The question that lies under what was opened over it. */
export const coveredAsk = (model: AppModel): Asked | undefined =>
  model.overlays.opened === undefined ? undefined : askOf(model, model.overlays.over)
