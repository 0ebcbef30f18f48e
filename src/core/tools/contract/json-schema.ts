import { Schema, SchemaRepresentation } from "effect"
import type { JsonSchema } from "../../model/request/model-request.ts"
import { internalKeys, publishedSchema } from "./input-schema.ts"

/**
 * The JSON Schema of a tool input as the model API gets it. Derived from the schema that also decodes, closed at every
 * level, definitions inlined, and the same bytes for the same schema.
 */
type Definitions = Readonly<Record<string, JsonSchema>>

/** Keywords whose value is one schema, a list of schemas, or schemas by name; other values are carried as they are. */
const ONE_SCHEMA = new Set(["items", "additionalProperties", "not", "propertyNames", "contains"])
const SCHEMA_LIST = new Set(["anyOf", "oneOf", "allOf", "prefixItems"])
const SCHEMAS_BY_NAME = new Set(["properties", "patternProperties"])

const REFERENCE = /^#\/\$defs\/(.+)$/

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const schemasIn = (value: unknown): ReadonlyArray<JsonSchema> => (Array.isArray(value) ? value.filter(isSchema) : [])

/** Effect writes NaN and the infinities as strings; JSON input never holds them. */
const isSpecialNumber = (schema: JsonSchema): boolean =>
  schema["type"] === "string" && Array.isArray(schema["enum"]) && schema["enum"].includes("NaN")

const withoutSpecialNumbers = (schema: JsonSchema): JsonSchema => {
  const alternatives = schemasIn(schema["anyOf"])
  const kept = alternatives.filter((alternative) => !isSpecialNumber(alternative))
  if (kept.length === alternatives.length) return schema
  const { anyOf: _, ...rest } = schema
  return kept.length === 1 ? { ...kept[0], ...rest } : { anyOf: kept, ...rest }
}

/** `allOf` that only adds descriptions (annotations on a key) says the same without the wrapper. */
const withoutAnnotationWrapper = (schema: JsonSchema): JsonSchema => {
  const parts = schemasIn(schema["allOf"])
  const keys = parts.flatMap((part) => Object.keys(part))
  if (keys.length === 0 || keys.some((key) => key !== "description")) return schema
  const { allOf: _, ...rest } = schema
  return Object.assign({}, rest, ...parts)
}

const isSafeIntegerBound = (keyword: string, value: unknown): boolean =>
  (keyword === "maximum" && value === Number.MAX_SAFE_INTEGER) ||
  (keyword === "minimum" && value === Number.MIN_SAFE_INTEGER)

const dereference = (schema: JsonSchema, definitions: Definitions): readonly [JsonSchema, Definitions] => {
  const reference = schema["$ref"]
  const name = typeof reference === "string" ? REFERENCE.exec(reference)?.[1] : undefined
  if (name === undefined) return [schema, definitions]
  // Inside its own definition a name is unknown: a recursive schema ends in "anything", the decoder has the last word.
  const { [name]: target = {}, ...others } = definitions
  const { $ref: _, ...annotations } = schema
  return [{ ...target, ...annotations }, others]
}

const tidy = (source: JsonSchema, known: Definitions): JsonSchema => {
  const [target, definitions] = dereference(source, known)
  const schema = withoutAnnotationWrapper(withoutSpecialNumbers(target))
  const entries = Object.entries(schema).flatMap(([keyword, value]): Array<[string, unknown]> => {
    if (isSafeIntegerBound(keyword, value)) return []
    if (SCHEMA_LIST.has(keyword)) return [[keyword, schemasIn(value).map((item) => tidy(item, definitions))]]
    if (ONE_SCHEMA.has(keyword) && isSchema(value)) return [[keyword, tidy(value, definitions)]]
    if (SCHEMAS_BY_NAME.has(keyword) && isSchema(value)) return [[keyword, tidyEach(value, definitions)]]
    return [[keyword, value]]
  })
  return Object.fromEntries(entries)
}

const tidyEach = (schemas: JsonSchema, definitions: Definitions): JsonSchema =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, isSchema(schema) ? tidy(schema, definitions) : schema])
  )

const withoutKeys = (schema: JsonSchema, hidden: ReadonlyArray<string>): JsonSchema => {
  const properties = schema["properties"]
  if (hidden.length === 0 || !isSchema(properties)) return schema
  const shown = Object.entries(properties).filter(([name]) => !hidden.includes(name))
  return { ...schema, properties: Object.fromEntries(shown) }
}

/** Effect takes everything but null for a struct without fields; the endpoint wants to hear of an object. */
const withObjectType = (schema: JsonSchema): JsonSchema => {
  const { not } = schema
  return isSchema(not) && not["type"] === "null" && Object.keys(schema).length === 1
    ? { type: "object", properties: {}, additionalProperties: false }
    : schema
}

const derive = (schema: Schema.Top): JsonSchema => {
  // The representation of the schema itself, not of its JSON codec: the codec loses descriptions of plain numbers.
  const document = SchemaRepresentation.toJsonSchemaDocument(Schema.toRepresentation(schema), {
    onExcessProperty: "error"
  })
  return withoutKeys(withObjectType(tidy(document.schema, document.definitions)), internalKeys(schema))
}

const derived = new WeakMap<Schema.Top, JsonSchema>()

/** Derived once per schema: the same schema gives the same object for the whole run. */
export const jsonSchemaOf = (schema: Schema.Top): JsonSchema => {
  const published = publishedSchema(schema)
  if (published !== undefined) return published
  const known = derived.get(schema)
  if (known !== undefined) return known
  const fresh = derive(schema)
  derived.set(schema, fresh)
  return fresh
}
