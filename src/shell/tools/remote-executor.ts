import { Effect } from "effect"
import { isRaw } from "../../core/domain/json/json-object.ts"
import type { RemoteInput } from "../../core/tools/remote-tool.ts"
import { type ToolEntry, toolOf } from "../../core/tools/tool-entry.ts"
import type { BoundExecutor } from "./contract/bound-executor.ts"
import { type ToolContext, type ToolOutput, ToolRefusal } from "./contract/executor.ts"
import { compileJsonSchema, type Validate } from "./contract/json-schema.ts"

/** Has the call run elsewhere. */
export type RemoteCall = (input: RemoteInput, context: ToolContext) => Effect.Effect<ToolOutput, ToolRefusal>

const TAKES_ALL: Validate = () => []

/** The acting half of a tool of a server: its schema is checked before anybody is asked about a call. */
export const remoteExecutor = (entry: ToolEntry, call: RemoteCall): BoundExecutor<never> => {
  const { name, input_schema: schema } = entry.definition
  // A schema that our validator does not take is for the server to check.
  const compiled = compileJsonSchema(schema, "the input").pipe(Effect.orElseSucceed(() => TAKES_ALL))
  const validate = Effect.runSync(Effect.cached(compiled))
  const refusal = (problems: ReadonlyArray<string>): ToolRefusal =>
    new ToolRefusal({
      message: [
        `InputValidationError: ${name} was not run, its input does not fit:`,
        ...problems.map((problem) => `- ${problem}`)
      ].join("\n")
    })
  return {
    maxResultChars: toolOf(entry).maxResultChars,
    prepare: ({ value }) =>
      Effect.flatMap(validate, (problemsIn) => {
        const problems = problemsIn(value)
        return problems.length === 0 ? Effect.void : refusal(problems)
      }),
    run: ({ value }, context) => (isRaw(value) ? call(value, context) : refusal(["the input must be an object"]))
  }
}
