import { Effect, type Scope } from "effect"
import { type AgentId, MAIN_AGENT } from "../../core/domain/id.ts"
import type { InitialState } from "../../core/loop/turn/start-turn.ts"
import { openDebugLog } from "../trace/debug-log.ts"
import type { Witness } from "../runtime/driver.ts"
import { openRecorder, type Recorder } from "../trace/flight-recorder.ts"
import { VERSION } from "../process/version.ts"
import { debugOf, debugPathOf, type SessionPlan } from "../plan/session-plan.ts"
import { secretsOf } from "./session-services.ts"

/** Who writes down what happens in a session: the flight recorder and the debug log. */

const openRecording = (plan: SessionPlan, initial: InitialState): Effect.Effect<Recorder | undefined, string> => {
  // Only whoever starts the program may say where the conversation is written to, no settings file.
  const { NACRE_RECORD: named } = process.env
  const path = plan.start.debug.record ?? (named === "" ? undefined : named)
  if (path === undefined) return Effect.succeed(undefined)
  const onFailure = (cause: string): void => plan.complain(`The recording ${path} ends here: ${cause}`)
  return Effect.try({
    try: () => openRecorder({ path, initial, version: VERSION, onFailure }),
    catch: (error) => {
      const cause = error instanceof Error ? error.message : String(error)
      const asked = plan.start.debug.record === undefined ? "NACRE_RECORD" : "--record"
      return `${asked} ${path} cannot be written (${cause}). Fix: name a directory, or a new file that ends in .jsonl`
    }
  })
}

export interface Witnesses {
  /** Those of an agent, before its first event. The first one opens the files. */
  readonly of: (agent: AgentId, initial: InitialState) => Effect.Effect<ReadonlyArray<Witness>, string>
}

/** Closed with the scope, behind the last event of every agent. */
export const makeWitnesses = (plan: SessionPlan): Effect.Effect<Witnesses, never, Scope.Scope> => {
  let recorder: Recorder | undefined
  const { enabled, filter } = debugOf(plan)
  const logs = (agent: AgentId, path: string): ReadonlyArray<Witness> => {
    const named = agent === MAIN_AGENT ? {} : { agent }
    return enabled ? [openDebugLog({ path, filter, now: Date.now, secrets: secretsOf(plan), ...named })] : []
  }
  const of: Witnesses["of"] = Effect.fnUntraced(function* (agent, initial) {
    if (agent === MAIN_AGENT) recorder = yield* openRecording(plan, initial)
    else recorder?.join(agent, initial)
    const log = logs(agent, debugPathOf(plan, initial.config.place.sessionId))
    return recorder === undefined ? log : [...log, recorder.witness]
  })
  return Effect.acquireRelease(Effect.succeed({ of }), () => Effect.sync(() => recorder?.close()))
}
