import { advanceSearch, isSearching } from "../transcript/list/commands/search.ts"
import { listFilled } from "../transcript/list/update.ts"
import { ANSWER_GUARD_MS, stillAt } from "../model/questions/attention.ts"
import { loadSlice } from "../model/conversation/load-transcript.ts"
import { pullAt, continuePaneDrag } from "./mouse/mouse-pane.ts"
import { expireNotices } from "../model/notices.ts"
import { type AppModel, currentSession, withSession } from "../model/app-model.ts"
import { questionWake } from "../model/question-timeout.ts"
import { isRunning, type SessionModel } from "../model/session-model.ts"
import { withSearchNotice } from "../model/conversation/late-search-notice.ts"
import { turnOf } from "../../core/loop/machine/transition.ts"
import { transcriptContextOf } from "../model/conversation/transcript-context.ts"

/** When time alone will change the screen, and what it changes. */

const SPINNER_MS = 100
const CALM_SPINNER_MS = 1_000
export const CHORD_TIMEOUT_MS = 1_000
const SLICE_MS = 1
const SEARCH_CHARACTERS = 400_000
const INDEX_ENTRIES = 2_000

const hasWork = ({ loading, list }: SessionModel): boolean =>
  loading !== undefined || isSearching(list) || list.entries.pending > 0

/** The session whose turn it is to go on: the one that is looked at before all others. */
const workingSession = (model: AppModel): SessionModel | undefined => {
  const current = currentSession(model)
  return current !== undefined && hasWork(current) ? current : [...model.sessions.values()].find(hasWork)
}

/** Nothing moves until the user has answered. */
const onlyWaits = ({ state, run }: SessionModel): boolean =>
  run.waitingSince !== undefined && turnOf(state)?.calls.some(({ stage }) => stage === "executing") !== true

/** When a half-typed chord shows what may follow, and when it is given up. */
const chordTimes = ({ now, keys, options }: AppModel): ReadonlyArray<number> => {
  const since = keys.pendingSince
  const times = [...(options.whichKeyMs > 0 ? [since + options.whichKeyMs] : []), since + CHORD_TIMEOUT_MS]
  return keys.pending.length === 0 ? [] : times.filter((at) => at > now)
}

export const nextWake = (model: AppModel): number | undefined => {
  const times: Array<number> = []
  if (workingSession(model) !== undefined) times.push(model.now + SLICE_MS)
  const running = [...model.sessions.values()].filter(isRunning)
  if (running.length > 0) {
    times.push(model.now + (model.options.reducedMotion || running.every(onlyWaits) ? CALM_SPINNER_MS : SPINNER_MS))
  }
  if (model.notices.current !== undefined) times.push(model.notices.current.until)
  times.push(...chordTimes(model))
  if (model.keys.typed.length > 0) times.push(model.keys.typedSince + CHORD_TIMEOUT_MS)
  if (model.overlays.heldEscape) times.push(model.overlays.shownSince + ANSWER_GUARD_MS)
  const pull = pullAt(model)
  if (pull !== undefined) times.push(pull)
  const question = questionWake(model)
  if (question !== undefined) times.push(question)
  const still = stillAt(model)
  if (still !== undefined) times.push(still)
  return times.length === 0 ? undefined : Math.min(...times)
}

/** A slice of what is not finished: the index of a long session, a search through it. */
const sliced = (model: AppModel, session: SessionModel): SessionModel => {
  if (session.loading !== undefined) return loadSlice(model, session)
  const context = transcriptContextOf(model, session)
  if (session.list.entries.pending > 0) return { ...session, list: listFilled(session.list, INDEX_ENTRIES, context) }
  return { ...session, list: advanceSearch({ ...session.list, outcome: undefined }, SEARCH_CHARACTERS, context) }
}

export const onTick = (model: AppModel): AppModel => {
  const spun = Math.floor(model.now / SPINNER_MS)
  const next = continuePaneDrag({ ...model, spinner: spun, notices: expireNotices(model.notices, model.now) })
  const session = workingSession(next)
  if (session === undefined) return next
  const after = sliced(next, session)
  const changed = withSession(next, session.id, () => after)
  const searched = session.loading === undefined && session.list.entries.pending === 0
  return searched ? withSearchNotice(changed, after) : changed
}
