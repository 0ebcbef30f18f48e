import { Deferred, Effect, Layer, ManagedRuntime } from "effect"
import { portsLayer } from "../layers/ports.ts"
import { portOptions } from "../plan/port-options.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import type { Audience } from "../runtime/audience.ts"
import { layer as pagesLayer } from "../tools/services/web-page-cache.ts"
import { openSession } from "./open-session.ts"
import type { SessionHandle } from "./session-handle.ts"
import type { ApplicationServices } from "./session-services.ts"

/**
 * What a process has once, whatever number of sessions it opens. It follows the plan of the first of them: before that
 * plan is settled nobody knows where requests go, so whoever asks for a service waits for it.
 */
export class Application {
  private readonly planned = Deferred.makeUnsafe<SessionPlan>()
  private readonly runtime = ManagedRuntime.make(
    Layer.unwrap(Effect.map(Deferred.await(this.planned), (plan) => Layer.merge(portsLayer(portOptions(plan)), pagesLayer)))
  )

  /** What the first session follows, as soon as that is settled. */
  readonly plan: Effect.Effect<SessionPlan> = Deferred.await(this.planned)

  /** The first one counts. */
  follow(plan: SessionPlan): void {
    Deferred.doneUnsafe(this.planned, Effect.succeed(plan))
  }

  /** Opens the session that a plan asks for. A text says why it cannot be opened. */
  open(plan: SessionPlan, audience: Audience): Effect.Effect<SessionHandle, string> {
    return Effect.flatMap(this.runtime.contextEffect, (services) =>
      Effect.provideContext(openSession(plan, audience), services)
    )
  }

  run<A, E>(work: Effect.Effect<A, E, ApplicationServices>): Promise<A> {
    return this.runtime.runPromise(work)
  }

  readonly close: Effect.Effect<void> = this.runtime.disposeEffect
}
