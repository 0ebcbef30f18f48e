import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { deadline, decode, flush } from "../../../../src/tui/terminal/input/decode.ts"
import type { InputEvent } from "../../../../src/tui/terminal/input/event.ts"
import { initialDecodeState, type DecodeState } from "../../../../src/tui/terminal/input/state.ts"
import { bytesOf, SAMPLES } from "./sequences.ts"

interface Read {
  readonly bytes: Uint8Array
  readonly at: number
}

const END_OF_TIME = 1_000_000

const run = (reads: ReadonlyArray<Read>, start: DecodeState, flushes: boolean): ReadonlyArray<InputEvent> => {
  const events: Array<InputEvent> = []
  let state = start
  for (const { bytes, at } of reads) {
    const due = deadline(state)
    if (flushes && due !== undefined && due <= at) {
      const flushed = flush(state, due)
      events.push(...flushed.events)
      state = flushed.state
    }
    const decoded = decode(bytes, state, at)
    events.push(...decoded.events)
    state = decoded.state
  }
  return [...events, ...flush(state, END_OF_TIME).events]
}

const rawBytes = fc.uint8Array({ maxLength: 20 })

const HEADS = ["\\e[", "\\eO", "\\e]", "\\eP", "\\e_", "\\e\\e[", "\\e[?", "\\e[<", "\\e[M", "\\e[200~"]

const escape = fc.tuple(fc.constantFrom(...HEADS), fc.string()).map(([head, tail]) => bytesOf(head + tail))

const piece = fc.oneof(
  rawBytes,
  escape,
  fc.constantFrom(...SAMPLES.map(({ sent }) => bytesOf(sent))),
  fc.string({ unit: "grapheme", maxLength: 12 }).map(bytesOf),
  fc.string({ maxLength: 30 }).map((text) => bytesOf(`\\e[200~${text}\\e[201~`)),
  fc.constantFrom(bytesOf("\\e[201~"), bytesOf("\\e\\"), Uint8Array.of(0x1b), Uint8Array.of(0xe2, 0x82))
)

const reads = fc
  .array(fc.tuple(piece, fc.constantFrom(0, 0, 1, 4, 5, 20, 25, 50, 75, 900, 1000, 2500)), { maxLength: 8 })
  .map((pieces) => {
    let now = 0
    return pieces.map(([bytes, gap]): Read => ({ bytes, at: (now += gap) }))
  })

const cut = (read: Read, sizes: ReadonlyArray<number>): ReadonlyArray<Read> => {
  const parts: Array<Read> = []
  let from = 0
  for (let index = 0; from < read.bytes.length; index++) {
    const to = from + (sizes[index % sizes.length] ?? 1)
    parts.push({ bytes: read.bytes.subarray(from, to), at: read.at })
    from = to
  }
  return parts.length === 0 ? [read] : parts
}

const options = fc.record({
  bracketsPastes: fc.boolean(),
  escDelayMs: fc.constantFrom(25, 75),
  expectsCursorReport: fc.boolean()
})

describe("decoding", () => {
  it("gives the same events however the stream is cut", () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(reads, sizes, options, (stream, cuts, facts) => {
        const start = initialDecodeState(facts)
        const whole = run(stream, start, false)
        expect(
          run(
            stream.flatMap((read) => cut(read, cuts)),
            start,
            false
          )
        ).toEqual(whole)
        expect(run(stream, start, true)).toEqual(whole)
      }),
      { numRuns: 300 }
    )
  })

  it("never changes a state it was given", () => {
    fc.assert(
      fc.property(rawBytes, rawBytes, rawBytes, (first, second, third) => {
        const state = decode(first, initialDecodeState(), 0).state
        const expected = decode(second, state, 0)
        decode(third, state, 0)
        expect(decode(second, state, 0)).toEqual(expected)
      })
    )
  })

  it("never throws, and names every key", () => {
    fc.assert(
      fc.property(reads, options, (stream, facts) => {
        for (const event of run(stream, initialDecodeState(facts), true)) {
          if (event._tag === "Key") expect(event.stroke).not.toBe("")
        }
      })
    )
  })
})

describe("text", () => {
  const typed = fc.string({ unit: fc.constantFrom(..."abcxyz 019;[]<>?~".split(""), "é", "字"), maxLength: 6 })
  const body = fc.string({ unit: fc.constantFrom(..."0123456789;:?>=!$' ".split("")), maxLength: 8 })
  const csi = fc
    .tuple(body, fc.constantFrom(..."ABCDEFGHIJKLNOPQRSTUVWXYZ@`abcdefghijklmnopqrstvwxyz{|}".split("")))
    .map(([parameters, final]) => `\\e[${parameters}${final}`)
    // rxvt ends Shift+Delete with a dollar, so these are two things by design.
    .filter((sequence) => !/\[\d+\$/.test(sequence))
  const string = fc
    .tuple(fc.constantFrom("]", "P", "_", "^", "X"), typed, fc.constantFrom("\\e\\"))
    .map(([introducer, text, end]) => `\\e${introducer}${text}${end}`)

  it("comes only from outside of sequences", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(typed, fc.oneof(csi, string)), { maxLength: 5 }), (parts) => {
        const sent = parts.map(([text, sequence]) => text + sequence).join("")
        const events = run([{ bytes: bytesOf(sent), at: 0 }], initialDecodeState({ bracketsPastes: true }), false)
        const inserted = events.map((event) => ("text" in event ? event.text : ""))
        expect(inserted.join("")).toBe(parts.map(([text]) => text).join(""))
      }),
      { numRuns: 300 }
    )
  })
})

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true })

const bracketed = (content: Uint8Array): Uint8Array => {
  const [start, end] = [bytesOf("\\e[200~"), bytesOf("\\e[201~")]
  const bytes = new Uint8Array(start.length + content.length + end.length)
  bytes.set(start)
  bytes.set(content, start.length)
  bytes.set(end, start.length + content.length)
  return bytes
}

const indexOfBytes = (bytes: Uint8Array, wanted: Uint8Array): number =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(wanted)

const TRICKY = ["\\e[201", "\\e[20\\e[", "\r\n", "\r", "\n", "\\e", "\u0003", "é", "\\e[200~", "\t"]

describe("paste", () => {
  it("of any bytes is one Paste and nothing else", () => {
    const content = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc.array(fc.constantFrom(...TRICKY), { maxLength: 20 }).map((parts) => bytesOf(parts.join("")))
    )
    fc.assert(
      fc.property(content, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }), (bytes, cuts) => {
        fc.pre(indexOfBytes(bracketed(bytes), bytesOf("\\e[201~")) === bytes.length + 6)
        const text = utf8.decode(bytes).replaceAll("\r\n", "\n").replaceAll("\r", "\n")
        const events = run(cut({ bytes: bracketed(bytes), at: 0 }, cuts), initialDecodeState(), false)
        expect(events).toEqual([{ _tag: "Paste", text }])
      }),
      { numRuns: 300 }
    )
  })

  it("takes 5 MB in pieces without losing a byte", () => {
    const text = "line with ESC \u001b[A and words é\r\n".repeat(160_000)
    const bytes = bracketed(bytesOf(text))
    expect(bytes.length).toBeGreaterThan(5_000_000)
    const events = run(cut({ bytes, at: 0 }, [65_536, 1, 4096]), initialDecodeState(), false)
    expect(events).toEqual([{ _tag: "Paste", text: text.replaceAll("\r\n", "\n") }])
  })

  it("ends two seconds after the last byte when the marker is missing", () => {
    const { events, state } = decode(bytesOf("\\e[200~lost"), initialDecodeState(), 100)
    expect(events).toEqual([])
    const later = decode(bytesOf(" more\\e[20"), state, 2099)
    expect(deadline(later.state)).toBe(4099)
    expect(flush(later.state, 4099).events).toEqual([{ _tag: "Paste", text: "lost more\u001b[20" }])
  })

  it("may be empty: some terminals announce an image that way", () => {
    expect(decode(bytesOf("\\e[200~\\e[201~"), initialDecodeState(), 0).events).toEqual([{ _tag: "Paste", text: "" }])
  })
})

describe("what comes right behind a paste", () => {
  const read = (text: string, at = 0): Read => ({ bytes: bytesOf(text), at })
  const withoutMarkers = (text: string): string => text.replaceAll("\u001b", "").replaceAll("\r", "\n")

  it("was pasted when another end marker follows: an end marker in the text types nothing", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 20 }).map(withoutMarkers), { minLength: 1, maxLength: 5 }),
        fc.array(
          fc.nat({ max: 9 }).map((size) => size + 1),
          { minLength: 1 }
        ),
        fc.constantFrom(0, 1, 20, 49),
        (texts, sizes, gap) => {
          const sent = `${texts.join("\u001b[201~")}\u001b[201~`
          // A start marker in two halves could be Escape and keys; it comes whole.
          const parts = [read("\\e[200~"), ...cut({ bytes: new TextEncoder().encode(sent), at: 0 }, sizes)]
          const slow = gap * parts.length < 2_000
          const events = run(
            parts.map(({ bytes }, index) => ({ bytes, at: slow ? index * gap : 0 })),
            initialDecodeState(),
            true
          )
          expect(new Set(events.map(({ _tag }) => _tag))).toEqual(new Set(["Paste"]))
          expect(events.map((event) => (event._tag === "Paste" ? event.text : "")).join("")).toBe(texts.join(""))
        }
      )
    )
  })

  it.each<readonly [string, ReadonlyArray<Read>, ReadonlyArray<string>]>([
    ["Enter sent with it", [read("\\e[200~a\\e[201~\r")], ["Paste a", "<CR>"]],
    ["keys sent with it", [read("\\e[200~a\\e[201~b\\e[A")], ["Paste a", "b", "<Up>"]],
    ["another paste", [read("\\e[200~a\\e[201~b\\e[200~c\\e[201~")], ["Paste a", "b", "Paste c"]],
    [
      "another paste later",
      [read("\\e[200~a\\e[201~"), read("b\\e[200~c", 10), read("\\e[201~", 20)],
      ["Paste a", "b", "Paste c"]
    ],
    ["a stray marker much later", [read("\\e[200~a\\e[201~"), read("b", 10), read("\\e[201~", 200)], ["Paste a", "b"]],
    ["a key after a while", [read("\\e[200~a\\e[201~"), read("b", 60)], ["Paste a", "b"]]
  ])("means what it always means otherwise: %s", (_, reads, expected) => {
    const events = run(reads, initialDecodeState({ bracketsPastes: true }), true)
    const told = events.flatMap((event) =>
      event._tag === "Paste" ? [`Paste ${event.text}`] : event._tag === "Key" ? [event.stroke] : []
    )
    expect(told).toEqual(expected)
  })
})

describe("a burst without brackets", () => {
  const typeAt = (text: string, at: number, state: DecodeState) => decode(bytesOf(text), state, at)

  it("of more than eight characters in 5 ms is a paste, whatever its newlines", () => {
    const first = typeAt("rm -rf", 0, initialDecodeState())
    expect(first.events).toEqual([])
    const second = typeAt(" x\r\nyes\r", 4, first.state)
    const third = typeAt("tail\r", 40, second.state)
    expect([...second.events, ...third.events]).toEqual([])
    expect(flush(third.state, 90).events).toEqual([{ _tag: "Paste", text: "rm -rf x\nyes\ntail\n" }])
  })

  it("of eight is typing", () => {
    const { state } = typeAt("12345678", 0, initialDecodeState())
    expect(deadline(state)).toBe(5)
    expect(flush(state, 5).events).toHaveLength(8)
  })

  it("does not add up over time", () => {
    let state = initialDecodeState()
    const tags: Array<string> = []
    for (let at = 0; at < 60; at += 3) {
      const decoded = typeAt("a", at, state)
      tags.push(...decoded.events.map((event) => event._tag))
      state = decoded.state
    }
    expect(new Set(tags)).toEqual(new Set(["Key"]))
  })

  it("is not looked for where pastes are bracketed, which the first paste shows", () => {
    const { state } = typeAt("\\e[200~x\\e[201~", 0, initialDecodeState())
    const { events } = typeAt("echo hello\r", 100, state)
    expect(events).toHaveLength(11)
    expect(events.at(-1)).toEqual({ _tag: "Key", stroke: "<CR>", kind: "press" })
  })
})
