import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { markConversation, resolveCaching, withoutMarks } from "../../../../src/core/model/request/cache.ts"
import type { ModelRequest, ToolDefinition } from "../../../../src/core/model/request/model-request.ts"
import { append, emptyHistory, renderMessages } from "../../../../src/core/model/request/api-history.ts"
import { buildRequest, type RequestInput } from "../../../../src/core/model/request/build-request.ts"
import type { ContentBlock, TextBlock } from "../../../../src/core/domain/block.ts"
import type { Message } from "../../../../src/core/domain/message.ts"
import { anyHistory, loopHistory, MODEL, textBlock, thinking } from "./messages.ts"

const tool = (name: string): ToolDefinition => ({ name, description: `does ${name}`, input_schema: { type: "object" } })

const system: ReadonlyArray<TextBlock> = [
  { type: "text", text: "shared", cache_control: { type: "ephemeral" } },
  { type: "text", text: "own" },
  { type: "text", text: "appended" }
]

const input: RequestInput = {
  source: "main",
  model: MODEL,
  maxTokens: 1_000,
  tools: [tool("Bash"), tool("Read"), tool("mcp__server__thing")],
  system,
  messages: [{ role: "user", content: [textBlock("hello")] }],
  caching: { enabled: true, ttl: "5m" }
}

const requestFor = (messages: ReadonlyArray<Message>, extra: Partial<RequestInput> = {}): ModelRequest =>
  buildRequest({ ...input, messages: renderMessages(messages.reduce(append, emptyHistory), { model: MODEL }), ...extra })

const marked = (request: ModelRequest): ReadonlyArray<ContentBlock | ToolDefinition> =>
  [...request.tools, ...request.system, ...request.messages.flatMap((message) => message.content)].filter(
    (item) => "cache_control" in item && item.cache_control !== undefined
  )

const flat = (request: ModelRequest): ReadonlyArray<string> =>
  withoutMarks(request.messages).flatMap(({ role, content }) => content.map((block) => role + JSON.stringify(block)))

describe("buildRequest", () => {
  const mark = { cache_control: { type: "ephemeral" } }
  const turns = [
    { role: "user" as const, content: [textBlock("one"), textBlock("two")] },
    { role: "assistant" as const, content: [textBlock("three")] },
    { role: "user" as const, content: [textBlock("four")] }
  ]

  it("marks the end, where the last request ended, and the last shared and the last system block", () => {
    const request = buildRequest({ ...input, messages: turns })
    expect(marked(request)).toEqual([
      { ...textBlock("shared"), ...mark },
      { ...textBlock("appended"), ...mark },
      { ...textBlock("two"), ...mark },
      { ...textBlock("four"), ...mark }
    ])
  })

  it("marks the last built-in tool only where that leaves four and others follow it, or nothing else is marked", () => {
    const names = (extra: Partial<RequestInput>) =>
      buildRequest({ ...input, ...extra }).tools.flatMap((one) => ("cache_control" in one ? [one.name] : []))
    const one: ReadonlyArray<TextBlock> = [{ type: "text", text: "all of it" }]
    expect(names({})).toEqual([])
    expect(names({ system: one })).toEqual(["Read"])
    expect(names({ system: one, tools: input.tools.slice(0, 2) })).toEqual([])
    expect(names({ system: [], tools: input.tools.slice(0, 2) })).toEqual(["Read"])
  })

  it("never sets more than four marks, none on thinking or blank text, for any history", () => {
    fc.assert(
      fc.property(anyHistory, fc.constantFrom("5m", "1h"), (history, ttl) => {
        const request = requestFor(history, { caching: { enabled: true, ttl } })
        const marks = marked(request)
        expect(marks.length).toBeLessThanOrEqual(4)
        for (const item of marks) {
          if (!("type" in item)) continue
          expect(["text", "image", "document", "tool_use", "tool_result"]).toContain(item.type)
        }
      })
    )
  })

  it("passes over thinking at the end", () => {
    const last = { role: "assistant" as const, content: [textBlock("x"), thinking()] }
    const [message] = markConversation([last], { type: "ephemeral" })
    expect(message?.content[0]).toHaveProperty("cache_control")
    expect(message?.content[1]).not.toHaveProperty("cache_control")
  })

  it("removes every mark when caching is off", () => {
    expect(marked(buildRequest({ ...input, caching: { enabled: false, ttl: "5m" } }))).toEqual([])
  })

  it("marks the last shared message of a fork", () => {
    const messages = [
      { role: "user" as const, content: [textBlock("one")] },
      { role: "assistant" as const, content: [textBlock("two")] },
      { role: "user" as const, content: [textBlock("fork")] }
    ]
    const request = buildRequest({ ...input, messages, sharedMessages: 2 })
    expect(request.messages[1]?.content[0]).toHaveProperty("cache_control")
    expect(request.messages[2]?.content[0]).not.toHaveProperty("cache_control")
  })

  it("gives the same bytes for the same input", () => {
    fc.assert(
      fc.property(loopHistory, (history) => {
        expect(JSON.stringify(requestFor(history))).toBe(JSON.stringify(requestFor(structuredClone(history))))
      })
    )
  })

  it("begins with the bytes of every shorter conversation, up to that one's mark", () => {
    fc.assert(
      fc.property(loopHistory, fc.nat(), (history, at) => {
        // Requests are only made when the conversation stands at the user's side with every call answered.
        const stops = history.flatMap((message, index) =>
          message.type === "user" && isSettled(history, index) ? [index + 1] : []
        )
        const cut = stops[at % Math.max(1, stops.length)] ?? history.length
        const shorter = flat(requestFor(history.slice(0, cut)))
        expect(flat(requestFor(history)).slice(0, shorter.length)).toEqual(shorter)
      })
    )
  })

  it("sends a temperature only when the model does not think", () => {
    expect(buildRequest({ ...input, temperature: 0.5 }).temperature).toBe(0.5)
    const thinks = buildRequest({ ...input, temperature: 0.5, thinking: { type: "adaptive" } })
    expect(thinks).not.toHaveProperty("temperature")
  })

  it("sends the model's id without the window suffix", () => {
    expect(buildRequest({ ...input, model: "claude-opus-5[1m]" }).model).toBe("claude-opus-5")
  })
})

/** Whether the next response is another one than the last, so that a request lies between them. */
const isSettled = (history: ReadonlyArray<Message>, index: number): boolean => {
  const before = history.slice(0, index + 1).findLast((message) => message.type === "assistant")
  const after = history[index + 1]
  return after?.type === "assistant" && (before?.type !== "assistant" || before.message.id !== after.message.id)
}

describe("resolveCaching", () => {
  const main = { mainConversation: true }
  it.each([
    [{}, { enabled: true, ttl: "5m" }],
    [{ ENABLE_PROMPT_CACHING_1H: "1" }, { enabled: true, ttl: "1h" }],
    [
      { ENABLE_PROMPT_CACHING_1H: "1", FORCE_PROMPT_CACHING_5M: "1" },
      { enabled: true, ttl: "5m" }
    ],
    [{ DISABLE_PROMPT_CACHING: "1" }, { enabled: false, ttl: "5m" }],
    [{ DISABLE_PROMPT_CACHING_OPUS: "1" }, { enabled: false, ttl: "5m" }],
    [{ DISABLE_PROMPT_CACHING_HAIKU: "1" }, { enabled: true, ttl: "5m" }]
  ])("with %j gives %j", (env, expected) => {
    expect(resolveCaching(MODEL, { env, ...main })).toEqual(expected)
  })

  it("keeps side conversations at five minutes", () => {
    expect(resolveCaching(MODEL, { env: {}, oneHour: true, mainConversation: false }).ttl).toBe("5m")
    expect(resolveCaching(MODEL, { env: {}, oneHour: true, ...main }).ttl).toBe("1h")
  })
})
