import { describe, expect, it } from "vitest"
import { run } from "../support/built-cli.ts"
import {
  ask,
  endpointEnv,
  linesOf,
  list,
  messagesIn,
  saidBy,
  sentResults,
  sentText,
  serve,
  STREAM
} from "../support/e2e-world.ts"
import { blocks, type Reply, status, text, toolUse } from "../support/messages-reply.ts"

/** Bounds the user sets: model calls, money, the form of the answer. */
const looking: Reply = toolUse("Glob", { pattern: "*" })

describe.concurrent("--max-turns", () => {
  it.each([1, 3])("allows exactly %i model calls", async (turns) => {
    const { code, requests, result, lines } = await ask(() => looking, "go", { args: ["--max-turns", String(turns)] })
    expect(requests).toHaveLength(turns)
    expect(code).toBe(1)
    expect(result).toMatchObject({
      subtype: "error_max_turns",
      num_turns: turns + 1,
      errors: [`Reached maximum number of turns (${turns})`]
    })
    expect(linesOf(lines, "user")).toHaveLength(turns)
  })

  it("does not matter to an answer within it", async () => {
    const { code, result } = await ask([looking, text("done")], "go", { args: ["--max-turns", "2"] })
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "done" })
  })

  it("does not count tries of the same response", async () => {
    const script = [status(429, { retryAfter: 0 }), text("done")]
    const { code, requests } = await ask(script, "go", { args: ["--max-turns", "1"] })
    expect({ code, requests: requests.length }).toEqual({ code: 0, requests: 2 })
  })
})

describe.concurrent("--max-budget-usd", () => {
  const dear = { input_tokens: 1_000_000, output_tokens: 100_000 }

  it("stops before the next request once the money is spent", async () => {
    const expensive = blocks([{ type: "tool_use", name: "Glob", input: { pattern: "*" } }], { usage: dear })
    const { code, requests, result, lines } = await ask([expensive, text("never")], "go", {
      args: ["--max-budget-usd", "0.5", "--model", "claude-sonnet-4-6[1m]"]
    })
    expect(requests).toHaveLength(1)
    expect(code).toBe(1)
    expect(result).toMatchObject({ subtype: "error_max_budget_usd", terminal_reason: "budget_exhausted" })
    expect(Number(result["total_cost_usd"])).toBeGreaterThan(0.5)
    expect(linesOf(lines, "user")).toHaveLength(1)
  })

  it("does not matter while there is money", async () => {
    const { code, result } = await ask([looking, text("done")], "go", { args: ["--max-budget-usd", "5"] })
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "done" })
  })
})

const SCHEMA = JSON.stringify({
  type: "object",
  properties: { city: { type: "string" }, people: { type: "integer" } },
  required: ["city", "people"]
})
const SCHEMA_ARGS = ["--json-schema", SCHEMA]

describe.concurrent("--json-schema", () => {
  const valid = { city: "Ghent", people: 265_000 }
  const output = (input: unknown): Reply => toolUse("StructuredOutput", input)

  it("ends with the first valid call, after one request", async () => {
    const { code, requests, result } = await ask([output(valid), text("never")], "go", { args: SCHEMA_ARGS })
    expect(requests).toHaveLength(1)
    expect({ code, structured: result["structured_output"] }).toEqual({ code: 0, structured: valid })
    expect(JSON.parse(String(result["result"]))).toEqual(valid)
    expect(list(requests[0]?.body["tools"]).map((tool) => tool["name"])).toContain("StructuredOutput")
  })

  it("prints the JSON in text mode", async () => {
    const server = await serve([output(valid)])
    const { code, stdout } = await run(["-p", "go", ...SCHEMA_ARGS], { env: endpointEnv(server) })
    expect({ code, value: JSON.parse(stdout) as unknown }).toEqual({ code: 0, value: valid })
  })

  it("says what is wrong with an invalid call and takes the next one", async () => {
    const { requests, result } = await ask([output({ city: "Ghent" }), output(valid)], "go", { args: SCHEMA_ARGS })
    const [refused] = sentResults(requests[1])
    expect(refused?.["is_error"]).toBe(true)
    expect(saidBy(refused)).toMatch(/people/)
    expect(result["structured_output"]).toEqual(valid)
  })

  it("gives up after five invalid calls", async () => {
    const { code, requests, result } = await ask(
      (_, index) => toolUse("StructuredOutput", { city: index }, `toolu_${index}`),
      "go",
      { args: SCHEMA_ARGS }
    )
    expect(requests).toHaveLength(5)
    expect(code).toBe(1)
    expect(result).toMatchObject({
      subtype: "error_max_structured_output_retries",
      terminal_reason: "structured_output_retry_exhausted"
    })
    expect(result["structured_output"]).toBeUndefined()
  })

  it("reminds a model that only talks, once", async () => {
    const { requests, result, code, lines } = await ask([text("Ghent has many people"), text("as I said")], "go", {
      args: SCHEMA_ARGS
    })
    expect(requests).toHaveLength(2)
    expect({ code, result: result["result"] }).toEqual({ code: 0, result: "as I said" })
    expect("structured_output" in result).toBe(false)
    expect(linesOf(lines, "user")).toMatchObject([{ isSynthetic: true }])
  })

  it("takes the call that follows the reminder", async () => {
    const { requests, result } = await ask([text("Ghent"), output(valid)], "go", { args: SCHEMA_ARGS })
    expect(messagesIn(requests[1]).map((message) => message["role"])).toEqual(["user", "assistant", "user"])
    expect(sentText(requests[1])).toMatch(/StructuredOutput/)
    expect(result["structured_output"]).toEqual(valid)
  })

  it("works with the offline model", async () => {
    const script = [1, 2, 3, 4, 5].map(() => '@tool StructuredOutput {"city":1}').join("\n")
    const { code, lines } = await run(["-p", script, ...STREAM, ...SCHEMA_ARGS])
    expect(code).toBe(1)
    expect(linesOf(lines, "result")).toMatchObject([{ subtype: "error_max_structured_output_retries" }])
  })
})
