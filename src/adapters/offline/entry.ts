/** What one response of the offline model is made of, whichever source (script, directives, phrases, tour) wrote it. */
import type { Turn } from "./conversation.ts"

export interface PlannedCall {
  readonly name: string
  readonly input: unknown
  /** Only scripts choose ids; others are derived from the request. */
  readonly id?: string
}

export const FAULT_KINDS = [
  "overloaded",
  "rate_limit",
  "server_error",
  "disconnect:before",
  "disconnect:thinking",
  "disconnect:text",
  "disconnect:tool",
  "stall",
  "prompt_too_long",
  "max_tokens",
  "bad_json",
  "image_too_large",
  "refusal",
  "auth",
  "empty"
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export interface Fault {
  readonly kind: FaultKind
  /** How many requests for this response it hits. */
  readonly count: number
  readonly retryAfterMs?: number
  /** Hits only this model; without it every model but the stand-ins named `offline-…`. */
  readonly model?: string
}

export interface Expectation {
  /** `latest` is the last tool results, or the request when there are none. */
  readonly where: "latest" | "results" | "request"
  /** A substring, or a regular expression written as /…/flags. */
  readonly text: string
}

export interface Entry {
  readonly think?: string
  readonly text?: string
  readonly tools?: ReadonlyArray<PlannedCall>
  readonly stop?: string
  readonly faults?: ReadonlyArray<Fault>
  readonly delayMs?: number
  readonly expect?: ReadonlyArray<Expectation>
  /** Usage to report instead of the count. */
  readonly tokens?: { readonly input?: number; readonly output?: number }
}

/** One response as a function of what happened so far in the turn; undefined leaves it out. */
export type Step = (turn: Turn) => Entry | undefined

export interface Plan {
  readonly steps: ReadonlyArray<Step>
  /** The answer when every step is done. */
  readonly closing: (turn: Turn) => string
  /** Whether calls of tools that are not offered are replaced by a search for them, or an explanation. */
  readonly checksTools: boolean
  /** The text that determined the plan; tells identical requests apart from new ones when faults are counted. */
  readonly origin: string
}

export const always =
  (entry: Entry): Step =>
  () =>
    entry
