import { describe, expect, it } from "vitest"
import { failure, OVERLOADED, read, TOO_LONG } from "./response-plan.ts"
import { afterOneTurn, Script } from "./script.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

/** Another model answers (01 §2.8): when, for how long, and with what. */
describe("fallback models", () => {
  const config = { fallbackModels: ["offline-b", "offline-c"] }
  const models = (script: Script) => script.requests.map(({ model }) => model)

  it("answer after three overloads in a row, not after three in all", () => {
    const script = new Script({ config })
    script.begin()
    const failures = [OVERLOADED, OVERLOADED, failure({ status: 500 }), OVERLOADED, OVERLOADED]
    for (const what of failures) script.failAndWait(what)
    expect(new Set(models(script))).toEqual(new Set(["offline"]))
    script.fail(OVERLOADED)
    expect(models(script).at(-1)).toBe("offline-b")
  })

  it.each([
    ["a model that does not exist", failure({ status: 404 })],
    ["a server error that is not to be tried again", failure({ status: 500, shouldRetry: false })]
  ])("answer at once after %s, one after the other", (_name, what) => {
    const script = new Script({ config })
    script.begin()
    script.fail(what)
    script.fail(what)
    expect(models(script)).toEqual(["offline", "offline-b", "offline-c"])
    script.fail(what)
    expect(script.result.terminalReason).toBe("api_error")
  })

  it.each([
    ["a bad key", failure({ status: 403 })],
    ["no money", failure({ status: 402 })],
    ["a spend limit", failure({ status: 429, message: "spend limit" })],
    ["a certificate", failure({ kind: "network", code: "CERT_HAS_EXPIRED" })],
    ["a bad request", failure({ status: 400 })]
  ])("are not an answer to %s", (_name, what) => {
    const script = new Script({ config })
    script.begin()
    script.failUntilOver(what)
    expect(new Set(models(script))).toEqual(new Set(["offline"]))
    expect(script.result.terminalReason).toBe("api_error")
  })

  it("are not an answer to a rate limit or a lost connection, even when the tries are used up", () => {
    for (const what of [failure({ status: 429 }), failure({ kind: "network", code: "ECONNRESET" })]) {
      const script = new Script({ config: { ...config, retry: { maxRetries: 1, watchdog: false } } })
      script.begin()
      script.failAndWait(what)
      script.fail(what)
      expect(new Set(models(script))).toEqual(new Set(["offline"]))
    }
  })

  it("stay for the rest of the turn and are forgotten by the next", () => {
    const script = new Script({ config })
    script.begin()
    script.fail(failure({ status: 404 }))
    script.respond({ calls: [read("a")] })
    script.runCalls("a")
    expect(models(script)).toEqual(["offline", "offline-b", "offline-b"])
    script.respond({ text: "fine" })
    script.begin("next")
    expect(models(script).at(-1)).toBe("offline")
  })

  it("start with their own tries", () => {
    const script = new Script({ config: { ...config, retry: { maxRetries: 1, watchdog: false } } })
    script.begin()
    script.failAndWait(failure({ status: 500 }))
    script.fail(failure({ status: 500 }))
    expect(models(script).at(-1)).toBe("offline-b")
    script.fail(failure({ status: 500 }))
    expect(script.phase).toBe("Waiting")
  })

  it("get no thinking of the first model and no more output than they can give", () => {
    const script = new Script({ config: { model: "claude-opus-4-6", fallbackModels: ["claude-3-haiku-20240307"] } })
    script.begin()
    script.respond({ think: "private", text: "hm", calls: [read("a")] })
    script.runCalls("a")
    expect(JSON.stringify(script.requests[1]?.messages)).toContain("private")
    script.fail(failure({ status: 404 }))
    expect(JSON.stringify(script.requests[2]?.messages)).not.toContain("private")
    expect(script.requests[2]?.max_tokens).toBe(4_096)
  })

  it("get of thinking and effort what they can do", () => {
    const options = { model: "claude-opus-4-6", thinking: { type: "adaptive" as const }, effort: "max" }
    const old = new Script({ config: { ...options, fallbackModels: ["claude-haiku-4-5", "claude-opus-4-5"] } })
    old.begin()
    old.fail(failure({ status: 404 }))
    expect(old.requests[1]).not.toHaveProperty("thinking")
    expect(old.requests[1]).not.toHaveProperty("effort")
    old.fail(failure({ status: 404 }))
    expect(old.requests[2]).toMatchObject({ effort: "high" })
    const able = new Script({ config: { ...options, fallbackModels: ["claude-opus-4-7"] } })
    able.begin()
    able.fail(failure({ status: 404 }))
    expect(able.requests[1]).toMatchObject({ thinking: { type: "adaptive" }, effort: "max" })
  })

  it("a request that is too long is repaired, not handed on", () => {
    const script = afterOneTurn({ config })
    script.begin()
    script.fail(TOO_LONG)
    expect(script.phase).toBe("Compacting")
    expect(script.newest("Compact").request.model).toBe("offline")
  })

  it("answer instead of a wait that somebody has enough of, and only then", () => {
    const script = new Script({ config })
    script.begin()
    expect(script.feed({ _tag: "RetryHastened", by: "nextModel" })).toEqual([])
    script.fail(OVERLOADED)
    const commands = script.feed({ _tag: "RetryHastened", by: "nextModel" })
    expect(commands.map(({ _tag }) => _tag)).toContain("CancelTimer")
    expect(models(script)).toEqual(["offline", "offline-b"])
    expect(script.phase).toBe("Requesting")
  })

  it("are not made up where there are none: the wait goes on", () => {
    const script = new Script()
    script.begin()
    script.fail(OVERLOADED)
    script.feed({ _tag: "RetryHastened", by: "nextModel" })
    expect(script.phase).toBe("Waiting")
    expect(script.emitted("Notice").at(-1)?.text).toMatch(/no other model/)
    script.feed({ _tag: "RetryHastened", by: "sameModel" })
    expect(models(script)).toEqual(["offline", "offline"])
    expect(turnOf(script.state)?.sent).toMatchObject([
      { number: 1, reason: "prompt", failures: 0 },
      { number: 2, reason: "prompt", failures: 1 }
    ])
  })

  it("answer what a model declines twice, and what it said is withdrawn", () => {
    const script = new Script({ config })
    script.begin()
    script.respond({ text: "I will not", stop: "refusal" })
    script.respond({ text: "I still will not", stop: "refusal" })
    expect(models(script)).toEqual(["offline", "offline", "offline-b"])
    expect(script.emitted("Tombstone")).toHaveLength(1)
    expect(JSON.stringify(script.requests.at(-1)?.messages)).not.toContain("still will not")
    script.respond({ text: "here it is" })
    expect(script.result).toMatchObject({ terminalReason: "completed", text: "here it is" })
  })
})
