import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { AnswerStream } from "../../../src/tui/line/answer-stream.ts"

/** All that is written when a text comes in these pieces. */
const told = (pieces: ReadonlyArray<string>): string => {
  const stream = new AnswerStream()
  let text = ""
  for (const piece of pieces) {
    stream.push(piece, 60)
    text += stream.take()
  }
  return text + stream.end(60)
}

const PARTS = [
  "👨‍👩‍👧",
  "👩🏽‍💻",
  "🏳️‍🌈",
  "❤️",
  "🇩🇪",
  "می‌خواهم",
  "क्‍ष",
  "漢字",
  "word ",
  " ",
  "\n",
  "\r\n",
  "\u200D",
  "\u200B",
  "e\u0301",
  "1️⃣",
  "\u202E"
]

const cutAt = (text: string, size: number): ReadonlyArray<string> =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

describe("an answer that arrives in pieces", () => {
  it("is the same however it was cut", () => {
    const anyText = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 12 }).map((parts) => `a${parts.join("")}`)
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 5 }), (text, size) => {
        expect(told(cutAt(text, size))).toBe(told([text]))
      }),
      { numRuns: 500 }
    )
  })

  it("keeps a picture of several together", () => {
    expect(told(["a 👨‍👩", "‍👧 b"])).toBe("nacre: a 👨‍👩‍👧 b")
  })

  it("does not wait for ever", () => {
    const stream = new AnswerStream()
    for (let count = 0; count < 200; count++) stream.push("👍", 60)
    stream.push(" ", 60)
    expect(stream.take().length).toBeGreaterThan(300)
  })
})
