import type { Log } from "../../domain/append-list.ts"
import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"

/**
 * Side tasks: what the program asks a model beside the conversation, for the user's sake and not for an answer. A row
 * says when one is due and what is made of its answer; nothing of it is part of the conversation, and none delays it.
 */
export const SIDE_KINDS = ["title"] as const
export type SideKind = (typeof SIDE_KINDS)[number]

/** A request for a prompt went out; one that carries results of calls; a turn ended; somebody asked for it by name. */
export type SideMoment = "prompt" | "batch" | "turn-end" | "asked"

/** What the model sees: the conversation as its own model sees it, and one more instruction; or a text of its own. */
export type Sight =
  | { readonly _tag: "Fork"; readonly instruction: string }
  | { readonly _tag: "Own"; readonly system: string; readonly content: string }

/** What the model is to do. */
export interface SideOrder {
  readonly sight: Sight
  readonly maxOutputTokens: number
  readonly timeoutMs: number
}

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
}

export const NO_SIDE_TASKS: SideOptions = { kinds: [], smallModel: "" }

/** What a condition may look at. Looking at messages from their end costs nothing. */
export interface SideView {
  readonly moment: SideMoment
  readonly options: SideOptions
  readonly messages: Log<Message>
  readonly past: SidePast
  /** The conversation began in an earlier process. */
  readonly isResumed: boolean
  /** Nothing may be changed. */
  readonly isPlanning: boolean
}

/** What came of a task. */
export type SideResult = { readonly _tag: "Titled"; readonly title: string }

export interface SideAnswer {
  readonly text: string
}

export interface SideTask {
  readonly moments: ReadonlyArray<SideMoment>
  /** Every condition stands here; undefined: not now. */
  readonly order: (view: SideView) => SideOrder | undefined
  /** Undefined: nothing came of it, and nobody hears of that. */
  readonly read: (answer: SideAnswer, view: SideView) => SideResult | undefined
  /** When it is due while it runs: leave it at that, run once more behind it, or begin anew. */
  readonly overlap: "drop" | "trail" | "replace"
}
