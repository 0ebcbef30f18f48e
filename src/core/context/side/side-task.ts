import type { Log } from "../../domain/append-list.ts"
import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"

/**
 * Side tasks: what the program asks a model beside the conversation, for the user's sake and not for an answer. A row
 * says when one is due and what is made of its answer; nothing of it is part of the conversation, and none delays it.
 */
export const SIDE_KINDS = ["title", "memory_extract", "prompt_suggestion", "away_summary"] as const
export type SideKind = (typeof SIDE_KINDS)[number]

/** A request for a prompt went out; one that carries results of calls; a turn ended; somebody asked for it by name. */
export type SideMoment = "prompt" | "batch" | "turn-end" | "asked"

/** What the model sees: the conversation as its own model sees it, and one more instruction; or a text of its own. */
export type Sight =
  | { readonly _tag: "Fork"; readonly instruction: string }
  | { readonly _tag: "Own"; readonly system: string; readonly content: string }

/** The only place that a task may write to. Paths are real ones. */
export type Grant =
  | { readonly _tag: "EditFile"; readonly path: string }
  | { readonly _tag: "Directory"; readonly path: string }

/** A task that only answers makes one request. */
interface Asking {
  readonly maxOutputTokens: number
  readonly grant?: undefined
}

/** One that writes is an agent of its own that may do nothing else. */
interface Acting {
  readonly grant: Grant
  /** What it needs of the conversation's tools; a fork has all of them, so that its requests begin alike. */
  readonly tools: ReadonlyArray<string>
  readonly maxTurns: number
}

/** What the model is to do. */
export type SideOrder = (Asking | Acting) & { readonly sight: Sight; readonly timeoutMs: number }
export type ActingOrder = SideOrder & Acting

/** Nothing is to be done, and what was said so far needs no second look. */
export const SEEN = "seen"

/** What is known of earlier runs of a task in this session. */
export interface SidePast {
  /** Runs that were begun. */
  readonly begun: number
  /** The conversation's tip when the last run began that came to its end. */
  readonly upTo: Uuid | null
}

/** Which tasks there are in this session, and what they go by. */
export interface SideOptions {
  readonly kinds: ReadonlyArray<SideKind>
  /** Answers what needs no more than a few words. */
  readonly smallModel: string
  /** Where memory is kept. */
  readonly memoryDir?: string | undefined
  /** Turns from one look for things to remember to the next. */
  readonly extractEveryTurns?: number
}

export const NO_SIDE_TASKS: SideOptions = { kinds: [], smallModel: "" }

/** What a condition may look at. Looking at messages from their end costs nothing. */
export interface SideView {
  readonly moment: SideMoment
  readonly options: SideOptions
  readonly messages: Log<Message>
  /** How the last turn ended. */
  readonly ended: { readonly isAnswered: boolean } | undefined
  readonly past: SidePast
  /** The conversation began in an earlier process. */
  readonly isResumed: boolean
  /** Nothing may be changed. */
  readonly isPlanning: boolean
  /** The endpoint has kept the conversation: going on with it costs little. */
  readonly isCached: boolean
  /** What is left of the budget, from 0 to 1. */
  readonly budgetLeft: number
}

/** What came of a task. */
export type SideResult =
  | { readonly _tag: "Titled"; readonly title: string }
  | { readonly _tag: "Suggested"; readonly text: string }
  | { readonly _tag: "Recapped"; readonly text: string }
  | { readonly _tag: "Remembered"; readonly paths: ReadonlyArray<string> }

export interface SideAnswer {
  readonly text: string
  /** Files that it wrote. */
  readonly wrote?: ReadonlyArray<string>
}

export interface SideTask {
  readonly moments: ReadonlyArray<SideMoment>
  /** Every condition stands here; undefined: not now. */
  readonly order: (view: SideView) => SideOrder | typeof SEEN | undefined
  /** Undefined: nothing came of it, and nobody hears of that. */
  readonly read: (answer: SideAnswer, view: SideView) => SideResult | undefined
  /** When it is due while it runs: leave it at that, run once more behind it, or begin anew. */
  readonly overlap: "drop" | "trail" | "replace"
  /** How long the program waits for a run before it ends. */
  readonly exitWaitMs?: number
}
