import { Result } from "effect"
import type { JsonSchema } from "../../model/request/model-request.ts"
import type { InquiredTool } from "../../permission/decide/inquiry.ts"
import type { Need } from "../../permission/need.ts"
import { decodeHostInput, decodeInput } from "./decode.ts"
import { Decoded } from "./decoded.ts"
import { jsonSchemaOf } from "./json-schema.ts"
import { type Tool, type ToolTraits, wholeInput } from "./tool.ts"

/** What a tool makes of one input, after decoding and its own effect-free checks. */
export interface DecodedCall {
  readonly input: Decoded<unknown>
  readonly traits: ToolTraits
  readonly summary: string
}

/** A tool whose input type is hidden, so that tools of different inputs live in one list. */
export interface AnyTool {
  readonly name: string
  readonly aliases: ReadonlyArray<string>
  readonly description: string
  readonly maxResultChars: number
  readonly interrupt: "cancel" | "block"
  readonly offered: Tool<never>["offered"]
  readonly inputSchema: () => JsonSchema
  /** Reads what the model sent. */
  readonly read: (input: unknown) => Result.Result<DecodedCall, string>
  /** Reads an input that a user or host has seen and may have completed. */
  readonly accept: (input: unknown) => Result.Result<DecodedCall, string>
  /** What a call with this input would touch; anything at all if another tool decoded it. */
  readonly needs: (input: Decoded<unknown>, cwd: string) => ReadonlyArray<Need>
  readonly classifierInput: (input: Decoded<unknown>) => string
}

/** The same for questions about decisions, which know no call. */
export const inquiredTool = ({ name, aliases, accept, needs }: AnyTool): InquiredTool => ({
  name,
  aliases,
  accept: (raw) => Result.map(accept(raw), ({ input, traits }) => ({ traits, needs: (cwd) => needs(input, cwd) }))
})

const ANYTHING: ReadonlyArray<Need> = [{ kind: "other" }]

const readCall = <Input>(tool: Tool<Input>, decoded: Result.Result<Input, string>): Result.Result<DecodedCall, string> => {
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure)
  const value = decoded.success
  const refusal = tool.validate?.(value)
  if (refusal !== undefined) return Result.fail(refusal)
  return Result.succeed({ input: Decoded.by(tool, value), traits: tool.traits(value), summary: tool.summary(value) })
}

export const anyTool = <Input>(tool: Tool<Input>): AnyTool => ({
  name: tool.name,
  aliases: tool.aliases,
  description: tool.description,
  maxResultChars: tool.maxResultChars,
  interrupt: tool.interrupt,
  offered: tool.offered,
  inputSchema: () => jsonSchemaOf(tool.input),
  read: (input) => readCall(tool, decodeInput(tool, input)),
  accept: (input) => readCall(tool, decodeHostInput(tool, input)),
  needs: (input, cwd) => (input.isOf(tool) ? tool.needs(input.value, cwd) : ANYTHING),
  classifierInput: (input) => (input.isOf(tool) ? tool.classifierInput(input.value) : wholeInput(input))
})
