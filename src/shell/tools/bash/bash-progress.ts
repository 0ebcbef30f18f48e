/** Live progress of a foreground command: a bounded rate while it runs, and the last state before its result. */
import { Clock, Effect } from "effect"
import { LIMITS } from "../../../core/domain/limits.ts"
import type { RunningCommand } from "../../../core/ports/Process.ts"
import type { ToolContext } from "../contract/executor.ts"

const INTERVAL_MS = 1_000 / LIMITS.progressPerSecond

/** Runs `work` and reports beside it. What ends within the first interval reports nothing: its result says it all. */
export const withProgress = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  running: RunningCommand,
  context: ToolContext
): Effect.Effect<A, E, R> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    let reportedBytes = 0
    const report = Effect.gen(function* () {
      const elapsedMs = (yield* Clock.currentTimeMillis) - startedAt
      const { totalBytes, totalLines, tail } = yield* running.snapshot
      if (totalBytes === reportedBytes || elapsedMs < INTERVAL_MS) return
      reportedBytes = totalBytes
      yield* context.progress({ type: "bash_progress", output: tail, totalLines, totalBytes, elapsedMs })
    })
    const follow = Effect.forever(Effect.andThen(Effect.sleep(INTERVAL_MS), report))
    return yield* Effect.ensuring(Effect.raceFirst(work, follow), report)
  })
