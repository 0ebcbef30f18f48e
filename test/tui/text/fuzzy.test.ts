import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fuzzyIndex, fuzzyMatch, fuzzyRank } from "../../../src/tui/text/fuzzy.ts"

const ranked = (query: string, items: ReadonlyArray<string>, limit = 10): ReadonlyArray<string> =>
  fuzzyRank(
    fuzzyIndex(items, (item) => item),
    query,
    limit
  ).map(({ item }) => item)

describe("fuzzy matching", () => {
  it("needs the letters in order, whatever their case", () => {
    expect(fuzzyMatch("fb", "FooBar")?.positions).toEqual([0, 3])
    expect(fuzzyMatch("bf", "FooBar")).toBeUndefined()
    expect(fuzzyMatch("", "x")).toEqual({ score: 0, positions: [] })
  })

  it("prefers exact names, prefixes, base names, word starts and letters in a row", () => {
    expect(ranked("step", ["docs/steps/notes.md", "src/core/loop/step.ts", "src/stateless/type.ts"])[0]).toBe(
      "src/core/loop/step.ts"
    )
    expect(ranked("help", ["/helpful", "/help"])[0]).toBe("/help")
    expect(ranked("model", ["remodel", "model-name"])[0]).toBe("model-name")
    expect(ranked("gs", ["flags", "git-status", "gossip"])[0]).toBe("git-status")
    expect(ranked("abc", ["a-x-b-x-c", "xxabcxx"])[0]).toBe("xxabcxx")
    expect(ranked("Foo", ["foo", "Foo"])[0]).toBe("Foo")
  })

  it("gives no more than asked for, and with no letters the first", () => {
    expect(ranked("", ["a", "b", "c"], 2)).toEqual(["a", "b"])
    expect(ranked("a", ["ab", "aa", "ba"], 1)).toHaveLength(1)
  })

  it("finds every subsequence, at growing places that hold the letters", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c", "A", "B", "/", "-", "."), maxLength: 20 })
    fc.assert(
      fc.property(word, fc.array(fc.nat(19), { maxLength: 5 }), (candidate, picks) => {
        const places = [...new Set(picks)].filter((place) => place < candidate.length).sort((a, b) => a - b)
        const query = places.map((place) => candidate[place]).join("")
        const match = fuzzyMatch(query, candidate)
        expect(match?.positions).toHaveLength(query.length)
        for (const [letter, at] of (match?.positions ?? []).entries()) {
          expect(candidate[at]?.toLowerCase()).toBe(query[letter]?.toLowerCase())
          expect(at).toBeGreaterThan(match?.positions[letter - 1] ?? -1)
        }
      }),
      { numRuns: 200 }
    )
  })
})
