import type { ActionId } from "../keymap/actions/action-tables.ts"
import type { Update } from "./update-result.ts"
import type { Draft } from "../prompt/model.ts"
import type { LineInput } from "./app-model.ts"
import type { PaneId } from "../screen/layout/tree.ts"
import type { LineCommand } from "./waiting-line.ts"

/** How an action was asked for: the digits before its key, and the character behind one that takes it. */
export interface Press {
  readonly count: number | undefined
  readonly argument: string
}

export const NO_PRESS: Press = { count: undefined, argument: "" }

/** Undefined where the action means nothing: the key then means what it means without one. */
export type Handler<At> = (at: At, press: Press) => Update | undefined

/** One handler for each action: one that has none does not compile. */
export type Handlers<Id extends ActionId, At> = { readonly [I in Id]: Handler<At> }

/**
 * What a part of the interface asks of a part above it: a picker knows no panes, and a pane no commands. `update` hands
 * it to whoever does it.
 */
export type Raised =
  /** A line that was sent from the prompt or chosen from a list; one that changes the conversation waits for the turn. */
  | { readonly id: "command:run"; readonly command: LineCommand; readonly draft: Draft }
  /** A line of the command line that was typed in the prompt. */
  | { readonly id: "command:ex"; readonly line: string }
  | { readonly id: "line:open"; readonly kind: LineInput["kind"]; readonly text?: string; readonly input?: string }
  | { readonly id: "message:act"; readonly entry: string; readonly choice: MessageChoice }
  | { readonly id: "pane:refresh"; readonly pane: PaneId }
  | { readonly id: "action:run"; readonly action: ActionId }

/** What can be done with a message, chosen from its menu. */
export type MessageChoice =
  | "retry"
  | "edit"
  | "fork"
  | "rewind"
  | "summariseUpTo"
  | "summariseFrom"
  | "pin"
  | "remember"
  | "diff"
  | "details"
  | "copy"
  | "quote"

export interface Raise {
  readonly _tag: "Raise"
  readonly action: Raised
}
