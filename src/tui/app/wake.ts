import { advanceSearch, isSearching } from "../transcript/list/search.ts"
import { listFilled } from "../transcript/list/update.ts"
import { ANSWER_GUARD_MS, stillAt } from "./attention.ts"
import { loadSlice } from "./loading.ts"
import { expireNotices } from "./notices.ts"
import { type AppModel, currentSession, withCurrent } from "./model.ts"
import { isRunning } from "./session-model.ts"
import { transcriptContextOf } from "./transcript-context.ts"

/** When time alone will change the screen, and what it changes. */

const SPINNER_MS = 100
const CALM_SPINNER_MS = 1_000
export const CHORD_TIMEOUT_MS = 1_000
const SLICE_MS = 1
const SEARCH_CHARACTERS = 400_000
const INDEX_ENTRIES = 2_000

const hasWork = (model: AppModel): boolean => {
  const session = currentSession(model)
  if (session === undefined) return false
  return session.loading !== undefined || isSearching(session.list) || session.list.entries.pending > 0
}

export const nextWake = (model: AppModel): number | undefined => {
  const times: Array<number> = []
  if (hasWork(model)) times.push(model.now + SLICE_MS)
  if ([...model.sessions.values()].some(isRunning)) times.push(model.now + (model.options.reducedMotion ? CALM_SPINNER_MS : SPINNER_MS))
  if (model.notices.current !== undefined) times.push(model.notices.current.until)
  if (model.keys.pending.length > 0) times.push(model.keys.pendingSince + CHORD_TIMEOUT_MS)
  if (model.overlays.heldEscape) times.push(model.overlays.shownSince + ANSWER_GUARD_MS)
  const still = stillAt(model)
  if (still !== undefined) times.push(still)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** A slice of what is not finished: the index of a long session, a search through it. */
const sliced = (model: AppModel): AppModel =>
  withCurrent(model, (session) => {
    if (session.loading !== undefined) return loadSlice(model, session)
    const context = transcriptContextOf(model, session)
    if (session.list.entries.pending > 0) return { ...session, list: listFilled(session.list, INDEX_ENTRIES, context) }
    return isSearching(session.list) ? { ...session, list: advanceSearch(session.list, SEARCH_CHARACTERS, context) } : session
  })

export const onTick = (model: AppModel): AppModel => {
  const spun = Math.floor(model.now / SPINNER_MS)
  const next = { ...model, spinner: spun, notices: expireNotices(model.notices, model.now) }
  return hasWork(next) ? sliced(next) : next
}
