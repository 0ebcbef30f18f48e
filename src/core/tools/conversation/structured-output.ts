import type { JsonSchema } from "../../model/request/model-request.ts"
import description from "./structured-output.md"
import { openInput } from "../contract/input-schema.ts"
import { makeTool, READ_ONLY, type Tool } from "../contract/tool.ts"

export const STRUCTURED_OUTPUT = "StructuredOutput"

export type StructuredOutputInput = Readonly<Record<string, unknown>>

/** The API wants an object at the top and no word about the dialect. */
const published = (schema: JsonSchema): JsonSchema => {
  const { $schema: _, ...rest } = schema
  return { type: "object", ...rest }
}

const makeFor = (schema: JsonSchema): Tool<StructuredOutputInput> =>
  makeTool<StructuredOutputInput>({
    name: STRUCTURED_OUTPUT,
    description,
    input: openInput(published(schema)),
    maxResultChars: Number.POSITIVE_INFINITY,
    traits: () => READ_ONLY,
    offered: "withSchema",
    needs: () => [{ kind: "nothing" }],
    summary: () => "Return the final result"
  })

const tools = new WeakMap<JsonSchema, Tool<StructuredOutputInput>>()

/** The tool by which a run returns a value of the caller's shape. Its input is that value. One schema, one tool. */
export const structuredOutputTool = (schema: JsonSchema): Tool<StructuredOutputInput> => {
  const tool = tools.get(schema) ?? makeFor(schema)
  tools.set(schema, tool)
  return tool
}
