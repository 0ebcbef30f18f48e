import { appendFileSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { Effect, type Scope } from "effect"
import type { Env } from "../../core/domain/env.ts"
import type { Process } from "../../core/ports/Process.ts"
import { type Asker, type Hooks, makeHooks } from "../hooks/hooks.ts"
import { debugOf, debugPathOf, type SessionPlan } from "../plan/session-plan.ts"
import type { Audience } from "../runtime/audience.ts"
import { isShown } from "../trace/debug-log.ts"

/** The hooks of a session: those of its settings, and those of the host that it is opened for. */

/** The debug log says of each handler why it runs or does not. */
const noteIn = (plan: SessionPlan): ((asker: Asker, text: string) => void) => {
  const { enabled, filter } = debugOf(plan)
  if (!enabled || !isShown(filter, "hooks")) return () => undefined
  return ({ state }, text) => {
    const path = debugPathOf(plan, state().config.place.sessionId)
    try {
      mkdirSync(dirname(path), { recursive: true })
      appendFileSync(path, `${new Date().toISOString()} [hooks] ${text}\n`, { mode: 0o600 })
    } catch {
      // A log that cannot be written is no reason to stop.
    }
  }
}

export const openHooks = Effect.fnUntraced(function* (
  plan: SessionPlan,
  { callHook }: Audience
): Effect.fn.Return<Hooks, never, Process | Scope.Scope> {
  const services = yield* Effect.context<Process>()
  const scope = yield* Effect.scope
  let variables: Env = {}
  const load = Effect.promise(async () => {
    const { makeRuns } = await import("../hooks/make-runs.ts")
    return makeRuns({
      plan,
      callHost: callHook,
      setVariables: (more) => {
        variables = { ...variables, ...more }
      },
      note: noteIn(plan),
      scope,
      services
    })
  })
  const snapshot = () => plan.settings.current().snapshot
  return yield* makeHooks({ snapshot, load, complain: plan.complain, variables: () => variables })
})
