/** The ExitGuard port on Node: one listener, however many there are who leave nothing behind. */
import { Effect, Layer } from "effect"
import { ExitGuard } from "../../core/ports/ExitGuard.ts"

/** Who came last goes first. One that fails has nobody to tell and must not keep the others from their turn. */
const runAll = (releases: Iterable<() => void>): void => {
  for (const release of [...releases].toReversed()) {
    try {
      release()
    } catch {
      continue
    }
  }
}

export const layer: Layer.Layer<ExitGuard> = Layer.effect(
  ExitGuard,
  Effect.gen(function* () {
    const releases = new Set<() => void>()
    const onExit = (): void => runAll(releases)
    yield* Effect.acquireRelease(
      Effect.sync(() => process.once("exit", onExit)),
      () => Effect.sync(() => process.off("exit", onExit))
    )
    return {
      onExit: (release) =>
        Effect.acquireRelease(
          Effect.sync(() => void releases.add(release)),
          () => Effect.sync(() => void releases.delete(release))
        )
    }
  })
)
