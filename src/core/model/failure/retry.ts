import { LIMITS } from "../../domain/limits.ts"

export interface RetryPolicy {
  readonly maxRetries: number
  /** Unattended runs: overload and rate limits are waited out without end. */
  readonly watchdog: boolean
}

export interface RetryQuestion {
  /** Tries already made for this response that failed, this one included. */
  readonly failures: number
  readonly capacity: boolean
  /** From the endpoint's retry-after header. */
  readonly retryAfterMs?: number
  /** A number in [0, 1) drawn by the shell. */
  readonly jitter: number
}

const WATCHDOG_RETRIES = 300
const WATCHDOG_CAP_MS = 300_000

/** How many times a failed request may be sent again. */
export const retryLimit = (policy: RetryPolicy, capacity: boolean): number => {
  if (policy.watchdog) return capacity ? Infinity : WATCHDOG_RETRIES
  return Math.min(policy.maxRetries, LIMITS.retriesCap)
}

/** Milliseconds to wait before the next try, or undefined when no further try is due. */
export const retryDelay = (policy: RetryPolicy, question: RetryQuestion): number | undefined => {
  if (question.failures > retryLimit(policy, question.capacity)) return undefined
  if (question.retryAfterMs !== undefined) return Math.max(0, question.retryAfterMs)
  const cap = policy.watchdog ? WATCHDOG_CAP_MS : LIMITS.retryCapMs
  const backoff = Math.min(cap, LIMITS.retryBaseMs * 2 ** Math.min(30, question.failures - 1))
  return Math.round(backoff * (1 + question.jitter * LIMITS.retryJitter))
}
