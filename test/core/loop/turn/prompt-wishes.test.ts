import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wishesIn } from "../../../../src/core/loop/turn/prompt-wishes.ts"

describe("what a prompt wishes", () => {
  it.each([
    ["+500k", 500_000],
    ["+500k write a parser", 500_000],
    ["write a parser +1.5m", 1_500_000],
    ["write a parser\n+20K.", 20_000],
    ["use 2m tokens", 2_000_000],
    ["Use 2M tokens to find the bug", 2_000_000],
    ["find the bug and spend 300k tokens!", 300_000],
    ["write +500k lines", undefined],
    ["add 500k", undefined],
    ["a+500k", undefined],
    ["we use 2m tokens in each run", undefined],
    ["+0k", undefined],
    ["+900000m", undefined],
    ["+500", undefined]
  ])("%j: a target of %s", (text, tokens) => {
    expect(wishesIn(text).targetTokens).toBe(tokens)
  })

  it.each([
    ["ultrathink about it", true],
    ["please Ultrathink.", true],
    ["ultrathinking", false],
    ["think hard", false]
  ])("%j: thinks hard %s", (text, expected) => {
    expect(wishesIn(text).thinksHard).toBe(expected)
  })

  it("reads any text at once, and targets are whole and bounded", () => {
    const piece = fc.constantFrom("+", "5", "00", ".", "k", "m", " ", "use ", "tokens", "\n", "x")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const { targetTokens } = wishesIn(pieces.join(""))
        if (targetTokens === undefined) return
        expect(Number.isInteger(targetTokens)).toBe(true)
        expect(targetTokens).toBeGreaterThan(0)
        expect(targetTokens).toBeLessThanOrEqual(100_000_000)
      })
    )
  })
})
