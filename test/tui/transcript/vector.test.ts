import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as Vector from "../../../src/tui/transcript/vector.ts"

type Op =
  | { readonly _tag: "push"; readonly value: number }
  | { readonly _tag: "pushMany"; readonly count: number }
  | { readonly _tag: "set"; readonly at: number; readonly value: number }
  | { readonly _tag: "take"; readonly share: number }
  | { readonly _tag: "without"; readonly back: number }

const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ _tag: fc.constant("push" as const), value: fc.nat() }),
  fc.record({ _tag: fc.constant("pushMany" as const), count: fc.integer({ min: 1, max: 1_200 }) }),
  fc.record({ _tag: fc.constant("set" as const), at: fc.nat(3_000), value: fc.nat() }),
  fc.record({ _tag: fc.constant("take" as const), share: fc.integer({ min: 50, max: 100 }) }),
  fc.record({ _tag: fc.constant("without" as const), back: fc.nat(40) })
)

type Version = readonly [Vector.Vector<number>, ReadonlyArray<number>]

const EMPTY: Version = [Vector.empty<number>(), []]

const applied = (vector: Vector.Vector<number>, model: ReadonlyArray<number>, step: Op): Version => {
  switch (step._tag) {
    case "push":
      return [Vector.push(vector, step.value), [...model, step.value]]
    case "pushMany": {
      const items = Array.from({ length: step.count }, (_, index) => index)
      return [items.reduce(Vector.push, vector), [...model, ...items]]
    }
    case "set": {
      const at = model.length === 0 ? 0 : step.at % model.length
      return model.length === 0 ? [vector, model] : [Vector.set(vector, at, step.value), model.with(at, step.value)]
    }
    case "take": {
      const count = Math.floor((model.length * step.share) / 100)
      return [Vector.take(vector, count), model.slice(0, count)]
    }
    case "without": {
      const at = model.length - 1 - step.back
      if (at < 0) return [vector, model]
      return [Vector.without(vector, new Set([at])), model.toSpliced(at, 1)]
    }
  }
}

describe("vector", () => {
  it("holds what a list holds, in every version, whichever version is continued", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(op, fc.nat(2)), { maxLength: 12 }), (steps) => {
        const versions: Array<Version> = [[Vector.empty<number>(), []]]
        for (const [step, back] of steps) {
          const [vector, model] = versions[Math.max(0, versions.length - 1 - back)] ?? EMPTY
          versions.push(applied(vector, model, step))
        }
        for (const [version, items] of versions) {
          expect(version.length).toBe(items.length)
          expect(Vector.toArray(version)).toEqual(items)
        }
      }),
      { numRuns: 100 }
    )
  })

  it("collects what a walk through all items would", () => {
    const even = Vector.collector((value: number, place: number) => (value % 2 === 0 ? [value + place] : []))
    fc.assert(
      fc.property(fc.array(op, { maxLength: 10 }), (steps) => {
        let version: Version = EMPTY
        for (const step of steps) {
          version = applied(version[0], version[1], step)
          const expected = version[1].flatMap((value, place) => (value % 2 === 0 ? [value + place] : []))
          expect(Vector.collect(version[0], even)).toEqual(expected)
        }
      }),
      { numRuns: 60 }
    )
  })

  it("tells which places differ between two versions", () => {
    fc.assert(
      fc.property(fc.array(op, { maxLength: 6 }), fc.array(op, { maxLength: 6 }), (first, second) => {
        const before = first.reduce(([vector, model], step) => applied(vector, model, step), EMPTY)
        const after = second.reduce(([vector, model], step) => applied(vector, model, step), before)
        const places = Array.from({ length: Math.min(before[1].length, after[1].length) }, (_, index) => index)
        const expected = places.filter((place) => before[1][place] !== after[1][place])
        expect(Vector.changedPlaces(before[0], after[0])).toEqual(expected)
      }),
      { numRuns: 60 }
    )
  })

  it("grows past several levels", () => {
    const items = Array.from({ length: 40_000 }, (_, index) => index)
    const vector = items.reduce(Vector.push, Vector.empty<number>())
    expect(Vector.get(vector, 33_333)).toBe(33_333)
    expect(Vector.toArray(vector, 39_990)).toEqual(items.slice(39_990))
    const changed = Vector.push(Vector.set(vector, 1_025, -1), 7)
    expect(Vector.changedPlaces(vector, changed)).toEqual([1_025])
    expect(Vector.get(vector, 1_025)).toBe(1_025)
  })
})
