import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { addCost, costOf, priceOf } from "../../../../src/core/model/catalog/cost.ts"
import {
  estimateBlock,
  estimateBlocks,
  estimateJson,
  estimateMessages,
  estimateText
} from "../../../../src/core/model/tokens/estimate.ts"
import type { ContentBlock } from "../../../../src/core/domain/block.ts"
import { zeroUsage, type Usage } from "../../../../src/core/domain/usage.ts"
import { anyHistory, call, result, system, textBlock, thinking, user } from "../request/messages.ts"

describe("estimates", () => {
  it("count ASCII by four and other characters by one and a half", () => {
    expect(estimateText("")).toBe(0)
    expect(estimateText("abcd")).toBe(1)
    expect(estimateText("abcde")).toBe(2)
    expect(estimateText("日本語")).toBe(2)
    expect(estimateText("😀😀😀")).toBe(2)
    expect(estimateJson({ a: 1 })).toBe(3)
  })

  it("are additive over messages and never negative", () => {
    fc.assert(
      fc.property(anyHistory, anyHistory, (left, right) => {
        expect(estimateMessages([...left, ...right])).toBe(estimateMessages(left) + estimateMessages(right))
        expect(estimateMessages(left)).toBeGreaterThanOrEqual(0)
      })
    )
  })

  it("grow with the text", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (left, right) => {
        expect(estimateText(left + right)).toBeGreaterThanOrEqual(estimateText(left))
        expect(estimateText(left + right)).toBeLessThanOrEqual(estimateText(left) + estimateText(right))
      })
    )
  })

  it("read the size of a picture from its header", () => {
    const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    const png = [...signature, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 3, 232, 0, 0, 2, 238]
    const image = (data: string): ContentBlock => ({ type: "image", source: { type: "base64", data } })
    expect(estimateBlock(image(btoa(String.fromCharCode(...png))))).toBe(1_000)
    expect(estimateBlock(image("AAAA"))).toBe(1_600)
    expect(estimateBlock(image("not base64!"))).toBe(1_600)
  })

  it("cover every kind of block", () => {
    const blocks: ReadonlyArray<ContentBlock> = [
      textBlock("abcd"),
      thinking("abcd"),
      { type: "redacted_thinking", data: "abcdefgh" },
      call("a", { n: 1 }),
      result("a", "abcd"),
      { type: "document", source: { type: "text", data: "abcd" } },
      { type: "document", source: { type: "base64", data: "AAAA" } },
      { type: "other", data: 1 }
    ]
    expect(blocks.map(estimateBlock)).toEqual([1, 1, 2, 4, 1, 1, 2_500, 9])
    expect(estimateBlocks(blocks)).toBe(2_519)
  })

  it("count nothing for what the model never sees", () => {
    expect(estimateMessages([system("informational", "x"), user("hidden", { isVirtual: true })])).toBe(0)
  })
})

const usage = (fields: Partial<Usage>): Usage => ({ ...zeroUsage, ...fields })

describe("costOf", () => {
  it("applies list prices and cache factors", () => {
    const spent = usage({
      input_tokens: 1_000_000,
      output_tokens: 1_000_000,
      cache_read_input_tokens: 1_000_000,
      cache_creation_input_tokens: 2_000_000,
      cache_creation: { ephemeral_5m_input_tokens: 1_000_000, ephemeral_1h_input_tokens: 1_000_000 }
    })
    expect(costOf("claude-opus-4-6", spent)).toBeCloseTo(5 + 25 + 0.5 + 6.25 + 10)
    expect(costOf("claude-opus-5-5", usage({ cache_read_input_tokens: 1_000_000 }))).toBeCloseTo(0.2)
  })

  it("takes unsplit cache writes as five minutes", () => {
    expect(costOf("claude-opus-4-6", usage({ cache_creation_input_tokens: 1_000_000 }))).toBeCloseTo(6.25)
  })

  it("knows other prices for long prompts, and when it does not know them", () => {
    expect(costOf("claude-haiku-5-5", usage({ input_tokens: 100_000 }))).toBeCloseTo(0.01)
    expect(costOf("claude-haiku-5-5", usage({ input_tokens: 200_000 }))).toBeCloseTo(0.1)
    expect(costOf("claude-sonnet-4-5", usage({ input_tokens: 200_001 }))).toBeUndefined()
  })

  it("is zero offline and unknown for unknown models", () => {
    expect(costOf("offline-b", usage({ input_tokens: 5 }))).toBe(0)
    expect(costOf("my-model-1", usage({ input_tokens: 5 }))).toBeUndefined()
    expect(costOf("claude-opus-9-9", usage({ input_tokens: 5 }))).toBeUndefined()
  })

  it("lets the user's prices win", () => {
    const mine = { "my-model-1": { input: 1, output: 2 }, "opus-4-6": { input: 0, output: 0 } }
    expect(costOf("my-model-1", usage({ input_tokens: 1_000_000 }), mine)).toBe(1)
    expect(priceOf("claude-opus-4-6", mine)).toEqual({ input: 0, output: 0 })
  })

  it("keeps a total unknown once a part of it is", () => {
    expect(addCost(1, 2)).toBe(3)
    expect(addCost(1, undefined)).toBeUndefined()
  })
})
