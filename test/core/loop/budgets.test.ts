import { describe, expect, it } from "vitest"
import { toolsFor } from "../../support/loop-fixture.ts"
import { failure, malformed, OVERLOADED, read } from "./response-plan.ts"
import { lastWords, Script } from "./script.ts"
import { turnOf } from "../../../src/core/loop/machine/transition.ts"

/** Turns, money and structured output: what a run may use and what it owes (01 §2.12, §2.13). */
describe("turns", () => {
  const run = (maxTurns: number, calls: number): Script => {
    const script = new Script({ config: { maxTurns } })
    script.begin()
    for (let count = 0; count < calls && turnOf(script.state) !== undefined; count++) {
      script.respond({ calls: [read(`c${count}`)] })
      script.runCalls(`c${count}`)
    }
    return script
  }

  it.each([1, 2, 3])("%i allows exactly as many responses", (maxTurns) => {
    const script = run(maxTurns, 10)
    expect(script.requests).toHaveLength(maxTurns)
    expect(script.result).toMatchObject({
      numTurns: maxTurns + 1,
      errors: [`Reached maximum number of turns (${maxTurns})`]
    })
    expect(script.messages.at(-1)).toMatchObject({
      type: "attachment",
      attachment: { type: "max_turns_reached", maxTurns, turnCount: maxTurns + 1 }
    })
  })

  it("the last of them may be the answer", () => {
    const script = run(2, 1)
    script.respond({ text: "done" })
    expect(script.result).toMatchObject({ terminalReason: "completed", numTurns: 2 })
  })

  it("tries of the same response do not count", () => {
    const script = new Script({ config: { maxTurns: 1 } })
    script.begin()
    script.failAndWait(OVERLOADED)
    script.respond({})
    script.respond({ text: "done" })
    expect(script.result).toMatchObject({ terminalReason: "completed", numTurns: 1 })
  })

  it("malformed calls and stop hooks do", () => {
    const broken = new Script({ config: { maxTurns: 1 } })
    broken.begin()
    broken.respond({ calls: [malformed("a")] })
    expect(broken.result.terminalReason).toBe("max_turns")
    const blocked = new Script({ config: { maxTurns: 1, hookEvents: ["Stop"] } })
    blocked.begin()
    blocked.respond({ text: "done" })
    blocked.hooks({ block: "not yet" })
    expect(blocked.result.terminalReason).toBe("max_turns")
    expect(blocked.requests).toHaveLength(1)
  })

  it("start anew with each prompt", () => {
    const script = run(1, 1)
    script.begin("again")
    expect(script.requests).toHaveLength(2)
  })
})

describe("money", () => {
  const paid = (maxBudgetUsd: number): Script => {
    const script = new Script({ config: { model: "claude-opus-4-6", maxBudgetUsd } })
    script.begin()
    return script
  }
  const DEAR = { input_tokens: 100_000 }

  it("used up by a response with calls: they settle, nothing more is sent", () => {
    const script = paid(0.3)
    script.respond({ calls: [read("a")], usage: DEAR })
    script.runCalls("a")
    expect(script.all("StartCall")).toHaveLength(1)
    expect(script.requests).toHaveLength(1)
    expect(script.result).toMatchObject({
      terminalReason: "budget_exhausted",
      subtype: "error_max_budget_usd",
      isError: true
    })
  })

  it("used up by the answer itself: the answer is kept, the result says so", () => {
    const script = paid(0.3)
    script.respond({ text: "a dear answer", usage: DEAR })
    expect(script.result).toMatchObject({
      terminalReason: "budget_exhausted",
      errors: ["Reached maximum budget ($0.3)"]
    })
    expect(JSON.stringify(script.messages)).toContain("a dear answer")
  })

  it("used up by an answer that broke off", () => {
    const script = paid(0.3)
    script.startResponse({ usage: DEAR })
    script.say(
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "half" } },
      { type: "content_block_stop", index: 0 },
      { type: "ping" }
    )
    script.fail(failure({ kind: "network", message: "gone" }))
    expect(script.result.terminalReason).toBe("budget_exhausted")
  })

  it("a prompt that waited does not join a turn that cannot go on", () => {
    const script = paid(0.3)
    script.respond({ calls: [read("a")], usage: DEAR })
    script.prompt("second")
    script.runCalls("a")
    script.persisted()
    expect(script.results.map(({ terminalReason }) => terminalReason)).toEqual(["budget_exhausted", "budget_exhausted"])
    expect(script.emitted("PromptTaken")).toEqual([])
  })

  it("is no limit for a model without a price", () => {
    const script = new Script({ config: { model: "some-model", maxBudgetUsd: 0.000_001 } })
    script.begin()
    script.respond({ text: "free", usage: DEAR })
    expect(script.result).toMatchObject({ terminalReason: "completed", totalCostUsd: 0 })
    expect(script.result.models["some-model"]?.costUsd).toBeUndefined()
  })

  it("counts a model by whatever name the endpoint gives", () => {
    const script = new Script()
    script.begin()
    script.respond({ text: "odd", model: "constructor" })
    expect(script.result.models["constructor"]?.usage.input_tokens).toBe(100)
    expect(script.result.totalCostUsd).toBe(0)
  })
})

describe("structured output", () => {
  const schema = { type: "object", properties: { n: { type: "number" } } }
  const tools = toolsFor({ schema, interactive: false })
  const promised = (): Script => {
    const script = new Script({ config: { jsonSchema: schema }, tools })
    script.begin()
    return script
  }
  const output = (id: string, n: unknown = 1) => ({ id, name: "StructuredOutput", input: { n } })

  it("ends the run with the first valid call; its value is the result", () => {
    const script = promised()
    script.respond({ text: "here", calls: [output("a", 7), output("b", 8)] })
    script.runCalls("a", "b")
    expect(script.requests).toHaveLength(1)
    expect(script.result).toMatchObject({
      terminalReason: "completed",
      text: '{"n":7}',
      structuredOutput: { value: { n: 7 } }
    })
  })

  it("that does not fit is sent back, and a later one that does ends the run", () => {
    const script = promised()
    script.respond({ calls: [output("a", "x")] })
    script.prepare("a")
    script.settle("a", { _tag: "Failed", message: "n: must be a number" })
    expect(lastWords(script.requests[1])).toContain("must be a number")
    script.respond({ calls: [output("b")] })
    script.runCalls("b")
    expect(script.result.structuredOutput).toEqual({ value: { n: 1 } })
  })

  it("that never comes is asked for once, then the run ends without it", () => {
    const script = promised()
    script.respond({ text: "no call" })
    expect(lastWords(script.requests[1])).toContain("StructuredOutput")
    script.respond({ text: "still no call" })
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: false, text: "still no call" })
    expect(script.result).not.toHaveProperty("structuredOutput")
  })

  it("is not asked for when no turn is left", () => {
    const script = new Script({ config: { jsonSchema: schema, maxTurns: 1 }, tools })
    script.begin()
    script.respond({ text: "no call" })
    expect(script.result.terminalReason).toBe("completed")
  })

  it("a run that promised none does not count calls of that name", () => {
    const script = new Script({ config: { structuredRetries: 1 } })
    script.begin()
    script.respond({ calls: [output("a")] })
    expect(script.phase).toBe("Requesting")
    expect(lastWords(script.requests[1])).toContain("No such tool available")
  })
})

describe("an empty answer", () => {
  it.each([
    ["nothing", {}],
    ["only thinking", { think: "hm" }],
    ["only blanks", { text: " \n" }]
  ])("of %s is answered with a nudge; a second one ends the turn", (_what, silence) => {
    const script = new Script()
    script.begin()
    script.respond(silence)
    expect(lastWords(script.requests[1])).toContain("nothing that the user can see")
    script.respond(silence)
    expect(script.requests).toHaveLength(2)
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: false, numTurns: 2 })
  })

  it("is all there is when no further response is allowed", () => {
    const script = new Script({ config: { maxTurns: 1 } })
    script.begin()
    script.respond({})
    expect(script.result).toMatchObject({ terminalReason: "completed", text: "", numTurns: 1 })
  })
})

describe("a refusal", () => {
  it("is answered with a nudge, and what follows counts", () => {
    const script = new Script()
    script.begin()
    script.respond({ text: "I will not", stop: "refusal" })
    expect(lastWords(script.requests[1])).toContain("stop reason refusal")
    script.respond({ text: "here is the other part" })
    expect(script.result).toMatchObject({ terminalReason: "completed", isError: false, text: "here is the other part" })
  })

  it.each([
    ["a second time", 2, {}],
    ["as the last allowed response", 1, { maxTurns: 1 }]
  ])("%s ends the turn with the error", (_when, responses, config) => {
    const script = new Script({ config })
    script.begin()
    for (let count = 0; count < responses; count++) script.respond({ text: "I will not", stop: "refusal" })
    expect(script.result).toMatchObject({ terminalReason: "model_error", isError: true })
    expect(script.requests).toHaveLength(responses)
  })
})
