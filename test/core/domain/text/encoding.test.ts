import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bodyOf, bodyToText, detectEncoding, fileOf, textToBody } from "../../../../src/core/domain/text/encoding.ts"
import { checkUtf8, isComplete, isUtf8, startUtf8Check } from "../../../../src/core/domain/text/utf8.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const wellFormed = fc.string({ unit: "binary" })

const decodesStrictly = (value: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(value)
    return true
  } catch {
    return false
  }
}

describe("UTF-8 check", () => {
  const tricky = fc.uint8Array({ maxLength: 8 }).map((value) => value.map((byte) => (byte < 64 ? byte : byte | 0x80)))

  it("agrees with the platform's strict decoder", () => {
    const agrees = (value: Uint8Array): void => {
      expect(isUtf8(value)).toBe(decodesStrictly(value))
    }
    fc.assert(fc.property(tricky, agrees), { numRuns: 2_000 })
    fc.assert(fc.property(wellFormed.map(bytes), agrees))
  })

  it("does not depend on where pieces are cut", () => {
    fc.assert(
      fc.property(fc.oneof(tricky, wellFormed.map(bytes)), fc.nat(16), (value, cut) => {
        const inPieces = checkUtf8(checkUtf8(startUtf8Check, value.subarray(0, cut)), value.subarray(cut))
        expect(isComplete(inPieces)).toBe(isUtf8(value))
      }),
      { numRuns: 500 }
    )
  })
})

describe("encodings", () => {
  it.each([
    [bytes("plain"), "utf8"],
    [bytes("\ufeffmarked"), "utf8-bom"],
    [new Uint8Array([0xff, 0xfe, 0x61, 0]), "utf16le"],
    [new Uint8Array([0xfe, 0xff, 0, 0x61]), "utf16be"],
    [new Uint8Array([0x63, 0x61, 0x66, 0xe9]), "latin1"],
    [new Uint8Array([1, 0, 2]), "binary"],
    [new Uint8Array([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), "binary"],
    [new Uint8Array(0), "utf8"]
  ])("%j is %s", (content, expected) => {
    expect(detectEncoding(content)).toBe(expected)
  })

  it("looks for NUL in the first 8 KiB only", () => {
    const late = new Uint8Array(9_000).fill(97)
    late[8_500] = 0
    expect(detectEncoding(late)).toBe("utf8")
    late[8_000] = 0
    expect(detectEncoding(late)).toBe("binary")
  })

  it("gives back the same file for every text in every encoding", () => {
    fc.assert(
      fc.property(wellFormed, fc.constantFrom("utf8", "utf8-bom", "utf16le", "utf16be"), (text, encoding) => {
        const body = textToBody(text, encoding)
        const file = fileOf(body ?? new Uint8Array(0), encoding)
        const again = bodyOf(file, encoding)
        expect(again === undefined ? undefined : bodyToText(again, encoding)).toBe(text)
      })
    )
  })

  it("keeps every byte of Latin-1 and refuses characters it lacks", () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(textToBody(bodyToText(all, "latin1"), "latin1")).toEqual(all)
    expect(textToBody("€", "latin1")).toBeUndefined()
  })

  it("refuses UTF-16 that could not be written back", () => {
    expect(bodyOf(new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x61, 0]), "utf16le")).toBeUndefined()
    expect(bodyOf(new Uint8Array([0xff, 0xfe, 0x61]), "utf16le")).toBeUndefined()
  })
})
