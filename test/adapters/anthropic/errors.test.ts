import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from "@anthropic-ai/sdk/error"
import { describe, expect, it } from "vitest"
import { bodyFailure, requestFailure, retryAfterMs, streamFailure } from "../../../src/adapters/anthropic/errors.ts"

const NOW = Date.parse("2026-11-16T10:00:00Z")

const apiError = (status: number, body: object | undefined, headers: Record<string, string> = {}): APIError =>
  APIError.generate(status, body, body === undefined ? "plain words" : undefined, new Headers(headers))

const fetchFailed = (code: string, message = "why"): APIConnectionError => {
  const cause = Object.assign(new Error(message), { code })
  return new APIConnectionError({ cause: Object.assign(new TypeError("fetch failed"), { cause }) })
}

describe("retry-after", () => {
  it.each([
    [{ "retry-after": "12" }, 12_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after": "0" }, 0],
    [{ "retry-after": "Mon, 16 Nov 2026 10:00:30 GMT" }, 30_000],
    [{ "retry-after": "Mon, 16 Nov 2026 09:00:00 GMT" }, 0],
    [{ "retry-after-ms": "750", "retry-after": "9" }, 750],
    [{ "retry-after-ms": "soon", "retry-after": "9" }, 9_000],
    [{ "retry-after": "soon" }, undefined],
    [{ "retry-after": "-5" }, undefined],
    [{}, undefined]
  ])("%j is %s", (headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), NOW)).toBe(expected)
  })
})

describe("an answer with a status", () => {
  it("keeps type, words, delay, verdict and id, and none of the SDK's wrapping", () => {
    const error = apiError(
      429,
      { type: "error", error: { type: "rate_limit_error", message: "slow down" } },
      { "retry-after": "3", "x-should-retry": "true", "request-id": "req_1" }
    )
    expect(requestFailure(error, NOW)).toEqual({
      kind: "http",
      status: 429,
      errorType: "rate_limit_error",
      message: "slow down",
      retryAfterMs: 3_000,
      shouldRetry: true,
      requestId: "req_1"
    })
  })

  it.each([
    ["a body without an error", { detail: 1 }, "the endpoint answered with status 500 and no explanation"],
    ["another gateway's body", { message: "upstream died" }, "upstream died"],
    ["an error that is a text", { error: "no such route" }, "no such route"],
    ["plain text", undefined, "plain words"]
  ])("reads %s", (_, body, message) => {
    expect(requestFailure(apiError(500, body), NOW)).toEqual({ kind: "http", status: 500, errorType: null, message })
  })

  it("obeys x-should-retry: false", () => {
    expect(requestFailure(apiError(500, {}, { "x-should-retry": "false" }), NOW).shouldRetry).toBe(false)
  })

  it("clips a message that has no end", () => {
    const error = apiError(400, { error: { type: "invalid_request_error", message: "y".repeat(100_000) } })
    expect(requestFailure(error, NOW).message.length).toBeLessThan(2_100)
  })
})

describe("no answer", () => {
  it.each([
    "ECONNREFUSED",
    "ECONNRESET",
    "ENOTFOUND",
    "EAI_AGAIN",
    "ENETUNREACH",
    "EPIPE",
    "ETIMEDOUT",
    "CERT_HAS_EXPIRED",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "EUNHEARDOF"
  ])("with %s in the chain of causes names the code", (code) => {
    const failure = requestFailure(fetchFailed(code), NOW)
    expect(failure).toMatchObject({ kind: "network", status: null, errorType: null, code })
    expect(failure.message).toContain(`(${code})`)
  })

  it("from several addresses names the code of the last", () => {
    const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
    const error = new APIConnectionError({ cause: new AggregateError([refused, refused]) })
    expect(requestFailure(error, NOW).code).toBe("ECONNREFUSED")
  })

  it("survives a chain that bites its own tail", () => {
    const error = new Error("round")
    error.cause = error
    expect(requestFailure(error, NOW)).toMatchObject({ kind: "network", message: "round" })
  })

  it.each([
    [new APIConnectionTimeoutError(), "ETIMEDOUT"],
    [new APIUserAbortError(), "ECONNABORTED"],
    [new DOMException("aborted", "AbortError"), "ECONNABORTED"],
    [undefined, undefined],
    ["a text", undefined]
  ])("%s has the code %s", (error, code) => {
    expect(requestFailure(error, NOW)).toMatchObject({ kind: "network", ...(code === undefined ? {} : { code }) })
  })
})

describe("an answer that broke", () => {
  it.each([
    [new TypeError("terminated"), "ECONNRESET"],
    [Object.assign(new TypeError("terminated"), { cause: { code: "ERR_STREAM_PREMATURE_CLOSE" } }), "ECONNRESET"],
    [Object.assign(new TypeError("terminated"), { cause: { code: "ETIMEDOUT" } }), "ETIMEDOUT"]
  ])("by %s is a closed connection", (error, code) => {
    expect(bodyFailure(error)).toEqual({
      kind: "network",
      status: null,
      errorType: null,
      message: "connection closed before the response was complete",
      code
    })
  })
})

describe("an error inside a stream", () => {
  it.each([
    [{ error: { type: "overloaded_error", message: "busy" }, request_id: "req_9" }, "overloaded_error", "busy"],
    [{ error: {} }, null, "the endpoint reported an error inside the response"],
    ["no JSON at all", null, "no JSON at all"]
  ])("%j", (body, errorType, message) => {
    expect(streamFailure(body)).toMatchObject({ kind: "stream", status: null, errorType, message })
  })
})
