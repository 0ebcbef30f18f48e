import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { openInput, withInternalKeys } from "../../../../src/core/tools/contract/input-schema.ts"
import { jsonSchemaOf } from "../../../../src/core/tools/contract/json-schema.ts"

const Option = Schema.Struct({ label: Schema.String }).annotate({ identifier: "Option" })

const make = () =>
  Schema.Struct({
    pattern: Schema.String.annotate({ description: "What to look for" }),
    limit: Schema.optionalKey(Schema.Number.annotate({ description: "How many" })),
    count: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)).annotate({ description: "From one" })),
    nullable: Schema.NullOr(Schema.Number),
    mode: Schema.optionalKey(Schema.Literals(["content", "count"])),
    options: Schema.Array(Option).check(Schema.isMinLength(2), Schema.isMaxLength(4)),
    either: Schema.Union([Schema.Struct({ a: Schema.String }), Schema.Struct({ b: Option })]),
    anyOf: Schema.optionalKey(Schema.String).annotateKey({ description: "A key with the name of a keyword" })
  })

const objectsIn = (value: unknown): Array<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return "type" in value && value.type === "object" ? [{ ...value }, ...inner] : inner
}

describe("jsonSchemaOf", () => {
  const schema = jsonSchemaOf(make())

  it("is the whole schema, inlined and without noise", () => {
    const closed = { type: "object", additionalProperties: false }
    const option = { ...closed, properties: { label: { type: "string" } }, required: ["label"] }
    expect(schema).toEqual({
      type: "object",
      properties: {
        pattern: { type: "string", description: "What to look for" },
        limit: { type: "number", description: "How many" },
        count: { type: "integer", minimum: 1, description: "From one" },
        nullable: { anyOf: [{ type: "number" }, { type: "null" }] },
        mode: { type: "string", enum: ["content", "count"] },
        options: { type: "array", items: option, minItems: 2, maxItems: 4 },
        either: {
          anyOf: [
            { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
            { type: "object", properties: { b: option }, required: ["b"], additionalProperties: false }
          ]
        },
        anyOf: { type: "string", description: "A key with the name of a keyword" }
      },
      required: ["pattern", "nullable", "options", "either"],
      additionalProperties: false
    })
  })

  it("is closed at every level", () => {
    const objects = objectsIn(schema)
    expect(objects.length).toBe(5)
    for (const object of objects) expect(object["additionalProperties"]).toBe(false)
  })

  it("has the same bytes for the same schema", () => {
    expect(JSON.stringify(jsonSchemaOf(make()))).toBe(JSON.stringify(schema))
  })

  it("hides internal keys and publishes a schema that a tool brings along", () => {
    const asked = withInternalKeys(Schema.Struct({ question: Schema.String, answers: Schema.optionalKey(Schema.String) }), [
      "answers"
    ])
    expect(JSON.stringify(jsonSchemaOf(asked))).not.toContain("answers")
    const own = { type: "object", properties: { total: { type: "number" } } }
    expect(jsonSchemaOf(openInput(own))).toBe(own)
  })

  it("ends a recursive schema instead of looping", () => {
    interface Tree {
      readonly children: ReadonlyArray<Tree>
    }
    const Tree = Schema.Struct({
      children: Schema.Array(Schema.suspend((): Schema.Codec<Tree> => Tree))
    }).annotate({ identifier: "Tree" })
    expect(jsonSchemaOf(Tree)).toEqual({
      type: "object",
      properties: { children: { type: "array", items: {} } },
      required: ["children"],
      additionalProperties: false
    })
  })
})
