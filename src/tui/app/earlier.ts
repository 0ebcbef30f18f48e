import type { Message } from "../../core/domain/message.ts"
import { listPrepended, wantsEarlier } from "../transcript/list/update.ts"
import { fromMessages } from "../transcript/project.ts"
import { withEarlier } from "../transcript/state.ts"
import { doing, only, type Update } from "./change.ts"
import { type AppModel, currentSession, withSession } from "./model.ts"
import type { SessionModel } from "./session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/**
 * What was said before a compaction (UI-97). It is read page by page as somebody comes near it, and what they look at
 * stays where it is.
 */

/** Native scrollback is written once and in order: nothing can be put before it. */
const canGrow = (model: AppModel, { loading, earlier }: SessionModel): boolean =>
  model.options.interface !== "inline" && loading === undefined && earlier.pages > 0 && !earlier.isReading

/** Asks for the next page when the view, or a search, has come to the beginning of what is here. */
export const readEarlier = (model: AppModel): Update => {
  const session = currentSession(model)
  if (session === undefined || !canGrow(model, session)) return only(model)
  if (!wantsEarlier(session.list, transcriptContextOf(model, session))) return only(model)
  const reading = withSession(model, session.id, (each) => ({ ...each, earlier: { ...each.earlier, isReading: true } }))
  return doing(reading, { _tag: "ReadEarlier", session: session.id, page: session.earlier.pages - 1 })
}

/** A page has come; one that nobody waits for is left alone. */
export const earlierRead = (
  model: AppModel,
  session: SessionModel,
  { page, messages }: { readonly page: number; readonly messages: ReadonlyArray<Message> }
): SessionModel => {
  if (page !== session.earlier.pages - 1) return session
  const part = fromMessages(messages)
  const transcript = withEarlier(session.transcript, part)
  const next = { ...session, transcript, earlier: { pages: page, isReading: false } }
  const at = { source: transcript.entries, count: part.entries.length, hasEarlier: page > 0 }
  return { ...next, list: listPrepended(next.list, at, transcriptContextOf(model, next)) }
}
