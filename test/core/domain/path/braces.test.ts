import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { expandBraces } from "../../../../src/core/domain/path/braces.ts"

describe("braces", () => {
  it.each<[pattern: string, expanded: ReadonlyArray<string>]>([
    ["a.{ts,js}", ["a.ts", "a.js"]],
    ["{a,b}/{c,d}", ["a/c", "a/d", "b/c", "b/d"]],
    ["{a,{b,c}}", ["a", "b", "c"]],
    ["{a,}b", ["ab", "b"]],
    ["{a}", ["{a}"]],
    ["{a,b", ["{a,b"]],
    ["a}b,{c", ["a}b,{c"]],
    [String.raw`\{a,b\}`, [String.raw`\{a,b\}`]]
  ])("%s", (pattern, expanded) => {
    expect([...expandBraces([pattern])].toSorted()).toEqual([...expanded].toSorted())
  })

  it("that stand for too much stay as they are, others are not lost", () => {
    const bomb = "{a,b}".repeat(60)
    expect(expandBraces([bomb, "x.{ts,js}"])).toEqual([bomb, "x.ts", "x.js"])
    expect(expandBraces(["{a,b}", "{c,d}"], { patterns: 3, chars: 100 })).toEqual(["a", "b", "{c,d}"])
    expect(expandBraces(["{aaaa,bbbb}"], { patterns: 9, chars: 5 })).toEqual(["{aaaa,bbbb}"])
  })

  it("end for every pattern, within the limit", () => {
    const piece = fc.constantFrom("{", "}", ",", "a", "\\", "/")
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(expandBraces([pieces.join("")], { patterns: 50, chars: 5_000 }).length).toBeLessThanOrEqual(50)
      })
    )
  })
})
