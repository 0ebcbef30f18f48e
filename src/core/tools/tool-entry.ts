import type { JsonSchema, ToolDefinition } from "../model/request/model-request.ts"
import { withoutBackground } from "./bash/bash.ts"
import { anyBuiltIn, BUILT_IN_NAMES, type BuiltInName } from "./built-in-tools.ts"
import { type AnyTool, anyTool } from "./contract/any-tool.ts"
import { structuredOutputTool } from "./conversation/structured-output.ts"
import { type RemoteHints, remoteTool } from "./remote-tool.ts"

/** Where a tool comes from. */
export type ToolSource =
  | { readonly _tag: "BuiltIn"; readonly name: BuiltInName; readonly foregroundOnly?: true }
  /** StructuredOutput, made for the schema of the run. */
  | { readonly _tag: "Schema" }
  | { readonly _tag: "Server"; readonly server: string; readonly hints: RemoteHints }

/** A tool as data: a change of the tools is recorded, and a replay finds the same ones. */
export interface ToolEntry {
  readonly definition: ToolDefinition
  readonly source: ToolSource
}

const madeFor = ({ definition, source }: ToolEntry): AnyTool => {
  switch (source._tag) {
    case "BuiltIn":
      return source.foregroundOnly === true ? anyTool(withoutBackground) : anyBuiltIn(source.name)
    case "Schema":
      return anyTool(structuredOutputTool(definition.input_schema))
    case "Server":
      return anyTool(remoteTool(definition, source.hints))
  }
}

const tools = new WeakMap<ToolEntry, AnyTool>()

/** What the entry stands for. One entry, one tool. */
export const toolOf = (entry: ToolEntry): AnyTool => {
  const tool = tools.get(entry) ?? madeFor(entry)
  tools.set(entry, tool)
  return tool
}

/** The schema is made when it is first read: a start makes entries of many tools that its conversation never gets. */
const defined = (tool: AnyTool): ToolDefinition => {
  let schema: JsonSchema | undefined
  return {
    name: tool.name,
    description: tool.description,
    get input_schema() {
      schema ??= tool.inputSchema()
      return schema
    }
  }
}

interface BuiltInEntry extends ToolEntry {
  readonly source: Extract<ToolSource, { readonly _tag: "BuiltIn" }>
}

const FOREGROUND_BASH: BuiltInEntry = {
  definition: defined(anyTool(withoutBackground)),
  source: { _tag: "BuiltIn", name: "Bash", foregroundOnly: true }
}

/** Every tool of the program; without background tasks Bash neither has the field nor mentions it. */
export const builtInEntries = (hasBackgroundTasks: boolean): ReadonlyArray<BuiltInEntry> =>
  BUILT_IN_NAMES.map((name) =>
    name === "Bash" && !hasBackgroundTasks
      ? FOREGROUND_BASH
      : { definition: defined(anyBuiltIn(name)), source: { _tag: "BuiltIn", name } }
  )

export const schemaEntry = (schema: JsonSchema): ToolEntry => ({
  definition: defined(anyTool(structuredOutputTool(schema))),
  source: { _tag: "Schema" }
})
