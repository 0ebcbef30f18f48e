/** The Process port on Node: wires registry, pipes and the last resort at process exit. */
import { realpathSync, statSync } from "node:fs"
import { Effect, Layer } from "effect"
import { ExitGuard } from "../../core/ports/ExitGuard.ts"
import { Process } from "../../core/ports/Process.ts"
import { startCommand } from "./command.ts"
import { makePipePool } from "./pipe-pool.ts"
import { makeRegistry } from "./registry.ts"
import { runProgram } from "./run.ts"
import { makeScratch } from "./scratch.ts"

/** Synchronous, because a command waits for it and the answer is in the kernel's memory. */
const resolveDirectory = (path: string): Effect.Effect<string | null> =>
  Effect.sync(() => {
    try {
      const physical = realpathSync.native(path)
      return statSync(physical).isDirectory() ? physical : null
    } catch {
      return null
    }
  })

const make = Effect.gen(function* () {
  const registry = makeRegistry()
  const pool = makePipePool()
  const scratch = makeScratch()
  const dispose = (): void => {
    pool.dispose()
    scratch.dispose()
  }
  yield* (yield* ExitGuard).onExit(() => {
    registry.killAllNow()
    dispose()
  })
  yield* Effect.addFinalizer(() => Effect.andThen(registry.shutdown, Effect.sync(dispose)))
  return Process.of({
    start: (spec) => startCommand({ registry, pool }, spec),
    scratchDirectory: scratch.directory,
    run: (spec) => runProgram(registry, spec),
    resolveDirectory
  })
})

/** Closing the layer ends every group that still lives. */
export const layer: Layer.Layer<Process, never, ExitGuard> = Layer.effect(Process, make)
