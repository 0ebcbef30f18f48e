import type { Effect } from "effect"
import type { PermissionQuestion } from "../../core/loop/machine/command.ts"
import type { Emission } from "../../core/loop/machine/emission.ts"
import type { HookOutcome, PermissionAnswer } from "../../core/loop/machine/event.ts"
import type { HookEvent } from "../../core/loop/machine/state.ts"
import type { ModelEvent } from "../../core/model/stream/model-event.ts"

/** Whoever watches and answers for a conversation: the print writer, a host over the control channel, the line mode. */
export interface Audience {
  readonly onEmission: (emission: Emission) => void
  /** Raw stream events as they come; only when somebody asked for partial messages. */
  readonly onModelEvent?: (event: ModelEvent) => void
  /** Puts a question; the reply comes once. The returned function withdraws the question. */
  readonly ask?: (question: PermissionQuestion, reply: (answer: PermissionAnswer) => void) => () => void
  readonly runHooks?: (event: HookEvent, input: Readonly<Record<string, unknown>>) => Effect.Effect<HookOutcome>
  /** Waits while the consumer is behind. */
  readonly backpressure: Effect.Effect<void>
}
