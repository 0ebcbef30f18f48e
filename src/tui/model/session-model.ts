import type { Message } from "../../core/domain/message.ts"
import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { AgentState } from "../../core/loop/machine/state.ts"
import type { Update } from "./update-result.ts"
import type { AppModel } from "./app-model.ts"
import type { PaneId } from "../screen/layout/tree.ts"
import type { ListState } from "./list-state.ts"
import type { HistoryEntry, PromptModel } from "../prompt/model.ts"
import type { TranscriptList } from "../transcript/list/state/transcript-list.ts"
import type { Transcript } from "../transcript/state.ts"
import type { UndoableActions } from "./undoable-actions.ts"
import type { Review } from "./review-model.ts"
import type { SentDraft } from "./queued-prompts.ts"
import type { Shells } from "./shell-runs.ts"
import type { WaitingLine } from "./waiting-line.ts"
import type { BackgroundTask, WorkingFile } from "./msg.ts"

/** A question of the agent that waits for the user. */
export interface Ask {
  readonly question: PermissionQuestion
  readonly askedAt: number
  /** The file as it is and as it would be, once the shell has read it. */
  readonly preview: WorkingFile | undefined
  /** What the model says about the risk, once somebody wanted to know. */
  readonly risk: RiskWords | undefined
  /** The user saw that it came, or was called. */
  readonly isSeen: boolean
}

export type RiskWords =
  | { readonly _tag: "Asking" }
  | { readonly _tag: "Said"; readonly text: string }
  | { readonly _tag: "Failed"; readonly why: string }

/** The id of a session that is shown before it is open. Everything typed meanwhile is done again on the real one. */
export const AWAITED = "awaited"

/** One live session as the interface holds it. Nothing of one session is ever written into another. */
export interface SessionModel {
  readonly id: string
  readonly cwd: string
  readonly branch: string | undefined
  readonly title: string | undefined
  /** When the last turn ended, unless somebody who was away has heard since where things stand; turns that ended here. */
  readonly rest: { readonly endedAt: number | undefined; readonly turns: number }
  /** Somebody chose the title. */
  readonly isNamed: boolean
  /** The conversation itself; immutable, so holding it costs nothing. */
  readonly state: AgentState
  readonly transcript: Transcript
  readonly list: TranscriptList
  /** The rest of a long session that is still being read. */
  readonly loading: Loading | undefined
  readonly earlier: EarlierPart
  readonly prompt: PromptModel
  readonly asks: ReadonlyArray<Ask>
  /** Prompts that were sent with pastes or images, as they were typed; what comes back from the queue looks there. */
  readonly sent: ReadonlyArray<SentDraft>
  /** Lines that run when the turn is over. */
  readonly waiting: ReadonlyArray<WaitingLine>
  /** Commands of the user (`!`) that are not done with. */
  readonly shells: Shells
  readonly lists: Partial<Readonly<Record<PaneId, ListState>>>
  /** What was sent before, in the order of recall: this session, then this project. */
  readonly recall: ReadonlyArray<HistoryEntry>
  /** What was sent before anywhere, newest first. */
  readonly history: ReadonlyArray<HistoryEntry>
  readonly workingFiles: ReadonlyArray<WorkingFile>
  /** Which changes the changes pane shows: the working tree, the whole session, or one turn counted from the end. */
  readonly changesOf: ChangesSource
  readonly outputOf: OutputSource | undefined
  /** Background commands, as last listed. */
  readonly tasks: ReadonlyArray<BackgroundTask>
  readonly run: RunModel
  readonly review: Review
  readonly deeds: UndoableActions
  /** Messages that came while the user looked elsewhere. */
  readonly unread: number
  /** Why the session ended by itself, if it did. */
  readonly ended: string | undefined
}

/** What was said before a compaction and lies on disk only. */
export interface EarlierPart {
  /** So many pages are not read yet, the next one perhaps on its way. */
  readonly pages: number
  readonly isReading: boolean
  readonly released: Released | undefined
  /** What needs all that was released, and is done when it has been read again. */
  readonly waiting: ReadonlyArray<(model: AppModel) => Update>
}

/** What was here once and was released, so that a session may go on forever. */
export interface Released {
  /** The prompt that it lies before, as long as nothing of it was read again. Its pages are not counted before that. */
  readonly before: string | undefined
  /** Its last record, as long as nothing of it was read again. */
  readonly last: string | undefined
  /** Its first entry: when this one is here again, everything is. */
  readonly first: string
}

/** What the output pane shows: an entry, a text from outside, or the messages in which a pattern was found. */
export type OutputSource =
  | { readonly _tag: "Entry"; readonly id: string }
  | { readonly _tag: "Text"; readonly title: string; readonly text: string }
  | { readonly _tag: "Matches"; readonly pattern: string }

export type ChangesSource =
  | { readonly _tag: "Tree" }
  | { readonly _tag: "Session" }
  | { readonly _tag: "Turn"; readonly back: number }

/** Times of the running turn. */
export interface RunModel {
  readonly startedAt: number | undefined
  /** Time spent waiting for the user, which is not counted. */
  readonly waitedMs: number
  readonly waitingSince: number | undefined
  /** When the session last said anything. */
  readonly heardAt: number
  /** The user asked to stop; shown at once, before the loop has stopped. */
  readonly interrupting: boolean
}

export const AT_REST: RunModel = {
  startedAt: undefined,
  waitedMs: 0,
  waitingSince: undefined,
  heardAt: 0,
  interrupting: false
}

/** A turn is going on. */
export const isRunning = ({ state: { run } }: SessionModel): boolean => run._tag === "Running"

export const nameOf = (session: SessionModel): string => session.title ?? "new session"

/**
 * A long session is shown from its end at once and read from its beginning in slices. What happens meanwhile is done to
 * the part on screen and, when everything is read, to the whole.
 */
export interface Loading {
  readonly messages: ReadonlyArray<Message>
  readonly at: number
  readonly built: Transcript
  readonly missed: ReadonlyArray<(transcript: Transcript) => Transcript>
}
