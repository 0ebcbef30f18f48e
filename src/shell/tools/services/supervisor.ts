import { Context, Data, type Effect, type Fiber } from "effect"
import type { AgentKind } from "../../../core/agents/agent-kind.ts"
import type { AgentId } from "../../../core/domain/id.ts"
import type { TurnResult } from "../../../core/loop/machine/emission.ts"
import type { Occurrence } from "../../../core/loop/machine/event.ts"
import type { AgentView } from "../../../core/loop/machine/session-view.ts"

/** What an agent is started for. */
export interface AgentOrder {
  readonly id: AgentId
  readonly parent: AgentId
  readonly kind: AgentKind
  readonly prompt: string
}

export class UnknownAgent extends Data.TaggedError("UnknownAgent")<{ readonly agent: AgentId }> {}

/** Nothing was started. */
export class SpawnRefused extends Data.TaggedError("SpawnRefused")<{ readonly message: string }> {}

/** It could not begin, or something broke in it: there is no result. */
export class AgentFailed extends Data.TaggedError("AgentFailed")<{ readonly message: string }> {}

/**
 * The agents of a session. All of them live in the session's scope and none in another's: one that works in the
 * background outlives the call that started it.
 */
export class Supervisor extends Context.Service<
  Supervisor,
  {
    /** Starts an agent, which does not wait for it to open; the fiber ends with its report. */
    readonly spawn: (order: AgentOrder) => Effect.Effect<Fiber.Fiber<TurnResult, AgentFailed>, SpawnRefused>
    /** Ends its turn: what it said stays, its calls settle. One that does not end soon is stopped. */
    readonly interrupt: (agent: AgentId) => Effect.Effect<void>
    readonly tell: (agent: AgentId, occurrence: Occurrence) => Effect.Effect<void, UnknownAgent>
    /** What holds for the whole session. No agent gets more by it than its kind may have. */
    readonly tellAll: (occurrence: Occurrence) => void
    readonly list: Effect.Effect<ReadonlyArray<AgentView>>
  }
>()("nacre/shell/Supervisor") {}
