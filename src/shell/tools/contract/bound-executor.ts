import { Effect } from "effect"
import type { Decoded } from "../../../core/tools/contract/decoded.ts"
import type { Tool } from "../../../core/tools/contract/tool.ts"
import { type ToolContext, type ToolExecutor, type ToolOutput, ToolRefusal } from "./executor.ts"

/** An executor whose input type is hidden: it takes what its own tool decoded and nothing else. */
export interface BoundExecutor<R> {
  readonly maxResultChars: number
  readonly prepare: (input: Decoded<unknown>, context: ToolContext) => Effect.Effect<void, ToolRefusal, R>
  readonly run: (input: Decoded<unknown>, context: ToolContext) => Effect.Effect<ToolOutput, ToolRefusal, R>
}

/** Joins the two halves of a tool. */
export const bind = <Input, R>(tool: Tool<Input>, executor: ToolExecutor<Input, R>): BoundExecutor<R> => {
  const own = <A>(input: Decoded<unknown>, use: (value: Input) => Effect.Effect<A, ToolRefusal, R>) =>
    input.isOf(tool)
      ? use(input.value)
      : Effect.fail(new ToolRefusal({ message: `${tool.name} was changed after this call was made. Send the call again.` }))
  return {
    maxResultChars: tool.maxResultChars,
    prepare: (input, context) => own(input, (value) => executor.prepare?.(value, context) ?? Effect.void),
    run: (input, context) => own(input, (value) => executor.run(value, context))
  }
}
