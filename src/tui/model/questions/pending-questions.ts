import { markAsking } from "../../transcript/entries/project.ts"
import { askId } from "../asks.ts"
import { withCommands, type Update } from "../update-result.ts"
import { type AppModel, withSession } from "../app-model.ts"
import type { SessionNews } from "../msg.ts"
import { runWaiting } from "../conversation/turn-times.ts"
import type { Ask } from "../session-model.ts"
import { withTranscript } from "../conversation/change-transcript.ts"

/** Questions of the agent that wait for the user: asked, changed, gone. */

export const withAsk = (model: AppModel, id: string, callId: string, change: Partial<Ask>): AppModel =>
  withSession(model, id, (session) => ({
    ...session,
    asks: session.asks.map((ask) => (ask.question.callId === callId ? { ...ask, ...change } : ask))
  }))

export const onAsked = (model: AppModel, id: string, news: Extract<SessionNews, { _tag: "Asked" }>): Update => {
  const { question, state } = news
  const changed = withSession(model, id, (before) => {
    const session = {
      ...before,
      state,
      asks: [...before.asks, { question, askedAt: model.now, preview: undefined, risk: undefined, isSeen: false }],
      run: runWaiting(before.run, true, model.now)
    }
    return withTranscript(model, session, (transcript) => markAsking(transcript, question.callId, true))
  })
  return withCommands(changed, {
    _tag: "PreviewCall",
    session: id,
    callId: question.callId,
    tool: question.tool,
    input: question.input
  })
}

/** The question is gone: answered here, elsewhere, or no longer needed. */
export const withoutAsk = (model: AppModel, id: string, callId: string): AppModel => {
  const dialogs = new Map(model.overlays.dialogs)
  dialogs.delete(askId(id, callId))
  const changed = withSession(model, id, (before) => {
    const asks = before.asks.filter(({ question }) => question.callId !== callId)
    if (asks.length === before.asks.length) return before
    const session = { ...before, asks, run: runWaiting(before.run, asks.length > 0, model.now) }
    return withTranscript(model, session, (transcript) => markAsking(transcript, callId, false))
  })
  return { ...changed, overlays: { ...changed.overlays, dialogs, summoned: false } }
}
