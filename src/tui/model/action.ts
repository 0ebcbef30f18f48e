import type { Draft } from "../prompt/model.ts"
import type { LineInput } from "./app-model.ts"
import type { LineCommand } from "./waiting-line.ts"

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
  | { readonly id: "action:run"; readonly action: string }

/** What can be done with a message, chosen from its menu. */
export type MessageChoice = "retry" | "edit" | "fork" | "rewind" | "pin" | "remember" | "diff" | "details" | "copy" | "quote"

export interface Raise {
  readonly _tag: "Raise"
  readonly action: Raised
}
