import { Effect } from "effect"
import { stat } from "node:fs"
import { newestFirst } from "../../core/tools/search/order.ts"

/** Sorting found files by modification time. Callbacks, because promises cost more than the calls themselves here. */
const PARALLEL_STATS = 64
const DATING_MS = 5_000

const dateAll = (paths: ReadonlyArray<string>, dates: Map<string, number>) =>
  Effect.callback<void>((resume, signal) => {
    let next = 0
    let running = 0
    const settle = (): void => {
      running--
      advance()
    }
    const advance = (): void => {
      while (running < PARALLEL_STATS && next < paths.length && !signal.aborted) {
        const path = paths[next++]
        if (path === undefined) continue
        running++
        stat(path, (error, stats) => {
          // A file that vanished meanwhile is not a result; one that cannot be asked is, only without a date.
          if (error === null) dates.set(path, stats.mtimeMs)
          else if (error.code === "ENOENT") dates.set(path, Number.NaN)
          settle()
        })
      }
      if (running === 0 && next >= paths.length) resume(Effect.void)
    }
    advance()
  })

/** Newest first. When dating takes too long, the undated rest follows by path: nothing found is lost. */
export const sortNewest = (paths: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const dates = new Map<string, number>()
    return dateAll(paths, dates).pipe(
      Effect.timeoutOption(DATING_MS),
      Effect.map(() => {
        const dated = paths.map((path) => ({ path, mtimeMs: dates.get(path) ?? 0 }))
        return newestFirst(dated.filter((file) => !Number.isNaN(file.mtimeMs)))
      })
    )
  })
