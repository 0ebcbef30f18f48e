import type { Message } from "../../domain/message.ts"
import { type Sent, sentIn } from "../../context/sources/sent.ts"
import { NO_PACE, type Pace, paceAfter } from "../../context/sources/pace.ts"
import type { NewPrompt } from "../../context/sources/new-prompts.ts"
import type { Look, SourceKind, TouchedFile } from "../../context/sources/source.ts"

/** What is known of the sources of context, and what of it the window says. */
export interface ContextState {
  readonly readings: Look
  readonly sent: Sent
  /** What it is reminded of after a while. */
  readonly pace: Pace
  /** Kinds that somebody was asked to look at in this session. */
  readonly looked: ReadonlyArray<SourceKind>
  /** Somebody was asked since the window began. */
  readonly isWindowSeen: boolean
  /** Prompts since somebody was asked. */
  readonly prompts: ReadonlyArray<NewPrompt>
  /** Files that calls touched since somebody was asked. */
  readonly touched: ReadonlyArray<TouchedFile>
  /** Files whose text a summary took away since somebody was asked. */
  readonly lost: ReadonlyArray<string>
  /** The looks of which something may still come. */
  readonly awaited: ReadonlyArray<string>
}

export const contextOf = (visible: ReadonlyArray<Message>): ContextState => ({
  readings: {},
  sent: sentIn(visible),
  pace: visible.reduce(paceAfter, NO_PACE),
  looked: [],
  isWindowSeen: false,
  prompts: [],
  touched: [],
  lost: [],
  awaited: []
})

/** The window begins anew with these messages; what holds is said again, and what may have changed is looked at. */
export const inNewWindow = (
  context: ContextState,
  visible: ReadonlyArray<Message>,
  lost: ReadonlyArray<string> = []
): ContextState => ({
  ...context,
  sent: sentIn(visible),
  lost,
  isWindowSeen: false
})
