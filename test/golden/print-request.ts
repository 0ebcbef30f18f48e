import { createHash } from "node:crypto"
import type { ModelRequest, ToolDefinition } from "../../src/core/model/request/model-request.ts"
import { type ContentBlock, isText, isToolResult, isToolUse } from "../../src/core/domain/block.ts"

/**
 * A request as a page to read: what the endpoint gets, in its order, with the cache marks. Long texts are shortened to
 * their ends, schemas are hashes, and what differs from run to run (ids, dates) is replaced by stable names.
 */
const SHOWN = 120

const hashOf = (value: unknown): string => createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 8)

const markOf = (part: object): string => {
  if (!("cache_control" in part) || part.cache_control === undefined) return ""
  return `  <- ${JSON.stringify(part.cache_control)}`
}

const shortened = (text: string): string => {
  const flat = JSON.stringify(text).slice(1, -1)
  if (flat.length <= SHOWN) return `"${flat}"`
  return `"${flat.slice(0, SHOWN / 2)} ... ${flat.slice(-SHOWN / 2)}" (${text.length} characters)`
}

const printTool = (tool: ToolDefinition): string => `  ${tool.name} ${hashOf(tool.input_schema)}${markOf(tool)}`

const resultText = (content: string | ReadonlyArray<ContentBlock> | undefined): string => {
  if (content === undefined) return "nothing"
  return typeof content === "string" ? shortened(content) : content.map(blockText).join(" + ")
}

const blockText = (block: ContentBlock): string => {
  if (isText(block)) return `text ${shortened(block.text)}`
  if (isToolUse(block)) return `tool_use ${block.name} ${block.id} ${shortened(JSON.stringify(block.input))}`
  if (isToolResult(block)) {
    return `tool_result ${block.tool_use_id}${block.is_error === true ? " error" : ""} ${resultText(block.content)}`
  }
  return `${block.type} ${shortened(JSON.stringify(block))}`
}

const printBlock = (block: ContentBlock): string => `  ${blockText(block)}${markOf(block)}`

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Each id gets the number of its first appearance, so that equal ids stay recognisable. */
const redacted = (text: string): string => {
  const known = new Map<string, string>()
  const numbered = (id: string): string => {
    const name = known.get(id) ?? `uuid-${known.size + 1}`
    known.set(id, name)
    return name
  }
  return text
    .replaceAll(UUID, numbered)
    .replaceAll(/\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/g, "<date>")
    .replaceAll("/home/", "<home>/")
    .replaceAll("/project", "<project>")
}

export const printRequest = (request: ModelRequest): string => {
  const { tools, system, messages, ...options } = request
  const lines = [
    "# options",
    ...Object.entries(options).map(([name, value]) => `  ${name} ${JSON.stringify(value)}`),
    "# tools",
    ...tools.map(printTool),
    "# system",
    ...system.map(printBlock),
    ...messages.flatMap(({ role, content }) => [`# ${role}`, ...content.map(printBlock)])
  ]
  return redacted(`${lines.join("\n")}\n`)
}
