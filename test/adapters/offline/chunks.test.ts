import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chunks, graphemes } from "../../../src/adapters/offline/chunks.ts"

const unicode = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({
    unit: fc.constantFrom("a", "\r", "\n", "\ud83d", "é", "e\u0301", "👩‍👩‍👧‍👦", "🇩🇪", "\u200d"),
    maxLength: 80
  })
)

describe("chunks", () => {
  it("joins to exactly the text, whatever it is", () => {
    fc.assert(fc.property(unicode, (text) => chunks(text).join("") === text))
  })

  it("holds twelve grapheme clusters, only the last one fewer", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-composite", maxLength: 120 }), (text) => {
        const clusters = graphemes(text)
        const parts = chunks(text)
        expect(parts.length).toBe(Math.ceil(clusters.length / 12))
        parts.forEach((part, index) => expect(part).toBe(clusters.slice(index * 12, index * 12 + 12).join("")))
      })
    )
  })

  it("never cuts a family, a flag or a line end in two", () => {
    const text = "👩‍👩‍👧‍👦".repeat(13) + "\r\n".repeat(12)
    expect(chunks(text)[0]).toBe("👩‍👩‍👧‍👦".repeat(12))
    expect(chunks(text).every((part) => !part.startsWith("\n"))).toBe(true)
  })

  it("makes no chunk of nothing", () => {
    expect(chunks("")).toEqual([])
  })
})
