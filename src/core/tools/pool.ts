import type { JsonSchema, ToolDefinition } from "../model/request/model-request.ts"
import { editDistance } from "../domain/text/edit-distance.ts"
import type { AnyTool } from "./contract/any-tool.ts"
import { BUILT_IN_TOOLS, structuredOutput } from "./built-in-tools.ts"

export const SHELL_TOOL = "Bash"
export const STRUCTURED_OUTPUT_TOOL = "StructuredOutput"

export interface Pool {
  readonly tools: ReadonlyArray<ToolDefinition>
  readonly jsonSchema: JsonSchema | undefined
}

const byName = new Map<string, AnyTool>(
  BUILT_IN_TOOLS.flatMap((tool) => [tool.name, ...tool.aliases].map((name) => [name, tool] as const))
)

const offers = (pool: Pool, name: string): boolean => pool.tools.some((tool) => tool.name === name)

/** The tool a call names, by name or alias, if the model was offered it. */
export const toolFor = (pool: Pool, name: string): AnyTool | undefined => {
  if (name === STRUCTURED_OUTPUT_TOOL) {
    return pool.jsonSchema !== undefined && offers(pool, name) ? structuredOutput(pool.jsonSchema) : undefined
  }
  const tool = byName.get(name)
  return tool !== undefined && offers(pool, tool.name) ? tool : undefined
}

/** Offered names that a misspelt one may have meant. */
export const nearestTools = (tools: ReadonlyArray<ToolDefinition>, name: string): ReadonlyArray<string> =>
  tools
    .map((tool) => ({ name: tool.name, far: editDistance(name.toLowerCase(), tool.name.toLowerCase()) }))
    .filter((candidate) => candidate.far <= Math.max(2, Math.floor(name.length / 3)))
    .sort((left, right) => left.far - right.far)
    .slice(0, 3)
    .map((candidate) => candidate.name)

/** Names among those wanted that no tool has. Tools of servers are not known beforehand. */
export const unknownTools = (names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => !byName.has(name) && name !== STRUCTURED_OUTPUT_TOOL && !name.startsWith("mcp__"))

export interface PoolRequest {
  readonly jsonSchema: JsonSchema | undefined
  readonly interactive: boolean
  /** The program itself is under test. */
  readonly testing?: boolean
  /** `--tools`: only these, when given. */
  readonly only: ReadonlyArray<string> | undefined
  /** Whether a whole-tool deny rule takes the tool away. */
  readonly isDenied: (tool: { readonly name: string; readonly aliases: ReadonlyArray<string> }) => boolean
  /** Bash without background runs. */
  readonly bash?: AnyTool
}

const wanted = (request: PoolRequest, tool: AnyTool): boolean => {
  if (request.isDenied(tool) || (tool.offered === "interactive" && !request.interactive)) return false
  if (tool.offered === "testing" && request.testing !== true) return false
  const names = [tool.name, ...tool.aliases]
  return request.only === undefined || names.some((name) => request.only?.includes(name))
}

const define = (tool: AnyTool): ToolDefinition => ({
  name: tool.name,
  description: tool.description,
  input_schema: tool.inputSchema()
})

const byCodePoint = (left: ToolDefinition, right: ToolDefinition): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0

/** The tools offered to the model, built-ins in code-point order: the same set always gives the same bytes. */
export const buildPool = (request: PoolRequest): ReadonlyArray<ToolDefinition> => {
  const builtIn = BUILT_IN_TOOLS.filter((tool) => wanted(request, tool)).map((tool) =>
    tool.name === SHELL_TOOL && request.bash !== undefined ? request.bash : tool
  )
  const structured = request.jsonSchema === undefined ? [] : [structuredOutput(request.jsonSchema)]
  return [...builtIn, ...structured].map(define).sort(byCodePoint)
}
