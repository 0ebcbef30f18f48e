import type { Uuid } from "../../domain/id.ts"
import type { Message } from "../../domain/message.ts"
import { type Sent, sentIn } from "../../context/sources/sent.ts"
import type { Look, SourceKind, TouchedFile } from "../../context/sources/source.ts"

/** What is known of the sources of context, and what of it the window says. */
export interface ContextState {
  readonly readings: Look
  readonly sent: Sent
  /** Kinds that somebody was asked to look at in this session. */
  readonly looked: ReadonlyArray<SourceKind>
  /** Somebody was asked since the window began. */
  readonly isWindowSeen: boolean
  /** The newest prompt since which somebody was asked. */
  readonly promptSeen: Uuid | undefined
  /** Files that calls touched since somebody was asked. */
  readonly touched: ReadonlyArray<TouchedFile>
  /** The look whose outcome may still come. */
  readonly awaited: string | undefined
}

export const contextOf = (visible: ReadonlyArray<Message>): ContextState => ({
  readings: {},
  sent: sentIn(visible),
  looked: [],
  isWindowSeen: false,
  promptSeen: undefined,
  touched: [],
  awaited: undefined
})

/** The window begins anew with these messages; what holds is said again, and what may have changed is looked at. */
export const inNewWindow = (context: ContextState, visible: ReadonlyArray<Message>): ContextState => ({
  ...context,
  sent: sentIn(visible),
  isWindowSeen: false
})
