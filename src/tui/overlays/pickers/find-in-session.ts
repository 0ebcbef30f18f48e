import { acceptSearch, openSearch, typeSearch } from "../../transcript/list/commands/search.ts"
import { focusOn } from "../../model/windows/layout-and-focus.ts"
import { type AppModel, currentSession, withCurrent } from "../../model/app-model.ts"
import { transcriptId } from "../../model/windows/show-session.ts"
import { transcriptContextOf } from "../../model/conversation/transcript-context.ts"

/** Goes to the last place in a session that holds what a search over all sessions found. */

/** The longest word or phrase stands for the whole question: the transcript searches for one text at a time. */
const textOf = (query: string): string => {
  const parts = [...query.matchAll(/"([^"]+)"|(\S+)/g)].map(([, phrase, word]) => phrase ?? word ?? "")
  const wanted = parts.filter((part) => !part.startsWith("-"))
  return wanted.reduce((longest, part) => (part.length > longest.length ? part : longest), "")
}

const searched = (model: AppModel, text: string): AppModel => {
  const there = focusOn(model, transcriptId(model))
  return withCurrent(there, (session) => {
    const context = transcriptContextOf(there, session)
    return { ...session, list: acceptSearch(typeSearch(openSearch(session.list, -1, context), text, context), context) }
  })
}

/** At once where the session is on screen, else as soon as it has opened. */
export const findInSession = (model: AppModel, sessionId: string, query: string): AppModel => {
  const text = textOf(query)
  if (text === "") return model
  return model.current === sessionId ? searched(model, text) : { ...model, findNext: { session: sessionId, text } }
}

export const foundWhenOpened = (model: AppModel): AppModel => {
  const { findNext } = model
  if (findNext === undefined || currentSession(model)?.id !== findNext.session) return model
  return searched({ ...model, findNext: undefined }, findNext.text)
}
