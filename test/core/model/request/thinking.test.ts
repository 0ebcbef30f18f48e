import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resolveEffort, resolveThinking } from "../../../../src/core/model/request/thinking.ts"
import { profileOf } from "../../../../src/core/model/catalog/model.ts"

const think = (model: string, env: Record<string, string> = {}, extra = {}) =>
  resolveThinking(profileOf(model), 32_000, { env, ...extra })

describe("resolveThinking", () => {
  it("is adaptive where the model can, with a budget where it must, absent where it cannot", () => {
    expect(think("claude-opus-4-6")).toMatchObject({ type: "adaptive" })
    expect(think("claude-haiku-4-5")).toEqual({ type: "enabled", budget_tokens: 16_000 })
    expect(think("claude-3-5-haiku-20241022")).toBeUndefined()
    expect(think("offline")).toBeUndefined()
  })

  it("obeys the variables", () => {
    const fixed = { CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING: "1", MAX_THINKING_TOKENS: "5000" }
    expect(think("claude-opus-4-6", fixed)).toEqual({ type: "enabled", budget_tokens: 5_000 })
    expect(think("claude-opus-5", { CLAUDE_CODE_DISABLE_ADAPTIVE_THINKING: "1" })).toMatchObject({ type: "adaptive" })
    expect(think("claude-opus-4-6", { CLAUDE_CODE_DISABLE_THINKING: "1" })).toBeUndefined()
    expect(think("claude-sonnet-5", { MAX_THINKING_TOKENS: "0" })).toEqual({ type: "disabled" })
    expect(think("claude-fable-5", { MAX_THINKING_TOKENS: "0" })).toBeUndefined()
  })

  it("lets the session's toggle beat the setting", () => {
    expect(think("claude-haiku-4-5", {}, { alwaysThinkingEnabled: false })).toBeUndefined()
    expect(think("claude-haiku-4-5", {}, { alwaysThinkingEnabled: false, sessionToggle: true })).toBeDefined()
  })

  it("keeps a budget between its bounds or leaves it out", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70_000 }), fc.integer({ min: 1, max: 100_000 }), (maxTokens, wanted) => {
        const env = { MAX_THINKING_TOKENS: String(wanted) }
        const thinking = resolveThinking(profileOf("claude-haiku-4-5"), maxTokens, { env })
        if (thinking?.type !== "enabled") return
        expect(thinking.budget_tokens).toBeGreaterThanOrEqual(1_024)
        expect(thinking.budget_tokens).toBeLessThan(maxTokens)
      })
    )
  })
})

describe("resolveEffort", () => {
  it("takes the strongest source", () => {
    const profile = profileOf("claude-opus-5")
    expect(resolveEffort(profile, { env: "low", session: "max" })).toBe("low")
    expect(resolveEffort(profile, { frontmatter: "medium", session: "max" })).toBe("medium")
    expect(resolveEffort(profile, { session: "xhigh", setting: "low" })).toBe("xhigh")
    expect(resolveEffort(profile, {})).toBe("high")
    expect(resolveEffort(profileOf("claude-opus-5-5"), { session: "auto" })).toBe("medium")
  })

  it("falls to the highest level the model has", () => {
    expect(resolveEffort(profileOf("claude-opus-4-6"), { session: "xhigh" })).toBe("high")
    expect(resolveEffort(profileOf("claude-opus-4-5"), { session: "max" })).toBe("high")
  })

  it("is not sent to models without it, unless forced", () => {
    expect(resolveEffort(profileOf("claude-haiku-4-5"), { session: "high" })).toBeUndefined()
    expect(resolveEffort(profileOf("my-model-1"), { session: "low", always: true })).toBe("low")
  })
})
