import type { Effect } from "effect"
import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { HookOutcome, PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { HookEvent } from "../../core/loop/machine/state.ts"
import type { Wants } from "./publications.ts"

/** The audience that a session is opened for; it also answers. */
export interface Audience extends Wants {
  /** Puts a question; the reply comes once. The returned function withdraws the question. */
  readonly ask?: (question: PermissionQuestion, reply: (answer: PermissionAnswer) => void) => () => void
  readonly runHooks?: (event: HookEvent, input: Readonly<Record<string, unknown>>) => Effect.Effect<HookOutcome>
}
