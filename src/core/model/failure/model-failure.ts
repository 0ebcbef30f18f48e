/**
 * What can go wrong between us and the model, as data. The adapter only says what it saw; what it means and whether it
 * is worth another try is decided in core/loop.
 */
export interface ModelFailure {
  /**
   * http: the endpoint answered with a status; network: no answer or the connection broke; stalled: the connection was
   * silent for too long; stream: the endpoint reported an error inside a 200 stream; credential: there is none.
   */
  readonly kind: "http" | "network" | "stalled" | "stream" | "credential"
  readonly status: number | null
  /** `error.type` of the answer, for example `overloaded_error`. */
  readonly errorType: string | null
  readonly message: string
  /** Node's or TLS's code, for example ECONNRESET. */
  readonly code?: string
  readonly retryAfterMs?: number
  /** The endpoint's own word (header x-should-retry). */
  readonly shouldRetry?: boolean
  readonly requestId?: string
}
