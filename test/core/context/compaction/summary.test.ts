import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { NO_TAIL } from "../../../../src/core/context/compaction/cut.ts"
import { factsOf, factsText } from "../../../../src/core/context/compaction/facts.ts"
import {
  compactInstructions,
  formatSummary,
  planCompaction,
  summaryMessages,
  type SummaryInput
} from "../../../../src/core/context/compaction/summary.ts"
import type { ModelRequest } from "../../../../src/core/model/request/model-request.ts"
import { normalizeForApi } from "../../../../src/core/model/request/api-history.ts"
import { buildRequest } from "../../../../src/core/model/request/build-request.ts"
import type { Message } from "../../../../src/core/domain/message.ts"
import { assistant, call, MODEL, result, textBlock, user } from "../../model/request/messages.ts"

const round = (id: string, size = 40): ReadonlyArray<Message> => [
  assistant(id, [textBlock(`text ${id}`), call(`c-${id}`)]),
  user([result(`c-${id}`, "x".repeat(size))], { uuid: `r-${id}`, toolUseResult: {} })
]

const conversation: ReadonlyArray<Message> = [
  user("first request", { uuid: "p1" }),
  ...round("1", 60_000),
  user("second request", { uuid: "p2" }),
  ...round("2", 60_000),
  ...round("3", 4_000)
]

const CONTEXT = "<system-reminder>date</system-reminder>"

const requestOf = (messages: ReadonlyArray<Message>): ModelRequest =>
  buildRequest({
    source: "main",
    model: MODEL,
    maxTokens: 32_000,
    tools: [{ name: "Read", description: "reads", input_schema: {} }],
    system: [{ type: "text", text: "system" }],
    userContext: CONTEXT,
    messages: normalizeForApi(messages, { model: MODEL }),
    caching: { enabled: true, ttl: "1h" },
    thinking: { type: "enabled", budget_tokens: 16_000 }
  })

const withoutMark = (value: unknown): string => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, "")

describe("planCompaction", () => {
  const request = requestOf(conversation)
  const plan = planCompaction({ messages: conversation, request, userContext: CONTEXT })

  it("asks with the parent's own prefix, the mark on the last shared message and the instruction after it", () => {
    const asked = plan?.request
    expect(asked).toMatchObject({ source: "compact", max_tokens: 20_000, tools: request.tools, system: request.system })
    const shared = asked?.messages.slice(0, -1) ?? []
    expect(withoutMark(request.messages.slice(0, shared.length))).toBe(withoutMark(shared))
    const last = asked?.messages.at(-1)
    expect(withoutMark(last?.content.slice(0, -1))).toBe(withoutMark(request.messages[shared.length]?.content))
    expect(last?.content.at(-2)).toMatchObject({ cache_control: { type: "ephemeral", ttl: "1h" } })
    expect(last?.content.at(-1)).toEqual(textBlock(compactInstructions()))
  })

  it("keeps prompt and tail, and reports what it read", () => {
    expect(plan?.keptTail.map((message) => message.uuid)).toEqual(["p2", "a-3", "r-3"])
    expect(plan?.messagesSummarized).toBe(6)
    expect(plan?.facts.prompts).toEqual(["first request", "second request"])
  })

  it("keeps thinking below the smaller output limit", () => {
    expect(plan?.request.thinking).toEqual({ type: "enabled", budget_tokens: 10_000 })
  })

  it("leaves out media, and keeps nothing when told to", () => {
    const image = { type: "image", source: { type: "base64", data: "PICTURE" } }
    const messages = [user([image], { uuid: "p0" }), ...conversation.slice(1)]
    const plain = planCompaction({ messages, request: requestOf(messages), tail: NO_TAIL })
    expect(JSON.stringify(plain?.request.messages)).not.toContain("PICTURE")
    expect(plain?.keptTail).toEqual([])
  })

  it("has nothing to do for a single exchange", () => {
    const single = conversation.slice(0, 1)
    expect(planCompaction({ messages: single, request: requestOf(single) })).toBeUndefined()
  })

  it("puts the user's focus last", () => {
    expect(compactInstructions("the parser").endsWith("the parser")).toBe(true)
    for (let section = 1; section <= 9; section++) expect(compactInstructions()).toContain(`\n${section}. `)
  })
})

describe("formatSummary", () => {
  const read = (answer: string) => Result.getOrUndefined(formatSummary(answer))
  it("takes the tagged part and drops the analysis", () => {
    expect(read("<analysis>rough</analysis>\n<summary>\n1. x\n</summary> bye")).toBe("Summary:\n1. x")
    expect(read("<analysis>rough</analysis> plain")).toBe("plain")
    expect(read("plain")).toBe("plain")
    expect(read("<summary>cut off")).toBe("Summary:\ncut off")
  })

  it("refuses an empty one and changes nothing the second time", () => {
    expect(read("")).toBeUndefined()
    expect(read("<analysis>only</analysis>")).toBeUndefined()
    expect(read("<summary> </summary>")).toBeUndefined()
    const once = read("<summary>x</summary>") ?? ""
    expect(read(once)).toBe(once)
  })
})

describe("facts", () => {
  const messages: ReadonlyArray<Message> = [
    user("please `fix` it"),
    user("a note", { isMeta: true }),
    assistant("m1", [
      { type: "tool_use", id: "e1", name: "Edit", input: { file_path: "/a.ts" } },
      { type: "tool_use", id: "e2", name: "Edit", input: { file_path: "/a.ts" } },
      { type: "tool_use", id: "e3", name: "Write", input: { file_path: "/b.ts" } },
      {
        type: "tool_use",
        id: "t1",
        name: "TodoWrite",
        input: {
          todos: [
            { content: "done", status: "completed" },
            { content: "open", status: "pending" }
          ]
        }
      },
      { type: "tool_use", id: "b1", name: "Bash", input: { command: "npm test" } }
    ]),
    user([
      result("e1"),
      result("e2"),
      { type: "tool_result", tool_use_id: "e3", content: "no", is_error: true },
      result("t1"),
      { type: "tool_result", tool_use_id: "b1", content: `Exit code 2\n${"line\n".repeat(50)}the end`, is_error: true }
    ])
  ]

  it("are read from the conversation", () => {
    expect(factsOf(messages)).toMatchObject({
      prompts: ["please `fix` it"],
      openTodos: ["open"],
      changedFiles: [{ path: "/a.ts", changes: 2 }],
      failedCommand: { command: "npm test" }
    })
    const output = factsOf(messages).failedCommand?.output ?? ""
    expect(output).toMatch(/^Exit code 2\n/)
    expect(output.split("\n")).toHaveLength(21)
  })

  it("forget a failure that a later command made good", () => {
    const again = assistant("m2", [{ type: "tool_use", id: "b2", name: "Bash", input: { command: "npm test" } }])
    expect(factsOf([...messages, again, user([result("b2")])])).not.toHaveProperty("failedCommand")
  })

  it("keep the newest prompts within the limit, with a count of the rest", () => {
    const long = "y".repeat(30_000)
    const shown = factsText({ prompts: ["oldest", long, long, "newest"], openTodos: [], changedFiles: [] })
    expect(shown).toContain("newest")
    expect(shown).not.toContain("oldest\n")
    expect(shown).toContain("2 older left out")
    expect(factsText({ prompts: ["z".repeat(100_000)], openTodos: [], changedFiles: [] })).toContain("zzz")
  })
})

describe("reinsertion", () => {
  const input: SummaryInput = {
    summary: "<analysis>a</analysis><summary>what happened</summary>",
    boundaryUuid: "b",
    summaryUuid: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    trigger: "auto",
    preTokens: 170_000,
    previousTip: "tip",
    keptTail: [user("now", { uuid: "k1" }), user("x", { uuid: "k2" })],
    facts: factsOf(conversation)
  }

  it("makes a boundary that names what was kept", () => {
    expect(summaryMessages(input).boundary).toMatchObject({
      type: "system",
      subtype: "compact_boundary",
      uuid: "b",
      logicalParentUuid: "tip",
      compactMetadata: {
        trigger: "auto",
        preTokens: 170_000,
        preservedSegment: { anchorUuid: "s", headUuid: "k1", tailUuid: "k2" },
        preservedMessages: { anchorUuid: "s", uuids: ["k1", "k2"] }
      }
    })
    const bare = summaryMessages({ ...input, keptTail: [] }).boundary
    expect(bare["compactMetadata"]).not.toHaveProperty("preservedSegment")
  })

  it("makes a summary message with the facts", () => {
    const { summary } = summaryMessages(input)
    expect(summary).toMatchObject({ isCompactSummary: true, isVisibleInTranscriptOnly: true })
    expect(summary.message.content).toContain("Summary:\nwhat happened")
    expect(summary.message.content).toContain("second request")
  })
})
