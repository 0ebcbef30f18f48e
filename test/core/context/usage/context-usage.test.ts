import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareUsage } from "../../../../src/core/context/usage/compare.ts"
import { contextUsage, type ContextUsage } from "../../../../src/core/context/usage/context-usage.ts"
import { findingsOf } from "../../../../src/core/context/usage/findings.ts"
import { gridOf } from "../../../../src/core/context/usage/grid.ts"
import { filesIn } from "../../../../src/core/context/usage/instruction-files.ts"
import type { UsageItem } from "../../../../src/core/context/usage/item.ts"
import { itemsOf } from "../../../../src/core/context/usage/items.ts"
import { usageJson } from "../../../../src/core/context/usage/usage-json.ts"
import { usageLines } from "../../../../src/core/context/usage/usage-lines.ts"
import type { Message } from "../../../../src/core/domain/message.ts"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"
import { historyOf, renderedParts } from "../../../../src/core/model/request/api-history.ts"
import { windowStatus, type WindowInput } from "../../../../src/core/model/tokens/window.ts"
import {
  anyHistory,
  assistant,
  attachment,
  call,
  MODEL,
  result,
  textBlock,
  thinking,
  user
} from "../../model/request/messages.ts"

const NONE = { pins: new Set<string>(), turnsBefore: 0 }

const itemsFrom = (messages: ReadonlyArray<Message>, pins: ReadonlySet<string> = new Set()): ReadonlyArray<UsageItem> =>
  itemsOf({
    ...NONE,
    pins,
    system: [{ type: "text", text: "You are an agent.\n\n# Tone\nBe brief.\n\n# Git\nNever push." }],
    tools: [
      { name: "Read", description: "reads", input_schema: {} },
      { name: "mcp__tracker__find", description: "finds", input_schema: {} }
    ],
    messages,
    parts: renderedParts(historyOf(messages), { model: MODEL })
  })

const status = (input: Partial<WindowInput> = {}) =>
  windowStatus({ usedTokens: 50_000, model: MODEL, autoCompact: true, windowTokens: 200_000, ...input })

const usage = (items: ReadonlyArray<UsageItem>, input: Partial<WindowInput> = {}): ContextUsage =>
  contextUsage({ model: MODEL, status: status(input), items, next: undefined })

const sum = (parts: ReadonlyArray<{ readonly tokens: number }>): number => parts.reduce((all, { tokens }) => all + tokens, 0)

const word = (tokens: number): string => "x".repeat(tokens * 4)

describe("the items of a request", () => {
  it("are the sections of its prompt, its tools, and each piece of the conversation by what it is", () => {
    const messages = [
      user("Fix the test", { uuid: "p1" }),
      assistant("m1", [thinking(word(10)), textBlock("I look."), call("t1", { file_path: "/w/a.ts" })]),
      user([result("t1", word(100))], { uuid: "r1", toolUseResult: {} }),
      attachment({ type: "queued_command", prompt: "And be quick", commandMode: "prompt" })
    ]
    const items = itemsFrom(messages, new Set(["r1"]))
    expect(items.map(({ category, label, turn, pinned }) => [category, label, turn, pinned])).toEqual([
      ["system_prompt", "You are an agent.", undefined, false],
      ["system_prompt", "Tone", undefined, false],
      ["system_prompt", "Git", undefined, false],
      ["tools", "Read", undefined, false],
      ["mcp_tools", "mcp__tracker__find", undefined, false],
      ["prompts", "Fix the test", 1, false],
      ["thinking", "thinking", 1, false],
      ["answers", "I look.", 1, false],
      ["tool_calls", "Read /w/a.ts", 1, false],
      ["tool_results", "Read /w/a.ts", 1, true],
      ["prompts", "And be quick", 2, false]
    ])
  })

  it("name each file of an attachment with instructions, and leave files that a user wrote about alone", () => {
    const text =
      "Contents of /w/CLAUDE.md (project, checked in):\n\nUse pnpm.\n\nContents of /h/memory/MEMORY.md (auto-memory):\n\n- a"
    const messages = [attachment({ type: "instructions", content: text }), user(text, { uuid: "p" })]
    const items = itemsFrom(messages).filter(({ turn }) => turn !== undefined)
    expect(items.filter(({ file }) => file !== undefined).map(({ category, label }) => [category, label])).toEqual([
      ["instructions", "/w/CLAUDE.md"],
      ["memory", "/h/memory/MEMORY.md"]
    ])
    expect(items.filter(({ category }) => category === "prompts")).toHaveLength(1)
  })

  it("of any other attachment are called by its type, whatever that is", () => {
    const items = itemsFrom([user("x", { uuid: "p" }), attachment({ type: "weather_report", content: "sunny" })])
    expect(items.filter(({ category }) => category === "attachments").map(({ label }) => label)).toEqual(["weather_report"])
  })

  it("are cached when the newest counted request held them and the endpoint kept something", () => {
    const counted = (cached: number) => ({
      ...assistant("m1", [textBlock("yes")]),
      message: {
        ...assistant("m1", [textBlock("yes")]).message,
        usage: { ...zeroUsage, input_tokens: 9, cache_read_input_tokens: cached }
      }
    })
    const labels = (cached: number) =>
      itemsFrom([user("one", { uuid: "p1" }), counted(cached), user("two", { uuid: "p2" })])
        .filter((item) => item.cached)
        .map(({ label }) => label)
    expect(labels(0)).toEqual([])
    expect(labels(7)).toContain("one")
    expect(labels(7)).toContain("Tone")
    expect(labels(7)).not.toContain("two")
    expect(labels(7)).not.toContain("yes")
  })
})

describe("files in a text", () => {
  it("are told apart by the lines that name them", () => {
    const { before, files } = filesIn(
      "About:\nContents of /a b.md (x):\n\none\nContents of /c.md:\ntwo\nContents of /no.md:",
      (path) => path !== "/no.md"
    )
    expect(before).toBe("About:\n")
    expect(files).toEqual([
      { path: "/a b.md", label: "x", text: "one" },
      { path: "/c.md", label: "", text: "two\nContents of /no.md:" }
    ])
  })
})

const anyStatus = fc.record({
  usedTokens: fc.integer({ min: 0, max: 1_200_000 }),
  windowTokens: fc.constantFrom(1_000, 20_000, 100_000, 200_000, 1_000_000),
  autoCompact: fc.boolean()
})

describe("what fills a window", () => {
  it("adds up to the window, or to what is used where that is more, for any conversation", () => {
    fc.assert(
      fc.property(anyHistory, anyStatus, (messages, input) => {
        const found = usage(itemsFrom(messages), input)
        expect(sum(found.categories)).toBe(input.usedTokens)
        expect(sum(found.categories) + sum(found.spaces)).toBe(Math.max(input.windowTokens, input.usedTokens))
        for (const category of found.categories) expect(sum(category.items)).toBe(category.tokens)
        for (const part of [...found.categories, ...found.spaces]) expect(part.tokens).toBeGreaterThanOrEqual(0)
      })
    )
  })

  it("is drawn in its order, and all of it", () => {
    fc.assert(
      fc.property(anyHistory, anyStatus, (messages, input) => {
        const found = usage(itemsFrom(messages), input)
        const grid = gridOf(found)
        expect(grid.map((row) => row.length)).toEqual(
          Array.from({ length: 10 }, () => (input.windowTokens >= 1_000_000 ? 20 : 10))
        )
        const order = [...found.categories, ...found.spaces].map(({ id }) => id)
        const places = grid.flat().map(({ id }) => order.indexOf(id))
        expect(places).toEqual(places.toSorted((left, right) => left - right))
        expect(places).not.toContain(-1)
      })
    )
  })

  it("is the form that programs read", () => {
    const found = usage(itemsFrom([user("hello", { uuid: "p" })]), { isEstimated: true })
    const json = usageJson({ session: null, usage: found, instructions: [] })
    expect(Object.keys(json)).toEqual([
      "version",
      "session",
      "model",
      "window",
      "effective",
      "used",
      "estimated",
      "scale",
      "thresholds",
      "state",
      "percentLeft",
      "categories",
      "instructions",
      "findings"
    ])
    expect(json).toMatchObject({
      version: 1,
      window: 200_000,
      effective: 180_000,
      estimated: true,
      thresholds: { warning: 147_000, error: 147_000, auto: 167_000, blocking: 177_000 },
      state: "ok"
    })
    expect(JSON.stringify(json)).toContain('"source":{"kind":"message","uuid":"p"}')
  })

  it("can be read as lines without colours", () => {
    const text = usageLines(usage(itemsFrom([user("hello", { uuid: "p" })])), { all: false }).join("\n")
    expect(text).toContain("50k of 200k tokens (25%) · 70% until auto-compact")
    expect(text).toContain("P Prompts")
    expect(text).toContain("- Compaction buffer")
  })
})

describe("findings", () => {
  const codes = (items: ReadonlyArray<UsageItem>, input: Partial<WindowInput> = {}) =>
    findingsOf(usage(items, input)).map(({ code }) => code)
  const item = (patch: Partial<UsageItem>): UsageItem => ({
    category: "tool_results",
    label: "Read /a",
    tokens: 1_000,
    source: { kind: "message", uuid: "r", path: "/a" },
    cached: false,
    pinned: false,
    ...patch
  })

  it("say by how much the window is exceeded and what frees space", () => {
    const [first] = findingsOf(usage([item({})], { usedTokens: 201_000 }))
    expect(first?.text).toBe("Context exceeds the 200000-token limit by 1000 tokens · /compact frees space")
  })

  it("name the three largest results when they take more than a fifth", () => {
    const results = [5, 40, 30, 20].map((share, index) =>
      item({ label: `Bash ${index}`, call: `c${index}`, tokens: share * 1_000 })
    )
    const found = findingsOf(usage(results, { usedTokens: 95_000 }))
    expect(found.map(({ code, calls }) => [code, calls])).toEqual([["tool_results", ["c1", "c2", "c3"]]])
    expect(found[0]?.freesTokens).toBe(90_000)
    expect(codes(results, { usedTokens: 30_000 })).not.toContain("tool_results")
  })

  it("name files that are shown twice, servers without use, much thinking and long instructions", () => {
    const twice = [item({ call: "c1", turn: 1 }), item({ call: "c2", turn: 2 })]
    expect(findingsOf(usage(twice, { usedTokens: 2_000 }))).toMatchObject([{ code: "file_twice", calls: ["c1"] }])
    const again = [item({ call: "c1", turn: 1 }), item({ call: "c2", turn: 2, tokens: 30 })]
    expect(codes(again, { usedTokens: 1_030 })).toEqual([])
    const server = [
      item({ category: "mcp_tools", label: "mcp__big__one", tokens: 11_000, source: { kind: "server", name: "big" } })
    ]
    expect(codes(server, { usedTokens: 11_000 })).toEqual(["server_unused"])
    expect(codes([...server, item({ category: "tool_calls", label: "mcp__big__one x" })], { usedTokens: 12_000 })).toEqual(
      []
    )
    expect(codes([item({ category: "thinking" })], { usedTokens: 1_000 })).toEqual(["thinking"])
    const file = { path: "/CLAUDE.md", kind: "project", reason: "session_start", chars: 900, lines: 201 }
    expect(codes([item({ category: "instructions", file })], { usedTokens: 1_000 })).toEqual(["instruction_size"])
  })

  it("say when items were scaled, and when nothing is counted yet", () => {
    expect(codes([item({})], { usedTokens: 1_200 })).toEqual(["scaled"])
    expect(codes([item({})], { usedTokens: 1_100 })).toEqual([])
    expect(codes([item({})], { usedTokens: 1_000, isEstimated: true })).toEqual(["uncounted"])
  })
})

describe("two turns", () => {
  it("differ by what joined and what went", () => {
    const first = [user("one", { uuid: "p1" }), assistant("m1", [call("t1", { file_path: "/a" })])]
    const second = [first[0]!, user("two", { uuid: "p2" })]
    const change = compareUsage(usage(itemsFrom(first)), usage(itemsFrom(second)))
    const joined = change.categories.flatMap(({ added }) => added.map(({ label }) => label))
    const gone = change.categories.flatMap(({ removed }) => removed.map(({ label }) => label))
    expect(joined).toContain("two")
    expect(gone).toContain("Read /a")
    expect(joined).not.toContain("one")
  })

  it("that are equal do not differ", () => {
    fc.assert(
      fc.property(anyHistory, (messages) => {
        const found = usage(itemsFrom(messages))
        expect(compareUsage(found, found).categories).toEqual([])
      })
    )
  })
})
