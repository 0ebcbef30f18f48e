import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byteLength, bytesBefore, columnAtByte, sliceBytes } from "../../../../../src/tui/editor/vim/text/bytes.ts"

const texts = fc.string({ unit: "grapheme", maxLength: 12 })

describe("offsets in bytes", () => {
  it("are those of UTF-8", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(byteLength(text)).toBe(Buffer.byteLength(text))
      })
    )
  })

  it("lead back to the character they belong to, and behind the text as far behind it", () => {
    fc.assert(
      fc.property(texts, fc.nat(20), (text, byte) => {
        const column = columnAtByte(text, byte)
        const from = bytesBefore(text, column)
        expect(from).toBeLessThanOrEqual(byte)
        expect(byte - from).toBeLessThan(4)
        if (byte >= byteLength(text)) expect(column).toBe(text.length + byte - byteLength(text))
      })
    )
  })

  it("cut texts at whole characters only", () => {
    fc.assert(
      fc.property(texts, fc.nat(20), (text, byte) => {
        expect(sliceBytes(text, 0, byte) + sliceBytes(text, byte, byteLength(text))).toBe(text)
      })
    )
  })
})
