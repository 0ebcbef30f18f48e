/** What the prompt asks of the application. */
import type { VimCommand } from "../editor/vim/state/command.ts"
import type { Chip } from "./chip.ts"
import type { CompletionKind } from "./completion.ts"
import type { Draft, InputMode } from "./model.ts"

/** A finished message. Text is what is sent; display is what history and the queue show. */
export interface Submission {
  readonly mode: InputMode
  readonly text: string
  readonly display: string
  readonly chips: ReadonlyArray<Chip>
  /** A shell command whose output stays out of the context (`!!`). */
  readonly isQuiet: boolean
  /** How it was typed. */
  readonly draft: Draft
}

export type PromptCommand =
  | { readonly _tag: "Send"; readonly submission: Submission }
  /** Candidates for what is being typed; answer with `receiveCandidates` and the same id. */
  | { readonly _tag: "AskCandidates"; readonly id: number; readonly kind: CompletionKind; readonly query: string }
  | { readonly _tag: "StorePaste"; readonly number: number; readonly text: string }
  /** Images that were dropped on the prompt; where one of them is none, the text that was pasted comes back. */
  | { readonly _tag: "TakeImages"; readonly paths: ReadonlyArray<string>; readonly text: string }
  /** These queued messages are in the prompt again. */
  | { readonly _tag: "TakeBack"; readonly ids: ReadonlyArray<string> }
  | { readonly _tag: "Notice"; readonly text: string }
  | Exclude<VimCommand, { _tag: "Submit" | "HistoryOlder" | "HistoryNewer" }>
