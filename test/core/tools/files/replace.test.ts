import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dominantEnding, toLf } from "../../../../src/core/domain/text/line-ending.ts"
import { findSpans, linesOfSpans, replaceSpans } from "../../../../src/core/tools/files/replace.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (value: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(value)
const dense = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "\r", "é"), maxLength: 40 })
const needleOf = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é"), minLength: 1, maxLength: 5 })

describe("exact matches", () => {
  it("are those of the text read with LF line ends", () => {
    fc.assert(
      fc.property(dense, needleOf, (body, needle) => {
        const spans = findSpans(bytes(body), bytes(needle))
        const expected = toLf(body).split(needle).length - 1
        expect(spans).toHaveLength(expected)
        for (const span of spans) expect(toLf(text(bytes(body).subarray(span.start, span.end)))).toBe(needle)
      }),
      { numRuns: 3_000 }
    )
  })

  it("replaces exactly the spans: everything around them stays byte for byte", () => {
    fc.assert(
      fc.property(dense, needleOf, needleOf, (body, needle, replacement) => {
        const before = bytes(body)
        const spans = findSpans(before, bytes(needle))
        const after = replaceSpans(before, spans, bytes(replacement))
        // A lone CR before a new LF would read as one line end, so only other texts are compared as text.
        if (!/\r(?!\n)/.test(body)) expect(toLf(text(after))).toBe(toLf(body).split(needle).join(replacement))
        let from = 0
        let to = 0
        for (const span of spans) {
          expect(after.subarray(to, to + span.start - from)).toEqual(before.subarray(from, span.start))
          to += span.start - from + bytes(replacement).length
          from = span.end
        }
        expect(after.subarray(to)).toEqual(before.subarray(from))
      }),
      { numRuns: 2_000 }
    )
  })

  it("takes a time linear in the file even for repetitive text", () => {
    const body = new Uint8Array(4_000_000).fill(97)
    const needle = bytes(`${"a".repeat(5_000)}b`)
    expect(findSpans(body, needle)).toEqual([])
  })

  it("begin on the lines that an editor shows", () => {
    const body = bytes("x\r\ny x\n\nx")
    expect(linesOfSpans(body, findSpans(body, bytes("x")))).toEqual([1, 2, 4])
  })

  it("a lone carriage return is not a line end", () => {
    expect(findSpans(bytes("a\rb\r\nc"), bytes("a\nb"))).toEqual([])
    expect(findSpans(bytes("a\rb\r\nc"), bytes("b\nc"))).toHaveLength(1)
    expect(findSpans(bytes("a\r\n"), bytes("a\r"))).toEqual([])
  })
})

describe("dominant line end", () => {
  it.each([
    ["", "\n"],
    ["a\nb", "\n"],
    ["a\r\nb\r\nc\n", "\r\n"],
    ["a\r\nb\n", "\n"]
  ])("of %j is %j", (body, ending) => {
    expect(dominantEnding(bytes(body))).toBe(ending)
  })
})
