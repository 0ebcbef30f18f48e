import { Data, Effect } from "effect"
import type { ErrorObject } from "ajv"
import type { JsonSchema } from "../../../core/model/request/model-request.ts"

/** JSON Schema (draft-07) of callers: compiled once, `format` is a remark and not a check. */
export class InvalidSchema extends Data.TaggedError("InvalidSchema")<{ readonly message: string }> {}

/** Problems of a value, one line each; none if it fits. */
export type Validate = (value: unknown) => ReadonlyArray<string>

const MAX_PROBLEMS = 20

const detailOf = ({ keyword, params }: ErrorObject): string => {
  const values: Readonly<Record<string, unknown>> = params
  if (keyword === "additionalProperties") return ` (${JSON.stringify(values["additionalProperty"])})`
  if (keyword === "enum") return `: ${JSON.stringify(values["allowedValues"])}`
  return keyword === "const" ? `: ${JSON.stringify(values["allowedValue"])}` : ""
}

const problemOf = (error: ErrorObject, whole: string): string =>
  `${error.instancePath === "" ? whole : error.instancePath} ${error.message ?? "does not fit"}${detailOf(error)}`

const problemsOf = (errors: ReadonlyArray<ErrorObject>, whole: string): ReadonlyArray<string> => {
  const lines = [...new Set(errors.map((error) => problemOf(error, whole)))]
  const rest = lines.length - MAX_PROBLEMS
  return rest > 0 ? [...lines.slice(0, MAX_PROBLEMS), `and ${rest} more`] : lines
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Fails with the validator's diagnostic for what is not a JSON Schema, or none of an object. `whole` names the value. */
export const compileJsonSchema = Effect.fnUntraced(function* (
  schema: unknown,
  whole = "the result"
): Effect.fn.Return<Validate, InvalidSchema> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    return yield* new InvalidSchema({ message: "a JSON Schema must be an object" })
  }
  // Generators name newer drafts for schemas that mean the same in draft-07.
  const { $schema: _, ...body } = schema as JsonSchema
  const { type } = body
  if (type !== undefined && type !== "object") {
    return yield* new InvalidSchema({
      message: `the schema must describe an object at the top, but its type is ${JSON.stringify(type)}`
    })
  }
  const { Ajv } = yield* Effect.promise(() => import("ajv"))
  const validate = yield* Effect.try({
    try: () => new Ajv({ allErrors: true, strict: false, validateFormats: false, logger: false }).compile(body),
    catch: (error) => new InvalidSchema({ message: messageOf(error) })
  })
  return (value) => (validate(value) === true ? [] : problemsOf(validate.errors ?? [], whole))
})
