import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Frame, makeFramer } from "../../../src/adapters/anthropic/sse.ts"

const framesOf = (chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<Frame> => {
  const framer = makeFramer()
  return chunks.flatMap((chunk) => {
    framer.push(chunk)
    const frames: Array<Frame> = []
    for (let frame = framer.take(); frame !== undefined; frame = framer.take()) frames.push(frame)
    return frames
  })
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** The bytes cut at the given places. */
const cutAt = (bytes: Uint8Array, places: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return cuts.slice(1).map((end, index) => bytes.slice(cuts[index], end))
}

const line = fc.string({ unit: "grapheme" }).filter((text) => !/[\r\n]/.test(text))

describe("framing", () => {
  it("gives the same frames however the bytes are cut", () => {
    const name = fc.option(
      line.filter((text) => text !== ""),
      { nil: undefined }
    )
    const frames = fc.array(fc.record({ event: name, data: line }))
    fc.assert(
      fc.property(frames, fc.array(fc.nat()), fc.constantFrom("\n", "\r\n"), (expected, places, end) => {
        const text = expected
          .map(({ data, event }) => `${event === undefined ? "" : `event: ${event}${end}`}data: ${data}${end}${end}`)
          .join("")
        expect(framesOf(cutAt(encode(text), places))).toEqual(expected)
      })
    )
  })

  it.each([
    ["comments and unknown fields", ": hi\nid: 1\nretry: 5\ndata: a\n\n", [{ event: undefined, data: "a" }]],
    ["data of several lines", "data: a\ndata: b\n\n", [{ event: undefined, data: "a\nb" }]],
    ["no space after the colon", "event:x\ndata:y\n\n", [{ event: "x", data: "y" }]],
    ["blank lines alone", "\n\n\n", []],
    ["an event without data", "event: ping\n\n", [{ event: "ping", data: "" }]],
    ["an end that is missing", "data: a\n", []],
    ["a byte order mark", "\uFEFFdata: a\n\n", [{ event: undefined, data: "a" }]],
    ["fields that only begin alike", "database: x\nevents: y\n\n", []]
  ])("reads %s", (_, text, expected) => {
    expect(framesOf([encode(text)])).toEqual(expected)
  })

  it("knows how much of an unfinished frame it holds", () => {
    const framer = makeFramer()
    framer.push(encode(`data: ${"x".repeat(100)}`))
    expect(framer.take()).toBeUndefined()
    expect(framer.pendingChars()).toBe(106)
  })
})
