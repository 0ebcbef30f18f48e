import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textWidth } from "../../../src/tui/screen/cell/width.ts"
import { UNWRAPPED, type Wrapping, wrapLine, wrapPiece, wrapRest } from "../../../src/tui/line/wrap.ts"

const wrapAll = (pieces: ReadonlyArray<string>, width: number): string => {
  let state: Wrapping = UNWRAPPED
  let written = ""
  for (const piece of pieces) {
    const [text, next] = wrapPiece(state, piece, width)
    written += text
    state = next
  }
  return written + wrapRest(state, width)
}

const words = (text: string): ReadonlyArray<string> => text.split(/\s+/).filter((word) => word !== "")

const LIST_MARK = /^(?:[-*+]|\d+[.)])$/

const prose = fc.string({ unit: fc.constantFrom("a", "b", "é", "日", " ", " ", "\n", "-", "1", "."), maxLength: 200 })

describe("breaking lines", () => {
  it("keeps every word, in order", () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 1, max: 60 }), (text, width) => {
        expect(words(wrapAll([text], width))).toEqual(words(text))
      })
    )
  })

  it("does not care how the text was cut into pieces", () => {
    fc.assert(
      fc.property(prose, fc.array(fc.nat(200)), fc.integer({ min: 5, max: 60 }), (text, cuts, width) => {
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
        expect(wrapAll(pieces, width)).toBe(wrapAll([text], width))
      })
    )
  })

  it("fills no row beyond the width unless a single word does", () => {
    fc.assert(
      fc.property(prose, fc.integer({ min: 5, max: 60 }), (text, width) => {
        for (const row of wrapAll([text], width).split("\n")) {
          const [first, ...rest] = words(row)
          const alone = LIST_MARK.test(first ?? "") ? rest.length <= 1 : rest.length === 0
          if (!alone) expect(textWidth(row)).toBeLessThanOrEqual(width)
        }
      })
    )
  })

  it("puts further rows of a list under its text", () => {
    expect(wrapLine("2. Yes, and for this session", 14)).toBe("2. Yes, and\n   for this\n   session")
    expect(wrapAll(["- one two three"], 9)).toBe("- one two\n  three")
  })

  it("counts wide, joined and combined letters by their columns", () => {
    expect(wrapLine("日本 日本 plain", 9)).toBe("日本 日本\nplain")
    expect(wrapLine("日本 日本 plain", 8)).toBe("日本\n日本\nplain")
    expect(wrapLine("e\u0301e\u0301 e\u0301", 4)).toBe("e\u0301e\u0301 e\u0301")
  })

  it("leaves quoted lines alone", () => {
    const command = "  a very long command that does not fit"
    expect(wrapLine(command, 10)).toBe(command)
  })
})
