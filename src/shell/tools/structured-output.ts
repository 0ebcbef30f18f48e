import { Effect } from "effect"
import { type StructuredOutputInput } from "../../core/tools/conversation/structured-output.ts"
import type { Validate } from "./contract/json-schema.ts"
import { type ToolExecutor, ToolRefusal } from "./contract/executor.ts"

/** Accepts a value that fits the caller's schema; another is refused with every reason, and the model may try again. */
export const structuredOutputExecutor = (validate: Validate): ToolExecutor<StructuredOutputInput, never> => ({
  run: (input) => {
    const problems = validate(input)
    return problems.length === 0
      ? Effect.succeed({ data: input, content: "The result was accepted." })
      : new ToolRefusal({
          message: [
            "SchemaMismatch: the result was not accepted. Correct this and call StructuredOutput again:",
            ...problems.map((problem) => `- ${problem}`)
          ].join("\n")
        })
  }
})
