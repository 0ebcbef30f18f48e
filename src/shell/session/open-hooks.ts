import { Effect, type Scope } from "effect"
import type { Process } from "../../core/ports/Process.ts"
import { type Hooks, makeHooks } from "../hooks/hooks.ts"
import type { SessionPlan } from "../plan/session-plan.ts"
import type { Audience } from "../runtime/audience.ts"

/** The hooks of a session: those of its settings, and those of the host that it is opened for. */
export const openHooks = Effect.fnUntraced(function* (
  plan: SessionPlan,
  { callHook }: Audience
): Effect.fn.Return<Hooks, never, Process | Scope.Scope> {
  const services = yield* Effect.context<Process>()
  const scope = yield* Effect.scope
  const load = Effect.promise(async () => {
    const { makeRuns } = await import("../hooks/make-runs.ts")
    return makeRuns({ plan, callHost: callHook, setVariables: () => undefined, note: () => undefined, scope, services })
  })
  return yield* makeHooks({ snapshot: () => plan.settings.current().snapshot, load, complain: plan.complain })
})
