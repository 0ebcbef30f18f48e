import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ModelFailure } from "../../../src/core/model/failure/model-failure.ts"
import { LIMITS } from "../../../src/core/domain/limits.ts"
import { classify } from "../../../src/core/model/failure/classify.ts"
import { describeFailure } from "../../../src/core/model/failure/describe-failure.ts"
import { retryDelay, retryLimit } from "../../../src/core/model/failure/retry.ts"
import { failure, OVERLOADED, read } from "./response-plan.ts"
import { afterOneTurn, isApiError, Script } from "./script.ts"

/** What a failed request means: tried again, repaired, answered by another model, or told. */
describe("classification", () => {
  it.each([
    [failure({ status: 401 }), "authentication_failed", true, "never"],
    [failure({ status: 403 }), "authentication_failed", false, "never"],
    [failure({ status: 402 }), "billing_error", false, "never"],
    [failure({ status: 404 }), "model_not_found", false, "now"],
    [failure({ status: 408 }), "unknown", true, "never"],
    [failure({ status: 409 }), "unknown", true, "never"],
    [failure({ status: 429 }), "rate_limit", true, "never"],
    [failure({ status: 429, message: "monthly spend limit reached" }), "billing_error", false, "never"],
    [failure({ status: 500 }), "server_error", true, "whenExhausted"],
    [failure({ status: 500, shouldRetry: false }), "server_error", false, "whenExhausted"],
    [failure({ status: 529 }), "overloaded", true, "afterOverloads"],
    [failure({ kind: "stream", errorType: "overloaded_error" }), "overloaded", true, "afterOverloads"],
    [failure({ status: 400 }), "invalid_request", false, "never"],
    [failure({ status: 422 }), "invalid_request", false, "never"],
    [failure({ kind: "network", code: "ENOTFOUND" }), "unknown", true, "never"],
    [failure({ kind: "network", code: "CERT_HAS_EXPIRED" }), "unknown", false, "never"],
    [failure({ kind: "stalled" }), "unknown", true, "never"],
    [failure({ kind: "credential" }), "authentication_failed", false, "never"]
  ] as ReadonlyArray<[ModelFailure, string, boolean, string]>)("%j", (what, errorClass, retryable, fallback) => {
    expect(classify(what)).toMatchObject({ errorClass, retryable, fallback })
  })

  it.each([
    [
      "prompt is too long: 210000 tokens > 200000 maximum",
      { kind: "promptTooLong", actualTokens: 210_000, maximumTokens: 200_000 }
    ],
    ["Input is too long for requested model", { kind: "promptTooLong" }],
    [
      "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
      { kind: "outputTooLarge", inputTokens: 190_000, windowTokens: 200_000 }
    ],
    ["`max_tokens` must be greater than `thinking.budget_tokens`", { kind: "omitField", field: "thinking" }],
    ["image exceeds 5 MB maximum", { kind: "media", mediaType: "image" }],
    ["The PDF has too many pages: maximum of 100", { kind: "media", mediaType: "document" }],
    ["output_config: effort is not supported", { kind: "omitField", field: "effort" }],
    ["metadata: unknown field", { kind: "omitField", field: "metadata" }],
    ["unknown field", { kind: "omitField" }]
  ])("a 400 that says %s can be repaired", (message, repair) => {
    expect(classify(failure({ status: 400, message })).repair).toEqual(repair)
  })

  it("a 400 about money is not a fault of the request", () => {
    const message = "Your credit balance is too low to access the API"
    expect(classify(failure({ status: 400, message }))).toMatchObject({ errorClass: "billing_error", retryable: false })
    expect(classify(failure({ status: 400, message })).repair).toBeUndefined()
  })

  it("a 413 is a prompt that is too long", () => {
    expect(classify(failure({ status: 413, message: "request too large" })).repair).toEqual({ kind: "promptTooLong" })
  })

  it("is total over whatever an endpoint says", () => {
    fc.assert(
      fc.property(
        fc.record({
          kind: fc.constantFrom("http" as const, "network" as const, "stream" as const, "stalled" as const),
          status: fc.option(fc.integer({ min: 100, max: 999 })),
          errorType: fc.option(fc.oneof(fc.string(), fc.constantFrom("constructor", "__proto__"))),
          message: fc.string()
        }),
        (what) => {
          expect(typeof describeFailure(what)).toBe("string")
          expect(typeof classify(what).retryable).toBe("boolean")
        }
      )
    )
  })
})

describe("the wait before another try", () => {
  const policy = { maxRetries: 10, watchdog: false }
  const delay = (failures: number, patch: object = {}) =>
    retryDelay(policy, { failures, capacity: false, jitter: 0, ...patch })

  it("doubles from half a second to 32 seconds", () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((n) => delay(n))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000, 32_000, 32_000
    ])
    expect(delay(11)).toBeUndefined()
  })

  it("is up to a quarter longer by chance, and what the endpoint asks for when it asks", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), fc.nat(99), (failures, percent) => {
        const jitter = percent / 100
        const plain = delay(failures) ?? 0
        const varied = delay(failures, { jitter }) ?? 0
        expect(varied).toBeGreaterThanOrEqual(plain)
        expect(varied).toBeLessThanOrEqual(Math.ceil(plain * 1.25))
      })
    )
    expect(delay(3, { retryAfterMs: 90_000 })).toBe(90_000)
  })

  it("never more than 15 tries; unattended runs wait out capacity without end", () => {
    expect(retryLimit({ maxRetries: 99, watchdog: false }, true)).toBe(LIMITS.retriesCap)
    expect(retryLimit({ maxRetries: 1, watchdog: true }, true)).toBe(Infinity)
    expect(retryLimit({ maxRetries: 1, watchdog: true }, false)).toBe(300)
    expect(retryDelay({ maxRetries: 1, watchdog: true }, { failures: 40, capacity: true, jitter: 0 })).toBe(300_000)
  })
})

describe("tries", () => {
  it("are as many as allowed, then the error is told once", () => {
    const script = new Script({ config: { retry: { maxRetries: 2, watchdog: false } } })
    script.begin()
    script.failAndWait(failure({ status: 500, message: "broken" }))
    script.failAndWait(failure({ status: 500, message: "broken" }))
    script.fail(failure({ status: 500, message: "broken", requestId: "req_9" }))
    expect(script.emitted("RetryScheduled").map(({ attempt, maxRetries }) => [attempt, maxRetries])).toEqual([
      [1, 2],
      [2, 2]
    ])
    expect(script.result).toMatchObject({
      terminalReason: "api_error",
      isError: true,
      text: "API Error: 500 broken · request req_9"
    })
    expect(script.messages.filter(isApiError)).toMatchObject([
      {
        error: "server_error",
        apiErrorStatus: 500,
        message: { model: "<synthetic>", stop_reason: "stop_sequence", stop_sequence: "" }
      }
    ])
  })

  it("with a rejected key are two: a user waits, and more would not change it", () => {
    const script = new Script()
    script.begin()
    script.failAndWait(failure({ status: 401, message: "bad key" }))
    script.fail(failure({ status: 401, message: "bad key" }))
    expect(script.emitted("RetryScheduled").map(({ maxRetries }) => maxRetries)).toEqual([1])
    expect(script.result).toMatchObject({ terminalReason: "api_error", apiErrorStatus: 401 })
  })

  it("of one response do not count for the next", () => {
    const script = new Script({ config: { retry: { maxRetries: 1, watchdog: false } } })
    script.begin()
    script.failAndWait(OVERLOADED)
    script.respond({ calls: [read("a")] })
    script.runCalls("a")
    script.failAndWait(OVERLOADED)
    script.respond({ text: "fine" })
    expect(script.result).toMatchObject({ terminalReason: "completed", numTurns: 2 })
  })

  it("an error message is never sent to the model", () => {
    const script = new Script()
    script.begin()
    script.fail(failure({ status: 403, message: "secret reason" }))
    script.begin("again")
    expect(JSON.stringify(script.requests.at(-1))).not.toContain("secret reason")
  })

  it("keys in an error are masked", () => {
    expect(describeFailure(failure({ status: 401, message: "invalid key sk-ant-abcdefghijkl" }))).not.toContain(
      "abcdefghijkl"
    )
  })
})

describe("a request that does not fit the window", () => {
  const over = (input: number) =>
    failure({ status: 400, message: `input length and \`max_tokens\` exceed context limit: ${input} + 32000 > 200000` })

  it("is sent again with the output that is left", () => {
    const script = new Script()
    script.begin()
    script.fail(over(180_000))
    expect(script.requests[1]?.max_tokens).toBe(200_000 - 180_000 - 1_000)
    script.respond({ text: "fine" })
    expect(script.result.isError).toBe(false)
  })

  it("is a prompt that is too long when too little is left or nothing would change", () => {
    const tooLittle = afterOneTurn()
    tooLittle.begin()
    tooLittle.fail(over(197_000))
    expect(tooLittle.phase).toBe("Compacting")
    const noChange = afterOneTurn()
    noChange.begin()
    noChange.fail(over(180_000))
    noChange.fail(over(180_000))
    expect(noChange.phase).toBe("Compacting")
  })

  it("keeps the thinking budget below the output", () => {
    const script = new Script({ config: { thinking: { type: "enabled", budget_tokens: 20_000 } } })
    script.begin()
    script.fail(over(190_000))
    expect(script.requests[1]).toMatchObject({ max_tokens: 9_000, thinking: { budget_tokens: 8_999 } })
  })
})

describe("a thinking budget the endpoint does not take", () => {
  const refused = failure({ status: 400, message: "`max_tokens` must be greater than `thinking.budget_tokens`" })

  it("never exceeds the output limit, and is left out when it is refused all the same", () => {
    const script = new Script({
      config: { thinking: { type: "enabled", budget_tokens: 10_000 }, explicitOutputTokens: 8_000 }
    })
    script.begin()
    expect(script.requests[0]).toMatchObject({ max_tokens: 8_000, thinking: { budget_tokens: 7_999 } })
    script.fail(refused)
    expect(script.requests[1]?.thinking).toBeUndefined()
    script.failUntilOver(refused)
    expect(script.result.terminalReason).toBe("api_error")
  })

  it("is left out where less than its minimum would remain", () => {
    const script = new Script({
      config: { thinking: { type: "enabled", budget_tokens: 10_000 }, explicitOutputTokens: 1_000 }
    })
    script.begin()
    expect(script.requests[0]).not.toHaveProperty("thinking")
  })
})

describe("an optional field the endpoint does not know", () => {
  it("is left out for the rest of the turn, each field once", () => {
    const script = new Script({ config: { effort: "high", userId: "someone" } })
    script.begin()
    script.fail(failure({ status: 400, message: "output_config: effort is not supported" }))
    script.fail(failure({ status: 400, message: "metadata: unknown field" }))
    expect(script.requests[2]).not.toHaveProperty("effort")
    expect(script.requests[2]).not.toHaveProperty("userId")
    script.failUntilOver(failure({ status: 400, message: "metadata: unknown field" }))
    expect(script.result.terminalReason).toBe("api_error")
    script.begin("next turn")
    expect(script.requests.at(-1)).toMatchObject({ effort: "high", userId: "someone" })
  })

  it("is looked for one by one when the endpoint does not name it, at once and six times at most", () => {
    const script = new Script({
      config: { effort: "high", userId: "someone", betas: ["b"], thinking: { type: "adaptive" } }
    })
    script.begin()
    script.failUntilOver(failure({ status: 400, message: "the request is not valid" }))
    const sent = script.requests.map((request) => [
      request.betas !== undefined,
      request.effort !== undefined,
      request.thinking !== undefined,
      request.userId !== undefined,
      JSON.stringify(request).includes("cache_control")
    ])
    expect(sent).toEqual([
      [true, true, true, true, true],
      [false, true, true, true, true],
      [false, false, true, true, true],
      [false, false, false, true, true],
      [false, false, false, false, true],
      [false, false, false, false, false]
    ])
    expect(script.all("StartTimer")).toEqual([])
    expect(script.result).toMatchObject({ terminalReason: "api_error", apiErrorStatus: 400 })
  })

  it("was the one: the turn goes on without it", () => {
    const script = new Script({ config: { effort: "high", thinking: { type: "adaptive" } } })
    script.begin()
    script.fail(failure({ status: 400, message: "extra inputs are not permitted" }))
    script.respond({ calls: [read("a")] })
    script.runCalls("a")
    expect(script.requests.at(-1)).toMatchObject({ thinking: { type: "adaptive" } })
    expect(script.requests.at(-1)).not.toHaveProperty("effort")
  })
})
