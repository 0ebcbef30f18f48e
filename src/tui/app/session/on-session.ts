import type { Emission } from "../../../core/loop/machine/emission.ts"
import type { AgentState } from "../../../core/loop/machine/state.ts"
import { isBoundaryLine } from "../../../core/session/transcript/boundary.ts"
import { speakerOf, spokenText } from "../../../core/session/speaker.ts"
import { findLastIndex, get, toArray } from "../../../core/domain/append-list.ts"
import { type SavedDraft, showDraft } from "../../prompt/model.ts"
import { takeBack } from "../../prompt/recall.ts"
import { displayOf } from "../../prompt/submit.ts"
import { applyEmission } from "../../transcript/entries/project.ts"
import { markPastes } from "../../transcript/entries/pastes.ts"
import type { Transcript } from "../../transcript/state.ts"
import { countText } from "../../../core/domain/text/count-text.ts"
import { applyShellRun, withoutShellRun } from "../../transcript/entries/shell-run.ts"
import { arrivingBlock, discardStale, showArriving } from "../../transcript/entries/arriving.ts"
import { openList } from "../../transcript/list/state/transcript-list.ts"
import { onAsked, withAsk, withoutAsk } from "../../model/questions/pending-questions.ts"
import { askId } from "../../model/asks.ts"
import { isBlank } from "../../prompt/model.ts"
import { withoutSuggestion } from "../../prompt/update.ts"
import { visible } from "../../../core/domain/text/visible-text.ts"
import { isAway } from "./notify-away.ts"
import { costNotice } from "./cost-notice.ts"
import { andThen, notify, withCommands, withoutCommands, type Update } from "../../model/update-result.ts"
import type { Cmd } from "../../model/cmd.ts"
import { releaseAfter } from "../../model/conversation/release-old-entries.ts"
import { openTranscript } from "../../model/conversation/load-transcript.ts"
import { currentSession, type AppModel, withSession } from "../../model/app-model.ts"
import type { OpenedFacts, SessionNews } from "../../model/msg.ts"
import { draftBehind, pastesIn, stillQueued, withoutQueued } from "../../model/queued-prompts.ts"
import { runAfter } from "../../model/conversation/turn-times.ts"
import { NO_DEEDS } from "../../model/undoable-actions.ts"
import { NO_REVIEW } from "../../model/review-model.ts"
import { AT_REST, AWAITED, nameOf, type SessionModel } from "../../model/session-model.ts"
import { isOnScreen } from "../../model/windows/layout-and-focus.ts"
import {
  isAdopted,
  NO_DRAFT,
  promptWhenOpened,
  takesOver,
  typedInto,
  unsentOf,
  withInserted
} from "../../model/prompt/session-prompt.ts"
import { shellsAfterEmission, shellsAfterRun } from "../../model/shell-runs.ts"
import { sessionPlaced, sessionReplaced } from "../../model/windows/show-session.ts"
import { withTranscript } from "../../model/conversation/change-transcript.ts"

/** What the sessions tell. Each news changes its own session and nothing of another. */

const TITLE_CHARS = 60

/** The first line, cut behind a word where it is long. */
const firstWords = (text: string): string => {
  const line = (text.trim().split("\n", 1)[0] ?? "").replace(/\s+/g, " ")
  if (line.length <= TITLE_CHARS) return line
  return `${line.slice(0, TITLE_CHARS).replace(/\s+\S*$/, "")} …`
}

const opened = (model: AppModel, facts: OpenedFacts, replaced?: SessionModel): SessionModel => {
  const { transcript, loading } = openTranscript(toArray(facts.state.conversation.messages), facts.state.totals.costUsd)
  return {
    id: facts.sessionId,
    cwd: facts.cwd,
    branch: facts.branch,
    title: facts.title,
    rest: { endedAt: undefined, turns: 0 },
    isNamed: facts.title !== undefined,
    state: facts.state,
    transcript,
    list: openList(transcript.entries, facts.earlierPages > 0),
    loading,
    earlier: { pages: facts.earlierPages, isReading: false, released: undefined, waiting: [] },
    prompt: promptWhenOpened(model, facts, replaced?.prompt),
    asks: [],
    sent: [],
    waiting: replaced?.waiting ?? [],
    shells: [],
    lists: {},
    recall: [],
    history: [],
    workingFiles: [],
    changesOf: { _tag: "Session" },
    outputOf: undefined,
    tasks: [],
    run: AT_REST,
    review: NO_REVIEW,
    deeds: NO_DEEDS,
    unread: 0,
    ended: undefined
  }
}

/** The screen of a session that is not open yet. */
export const onAwaited = (model: AppModel, facts: OpenedFacts): AppModel =>
  sessionPlaced({ ...model, sessions: new Map([[facts.sessionId, opened(model, facts)]]) }, facts.sessionId)

/** A new session comes in front; one that it replaces goes. */
export const onOpened = (model: AppModel, facts: OpenedFacts, closes: string | undefined): Update => {
  const replaces = closes ?? (model.sessions.has(AWAITED) ? AWAITED : undefined)
  const sessions = new Map(model.sessions)
  if (replaces !== undefined) sessions.delete(replaces)
  const replaced = closes === undefined ? undefined : model.sessions.get(closes)
  // What goes back to the prompt is no longer queued.
  const unsent = unsentOf(facts)
  const uuids = unsent.map(({ uuid }) => uuid)
  sessions.set(facts.sessionId, withoutQueued(opened(model, facts, replaced), uuids))
  const known = { ...model, sessions }
  const next =
    replaces === undefined
      ? sessionPlaced(known, facts.sessionId)
      : {
          ...sessionReplaced(known, replaces, facts.sessionId),
          current: model.current === replaces ? facts.sessionId : model.current
        }
  const { waiting: notRun = [], ...kept }: SavedDraft = facts.draft ?? NO_DRAFT
  const cmds: ReadonlyArray<Cmd> = [
    { _tag: "LoadHistory", session: facts.sessionId },
    ...(facts.state.permission.sandbox.enabled
      ? [{ _tag: "LookAtSandbox" as const, session: facts.sessionId, opens: false }]
      : []),
    ...(closes === undefined ? [] : [{ _tag: "CloseSession" as const, session: closes }]),
    ...(replaced !== undefined && takesOver(facts)
      ? [{ _tag: "SaveDraft" as const, session: replaced.id, draft: NO_DRAFT }]
      : []),
    ...(unsent.length === 0 ? [] : [{ _tag: "TakeBackQueue" as const, session: facts.sessionId, uuids }]),
    ...(notRun.length === 0 ? [] : [{ _tag: "SaveDraft" as const, session: facts.sessionId, draft: kept }])
  ]
  const lost = lostWords(unsent.length, notRun)
  if (lost !== "") return [notify(next, lost, { style: "warning", timeoutMs: 12_000 }), cmds]
  return [isAdopted(facts) ? notify(next, adoptedWords(model), { timeoutMs: 12_000 }) : next, cmds]
}

/** Lines are not run by themselves after a crash; history has them. */
const lostWords = (unsent: number, notRun: ReadonlyArray<string>): string =>
  [
    unsent === 0 ? "" : "the last run ended before this was sent",
    notRun.length === 0 ? "" : `not run: ${notRun.join(", ")} (in the history)`
  ]
    .filter((words) => words !== "")
    .join("; ")

const adoptedWords = ({ early }: AppModel): string =>
  early.length === 0
    ? "this was typed here before and never sent"
    : "what was typed here before and never sent is put aside; ctrl+s on an empty prompt brings it back"

/** A session without a name is called after its first prompt, and then what a model calls it. */
const titled = (session: SessionModel, emission: Emission): SessionModel => {
  if (emission._tag === "SideReported" && emission.result._tag === "Titled" && !session.isNamed) {
    return { ...session, title: emission.result.title }
  }
  if (emission._tag === "SessionTitled") return { ...session, title: emission.title, isNamed: true }
  if (session.title !== undefined || emission._tag !== "MessageAdded" || emission.message.type !== "user") {
    return session
  }
  const { message } = emission
  if (speakerOf(message) !== "prompt") return session
  const title = firstWords(spokenText(message))
  return title === "" ? session : { ...session, title }
}

const rested = (session: SessionModel, emission: Emission, now: number): SessionModel =>
  emission._tag === "TurnFinished" ? { ...session, rest: { endedAt: now, turns: session.rest.turns + 1 } } : session

const AWAY_MS = 180_000
const LEAST_TURNS = 3

/** Who comes back after a while is told where things stand, once. */
export const onFocus = (model: AppModel, isGained: boolean): Update => {
  const next = { ...model, focused: isGained }
  const session = currentSession(model)
  if (session === undefined || !isGained || model.focused !== false) return withoutCommands(next)
  const { rest, state } = session
  const isLong = rest.endedAt !== undefined && model.now - rest.endedAt >= AWAY_MS && rest.turns >= LEAST_TURNS
  if (!isLong || state.run._tag === "Running" || !state.config.side.kinds.includes("away_summary"))
    return withoutCommands(next)
  return withCommands(
    withSession(next, session.id, (each) => ({ ...each, rest: { ...each.rest, endedAt: undefined } })),
    { _tag: "SideTask", session: session.id, wish: { _tag: "SideAsked", kind: "away_summary" } }
  )
}

/** What may come next stands in the empty prompt until something else happens. */
const suggested = (session: SessionModel, emission: Emission): SessionModel => {
  if (emission._tag === "TurnStarted") return { ...session, prompt: withoutSuggestion(session.prompt) }
  if (emission._tag !== "SideReported" || emission.result._tag !== "Suggested" || !isBlank(session.prompt)) return session
  return { ...session, prompt: { ...session.prompt, suggestion: visible(emission.result.text) } }
}

const counted = (model: AppModel, session: SessionModel, emission: Emission): SessionModel =>
  !isOnScreen(model, session.id) && emission._tag === "MessageAdded" ? { ...session, unread: session.unread + 1 } : session

const LONG_TURN_MS = 10_000

/** Somebody who looks elsewhere is told that a long turn is over. */
const noticesFor = (model: AppModel, session: SessionModel, emission: Emission): ReadonlyArray<Cmd> => {
  if (!isAway(model) || emission._tag !== "TurnFinished" || emission.result.durationMs < LONG_TURN_MS) return []
  const kind = emission.result.isError ? "failed" : "done"
  return [{ _tag: "Notify", kind, title: "nacre", body: `${nameOf(session)}: ${kind === "done" ? "finished" : "failed"}` }]
}

/** The working tree is looked at again when a turn is over, as long as somebody looks at it. */
const staleTree = (session: SessionModel, emission: Emission): boolean =>
  emission._tag === "TurnFinished" && session.changesOf._tag === "Tree"

const told = (model: AppModel, emission: Emission): AppModel => {
  if (emission._tag === "PinsChanged") {
    const tokens = `pins take ${countText(emission.tokens)} tokens of every summary`
    return notify(
      model,
      emission.pinned ? `pinned; ${tokens}` : emission.tokens === 0 ? "no longer pinned" : `no longer pinned; ${tokens}`
    )
  }
  if (emission._tag === "StatusChanged" && emission.compacted === "success") {
    return notify(model, "compacted: /compact show, edit or undo", { timeoutMs: 8_000 })
  }
  if (emission._tag !== "Notice") return model
  const style = emission.level === "info" ? "plain" : emission.level
  return notify(model, emission.text, { style, timeoutMs: 8_000, priority: "high" })
}

/** Commands go to the background, and end there, around the messages of a turn. */
const staleTasks = ({ _tag }: Emission): boolean => _tag === "MessageAdded" || _tag === "TurnFinished"

/** A command of the user that waited for its place in the conversation has got it. */
const shellTold = (transcript: Transcript, emission: Emission): Transcript =>
  emission._tag === "MessageAdded" ? withoutShellRun(transcript, emission.message.uuid) : transcript

/** What stands in for the older part is not told by itself; the boundary shows it when it is opened. */
const summaryAfter = ({ conversation: { messages } }: AgentState, emission: Emission): ReadonlyArray<Emission> => {
  if (emission._tag !== "MessageAdded" || !isBoundaryLine(emission.message)) return []
  const place = findLastIndex(messages, ({ uuid }) => uuid === emission.message.uuid)
  const message = place < 0 ? undefined : get(messages, place + 1)
  return message?.type === "user" && message.isCompactSummary === true ? [{ _tag: "MessageAdded", message }] : []
}

/** A message that was typed here shows its pastes as the prompt did. */
const pastesMarked = (transcript: Transcript, emission: Emission, sent: SessionModel["sent"]): Transcript => {
  if (sent.length === 0 || emission._tag !== "MessageAdded" || emission.message.type !== "user") return transcript
  return markPastes(transcript, emission.message.uuid, (source) => pastesIn(sent, source))
}

/** A prompt that nobody answered stands in the prompt again, before what was typed meanwhile. */
const typedAgain = (
  model: AppModel,
  session: SessionModel,
  { promptUuid, text }: Extract<Emission, { _tag: "PromptTakenBack" }>
): Update => {
  const draft = draftBehind(session, text)
  const { display } = displayOf(showDraft(session.prompt, draft, model.now))
  const { prompt } = takeBack(session.prompt, [{ id: promptUuid, draft, isCommand: false }], model.now)
  return withCommands(
    withSession(model, session.id, (each) => ({ ...each, prompt })),
    { _tag: "Unremember", session: session.id, display }
  )
}

const onEmission = (model: AppModel, id: string, news: Extract<SessionNews, { _tag: "Emitted" }>): Update => {
  const { emission, state } = news
  const changed = withSession(model, id, (before) => {
    const shells = shellsAfterEmission(before.shells, emission)
    const sent = emission._tag === "TurnFinished" ? stillQueued(before.sent, state.queue) : before.sent
    const heard = { ...before, state, sent, shells, run: runAfter(before.run, emission, model.now) }
    const session = rested(suggested(heard, emission), emission, model.now)
    return counted(
      model,
      titled(
        withTranscript(model, session, (transcript) =>
          discardStale(
            [emission, ...summaryAfter(state, emission)].reduce(
              (next, each) => pastesMarked(applyEmission(next, each, model.now), each, before.sent),
              shellTold(transcript, emission)
            ),
            arrivingBlock(state)
          )
        ),
        emission
      ),
      emission
    )
  })
  const session = changed.sessions.get(id)
  if (session === undefined) return withoutCommands(changed)
  const cmds = [
    ...noticesFor(model, session, emission),
    ...(staleTree(session, emission) ? [{ _tag: "LoadDiff" as const, session: id }] : []),
    ...releaseAfter(session, emission),
    ...(staleTasks(emission) ? [{ _tag: "ListTasks" as const, session: id }] : [])
  ]
  const costly = costNotice(model.sessions.get(id)?.state.totals.costUsd ?? 0, state.totals.costUsd)
  const warned =
    costly === undefined
      ? changed
      : notify(changed, costly, { key: "cost", style: "warning", priority: "high", timeoutMs: 15_000 })
  const next: Update = [told(warned, emission), cmds]
  if (emission._tag !== "PromptTakenBack") return next
  return andThen(next, (after) => typedAgain(after, session, emission))
}

export const onNews = (model: AppModel, id: string, news: SessionNews): Update => {
  switch (news._tag) {
    case "Emitted":
      return onEmission(model, id, news)
    case "Grew":
      return withoutCommands(
        withSession(model, id, (before) => {
          const session = { ...before, state: news.state, run: { ...before.run, heardAt: model.now } }
          return withTranscript(model, session, (transcript) =>
            showArriving(transcript, arrivingBlock(news.state), { upTo: news.upTo, now: model.now })
          )
        })
      )
    case "Asked":
      return onAsked(model, id, news)
    case "Withdrawn": {
      const was = model.sessions.get(id)?.asks.some(({ question }) => question.callId === news.callId) === true
      const typed = typedInto(model.overlays.dialogs.get(askId(id, news.callId)))
      const changed = withoutAsk(
        withSession(model, id, (session) => ({
          ...session,
          state: news.state,
          prompt: typed === "" ? session.prompt : withInserted(session.prompt, typed, model.now)
        })),
        id,
        news.callId
      )
      return withoutCommands(was ? notify(changed, "the question is no longer open", { key: "withdrawn" }) : changed)
    }
    case "Previewed":
      return withoutCommands(withAsk(model, id, news.callId, { preview: news.file }))
    case "Explained":
      return withoutCommands(withAsk(model, id, news.callId, { risk: news.risk }))
    case "Shell":
      return withoutCommands(
        withSession(model, id, (session) => {
          const shells = shellsAfterRun(session.shells, news.run, news.isTold === true)
          return withTranscript(model, { ...session, shells }, (transcript) => applyShellRun(transcript, news.run))
        })
      )
    case "Ended":
      return withoutCommands(
        notify(
          withSession(model, id, (session) => ({ ...session, shells: [], ended: news.reason })),
          news.reason,
          { style: "error" }
        )
      )
  }
}
