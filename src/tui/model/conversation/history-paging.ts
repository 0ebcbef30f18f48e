import type { Message } from "../../../core/domain/message.ts"
import { listPrepended, wantsEarlier } from "../../transcript/list/update.ts"
import { fromMessages } from "../../transcript/entries/project.ts"
import { withEarlier, type Transcript } from "../../transcript/state.ts"
import * as Vector from "../../transcript/vector.ts"
import { andThen, withCommands, withoutCommands, type Update } from "../update-result.ts"
import { type AppModel, currentSession, withSession } from "../app-model.ts"
import type { EarlierPart, Released, SessionModel } from "../session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"
import { withSearchNotice } from "./late-search-notice.ts"

/**
 * What was said before a compaction. It is read page by page as somebody comes near it, and what they look at
 * stays where it is.
 */

/** Native scrollback is written once and in order: nothing can be put before it. */
const canGrow = (model: AppModel, { loading, earlier }: SessionModel): boolean => {
  const hasMore = earlier.pages > 0 || earlier.released?.before !== undefined
  return model.options.interface !== "inline" && loading === undefined && hasMore && !earlier.isReading
}

/** What was released comes back where something shows or waits for all of it. */
const needsReleased = (model: AppModel, session: SessionModel, needsAll: NeedsAll): boolean =>
  session.earlier.released !== undefined && (session.earlier.waiting.length > 0 || needsAll(model, session))

/** Whether something is on screen that gathers from the whole session. */
type NeedsAll = (model: AppModel, session: SessionModel) => boolean

/** Asks for the next page when the view, or a search, has come to the beginning of what is here. */
export const readEarlier = (model: AppModel, needsAll: NeedsAll): Update => {
  const session = currentSession(model)
  if (session === undefined || !canGrow(model, session)) return withoutCommands(model)
  if (!needsReleased(model, session, needsAll) && !wantsEarlier(session.list, transcriptContextOf(model, session))) {
    return withoutCommands(model)
  }
  const { id, earlier } = session
  const reading = withSession(model, id, (each) => ({ ...each, earlier: { ...each.earlier, isReading: true } }))
  const before = earlier.released?.before
  return before === undefined
    ? withCommands(reading, { _tag: "ReadEarlier", session: id, page: earlier.pages - 1 })
    : withCommands(reading, { _tag: "ReadReleased", session: id, before })
}

interface ReadPage {
  readonly session: string
  readonly page: number
  readonly messages: ReadonlyArray<Message>
  readonly before?: string
}

const isAwaited = ({ earlier }: SessionModel, { page, before }: ReadPage): boolean =>
  earlier.released?.before === undefined
    ? before === undefined && page === earlier.pages - 1
    : before === earlier.released.before

/** What is still missing of what was here once. */
const releasedAfter = (released: Released | undefined, part: Transcript, page: number): Released | undefined => {
  if (released === undefined || page === 0) return undefined
  const isHere = Vector.findLastIndex(part.entries, ({ id }) => id === released.first) >= 0
  return isHere ? undefined : { first: released.first, before: undefined, last: undefined }
}

const withPage = (model: AppModel, session: SessionModel, { page, messages }: ReadPage): SessionModel => {
  const part = fromMessages(messages)
  const transcript = withEarlier(session.transcript, part)
  const released = releasedAfter(session.earlier.released, part, page)
  const earlier: EarlierPart = { ...session.earlier, pages: page, isReading: false, released }
  const next = { ...session, transcript, earlier }
  const at = { source: transcript.entries, count: part.entries.length, hasEarlier: page > 0 }
  return { ...next, list: listPrepended(next.list, at, transcriptContextOf(model, next)) }
}

/** Everything is here again: what waited for it is done. */
const finishWaiting = (model: AppModel, id: string): Update => {
  const session = model.sessions.get(id)
  if (session === undefined || session.earlier.released !== undefined) return withoutCommands(model)
  const rested = withSession(model, id, (each) => ({ ...each, earlier: { ...each.earlier, waiting: [] } }))
  return session.earlier.waiting.reduce<Update>(andThen, withoutCommands(rested))
}

/** A page has come; one that nobody waits for is left alone. */
export const onEarlierRead = (model: AppModel, read: ReadPage): Update => {
  const before = model.sessions.get(read.session)
  if (before === undefined || !isAwaited(before, read)) return withoutCommands(model)
  const session = withPage(model, before, read)
  return finishWaiting(
    withSearchNotice(
      withSession(model, session.id, () => session),
      session
    ),
    session.id
  )
}

type Act = (model: AppModel, session: SessionModel) => Update

/** Does what is about the whole session: at once, or when all that was released of it has been read again. */
export const withWhole = (model: AppModel, id: string, act: Act): Update => {
  const session = model.sessions.get(id)
  if (session === undefined) return withoutCommands(model)
  if (session.earlier.released === undefined) return act(model, session)
  const waiting = [...session.earlier.waiting, (next: AppModel) => withWhole(next, id, act)]
  return withoutCommands(withSession(model, id, (each) => ({ ...each, earlier: { ...each.earlier, waiting } })))
}
