import type { Emission } from "../../../core/loop/machine/emission.ts"
import { AT_REST, type RunModel } from "../session-model.ts"

/** Keeps the figures of the running turn as its emissions come. */
export const runAfter = (run: RunModel, emission: Emission, now: number): RunModel => {
  if (emission._tag === "TurnStarted") return { ...AT_REST, startedAt: now, heardAt: now }
  return emission._tag === "TurnFinished" ? AT_REST : { ...run, heardAt: now }
}

/** Waiting for the user is not the agent's time. */
export const runWaiting = (run: RunModel, isWaiting: boolean, now: number): RunModel => {
  if (isWaiting === (run.waitingSince !== undefined)) return run
  if (isWaiting) return { ...run, waitingSince: now }
  return { ...run, waitingSince: undefined, waitedMs: run.waitedMs + now - (run.waitingSince ?? now) }
}
