import type { ModelFailure } from "../../core/model/failure/model-failure.ts"

/**
 * Turns what the SDK, fetch and the event stream report into model failures. Pure: the time of reading comes in as a
 * value. Errors are read by their fields and not by their class, so that nothing here loads the SDK.
 */
const MAX_MESSAGE_CHARS = 2_000
const MAX_CAUSES = 8

interface Fields {
  readonly [key: string]: unknown
}

interface HeaderReader {
  readonly get: (name: string) => string | null
}

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {})

const textOf = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const isHeaderReader = (value: unknown): value is HeaderReader => typeof fieldsOf(value)["get"] === "function"

const clip = (text: string): string => (text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text)

/** `retry-after-ms`, or `retry-after` in seconds or as a date; nothing when neither can be read. */
export const retryAfterMs = (headers: HeaderReader, nowMs: number): number | undefined => {
  const exact = Number.parseFloat(headers.get("retry-after-ms") ?? "")
  if (Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const given = headers.get("retry-after")?.trim()
  if (given === undefined || given === "") return undefined
  if (/^\d+(\.\d+)?$/.test(given)) return Math.ceil(Number(given) * 1000)
  // Date.parse takes "-5" for a year; a date of HTTP always names its month.
  const date = /[a-z]/i.test(given) ? Date.parse(given) : NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

const headerFacts = (headers: unknown, nowMs: number): Partial<ModelFailure> => {
  if (!isHeaderReader(headers)) return {}
  const delay = retryAfterMs(headers, nowMs)
  const verdict = headers.get("x-should-retry")
  const requestId = textOf(headers.get("request-id"))
  return {
    ...(delay === undefined ? {} : { retryAfterMs: delay }),
    ...(verdict === "true" || verdict === "false" ? { shouldRetry: verdict === "true" } : {}),
    ...(requestId === undefined ? {} : { requestId })
  }
}

/** The endpoint's own words. A gateway's HTML page says less than its status. */
const httpMessage = (status: number, error: Fields): string => {
  const body = fieldsOf(error["error"])
  const own = textOf(fieldsOf(body["error"])["message"]) ?? textOf(body["message"]) ?? textOf(body["error"])
  if (own !== undefined) return clip(own)
  const plain = (textOf(error["message"]) ?? "").replace(new RegExp(`^${status}\\s*`), "").trim()
  const useless = plain === "" || plain.startsWith("<") || plain.startsWith("{") || plain === "status code (no body)"
  return useless ? `the endpoint answered with status ${status} and no explanation` : clip(plain)
}

const httpFailure = (status: number, error: Fields, nowMs: number): ModelFailure => ({
  kind: "http",
  status,
  errorType: textOf(error["type"]) ?? textOf(fieldsOf(fieldsOf(error["error"])["error"])["type"]) ?? null,
  message: httpMessage(status, error),
  ...headerFacts(error["headers"], nowMs)
})

/** An error and what caused it, outermost first; a failed connect to several addresses lists them in `errors`. */
const causesOf = (error: unknown): ReadonlyArray<Fields> => {
  const found: Array<Fields> = []
  const waiting: Array<unknown> = [error]
  while (waiting.length > 0 && found.length < MAX_CAUSES) {
    const next = waiting.shift()
    if (typeof next !== "object" || next === null) continue
    const fields = fieldsOf(next)
    found.push(fields)
    waiting.push(fields["cause"])
    if (Array.isArray(fields["errors"])) waiting.push(...fields["errors"])
  }
  return found
}

const SENTENCES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset by the other side",
  EPIPE: "connection closed while the request was being sent",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name could not be looked up right now",
  ENETUNREACH: "network unreachable",
  EHOSTUNREACH: "host unreachable",
  ETIMEDOUT: "connection timed out",
  CERT_HAS_EXPIRED: "the endpoint's certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "the endpoint's certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "the endpoint's certificate chain holds a self-signed certificate",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "the endpoint's certificate could not be verified",
  ERR_TLS_CERT_ALTNAME_INVALID: "the endpoint's certificate is for another host name"
}

const BROKEN_CODES = new Set(["ECONNRESET", "EPIPE", "ERR_STREAM_PREMATURE_CLOSE"])

export const connectionClosed = (code = "ECONNRESET"): ModelFailure => ({
  kind: "network",
  status: null,
  errorType: null,
  message: "connection closed before the response was complete",
  code
})

/** Nothing was sent and nothing would change on another try; the type makes the loop stop. */
const unsendable = (message: string, code?: string): ModelFailure => ({
  kind: "network",
  status: null,
  errorType: "invalid_request_error",
  message,
  ...(code === undefined ? {} : { code })
})

const codedFailure = (code: string, detail: string): ModelFailure => {
  if (code === "ERR_INVALID_URL") return unsendable("the base URL of the endpoint is not a valid URL", code)
  if (code === "ERR_INVALID_PROTOCOL") return unsendable("the base URL of the endpoint is neither http nor https", code)
  // Such an error quotes the header's value, which may be a secret.
  if (code === "ERR_INVALID_CHAR") return unsendable("a request header holds a character that HTTP does not allow", code)
  const sentence = SENTENCES[code] ?? (detail === "" ? "connection failed" : detail)
  return { kind: "network", status: null, errorType: null, message: clip(`${sentence} (${code})`), code }
}

const uncodedFailure = (error: Fields, causes: ReadonlyArray<Fields>): ModelFailure => {
  const name = textOf(error["name"])
  if (name === "APIConnectionTimeoutError" || name === "TimeoutError") return codedFailure("ETIMEDOUT", "")
  if (name === "APIUserAbortError" || name === "AbortError") return connectionClosed("ECONNABORTED")
  const text = causes.map((cause) => textOf(cause["message"]) ?? "").findLast((message) => message !== "") ?? ""
  if (/header/i.test(text)) return unsendable("a request header holds a character that HTTP does not allow")
  return { kind: "network", status: null, errorType: null, message: clip(text === "" ? "connection failed" : text) }
}

/** What a request that was refused, or never answered, came to. */
export const requestFailure = (error: unknown, nowMs: number): ModelFailure => {
  const fields = fieldsOf(error)
  const status = fields["status"]
  if (typeof status === "number") return httpFailure(status, fields, nowMs)
  const causes = causesOf(error)
  const coded = causes.findLast((cause) => textOf(cause["code"]) !== undefined)
  if (coded === undefined) return uncodedFailure(fields, causes)
  return codedFailure(textOf(coded["code"]) ?? "", textOf(coded["message"]) ?? "")
}

/** What a response that had begun and then broke came to. */
export const bodyFailure = (error: unknown): ModelFailure => {
  const code = causesOf(error)
    .map((cause) => textOf(cause["code"]))
    .findLast((found) => found !== undefined)
  return connectionClosed(code === undefined || BROKEN_CODES.has(code) ? "ECONNRESET" : code)
}

/** The endpoint's `error` event inside a stream that had begun with 200. */
export const streamFailure = (body: unknown): ModelFailure => {
  const fields = fieldsOf(body)
  const error = fieldsOf(fields["error"])
  const requestId = textOf(fields["request_id"])
  return {
    kind: "stream",
    status: null,
    errorType: textOf(error["type"]) ?? null,
    message: clip(textOf(error["message"]) ?? textOf(body) ?? "the endpoint reported an error inside the response"),
    ...(requestId === undefined ? {} : { requestId })
  }
}

export const malformedEvent = (name: string, problem: string): ModelFailure => ({
  kind: "stream",
  status: null,
  errorType: null,
  message: clip(`the endpoint sent a malformed ${name}: ${problem}`)
})

export const notAnEventStream = (contentType: string): ModelFailure => ({
  kind: "stream",
  status: null,
  errorType: null,
  message: `the endpoint answered with ${contentType} instead of an event stream; check the base URL`
})

export const missingCredential = (message: string): ModelFailure => ({
  kind: "credential",
  status: null,
  errorType: null,
  message
})

export const bodyTooLarge = (bytes: number, limit: number): ModelFailure => ({
  kind: "http",
  status: 413,
  errorType: "request_too_large",
  message: `the request was not sent: its ${bytes} bytes exceed the limit of ${limit} bytes`
})
