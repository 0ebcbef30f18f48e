import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { estimateMessages } from "../../../../src/core/model/tokens/estimate.ts"
import { parseAutoWindow, resolveAutoWindow, thresholdsOf } from "../../../../src/core/model/tokens/threshold.ts"
import { countTokens, fitOutput, resolveWindow, windowStatus } from "../../../../src/core/model/tokens/window.ts"
import { fromArray } from "../../../../src/core/domain/append-list.ts"
import { zeroUsage } from "../../../../src/core/domain/usage.ts"
import { assistant, call, result, system, textBlock, user } from "../request/messages.ts"

const model = "claude-opus-4-6"
const status = (usedTokens: number, autoCompact = true) => windowStatus({ usedTokens, model, autoCompact })

const anyWindow = fc.record({
  windowTokens: fc.integer({ min: 1_000, max: 2_000_000 }),
  outputCapTokens: fc.integer({ min: 1, max: 200_000 }),
  autoWindowTokens: fc.option(fc.integer({ min: 100_000, max: 1_000_000 }), { nil: undefined }),
  autoPercent: fc.option(fc.integer({ min: -5, max: 150 }), { nil: undefined }),
  errorBufferTokens: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
  autoCompact: fc.boolean()
})

const given = <K extends string>(key: K, value: number | undefined): { [key in K]?: number } =>
  (value === undefined ? {} : { [key]: value }) as { [key in K]?: number }

describe("thresholds", () => {
  it("stay in order for every window and setting", () => {
    fc.assert(
      fc.property(anyWindow, (w) => {
        const t = thresholdsOf(w.windowTokens, w.outputCapTokens, {
          autoCompact: w.autoCompact,
          ...given("autoWindowTokens", w.autoWindowTokens),
          ...given("autoPercent", w.autoPercent),
          ...given("errorBufferTokens", w.errorBufferTokens)
        })
        expect(t.warningTokens).toBeGreaterThan(0)
        expect(t.warningTokens).toBeLessThanOrEqual(t.errorTokens)
        expect(t.errorTokens).toBeLessThanOrEqual(t.limitTokens)
        expect(t.autoTokens).toBeLessThanOrEqual(t.blockingTokens)
        expect(t.blockingTokens).toBeLessThan(t.effectiveTokens)
        expect(t.effectiveTokens).toBeLessThanOrEqual(w.windowTokens)
        if (w.autoCompact) expect(t.warningTokens).toBeLessThanOrEqual(t.autoTokens)
      }),
      { numRuns: 1_000 }
    )
  })

  it("are those of the table", () => {
    expect(thresholdsOf(200_000, 128_000, { autoCompact: true })).toEqual({
      reserveTokens: 20_000,
      effectiveTokens: 180_000,
      warningTokens: 147_000,
      errorTokens: 147_000,
      autoTokens: 167_000,
      blockingTokens: 177_000,
      limitTokens: 167_000
    })
    expect(thresholdsOf(1_000_000, 128_000, { autoCompact: true })).toMatchObject({
      autoTokens: 967_000,
      warningTokens: 947_000,
      blockingTokens: 977_000
    })
    expect(thresholdsOf(200_000, 128_000, { autoCompact: true, autoPercent: 50 }).autoTokens).toBe(90_000)
  })
})

describe("windowStatus", () => {
  it.each([
    [146_999, true, "ok"],
    [147_000, true, "warning"],
    [167_000, true, "compact"],
    [177_000, true, "blocked"],
    [160_000, false, "warning"],
    [167_000, false, "warning"],
    [177_000, false, "blocked"]
  ])("at %d tokens with auto %s is %s", (used, auto, state) => {
    expect(status(used, auto).state).toBe(state)
  })

  it("has an error state of its own when its buffer differs", () => {
    const late = windowStatus({ usedTokens: 160_000, model, autoCompact: true, errorBufferTokens: 10_000 })
    expect(late.state).toBe("error")
  })

  it("is monotone in use, and the percentage too", () => {
    const order = ["ok", "warning", "error", "compact", "blocked"]
    fc.assert(
      fc.property(fc.nat(250_000), fc.nat(250_000), fc.boolean(), (a, b, auto) => {
        const [less, more] = [status(Math.min(a, b), auto), status(Math.max(a, b), auto)]
        expect(order.indexOf(less.state)).toBeLessThanOrEqual(order.indexOf(more.state))
        expect(more.percentLeft).toBeLessThanOrEqual(less.percentLeft)
        expect(more.percentLeft).toBeGreaterThanOrEqual(0)
        expect(less.percentLeft).toBeLessThanOrEqual(100)
      })
    )
  })

  it("reads a smaller window when told to", () => {
    const small = windowStatus({ usedTokens: 8_000, model: "offline", windowTokens: 10_000, autoCompact: true })
    expect(small.state).toBe("blocked")
  })
})

describe("the auto window", () => {
  it.each([
    ["150000", 150_000],
    ["150k", 150_000],
    ["0.5M", 500_000],
    ["150", 150_000],
    ["auto", undefined],
    ["lots", undefined]
  ])("reads %s as %s", (value, expected) => {
    expect(parseAutoWindow(value)).toBe(expected)
  })

  it("takes the strongest source within the bounds", () => {
    expect(resolveAutoWindow({ env: "500k", flag: "300k" }, 200_000)).toBe(100_000)
    expect(resolveAutoWindow({ flag: "auto", setting: 300_000 }, 200_000)).toBeUndefined()
    expect(resolveAutoWindow({ setting: 300_000 }, 200_000)).toBe(200_000)
    expect(resolveAutoWindow({ session: "120" }, 200_000)).toBe(120_000)
    expect(resolveAutoWindow({}, 200_000)).toBeUndefined()
  })
})

describe("resolveWindow", () => {
  it("follows the order of sources", () => {
    expect(resolveWindow("my-model", { maxContextTokens: 64_000 })).toBe(64_000)
    expect(resolveWindow(model, { maxContextTokens: 64_000 })).toBe(200_000)
    expect(resolveWindow(model, { maxContextTokens: 64_000, compactionDisabled: true })).toBe(64_000)
    expect(resolveWindow(model, { settingTokens: 300_000 })).toBe(300_000)
    expect(resolveWindow(`${model}[1m]`, {})).toBe(1_000_000)
    expect(resolveWindow(`${model}[1m]`, { largeWindowDisabled: true })).toBe(200_000)
    expect(resolveWindow("offline", { offlineTokens: 5_000 })).toBe(5_000)
  })

  it("lowers the output limit before anything else", () => {
    expect(fitOutput(32_000, 100_000, 200_000)).toBe(32_000)
    expect(fitOutput(32_000, 180_000, 200_000)).toBe(20_000)
    expect(fitOutput(32_000, 199_000, 200_000)).toBe(3_000)
  })
})

describe("countTokens", () => {
  const counted = (id: string, content = [textBlock("x")]) => {
    const message = assistant(id, content)
    const usage = { ...zeroUsage, input_tokens: 1_000, output_tokens: 50 }
    return { ...message, message: { ...message.message, usage } }
  }

  it("adds the estimate of what came after the newest count", () => {
    const after = [user([result("a", "x".repeat(400))])]
    const log = fromArray([user("go"), counted("m1", [call("a")]), ...after])
    expect(countTokens(log, 5_000)).toBe(1_050 + estimateMessages(after))
    expect(countTokens(log, 5_000, 100)).toBe(950 + estimateMessages(after))
  })

  it("counts results that stand between fragments of the counted response", () => {
    const between = user([result("a", "x".repeat(400))])
    const log = fromArray([user("x".repeat(4_000)), counted("m1", [call("a")]), between, counted("m1", [call("b")])])
    expect(countTokens(log, 0)).toBe(1_050 + estimateMessages([between]))
  })

  it("estimates everything, with a margin, when nothing was counted after the boundary", () => {
    const log = fromArray([counted("m1"), system("compact_boundary"), user("x".repeat(400))])
    expect(countTokens(log, 200)).toBe(400)
  })
})
