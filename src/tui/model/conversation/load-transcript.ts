import type { Message } from "../../../core/domain/message.ts"
import { fromMessages } from "../../transcript/entries/project.ts"
import { emptyTranscript, type Transcript } from "../../transcript/state.ts"
import { openList } from "../../transcript/list/state/transcript-list.ts"
import { listOpenedAt } from "../../transcript/list/update.ts"
import type { AppModel } from "../app-model.ts"
import type { SessionModel, Loading } from "../session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/** Shorter ones are read in one go: nobody sees the difference. */
const SHORT = 1_000
const SHOWN_FIRST = 400
const SLICE = 400

const isPrompt = (message: Message): boolean =>
  message.type === "user" && message.isMeta !== true && typeof message.message.content === "string"

export interface Opening {
  readonly transcript: Transcript
  readonly loading: Loading | undefined
}

/** What is shown first, and what is to be read. The part begins with a prompt, so that no call loses its result. */
export const openTranscript = (messages: ReadonlyArray<Message>, costUsd: number): Opening => {
  if (messages.length <= SHORT) return { transcript: fromMessages(messages, { costUsd }), loading: undefined }
  const last = messages.slice(0, messages.length - SHOWN_FIRST).findLastIndex(isPrompt)
  const start = last < messages.length - SHORT ? messages.length - SHOWN_FIRST : last
  return {
    transcript: fromMessages(messages.slice(start), { costUsd }),
    loading: { messages, at: 0, built: emptyTranscript, missed: [] }
  }
}

const finished = (model: AppModel, session: SessionModel, { built, missed }: Loading): SessionModel => {
  const transcript = missed.reduce((whole, change) => change(whole), { ...built, costUsd: session.transcript.costUsd })
  const { viewport, cursor } = session.list
  const next = {
    ...session,
    transcript,
    loading: undefined,
    list: openList(transcript.entries, session.list.hasEarlier)
  }
  const place = viewport.following ? undefined : (cursor ?? viewport.anchor.place)
  if (place === undefined) return next
  const { entry, block, offset } = place
  return { ...next, list: listOpenedAt(next.list, { entry, block, offset }, transcriptContextOf(model, next)) }
}

/** One slice more. */
export const loadSlice = (model: AppModel, session: SessionModel): SessionModel => {
  const { loading } = session
  if (loading === undefined) return session
  const end = Math.min(loading.at + SLICE, loading.messages.length)
  const built = fromMessages(loading.messages.slice(loading.at, end), { onto: loading.built })
  const next = { ...loading, built, at: end }
  return end < loading.messages.length ? { ...session, loading: next } : finished(model, session, next)
}
