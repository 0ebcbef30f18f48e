import { Result } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseStrict, push, start, value, type PartialJson } from "../../../../src/core/model/stream/partial-json.ts"

const read = (text: string): PartialJson => push(start(), text)
const valueOf = (text: string): unknown => value(read(text))

const pieces = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]
  return places.slice(1).map((end, index) => text.slice(places[index], end))
}

const isComplete = (reader: PartialJson): boolean =>
  reader.fault === undefined &&
  reader.open === undefined &&
  (reader.mode === "done" || (reader.mode === "number" && value(reader) !== undefined))

const isRecord = (candidate: unknown): candidate is Record<string, unknown> =>
  typeof candidate === "object" && candidate !== null && !Array.isArray(candidate)

/** The order of the header comment. */
const extended = (short: unknown, long: unknown): boolean => {
  if (short === undefined) return true
  if (typeof short === "string") return typeof long === "string" && long.startsWith(short)
  if (Array.isArray(short)) {
    return Array.isArray(long) && short.every((item, index) => index in long && extended(item, long[index]))
  }
  if (isRecord(short)) {
    if (!isRecord(long)) return false
    return Object.keys(short).every((key) => Object.hasOwn(long, key) && extended(short[key], long[key]))
  }
  return Object.is(short, long)
}

const container = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))
const jsonText = fc
  .tuple(container, fc.constantFrom(undefined, 1, "\t"))
  .map(([json, indent]) => JSON.stringify(json, null, indent))

describe("partial JSON", () => {
  it.each([
    ["", undefined],
    ["  ", undefined],
    ["{", {}],
    ['{"a', {}],
    ['{"a"', {}],
    ['{"a":', {}],
    ['{"a": "x', { a: "x" }],
    ['{"a": "x\\', { a: "x" }],
    ['{"a": "x\\u00', { a: "x" }],
    ['{"a": "x\\u00e9', { a: "xé" }],
    ['{"a": 12', {}],
    ['{"a": 12,', { a: 12 }],
    ['{"a": tru', {}],
    ['{"a": true', { a: true }],
    ['{"a": [1, 2', { a: [1] }],
    ['{"a": [1, {"b": nul', { a: [1, {}] }],
    ['["x", "', ["x", ""]],
    ["12", 12],
    ["-", undefined],
    ['{"__proto__": {"x": 1}}', JSON.parse('{"__proto__": {"x": 1}}')]
  ])("reads %j as %j", (text, expected) => {
    expect(valueOf(text)).toEqual(expected)
  })

  it("keeps a key named __proto__ a key", () => {
    expect(Object.keys(valueOf('{"__proto__": 1, "a": 2') as object)).toEqual(["__proto__"])
  })

  it("stays at the last good value after a fault", () => {
    const reader = push(read('{"a": "xy'), '\u0001z", "b": 1}')
    expect(value(reader)).toEqual({ a: "xy" })
    expect(reader.fault).toBeDefined()
  })

  it("equals strict parsing at the full text, however it is cut", () => {
    fc.assert(
      fc.property(fc.oneof(jsonText, fc.json()), fc.array(fc.nat()), (text, cuts) => {
        const reader = pieces(text, cuts).reduce(push, start())
        expect(value(reader)).toEqual(JSON.parse(text))
        expect(isComplete(reader)).toBe(true)
      })
    )
  })

  it("only ever extends what it has shown", () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        let reader = start()
        let shown: unknown
        const keeps = text.split("").every((character) => {
          const before = shown
          reader = push(reader, character)
          shown = value(reader)
          return extended(before, shown)
        })
        expect(keeps).toBe(true)
      })
    )
  })

  it("accepts exactly what strict parsing accepts", () => {
    const damaged = fc
      .tuple(jsonText, fc.nat(), fc.constantFrom("", ",", ":", "}", "]", '"', "\\", "0", "e", "-", "\n", "x", "{"))
      .map(([text, at, noise]) => {
        const index = at % (text.length + 1)
        return text.slice(0, index) + noise + text.slice(index + 1)
      })
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (text) => {
        let accepted = true
        try {
          JSON.parse(text)
        } catch {
          accepted = false
        }
        expect(isComplete(read(text))).toBe(accepted)
      }),
      { numRuns: 800 }
    )
  })

  it("leaves older readers as they were", () => {
    const before = read('{"list": [1, ')
    const left = push(before, "2, 3]}")
    const right = push(before, '"x"], "more": 1}')
    expect(value(before)).toEqual({ list: [1] })
    expect(value(left)).toEqual({ list: [1, 2, 3] })
    expect(value(right)).toEqual({ list: [1, "x"], more: 1 })
  })

  it("reads a long string in small pieces without re-reading it", () => {
    const text = JSON.stringify({ path: "a.txt", content: "line of text\n".repeat(80_000) })
    let reader = start()
    for (let index = 0; index < text.length; index += 12) {
      reader = push(reader, text.slice(index, index + 12))
      value(reader)
    }
    expect(value(reader)).toEqual(JSON.parse(text))
  }, 20_000)
})

describe("strict parsing", () => {
  it("takes an empty text for no arguments", () => {
    expect(Result.getOrThrow(parseStrict(""))).toEqual({})
    expect(Result.getOrThrow(parseStrict(" \n"))).toEqual({})
  })

  it.each([
    ['{"a": 1,}', 8],
    ["{a: 1}", 1],
    ['{"a": "x', 8],
    ["[1 2]", 3],
    ['{"a": 01}', 8],
    ['"\\q"', 2]
  ])("names the place of the fault in %j", (text, position) => {
    expect(Result.getOrThrow(Result.flip(parseStrict(text)))).toMatchObject({ position })
  })

  it("never throws", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(Result.isResult(parseStrict(text))).toBe(true)
      })
    )
  })
})
