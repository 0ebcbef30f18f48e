import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { text } from "../../../../src/core/domain/block.ts"
import type { UserMessage } from "../../../../src/core/domain/message.ts"
import { rereadCost } from "../../../../src/core/model/catalog/cost.ts"
import { append, emptyHistory, historyOf } from "../../../../src/core/model/request/api-history.ts"
import {
  type CacheSight,
  type CacheWatch,
  firstDifference,
  NO_CACHE_WATCH,
  watchCache
} from "../../../../src/core/model/tokens/cache-breaks.ts"

const TTL_MS = 300_000

const said = (uuid: string, content: string): UserMessage => ({
  type: "user",
  uuid,
  timestamp: "2026-01-01T00:00:00.000Z",
  message: { role: "user", content }
})

const HISTORY = append(emptyHistory, said("a", "hello"))

const sight = (patch: Partial<CacheSight> = {}): CacheSight => ({
  at: 0,
  readTokens: 0,
  promptTokens: 100_000,
  model: "claude-opus-4-6",
  effort: undefined,
  tools: TOOLS,
  system: SYSTEM,
  history: HISTORY,
  options: { model: "claude-opus-4-6", strippedMedia: {}, toolNames: [] },
  ...patch
})

const TOOLS: CacheSight["tools"] = []
const SYSTEM = [text("you are")]

const watched = (...sights: ReadonlyArray<CacheSight>): CacheWatch =>
  sights.reduce((watch, one) => watchCache(watch, one, TTL_MS), NO_CACHE_WATCH)

describe("a cache that gives back less than it held", () => {
  const before = sight({ readTokens: 50_000 })

  it.each<[string, Partial<CacheSight>, ReadonlyArray<unknown>]>([
    ["nothing of ours changed", { readTokens: 10_000 }, [{ lostTokens: 40_000, changed: { _tag: "Nothing" } }]],
    [
      "the system prompt changed",
      { readTokens: 0, system: [text("you are not")] },
      [{ lostTokens: 50_000, changed: { _tag: "System" } }]
    ],
    [
      "a message changed",
      { readTokens: 9_000, history: append(emptyHistory, said("a", "hullo")) },
      [{ lostTokens: 41_000, changed: { _tag: "Message", index: 0 } }]
    ],
    ["the same prompt in a new array", { readTokens: 0, system: [text("you are")] }, [{ changed: { _tag: "Nothing" } }]],
    ["a little less", { readTokens: 48_001 }, []],
    ["less, but under five percent", { readTokens: 47_600 }, []],
    ["more", { readTokens: 70_000 }, []],
    ["another model", { readTokens: 0, model: "claude-sonnet-4-6" }, []],
    ["another effort", { readTokens: 0, effort: "low" }, []],
    ["other tools", { readTokens: 0, tools: [] }, []],
    ["a reduction", { readTokens: 0, history: historyOf([said("s", "summary")]) }, []],
    ["a long pause", { readTokens: 0, at: TTL_MS + 1 }, []]
  ])("%s", (_name, patch, expected) => {
    expect(watched(before, sight({ at: 1_000, ...patch })).breaks).toMatchObject(expected)
  })

  it("is compared with the last request only, and counted in all", () => {
    const end = watched(before, sight({ readTokens: 0 }), sight({ readTokens: 0 }), before, sight({ readTokens: 20_000 }))
    expect(end).toMatchObject({ count: 2, lostTokens: 80_000 })
  })

  it("counts exactly what was lost, and keeps a bounded number", () => {
    const reads = fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 60 })
    fc.assert(
      fc.property(reads, (all) => {
        const end = watched(...all.map((readTokens) => sight({ readTokens })))
        const drops = all.map((read, index) => (all[index - 1] ?? read) - read)
        const lost = drops.filter((drop, index) => drop >= 2_000 && drop > 0.05 * (all[index - 1] ?? 0))
        expect(end.count).toBe(lost.length)
        expect(end.lostTokens).toBe(lost.reduce((sum, drop) => sum + drop, 0))
        expect(end.breaks.map(({ lostTokens }) => lostTokens)).toEqual(lost.slice(-20))
      })
    )
  })

  it("has a price where the model has one", () => {
    expect(rereadCost("claude-opus-4-6", 1_000_000)).toBeCloseTo(5 * 1.25 - 5 * 0.1)
    expect(rereadCost("unheard-of", 1)).toBeUndefined()
  })
})

describe("the first difference", () => {
  const message = fc.record({
    role: fc.constantFrom("user" as const, "assistant" as const),
    content: fc.array(fc.constantFrom(text("a"), text("b")), { maxLength: 2 })
  })
  const messages = fc.array(message, { maxLength: 6 })

  it("is none when the later request only adds, also to the last message", () => {
    fc.assert(
      fc.property(messages, messages, fc.constantFrom(text("a"), text("z")), (before, more, block) => {
        expect(firstDifference(before, [...before, ...more])).toBeUndefined()
        const grown = before.map((one, at) =>
          at === before.length - 1 ? { ...one, content: [...one.content, block] } : one
        )
        expect(firstDifference(before, grown)).toBeUndefined()
      })
    )
  })

  it("stands where the change was made", () => {
    fc.assert(
      fc.property(messages, fc.nat(), (before, pick) => {
        fc.pre(before.length > 0)
        const at = pick % before.length
        const changed = before.map((one, index) => (index === at ? { ...one, content: [text("new"), ...one.content] } : one))
        const expected = before[at]?.content.length === 0 ? undefined : at
        expect(firstDifference(before, changed)).toBe(expected)
      })
    )
  })
})
