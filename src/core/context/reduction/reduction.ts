import type { CallId, Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import type { WindowStatus } from "../../model/tokens/window.ts"
import type { Cut } from "./keep.ts"

/**
 * What makes room in a window. Each rung of the ladder is a row in plan.ts and a plain function: from how full the
 * window is and what the conversation holds to what should go.
 */
export type RungName = "clear-idle" | "clear-pressure" | "clear-rescue" | "clear-asked" | "snip" | "summary"

/** Old results of tools give way to one line; calls and their order stay. */
export interface ClearResults {
  readonly _tag: "ClearResults"
  readonly rung: RungName
  readonly calls: ReadonlyArray<CallId>
  readonly freesTokens: number
}

/** Where the words come from that stand in for what goes. */
export type SummarySource =
  | { readonly _tag: "Model" }
  /** No summary: a line that says how many rounds are gone, and where they can be read. */
  | { readonly _tag: "Marker"; readonly rounds: number }

/** The older part gives way to words about it. */
export interface Summarise extends Cut {
  readonly _tag: "Summarise"
  readonly rung: RungName
  readonly source: SummarySource
  /** The words stand for the beginning of the conversation, or for its end. */
  readonly side: "beginning" | "end"
}

export type Reduction = ClearResults | Summarise

/** What somebody wants, beside what the window needs. */
export type Ask =
  | { readonly _tag: "Nothing" }
  /** The endpoint refused the conversation; by how much it was too long, if that was said. */
  | { readonly _tag: "Rescue"; readonly overTokens: number | undefined }
  /** A user or host wants a summary, of everything or of one side of a message. */
  | { readonly _tag: "Manual"; readonly focus: string; readonly part: SummaryPart }
  | { readonly _tag: "Snip"; readonly rounds: number }

/** What of the conversation a summary is to stand for. */
export type SummaryPart =
  | { readonly _tag: "All" }
  /** Everything before this message. */
  | { readonly _tag: "UpTo"; readonly uuid: Uuid }
  /** This message and everything after it. */
  | { readonly _tag: "From"; readonly uuid: Uuid }

export interface ReductionView {
  /** What the model sees. Not asked for while there is room and nobody wants anything. */
  readonly visible: () => ReadonlyArray<Message>
  readonly promptUuid: Uuid | undefined
  readonly pins: ReadonlySet<Uuid>
  readonly ask: Ask
  /** Rungs that were tried for this request already. */
  readonly spent: ReadonlySet<RungName>
  /** Failed summaries in a row. */
  readonly failures: number
  /** A user undid the newest compaction. */
  readonly isUndone: boolean
  /** Since the newest response; nothing without one. */
  readonly idleMs: number
  /** Tokens in the window when results were last cleared under pressure. */
  readonly clearedAtTokens: number | undefined
  /** Tokens that stand around the conversation whatever becomes of it. */
  readonly fixedTokens: number
}

export interface ReductionSettings {
  readonly isAutomatic: boolean
  readonly isDisabled: boolean
  readonly clearing: ClearingSettings
}

export interface ClearingSettings {
  readonly isEnabled: boolean
  /** After this long the endpoint has forgotten the conversation anyway. */
  readonly idleMs: number
  /** Newest results that an idle hour does not take. */
  readonly keepResults: number
}

export const USUAL_CLEARING: ClearingSettings = { isEnabled: true, idleMs: 60 * 60_000, keepResults: 5 }
export const NO_CLEARING: ClearingSettings = { isEnabled: false, idleMs: 0, keepResults: 0 }

export interface RungInput {
  readonly status: WindowStatus
  readonly view: ReductionView
  readonly settings: ReductionSettings
}

export interface Rung {
  readonly name: RungName
  readonly plan: (input: RungInput) => Reduction | undefined
}

const SHARE_AFTER = 0.6

/** What the conversation may take after a reduction, so that it does not fill the window again at once. */
export const roomAfter = ({ status, view }: Pick<RungInput, "status" | "view">): number =>
  Math.max(0, Math.floor((status.autoTokens - view.fixedTokens) * SHARE_AFTER))
