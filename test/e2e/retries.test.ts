import { describe, expect, it } from "vitest"
import { makePlace, run } from "../support/built-cli.ts"
import { ask, begin, endpointEnv, linesOf, MODEL, sentText, serve, textOf } from "../support/e2e-world.ts"
import { errorAfter, silent } from "../support/messages-fault.ts"
import { blocks, status, text, thinking, toolUse } from "../support/messages-reply.ts"

/** Failures of the endpoint: which are tried again, when, with what, and how they are told when nothing helps. */
const FALLBACK = "claude-haiku-5-5"

describe.concurrent("a failure that passes", () => {
  it("a rate limit is waited out for as long as the endpoint says", async () => {
    const { code, lines, result, requests } = await ask([status(429, { retryAfter: 1 }), text("fine")], "go")
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "fine" })
    expect(linesOf(lines, "system/api_retry")).toMatchObject([
      { attempt: 1, max_retries: 10, retry_delay_ms: 1_000, error_status: 429, error: "rate_limit" }
    ])
    const [first, second] = requests
    expect((second?.receivedAtMs ?? 0) - (first?.receivedAtMs ?? 0)).toBeGreaterThanOrEqual(1_000)
    expect(second?.rawBody).toBe(first?.rawBody)
  })

  it("a server error is tried again after about half a second, then after twice as long", async () => {
    const { code, lines, result } = await ask([status(500), status(503), text("fine")], "go")
    expect(code).toBe(0)
    expect(result).toMatchObject({ result: "fine", num_turns: 1 })
    const retries = linesOf(lines, "system/api_retry")
    expect(retries.map((retry) => [retry["error_status"], retry["error"]])).toEqual([
      [500, "server_error"],
      [503, "server_error"]
    ])
    const [first, second] = retries.map((retry) => Number(retry["retry_delay_ms"]))
    expect(first).toBeGreaterThanOrEqual(500)
    expect(first).toBeLessThanOrEqual(625)
    expect(second).toBeGreaterThanOrEqual(1_000)
    expect(second).toBeLessThanOrEqual(1_250)
  })

  it("an overload inside a stream that began well counts as one", async () => {
    const overloaded = { type: "overloaded_error", message: "Overloaded" }
    const { lines, result } = await ask([errorAfter(1, text("never"), overloaded), text("fine")], "go")
    expect(result["result"]).toBe("fine")
    expect(linesOf(lines, "system/api_retry")).toMatchObject([{ error: "overloaded" }])
    expect(linesOf(lines, "assistant").map(textOf)).toEqual(["fine"])
  })

  it("text mode tells of the wait on stderr only", async () => {
    const server = await serve([status(429, { retryAfter: 0 }), text("fine")])
    const { stdout, stderr } = await run(["-p", "go"], { env: endpointEnv(server) })
    expect(stdout).toBe("fine\n")
    expect(stderr).toMatch(/429.*retrying in 0s/)
  })
})

describe.concurrent("a failure that stays", () => {
  it("is told once the tries are used up, with status and exit code 1", async () => {
    const { code, lines, result, requests } = await ask(() => status(500, { message: "broken" }), "go", {
      env: { CLAUDE_CODE_MAX_RETRIES: "1" }
    })
    expect(requests).toHaveLength(2)
    expect(code).toBe(1)
    expect(result).toMatchObject({
      subtype: "success",
      is_error: true,
      terminal_reason: "api_error",
      api_error_status: 500
    })
    expect(String(result["result"])).toMatch(/^API Error: 500 broken/)
    const [told] = linesOf(lines, "assistant")
    expect(told).toMatchObject({ error: "server_error", message: { model: "<synthetic>" } })
  })

  it("a rejected key is tried once more, then reported with what to do", async () => {
    const { code, requests, result, lines } = await ask(() => status(401, { message: "invalid x-api-key" }), "go")
    expect(requests).toHaveLength(2)
    expect({ code, status: result["api_error_status"] }).toEqual({ code: 1, status: 401 })
    expect(String(result["result"])).toMatch(/ANTHROPIC_API_KEY/)
    expect(linesOf(lines, "assistant")).toMatchObject([{ error: "authentication_failed" }])
  })

  it("a key that is accepted the second time is not a failure", async () => {
    const { code, result } = await ask([status(401), text("fine")], "go")
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "fine" })
  })

  it.each([
    [403, "authentication_failed"],
    [402, "billing_error"],
    [404, "model_not_found"]
  ])("status %i is %s and not tried again", async (code, error) => {
    const { requests, lines, result } = await ask(() => status(code), "go")
    expect(requests).toHaveLength(1)
    expect(linesOf(lines, "assistant")).toMatchObject([{ error }])
    expect(result).toMatchObject({ is_error: true, api_error_status: code })
  })

  it("status 400 is tried at once without one more extra each time, then told", async () => {
    const { requests, lines, result } = await ask(() => status(400), "go")
    expect(
      requests.map(({ body }) => [body["output_config"], body["thinking"], body["metadata"]].filter(Boolean).length)
    ).toEqual([3, 2, 1, 0, 0])
    expect(sentText(requests.at(-1))).not.toContain("cache_control")
    expect(linesOf(lines, "assistant")).toMatchObject([{ error: "invalid_request" }])
    expect(result).toMatchObject({ is_error: true, api_error_status: 400 })
  })

  it("a spend limit is not waited for", async () => {
    const { requests, lines } = await ask(() => status(429, { message: "You have reached your spend limit" }), "go")
    expect(requests).toHaveLength(1)
    expect(linesOf(lines, "assistant")).toMatchObject([{ error: "billing_error" }])
  })

  it("an unreachable endpoint is an error, not a hang", async () => {
    const server = await serve([])
    await server.close()
    const { code, stdout } = await run(["-p", "go"], {
      place: makePlace(),
      env: { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: "test", CLAUDE_CODE_MAX_RETRIES: "0" }
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/^API Error: .*ECONNREFUSED/)
  })
})

describe.concurrent("an optional field the endpoint does not know", () => {
  it("is left out, and the rest of the request stays", async () => {
    const { requests, result, code } = await ask(
      [status(400, { message: "output_config: Extra inputs are not permitted" }), text("fine")],
      "go",
      { args: ["--effort", "high"] }
    )
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "fine" })
    expect(requests[0]?.body["output_config"]).toMatchObject({ effort: "high" })
    expect(requests[1]?.body["output_config"]).toBeUndefined()
    expect(requests[1]?.body["messages"]).toEqual(requests[0]?.body["messages"])
  })

  it("several are left out one after the other, each once", async () => {
    const { requests, result } = await ask(
      [
        status(400, { message: "thinking: not supported by this model" }),
        status(400, { message: "metadata: unknown field" }),
        status(400, { message: "cache_control: not supported" }),
        text("fine")
      ],
      "go"
    )
    expect(result["result"]).toBe("fine")
    const last = requests[3]
    expect([last?.body["thinking"], last?.body["metadata"]]).toEqual([undefined, undefined])
    expect(sentText(last)).not.toContain("cache_control")
  })

  it("that is refused although it was left out ends the turn, once nothing else can be left out", async () => {
    const { requests, result } = await ask(() => status(400, { message: "metadata: unknown field" }), "go")
    expect(requests).toHaveLength(5)
    expect(requests[1]?.body).not.toHaveProperty("metadata")
    expect(result).toMatchObject({ is_error: true, api_error_status: 400 })
  })
})

describe.concurrent("--fallback-model", () => {
  it("answers after three overloads, for this turn", async () => {
    const { requests, result, lines, code } = await ask(
      [status(529), status(529), status(529), text("from the other one")],
      "go",
      { args: ["--fallback-model", FALLBACK] }
    )
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "from the other one" })
    expect(requests.map((request) => request.body["model"])).toEqual([MODEL, MODEL, MODEL, FALLBACK])
    expect(linesOf(lines, "system/informational").map((line) => line["content"])).toEqual([
      expect.stringMatching(new RegExp(`${MODEL}.*${FALLBACK}`))
    ])
    expect(linesOf(lines, "assistant")).toMatchObject([{ message: { model: FALLBACK } }])
  })

  it("answers at once when the first model does not exist", async () => {
    const { requests, result } = await ask([status(404, { message: `model: ${MODEL}` }), text("fine")], "go", {
      args: ["--fallback-model", FALLBACK]
    })
    expect(result["result"]).toBe("fine")
    expect(requests.map((request) => request.body["model"])).toEqual([MODEL, FALLBACK])
  })

  it("sends no thinking of the first model to the second", async () => {
    const signed = blocks([
      { type: "thinking", thinking: "secret", signature: "sig-of-first" },
      { type: "tool_use", name: "Glob", input: { pattern: "*" } }
    ])
    const { requests } = await ask([signed, status(529), status(529), status(529), text("fine")], "go", {
      args: ["--fallback-model", FALLBACK]
    })
    expect(sentText(requests[1])).toContain("sig-of-first")
    expect(sentText(requests[4])).not.toContain("sig-of-first")
  })

  it("is not an answer to a rate limit or a bad key", async () => {
    const { requests } = await ask([status(429, { retryAfter: 0 }), status(403)], "go", {
      args: ["--fallback-model", FALLBACK]
    })
    expect(requests).toHaveLength(2)
    expect(new Set(requests.map((request) => request.body["model"]))).toEqual(new Set([MODEL]))
  })
})

describe.concurrent("an interrupt while waiting", () => {
  it("ends the wait at once", async () => {
    const server = await serve([status(429, { retryAfter: 3_000 }), text("never")])
    const cli = await begin(server, "go")
    await cli.line((line) => line["subtype"] === "api_retry")
    cli.signal("SIGINT")
    const { code, lines } = await cli.ended
    expect(code).toBe(130)
    expect(linesOf(lines, "result")).toMatchObject([{ terminal_reason: "aborted_streaming", is_error: true }])
  })

  it("ends a request that nobody answers, and closes its connection", async () => {
    const server = await serve([silent()])
    const cli = await begin(server, "go")
    const request = await server.arrived(1)
    cli.signal("SIGINT")
    const { code, lines } = await cli.ended
    await request.closed
    expect({ code, aborted: request.aborted }).toEqual({ code: 130, aborted: true })
    expect(linesOf(lines, "result")).toMatchObject([{ terminal_reason: "aborted_streaming" }])
  })
})

describe.concurrent("a response with thinking and a call", () => {
  it("goes back with its signature", async () => {
    const { requests } = await ask(
      [
        blocks([
          { type: "thinking", thinking: "hm", signature: "sig-1" },
          { type: "tool_use", name: "Glob", input: { pattern: "*" } }
        ]),
        toolUse("Glob", { pattern: "**" }),
        thinking("done", "fine")
      ],
      "go"
    )
    expect(sentText(requests[2])).toContain("sig-1")
  })
})
