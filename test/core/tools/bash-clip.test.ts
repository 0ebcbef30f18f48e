import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { firstChars, headAndTail, humanSize, lastChars, persistedOutput } from "../../../src/core/tools/bash-clip.ts"
import { decodeWindow } from "../../../src/core/tools/bash-decode.ts"

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

  it.each([
    [17, "17 bytes"],
    [1024, "1 KB"],
    [1_048_576, "1 MB"],
    [1_500_000, "1.4 MB"],
    [5 * 1024 ** 3, "5 GB"]
  ])("%d is %s", (bytes, expected) => expect(humanSize(bytes)).toBe(expected))

  it("previews up to 2,000 bytes at a line end", () => {
    const head = Array.from({ length: 500 }, (_, index) => `line ${index}`).join("\n")
    const lines = persistedOutput({ path: "/p/x.txt", bytes: 1_000_000, head }).split("\n")
    expect(lines[0]).toBe("<persisted-output>")
    expect(lines[1]).toBe("The output is too long to show (976.6 KB). All of it is in /p/x.txt")
    expect(lines[2]).toBe("")
    expect(lines[3]).toBe("Beginning (up to 2000 bytes):")
    expect(lines.slice(-2)).toEqual(["...", "</persisted-output>"])
    const preview = lines.slice(4, -2).join("\n")
    expect(head.startsWith(`${preview}\n`)).toBe(true)
    expect(preview.length).toBeGreaterThan(1_980)
    expect(preview.length).toBeLessThanOrEqual(2_000)
  })

  it("previews one long line up to a character", () => {
    const text = persistedOutput({ path: "/p", bytes: 9, head: "€".repeat(1_000) })
    expect(text).toContain(`\n${"€".repeat(666)}\n...`)
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
