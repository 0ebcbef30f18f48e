import { Effect } from "effect"
import type { JsonSchema } from "../../core/model/request/model-request.ts"
import { schemaEntry, toolOf } from "../../core/tools/tool-entry.ts"
import { type ToolOutput, ToolRefusal } from "./contract/executor.ts"
import { compileJsonSchema, type InvalidSchema, type Validate } from "./contract/json-schema.ts"
import type { ProvidedTool } from "./toolbox.ts"

const schemaRefusal = ({ message }: InvalidSchema): ToolRefusal =>
  new ToolRefusal({ message: `InvalidSchema: the schema of this run cannot be used: ${message}` })

/** Accepts a value that fits the caller's schema; another is refused with every reason, and the model may try again. */
const judge = (validate: Validate, value: unknown): Effect.Effect<ToolOutput, ToolRefusal> => {
  const problems = validate(value)
  return problems.length === 0
    ? Effect.succeed({ data: value, content: "The result was accepted." })
    : new ToolRefusal({
        message: [
          "SchemaMismatch: the result was not accepted. Correct this and call StructuredOutput again:",
          ...problems.map((problem) => `- ${problem}`)
        ].join("\n")
      })
}

/** StructuredOutput for the schema of a run. */
export const structuredOutput = (schema: JsonSchema): ProvidedTool<never> => {
  const entry = schemaEntry(schema)
  return {
    entry,
    executor: {
      maxResultChars: toolOf(entry).maxResultChars,
      prepare: () => Effect.void,
      run: ({ value }) =>
        compileJsonSchema(schema).pipe(
          Effect.mapError(schemaRefusal),
          Effect.flatMap((validate) => judge(validate, value))
        )
    }
  }
}
