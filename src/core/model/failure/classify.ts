import type { ModelFailure } from "./model-failure.ts"
import type { ErrorClass } from "../../domain/message.ts"

/** What a failure means for the loop. `repair` names a change to the request that makes another try sensible. */
export interface FailureReading {
  readonly errorClass: ErrorClass
  readonly retryable: boolean
  /** Fewer tries than the policy allows: a user waits for the answer, and more would not change it. */
  readonly mostRetries?: number
  /** Whether a fallback model may answer instead, and when: at once, after several overloads, when tries run out. */
  readonly fallback: "never" | "now" | "afterOverloads" | "whenExhausted"
  readonly repair?: Repair
}

export type Repair =
  | { readonly kind: "promptTooLong"; readonly actualTokens?: number; readonly maximumTokens?: number }
  | { readonly kind: "media"; readonly mediaType: "image" | "document" }
  | { readonly kind: "outputTooLarge"; readonly inputTokens: number; readonly windowTokens: number }
  /** The field the endpoint complains about, or, when it names none, whichever comes next. */
  | { readonly kind: "omitField"; readonly field?: OptionalField }

/** Request fields an endpoint may not know; each is left out at most once per turn. */
export type OptionalField = "thinking" | "effort" | "betas" | "metadata" | "cache" | "temperature"

const TOO_LONG = /prompt is too long|input is too long for requested model|prompt_too_long|exceed context limit/i
const OVER_WINDOW = /input length and `?max_tokens`? exceed context limit: (\d+) \+ (\d+) > (\d+)/i
const TOKEN_COUNTS = /(\d+)\s*tokens?\s*>\s*(\d+)\s*maximum/i
const IMAGE = /image[^.]*(exceeds|too large|dimensions|(could not|unable to) process|invalid)|could not process image/i
const DOCUMENT = /(pdf|document)[^.]*(too large|too many pages|exceeds|password|could not|invalid|maximum of)/i
const SPEND_LIMIT = /spend(ing)? limit|credit balance|usage limit|billing/i
const FATAL_TLS = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|HOSTNAME_MISMATCH)/

const OPTIONAL_FIELDS: ReadonlyArray<readonly [OptionalField, RegExp]> = [
  ["betas", /anthropic-beta|\bbetas?\b/i],
  ["effort", /output_config|\beffort\b/i],
  ["thinking", /\bthinking\b/i],
  ["metadata", /\bmetadata\b/i],
  ["cache", /cache_control/i],
  ["temperature", /\btemperature\b/i]
]

const fatal = (errorClass: ErrorClass, repair?: Repair): FailureReading => ({
  errorClass,
  retryable: false,
  fallback: "never",
  ...(repair === undefined ? {} : { repair })
})

const readTooLong = (message: string): FailureReading => {
  const counts = TOKEN_COUNTS.exec(message)
  return fatal("prompt_too_long", {
    kind: "promptTooLong",
    ...(counts === null ? {} : { actualTokens: Number(counts[1]), maximumTokens: Number(counts[2]) })
  })
}

const readBadRequest = (message: string): FailureReading => {
  const over = OVER_WINDOW.exec(message)
  if (over !== null) {
    return fatal("invalid_request", {
      kind: "outputTooLarge",
      inputTokens: Number(over[1]),
      windowTokens: Number(over[3])
    })
  }
  if (TOO_LONG.test(message)) return readTooLong(message)
  if (IMAGE.test(message)) return fatal("invalid_request", { kind: "media", mediaType: "image" })
  if (DOCUMENT.test(message)) return fatal("invalid_request", { kind: "media", mediaType: "document" })
  if (SPEND_LIMIT.test(message)) return fatal("billing_error")
  const field = OPTIONAL_FIELDS.find(([, pattern]) => pattern.test(message))
  return fatal("invalid_request", { kind: "omitField", ...(field === undefined ? {} : { field: field[0] }) })
}

const readRateLimit = (message: string): FailureReading =>
  SPEND_LIMIT.test(message) ? fatal("billing_error") : { errorClass: "rate_limit", retryable: true, fallback: "never" }

const readStatus = (status: number, failure: ModelFailure): FailureReading => {
  switch (status) {
    case 400:
      return readBadRequest(failure.message)
    case 401:
      return { errorClass: "authentication_failed", retryable: true, mostRetries: 1, fallback: "never" }
    case 403:
      return fatal("authentication_failed")
    case 402:
      return fatal("billing_error")
    case 404:
      return { errorClass: "model_not_found", retryable: false, fallback: "now" }
    case 408:
    case 409:
      return { errorClass: "unknown", retryable: true, fallback: "never" }
    case 413:
      return readTooLong(failure.message)
    case 429:
      return readRateLimit(failure.message)
    case 529:
      return { errorClass: "overloaded", retryable: true, fallback: "afterOverloads" }
    default:
      return status >= 500
        ? { errorClass: "server_error", retryable: failure.shouldRetry !== false, fallback: "whenExhausted" }
        : fatal("invalid_request")
  }
}

const STATUS_OF_TYPE: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529
}

/** Reads a failure by its status, or by its error type when it came inside a stream that had begun with 200. */
export const classify = (failure: ModelFailure): FailureReading => {
  if (failure.kind === "credential") return fatal("authentication_failed")
  const byType = failure.errorType === null ? undefined : STATUS_OF_TYPE[failure.errorType]
  if (byType === 529) return readStatus(529, failure)
  const status = failure.status ?? byType
  if (status !== undefined) return readStatus(status, failure)
  const certificate = failure.code !== undefined && FATAL_TLS.test(failure.code)
  return certificate ? fatal("unknown") : { errorClass: "unknown", retryable: true, fallback: "never" }
}
