import { type Clock, Duration, Effect } from "effect"
import type { ModelFailure } from "../../core/model/failure/model-failure.ts"

/**
 * Watches one request: how long it runs, how long the endpoint is silent while we wait for it, and whether the machine
 * slept. The first thing found wrong is kept as the reason and the connection is dropped.
 */
export interface WatchLimits {
  readonly requestTimeoutMs: number
  /** 0 turns the watch for silence off. */
  readonly idleAbortMs: number
}

export interface Moment {
  readonly wallMs: number
  /** Stands still while the machine sleeps. */
  readonly steadyMs: number
}

interface Observed {
  readonly started: Moment
  /** Steady time since which a byte is awaited; undefined while the consumer is busy with what it has. */
  readonly waitingSinceMs: number | undefined
  readonly now: Moment
}

const SLEEP_JUMP_MS = 60_000
const SLEEP_CHECK_MS = 5_000

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`

const network = (message: string, code: string): ModelFailure => ({
  kind: "network",
  status: null,
  errorType: null,
  message,
  code
})

/** What is wrong now, if anything. Sleep comes first: after it the other clocks say nothing about the endpoint. */
export const overdue = ({ started, waitingSinceMs, now }: Observed, limits: WatchLimits): ModelFailure | undefined => {
  const elapsedMs = now.steadyMs - started.steadyMs
  if (now.wallMs - started.wallMs - elapsedMs > SLEEP_JUMP_MS) {
    return network("the machine slept during the request, so the connection is taken as lost", "ECONNABORTED")
  }
  if (elapsedMs >= limits.requestTimeoutMs) {
    return network(`the request took longer than ${seconds(limits.requestTimeoutMs)}`, "ETIMEDOUT")
  }
  if (limits.idleAbortMs > 0 && waitingSinceMs !== undefined && now.steadyMs - waitingSinceMs >= limits.idleAbortMs) {
    const message = `the endpoint sent nothing for ${seconds(limits.idleAbortMs)}`
    return { kind: "stalled", status: null, errorType: null, message }
  }
  return undefined
}

/** When to look again. A consumer that has just begun to wait is never overlooked for longer than one sleep check. */
export const nextCheckMs = ({ started, waitingSinceMs, now }: Observed, limits: WatchLimits): number => {
  const total = limits.requestTimeoutMs - (now.steadyMs - started.steadyMs)
  const waitedMs = waitingSinceMs === undefined ? 0 : now.steadyMs - waitingSinceMs
  const idle = limits.idleAbortMs === 0 ? Infinity : limits.idleAbortMs - waitedMs
  return Math.max(1, Math.min(total, idle, SLEEP_CHECK_MS))
}

export interface Watchdog {
  /** A byte is awaited from now on. */
  readonly awaiting: () => void
  readonly heard: () => void
  /** Why the connection was dropped, once it was. */
  readonly reason: () => ModelFailure | undefined
  readonly run: Effect.Effect<void>
}

export const makeWatchdog = (clock: Clock.Clock, limits: WatchLimits, drop: () => void): Watchdog => {
  const moment = (): Moment => ({
    wallMs: clock.currentTimeMillisUnsafe(),
    steadyMs: Number(clock.monotonicTimeNanosUnsafe()) / 1e6
  })
  const started = moment()
  let waitingSinceMs: number | undefined
  let reason: ModelFailure | undefined

  const run = Effect.gen(function* () {
    for (;;) {
      const observed = { started, waitingSinceMs, now: moment() }
      reason = overdue(observed, limits)
      if (reason !== undefined) return drop()
      yield* clock.sleep(Duration.millis(nextCheckMs(observed, limits)))
    }
  })

  return {
    awaiting: () => {
      waitingSinceMs = moment().steadyMs
    },
    heard: () => {
      waitingSinceMs = undefined
    },
    reason: () => reason,
    run
  }
}
