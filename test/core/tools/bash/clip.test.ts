import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { firstChars, headAndTail, lastChars } from "../../../../src/core/tools/bash/clip.ts"
import { decodeWindow } from "../../../../src/core/tools/bash/decode.ts"

/** Whole characters only, many of them surrogate pairs. */
const wholeCharacters = fc.string({ unit: fc.constantFrom("a", "ä", "€", "😀", "\n") })

describe("clipping", () => {
  it("never cuts a character in two", () => {
    fc.assert(
      fc.property(wholeCharacters, fc.nat(40), (text, max) => {
        const first = firstChars(text, max)
        const last = lastChars(text, max)
        expect(/[\ud800-\udfff]/u.test(first + last)).toBe(false)
        expect(text.startsWith(first) && text.endsWith(last)).toBe(true)
        expect(first.length <= max && last.length <= max).toBe(true)
        if (text.length > max) expect(first.length).toBeGreaterThanOrEqual(max - 1)
      })
    )
  })

  it("shows both ends and where the rest is", () => {
    const text = headAndTail({ head: "abcdef", tail: "uvwxyz", maxChars: 6, path: "/x" })
    expect(text).toBe("abc\n\n[... middle of the output left out; whole output: /x ...]\n\nxyz")
    expect(headAndTail({ head: "abcdef", tail: "uvwxyz", maxChars: 6 })).not.toContain("whole output")
  })
})

describe("decoding a window", () => {
  it("gives a part of the text for any cut of its bytes", () => {
    fc.assert(
      fc.property(wholeCharacters, fc.nat(), fc.nat(), (text, a, b) => {
        const bytes = new TextEncoder().encode(text)
        const from = a % (bytes.length + 1)
        const to = from + (b % (bytes.length - from + 1))
        const window = decodeWindow(bytes.subarray(from, to), { cutBefore: from > 0, cutAfter: to < bytes.length })
        expect(window).not.toContain("\ufffd")
        expect(text).toContain(window)
      })
    )
  })

  it("replaces invalid bytes and keeps a byte-order mark", () => {
    const whole = { cutBefore: false, cutAfter: false }
    expect(decodeWindow(Uint8Array.of(0x61, 0xff, 0xc3), whole)).toBe("a\ufffd\ufffd")
    expect(decodeWindow(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61), whole)).toBe("\ufeffa")
  })
})
