import { Effect, Result } from "effect"
import { decodeHostInput } from "../../../core/tools/contract/decode.ts"
import type { Tool } from "../../../core/tools/contract/tool.ts"
import { type ToolContext, type ToolExecutor, type ToolOutput, ToolRefusal } from "./executor.ts"

/** An executor whose input type is hidden: it decodes what the command carries and runs. */
export interface BoundExecutor<R> {
  readonly maxResultChars: number
  readonly prepare: (input: unknown, context: ToolContext) => Effect.Effect<void, ToolRefusal, R>
  readonly run: (input: unknown, context: ToolContext) => Effect.Effect<ToolOutput, ToolRefusal, R>
}

/** Joins the two halves of a tool. */
export const bind = <Input, R>(tool: Tool<Input>, executor: ToolExecutor<Input, R>): BoundExecutor<R> => {
  const decoded = (input: unknown): Effect.Effect<Input, ToolRefusal> => {
    const result = decodeHostInput(tool, input)
    return Result.isSuccess(result)
      ? Effect.succeed(result.success)
      : Effect.fail(new ToolRefusal({ message: result.failure }))
  }
  return {
    maxResultChars: tool.maxResultChars,
    prepare: (input, context) =>
      executor.prepare === undefined
        ? Effect.void
        : Effect.flatMap(decoded(input), (value) => executor.prepare?.(value, context) ?? Effect.void),
    run: (input, context) => Effect.flatMap(decoded(input), (value) => executor.run(value, context))
  }
}
