import { Result, Schema } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeHostInput, decodeInput } from "../../../../src/core/tools/contract/decode.ts"
import { withInternalKeys } from "../../../../src/core/tools/contract/input-schema.ts"

const Sample = Schema.Struct({
  pattern: Schema.String,
  limit: Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))),
  flag: Schema.optionalKey(Schema.Boolean),
  mode: Schema.optionalKey(Schema.Literals(["content", "count"])),
  maybe: Schema.optionalKey(Schema.NullOr(Schema.Number)),
  items: Schema.optionalKey(Schema.Array(Schema.Struct({ label: Schema.NonEmptyString, size: Schema.Int })))
})
const sample = { name: "Sample", input: Sample }

const failure = (input: unknown): string => {
  const result = decodeInput(sample, input)
  if (Result.isSuccess(result)) throw new Error("expected a failure")
  return result.failure
}
const success = (input: unknown): unknown => Result.getOrThrow(decodeInput(sample, input))

const JSON_NUMBER = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/

describe("decodeInput", () => {
  it("decodes what fits and keeps it as it is", () => {
    const input = { pattern: "x", limit: 3, flag: true, mode: "count", items: [{ label: "a", size: 1 }] }
    expect(success(input)).toEqual(input)
  })

  it("reports every problem with its path, what was expected and what came", () => {
    const text = failure({ limit: -1, mode: "lines", items: [{ label: "", size: 1.5, extra: 1 }, {}], colour: "red" })
    expect(text.split("\n")[0]).toBe("InputValidationError: Sample was not run, its input has 9 problems:")
    expect(text).toContain("- pattern: missing; expected string")
    expect(text).toContain("- limit: expected a value greater than or equal to 0, received the number -1")
    expect(text).toContain('- mode: expected "content" | "count", received the string "lines"')
    expect(text).toContain("- colour: unknown key; accepted keys: pattern, limit, flag, mode, maybe, items")
    expect(text).toContain("- items[0].extra: unknown key; accepted keys: label, size")
    expect(text).toContain('- items[0].label: expected a value with a length of at least 1, received the string ""')
    expect(text).toContain("- items[0].size: expected an integer, received the number 1.5")
    expect(text).toContain("- items[1].label: missing")
  })

  it("names the whole input when it is not an object", () => {
    expect(failure("text")).toContain('- input: expected object, received the string "text"')
    expect(failure(null)).toContain("received null")
  })

  it("cuts a long received value", () => {
    expect(failure({ pattern: "x", mode: "m".repeat(5_000) }).length).toBeLessThan(300)
  })

  it("forgives numbers and booleans written as strings, at any depth and in unions", () => {
    const items = [{ label: "1", size: "7" }]
    expect(success({ pattern: "5", limit: "3.5", flag: "false", maybe: "-2e3", items })).toEqual({
      pattern: "5",
      limit: 3.5,
      flag: false,
      maybe: -2000,
      items: [{ label: "1", size: 7 }]
    })
  })

  it("checks a forgiven value like any other", () => {
    expect(failure({ pattern: "x", limit: "-4" })).toContain("limit: expected a value greater than or equal to 0")
    expect(failure({ pattern: "x", items: [{ label: "a", size: "1.5" }] })).toContain("items[0].size: expected an integer")
  })

  it("accepts for a number exactly numbers and JSON number texts", () => {
    const tool = { name: "N", input: Schema.Struct({ n: Schema.Finite }) }
    const texts = fc.oneof(
      fc.string(),
      fc.double({ noNaN: true }).map(String),
      fc.stringMatching(/^[-+]?[0-9]{0,3}\.?[0-9]{0,2}([eE][0-9]{0,2})?$/),
      fc.constantFrom("", " 1", "1 ", "0x10", "1_000", "Infinity", "NaN", "1e999", "+1", "01", ".5", "5.", "١")
    )
    fc.assert(
      fc.property(texts, (text) => {
        const accepted = Result.isSuccess(decodeInput(tool, { n: text }))
        expect(accepted).toBe(JSON_NUMBER.test(text) && Number.isFinite(Number(text)))
      })
    )
  })

  it("accepts for a boolean exactly booleans and the two words", () => {
    const tool = { name: "B", input: Schema.Struct({ b: Schema.Boolean }) }
    const words = fc.constantFrom("True", "yes", "1", "", "true ", "true", "false")
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), words), (value) => {
        const accepted = Result.isSuccess(decodeInput(tool, { b: value }))
        expect(accepted).toBe(typeof value === "boolean" || value === "true" || value === "false")
      })
    )
  })

  it("forgives nothing else: strings, literals, arrays and objects take only themselves", () => {
    const tool = {
      name: "S",
      input: Schema.Struct({ s: Schema.String, l: Schema.Literal(1), a: Schema.Array(Schema.String) })
    }
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (s, l, a) => {
        const fits = typeof s === "string" && l === 1 && Array.isArray(a) && a.every((item) => typeof item === "string")
        expect(Result.isSuccess(decodeInput(tool, { s, l, a }))).toBe(fits)
      })
    )
    expect(Result.isSuccess(decodeInput(tool, { s: "x", l: 1, a: '["b"]' }))).toBe(false)
    expect(Result.isSuccess(decodeInput(tool, { s: "x", l: "1", a: [] }))).toBe(false)
  })

  it("does not confuse inherited names with input", () => {
    expect(failure(JSON.parse('{"pattern":"x","__proto__":{"limit":1}}'))).toContain("unknown key")
  })
})

describe("internal keys", () => {
  const Asked = withInternalKeys(
    Schema.Struct({
      question: Schema.String,
      answers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
    }),
    ["answers"]
  )
  const tool = { name: "Asked", input: Asked }

  it("have no effect when the model sends them, whatever they hold", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (answers) => {
        expect(Result.getOrThrow(decodeInput(tool, { question: "q", answers }))).toEqual({ question: "q" })
      })
    )
  })

  it("are read from the host and are never named to the model", () => {
    expect(Result.getOrThrow(decodeHostInput(tool, { question: "q", answers: { q: "a" } }))).toEqual({
      question: "q",
      answers: { q: "a" }
    })
    const refused = decodeInput(tool, { question: "q", other: 1 })
    expect(Result.isFailure(refused) && refused.failure).toContain("accepted keys: question")
    expect(Result.isFailure(refused) && refused.failure).not.toContain("answers")
  })
})
