import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { betaHeader, lowerRequest } from "../../../src/adapters/anthropic/request.ts"
import type { ModelRequest } from "../../../src/core/model/request/model-request.ts"
import { violationOf } from "../../support/messages-validate.ts"
import { request } from "./harness.ts"

const mark = { type: "ephemeral" } as const

const full = request({
  source: "main",
  max_tokens: 32_000,
  thinking: { type: "adaptive" },
  effort: "high",
  userId: "1f0c",
  betas: ["not-in-the-body"],
  tools: [
    { cache_control: mark, input_schema: { type: "object" }, description: "Reads a file", name: "Read" },
    { input_schema: { type: "object" }, name: "Bash", description: "Runs a command" }
  ],
  system: [{ type: "text", text: "You help.", cache_control: { type: "ephemeral", ttl: "1h" } }],
  messages: [
    { role: "user", content: [{ type: "text", text: "list the files" }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "A call.", signature: "sig" },
        { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } }
      ]
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "a.txt", cache_control: mark }] }
  ]
})

describe("lowering a request", () => {
  it("gives the recorded body, key for key", () => {
    const golden = fileURLToPath(new URL("./request.golden.json", import.meta.url))
    expect(`${JSON.stringify(lowerRequest(full), null, 2)}\n`).toBe(readFileSync(golden, "utf8"))
  })

  it("gives the same bytes whatever the order in which the request was put together", () => {
    const { max_tokens, messages, model, source, system, tools, ...optional } = full
    const reversed: ModelRequest = { tools, system, source, model, messages, max_tokens, ...optional }
    expect(JSON.stringify(lowerRequest(reversed))).toBe(JSON.stringify(lowerRequest(full)))
  })

  it("names only what is needed in the plainest request", () => {
    expect(Object.keys(lowerRequest(request()))).toEqual(["model", "max_tokens", "stream", "messages"])
  })

  it.each([
    [undefined, 0.2],
    [{ type: "disabled" } as const, 0.2],
    [{ type: "adaptive" } as const, undefined],
    [{ type: "enabled", budget_tokens: 1_024 } as const, undefined]
  ])("with thinking %o sends temperature %s", (thinking, expected) => {
    const body = lowerRequest(request({ temperature: 0.2, ...(thinking === undefined ? {} : { thinking }) }))
    expect(body.temperature).toBe(expected)
  })

  it("is accepted by the fake endpoint's checks", () => {
    expect(violationOf(JSON.parse(JSON.stringify(lowerRequest(request()))))).toBeUndefined()
  })

  it("leaves the request as it was", () => {
    const before = JSON.stringify(full)
    lowerRequest(full)
    expect(JSON.stringify(full)).toBe(before)
  })
})

describe("the beta header", () => {
  it.each([
    [[], [], undefined],
    [["a"], [], "a"],
    [["a", "b"], ["b", "c"], "a,b,c"]
  ])("of %j and %j is %s", (configured, requested, header) => {
    expect(betaHeader(configured, requested)).toBe(header)
  })
})
