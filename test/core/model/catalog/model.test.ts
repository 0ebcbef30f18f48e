import { describe, expect, it } from "vitest"
import {
  defaultOutputTokens,
  isSameModel,
  lineageKey,
  outputCap,
  profileOf
} from "../../../../src/core/model/catalog/model.ts"
import { contextWindow } from "../../../../src/core/model/tokens/window-table.ts"
import { expandAlias, MODEL_ALIASES } from "../../../../src/core/model/catalog/model-alias.ts"

describe("the model table", () => {
  it.each([
    ["claude-fable-5-2", 1_000_000, 1_000_000],
    ["claude-sonnet-5", 1_000_000, 1_000_000],
    ["claude-opus-5-5", 200_000, 1_000_000],
    ["claude-opus-4-6", 200_000, 1_000_000],
    ["claude-sonnet-4-6", 200_000, 1_000_000],
    ["claude-sonnet-4-5-20250929", 200_000, 1_000_000],
    ["claude-sonnet-4-20250514", 200_000, 1_000_000],
    ["claude-opus-4-1-20250805", 200_000, 200_000],
    ["claude-haiku-4-5", 200_000, 200_000],
    ["claude-3-7-sonnet-20250219", 200_000, 200_000],
    ["us.anthropic.claude-opus-4-6-v1:0", 200_000, 1_000_000],
    ["gateway/some-model-2", 200_000, 1_000_000],
    ["offline", 200_000, 200_000],
    ["offline-b", 200_000, 200_000]
  ])("knows the window of %s", (model, usual, large) => {
    expect(contextWindow(model)).toBe(usual)
    expect(contextWindow(`${model}[1m]`)).toBe(large)
  })

  it.each([
    ["claude-opus-4-6", 128_000, "either"],
    ["claude-opus-4-7", 128_000, "adaptive"],
    ["claude-opus-5-5", 128_000, "always"],
    ["claude-fable-5", 128_000, "always"],
    ["claude-opus-4-5-20251101", 64_000, "budget"],
    ["claude-haiku-4-5-20251001", 64_000, "budget"],
    ["claude-opus-4-1", 32_000, "budget"],
    ["claude-3-5-haiku-20241022", 8_192, "none"],
    ["claude-3-opus-20240229", 4_096, "none"],
    ["something-else", 32_000, "none"],
    ["offline", 64_000, "none"]
  ])("knows output cap and thinking of %s", (model, cap, thinking) => {
    expect(outputCap(model)).toBe(cap)
    expect(defaultOutputTokens(model)).toBe(Math.min(cap, 32_000))
    expect(profileOf(model).thinking).toBe(thinking)
  })

  it("names models and their rows", () => {
    expect(profileOf("claude-opus-4-6").name).toBe("Claude Opus 4.6")
    expect(profileOf("claude-sonnet-5").name).toBe("Claude Sonnet 5")
    expect(lineageKey("claude-haiku-4-5-20251001")).toBe("haiku-4-5")
    expect(lineageKey("claude-sonnet-4-20250514")).toBe("sonnet-4-0")
    expect(lineageKey("claude-3-haiku-20240307")).toBe("haiku-3-0")
    expect(lineageKey("offline")).toBeUndefined()
  })

  it("sees through dates and window suffixes", () => {
    expect(isSameModel("claude-haiku-4-5", "claude-haiku-4-5-20251001")).toBe(true)
    expect(isSameModel("claude-opus-5[1m]", "claude-opus-5")).toBe(true)
    expect(isSameModel("claude-opus-5", "claude-opus-5-5")).toBe(false)
  })
})

describe("aliases", () => {
  it("expands every one, with and without the suffix", () => {
    for (const alias of MODEL_ALIASES) {
      expect(expandAlias(alias)).toMatch(/^claude-/)
      expect(expandAlias(`${alias}[1m]`)).toBe(`${expandAlias(alias)}[1m]`)
    }
    expect(expandAlias("claude-opus-5")).toBeUndefined()
  })

  it("takes the user's targets and the plan mode into account", () => {
    const targets = { opus: "my-opus[1m]", sonnet: "my-sonnet" }
    expect(expandAlias("opus", { targets })).toBe("my-opus[1m]")
    expect(expandAlias("opusplan", { targets, planMode: true })).toBe("my-opus[1m]")
    expect(expandAlias("opusplan", { targets })).toBe("my-sonnet")
    expect(expandAlias("default", { targets })).toBe("my-sonnet")
  })
})
