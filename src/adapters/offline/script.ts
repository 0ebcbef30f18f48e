/**
 * Scripts as JSON: an array of entries, one entry per line, or an object that also scripts the side requests. A script
 * that cannot be read is answered with the reason in words, never with a crash.
 */
import { Result, Schema } from "effect"
import type { QuerySource } from "../../core/model/request/model-request.ts"
import { parseDirectives } from "./directives.ts"
import type { Entry, Expectation } from "./entry.ts"
import { matcherOf } from "./expectation.ts"
import { parseFault } from "./faults.ts"

const Natural = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

const CallSchema = Schema.Struct({
  name: Schema.NonEmptyString,
  input: Schema.optionalKey(Schema.Unknown),
  id: Schema.optionalKey(Schema.NonEmptyString)
})

const FaultSchema = Schema.Union([
  Schema.String,
  Schema.Struct({
    kind: Schema.String,
    count: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))),
    model: Schema.optionalKey(Schema.NonEmptyString)
  })
])

const ExpectSchema = Schema.Union([
  Schema.NonEmptyString,
  Schema.Struct({
    results: Schema.optionalKey(Schema.NonEmptyString),
    request: Schema.optionalKey(Schema.NonEmptyString)
  })
])

const oneOrMany = <S extends Schema.Top>(schema: S) => Schema.Union([schema, Schema.Array(schema)])

const EntrySchema = Schema.Struct({
  think: Schema.optionalKey(Schema.String),
  text: Schema.optionalKey(Schema.String),
  tools: Schema.optionalKey(Schema.Array(CallSchema)),
  stop: Schema.optionalKey(Schema.NonEmptyString),
  fault: Schema.optionalKey(oneOrMany(FaultSchema)),
  delayMs: Schema.optionalKey(Natural),
  expect: Schema.optionalKey(oneOrMany(ExpectSchema)),
  tokens: Schema.optionalKey(
    Schema.Union([Natural, Schema.Struct({ input: Schema.optionalKey(Natural), output: Schema.optionalKey(Natural) })])
  )
})
type WrittenEntry = typeof EntrySchema.Type

const Entries = Schema.Array(EntrySchema)
const BySource = Schema.Struct({
  main: Schema.optionalKey(Entries),
  compact: Schema.optionalKey(Entries),
  title: Schema.optionalKey(Entries),
  web_fetch: Schema.optionalKey(Entries),
  web_search: Schema.optionalKey(Entries),
  classifier: Schema.optionalKey(Entries),
  risk: Schema.optionalKey(Entries),
  memory_extract: Schema.optionalKey(Entries),
  prompt_suggestion: Schema.optionalKey(Entries),
  away_summary: Schema.optionalKey(Entries)
})

const STRICT = { onExcessProperty: "error", errors: "all" } as const
const decodeEntries = Schema.decodeUnknownResult(Entries, STRICT)
const decodeBySource = Schema.decodeUnknownResult(BySource, STRICT)

export type Script = { readonly [source in QuerySource]?: ReadonlyArray<Entry> }

const isMany = <A>(value: A | ReadonlyArray<A>): value is ReadonlyArray<A> => Array.isArray(value)

const listOf = <A>(value: A | ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
  value === undefined ? [] : isMany(value) ? value : [value]

const expectationsOf = (written: WrittenEntry): Result.Result<ReadonlyArray<Expectation>, string> => {
  const expectations = listOf(written.expect).flatMap((item): ReadonlyArray<Expectation> => {
    if (typeof item === "string") return [{ where: "latest", text: item }]
    const { results, request } = item
    return [
      ...(results === undefined ? [] : [{ where: "results" as const, text: results }]),
      ...(request === undefined ? [] : [{ where: "request" as const, text: request }])
    ]
  })
  return Result.map(Result.all(expectations.map((item) => matcherOf(item.text))), () => expectations)
}

const faultsOf = (written: WrittenEntry) =>
  Result.all(
    listOf(written.fault).map((item) =>
      parseFault(typeof item === "string" ? item : `${item.kind} ${item.count ?? 1} ${item.model ?? ""}`)
    )
  )

const entryOf = (written: WrittenEntry, index: number): Result.Result<Entry, string> =>
  Result.gen(function* () {
    const faults = yield* faultsOf(written)
    const expect = yield* expectationsOf(written)
    const { fault: _fault, expect: _expect, tokens, tools, ...rest } = written
    return {
      ...rest,
      ...(tools === undefined ? {} : { tools: tools.map((call) => ({ ...call, input: call.input ?? {} })) }),
      ...(tokens === undefined ? {} : { tokens: typeof tokens === "number" ? { input: tokens } : tokens }),
      ...(faults.length === 0 ? {} : { faults }),
      ...(expect.length === 0 ? {} : { expect })
    }
  }).pipe(Result.mapError((reason) => `entry ${index + 1}: ${reason}`))

const entriesOf = (written: ReadonlyArray<WrittenEntry>): Result.Result<ReadonlyArray<Entry>, string> =>
  Result.all(written.map(entryOf))

const scriptOf = (value: unknown): Result.Result<Script, string> =>
  Result.gen(function* () {
    if (Array.isArray(value)) {
      const written = yield* Result.mapError(decodeEntries(value), (error) => error.message)
      return { main: yield* entriesOf(written) }
    }
    const written = yield* Result.mapError(decodeBySource(value), (error) => error.message)
    const parts: Array<readonly [string, ReadonlyArray<Entry>]> = []
    for (const [source, entries] of Object.entries(written)) parts.push([source, yield* entriesOf(entries)])
    return Object.fromEntries(parts)
  })

const parseJson = (text: string): Result.Result<unknown, string> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => (cause instanceof Error ? cause.message : String(cause))
  })

/** The whole text as one JSON value, else every line as an entry. */
const parseValue = (text: string): Result.Result<unknown, string> => {
  const whole = parseJson(text)
  if (Result.isSuccess(whole) && !isLoneEntry(whole.success)) return whole
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const parsed = Result.all(lines.map(parseJson))
  if (Result.isSuccess(parsed)) return parsed
  return whole
}

const SOURCES: ReadonlySet<string> = new Set(Object.keys(BySource.fields))

const isLoneEntry = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !Object.keys(value).some((key) => SOURCES.has(key))

/** A script in any of its forms: JSON when it begins like JSON, directive lines otherwise. */
export const parseScript = (text: string): Result.Result<Script, string> => {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) {
    return Result.map(parseDirectives(trimmed), (directives) => ({ main: directives.entries }))
  }
  const value = parseValue(trimmed)
  if (Result.isSuccess(value)) return scriptOf(isLoneEntry(value.success) ? [value.success] : value.success)
  return Result.fail(`it is not JSON: ${value.failure}`)
}
