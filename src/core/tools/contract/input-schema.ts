import { Schema } from "effect"
import type { JsonSchema } from "../../model/request/model-request.ts"

/**
 * What a tool's input schema says beyond its shape. Annotations, so that one schema value still serves the published
 * JSON Schema, decoding and the static type.
 */
const PUBLISHED = "nacre/publishedJsonSchema"
const INTERNAL_KEYS = "nacre/internalKeys"

interface Annotated {
  readonly ast: { readonly annotations?: Readonly<Record<string, unknown>> | undefined }
}

const annotation = (schema: Annotated, key: string): unknown => schema.ast.annotations?.[key]

/** Input of a tool that brings its own JSON Schema: any object decodes, the tool itself judges it. */
export const openInput = (published: JsonSchema): Schema.Codec<Readonly<Record<string, unknown>>, unknown> =>
  Schema.Record(Schema.String, Schema.Unknown).annotate({ [PUBLISHED]: published })

export const publishedSchema = (schema: Annotated): JsonSchema | undefined => {
  const published = annotation(schema, PUBLISHED)
  return typeof published === "object" && published !== null ? (published as JsonSchema) : undefined
}

/**
 * Marks top-level keys that only the product or its host may set. They are not published, and they are removed from
 * what the model sends before it is decoded, so that a model that guesses the name achieves nothing.
 */
export const withInternalKeys = <Input>(
  schema: Schema.Codec<Input, unknown>,
  keys: ReadonlyArray<keyof Input & string>
): Schema.Codec<Input, unknown> => schema.annotate({ [INTERNAL_KEYS]: keys })

export const internalKeys = (schema: Annotated): ReadonlyArray<string> => {
  const keys = annotation(schema, INTERNAL_KEYS)
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : []
}
