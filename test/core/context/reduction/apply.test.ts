import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { applyReduction, formatSummary, type Material } from "../../../../src/core/context/reduction/apply.ts"
import { factsOf, factsText } from "../../../../src/core/context/reduction/facts.ts"
import { cutBeforeNewest } from "../../../../src/core/context/reduction/keep.ts"
import type { Summarise } from "../../../../src/core/context/reduction/reduction.ts"
import {
  summaryInstruction,
  summaryRequest,
  type SummaryRequestInput
} from "../../../../src/core/context/reduction/summary-request.ts"
import { estimateMessages } from "../../../../src/core/model/tokens/estimate.ts"
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
  ...round("1", 6_000),
  user("second request", { uuid: "p2" }),
  ...round("2", 6_000),
  ...round("3", 4_000)
]

const requestOf = (messages: ReadonlyArray<Message>): ModelRequest =>
  buildRequest({
    source: "main",
    model: MODEL,
    maxTokens: 32_000,
    tools: [{ name: "Read", description: "reads", input_schema: {} }],
    system: [{ type: "text", text: "system" }],
    messages: normalizeForApi(messages, { model: MODEL }),
    caching: { enabled: true, ttl: "1h" },
    thinking: { type: "enabled", budget_tokens: 16_000 }
  })

const withoutMark = (value: unknown): string => JSON.stringify(value).replaceAll(/,"cache_control":\{[^}]*\}/g, "")

const PLAIN = summaryInstruction({ focus: "", fromHooks: "" })
const cut = cutBeforeNewest(conversation, { promptUuid: "p2", pins: new Set() }, 40_000)

describe("the request for a summary", () => {
  const request = requestOf(conversation)
  const input: SummaryRequestInput = { read: cut.read, request, instruction: PLAIN }
  const { request: asked } = summaryRequest(input)

  it("is the last request byte for byte, the mark where that ended, and the instruction after it", () => {
    expect(asked).toMatchObject({ source: "compact", tools: request.tools, system: request.system })
    const last = requestOf(cut.read)
    expect(withoutMark(asked.messages.slice(0, -1))).toBe(withoutMark(last.messages.slice(0, -1)))
    const [before, own] = [last.messages.at(-1), asked.messages.at(-1)]
    expect(JSON.stringify(own?.content.slice(0, -1))).toBe(JSON.stringify(before?.content))
    expect(own?.content.at(-1)).toEqual(textBlock(PLAIN))
  })

  it("thinks as the conversation does, since that is part of what is kept", () => {
    expect(asked).toMatchObject({ thinking: request.thinking, max_tokens: request.max_tokens })
    const { thinking: _thinking, ...plain } = requestOf(conversation)
    expect(summaryRequest({ ...input, request: plain }).request.max_tokens).toBe(20_000)
  })

  it("holds no media where the conversation was refused", () => {
    const image = { type: "image", source: { type: "base64", data: "PICTURE" } }
    const read = [user([image], { uuid: "p0" }), ...conversation.slice(1)]
    const texts = [false, true].map((withoutMedia) =>
      JSON.stringify(summaryRequest({ ...input, read, withoutMedia }).request.messages)
    )
    expect(texts.map((text) => text.includes("PICTURE"))).toEqual([true, false])
  })

  it("ends with what hooks and the user want", () => {
    const words = summaryInstruction({ focus: "the parser", fromHooks: "the tests" })
    expect(words.endsWith("the parser")).toBe(true)
    expect(words).toContain("the tests")
    for (let section = 1; section <= 9; section++) expect(PLAIN).toContain(`\n${section}. `)
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

describe("a summary in the place of the older part", () => {
  const material: Material = {
    words: "<analysis>a</analysis><summary>what happened</summary>",
    boundaryUuid: "b",
    summaryUuid: "s",
    timestamp: "2026-01-01T00:00:00.000Z",
    trigger: "auto",
    preTokens: 170_000,
    previousTip: "tip",
    focus: "",
    keptBefore: new Set(),
    windowWith: (messages) => 1_000 + estimateMessages(messages),
    bounds: { belowTokens: 170_000, roomTokens: 100_000 },
    facts: factsOf(conversation)
  }
  const plan: Summarise = { _tag: "Summarise", rung: "summary", source: { _tag: "Model" }, side: "beginning", ...cut }
  const applied = Result.getOrThrow(applyReduction(plan, material))
  const kept = { anchorUuid: "s", uuids: ["p2", "a-3", "r-3"] }

  it("has a boundary that names what was kept", () => {
    expect(applied.boundary).toMatchObject({
      type: "system",
      subtype: "compact_boundary",
      uuid: "b",
      logicalParentUuid: "tip",
      compactMetadata: { trigger: "auto", preTokens: 170_000, preservedMessages: kept }
    })
    expect(applied.visible).toEqual([applied.summary, ...cut.kept])
    expect(applied.boundary["compactMetadata"]).toMatchObject({ postTokens: 170_000 - applied.freedTokens })
  })

  it("names the ends of what was kept only where all between them was kept", () => {
    expect(applied.boundary["compactMetadata"]).not.toHaveProperty("preservedSegment")
    const tail = cutBeforeNewest(conversation, { promptUuid: undefined, pins: new Set() }, 40_000)
    const metadata = (keptBefore: ReadonlySet<string>) =>
      Result.getOrThrow(applyReduction({ ...plan, ...tail }, { ...material, keptBefore })).boundary["compactMetadata"]
    expect(metadata(new Set())).toMatchObject({ preservedSegment: { anchorUuid: "s", headUuid: "a-3", tailUuid: "r-3" } })
    expect(metadata(new Set(["a-3"]))).not.toHaveProperty("preservedSegment")
  })

  it("stands behind what was kept where it is of the end", () => {
    const end = Result.getOrThrow(applyReduction({ ...plan, side: "end", older: cut.read, kept: [] }, material))
    expect(end.visible).toEqual([end.summary])
    const both = applyReduction({ ...plan, side: "end", kept: conversation.slice(0, 1) }, material)
    expect(Result.getOrThrow(both).visible.at(-1)).toMatchObject({ isCompactSummary: true })
  })

  it("holds the facts", () => {
    expect(applied.summary).toMatchObject({ isCompactSummary: true, isVisibleInTranscriptOnly: true })
    expect(applied.summary.message.content).toContain("Summary:\nwhat happened")
    expect(applied.summary.message.content).toContain("second request")
  })

  it("is refused where it helps nobody", () => {
    const bounded = (belowTokens: number, roomTokens: number) =>
      applyReduction(plan, { ...material, bounds: { belowTokens, roomTokens } })
    expect(bounded(1_000, 100_000)).toMatchObject({ failure: expect.stringContaining("not be smaller") })
    expect(bounded(170_000, 10)).toMatchObject({ failure: expect.stringContaining("of 10") })
    expect(applyReduction(plan, { ...material, bounds: undefined })).toMatchObject({ _tag: "Success" })
    expect(applyReduction(plan, { ...material, words: " " })).toMatchObject({ failure: "the model gave an empty summary" })
  })
})
