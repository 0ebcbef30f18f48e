import { isOn } from "../../domain/env.ts"
import { type CacheControl, isText, type ContentBlock, type TextBlock } from "../../domain/block.ts"
import { profileOf } from "../catalog/model.ts"
import type { ApiMessage, ModelRequest, ToolDefinition } from "./model-request.ts"

/**
 * Where cache marks go. The endpoint keeps the request up to each mark; there may be four: the last built-in tool, the
 * last block of the system prompt that all sessions share, its last block, and the last block of the conversation.
 */
export interface Caching {
  readonly enabled: boolean
  readonly ttl: "5m" | "1h"
}

/** Five minutes is what the endpoint assumes, so only the hour is said. */
export const cacheControlOf = (caching: Caching): CacheControl =>
  caching.ttl === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" }

export interface CachingSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's setting asks for the hour. */
  readonly oneHour?: boolean
  /** Side conversations are short: they stay at five minutes. */
  readonly mainConversation: boolean
}

export const resolveCaching = (model: string, sources: CachingSources): Caching => {
  const { env } = sources
  const family = profileOf(model).family?.toUpperCase() ?? ""
  const enabled = !isOn(env["DISABLE_PROMPT_CACHING"]) && !isOn(env[`DISABLE_PROMPT_CACHING_${family}`])
  const wantsHour = isOn(env["ENABLE_PROMPT_CACHING_1H"]) || sources.oneHour === true
  const hour = wantsHour && sources.mainConversation && !isOn(env["FORCE_PROMPT_CACHING_5M"])
  return { enabled, ttl: hour ? "1h" : "5m" }
}

const MARKABLE = new Set(["text", "image", "document", "tool_use", "tool_result"])

const isMarkable = (block: ContentBlock): boolean => MARKABLE.has(block.type) && !(isText(block) && block.text.trim() === "")

const unmarked = <A extends object>(item: A): A => {
  if (!("cache_control" in item)) return item
  const { cache_control: _mark, ...rest } = item
  return rest as A
}

const isMcp = (tool: ToolDefinition): boolean => tool.name.startsWith("mcp__")

/** The last tool of ours; what servers add stands behind it and may change. */
export const markTools = (
  tools: ReadonlyArray<ToolDefinition>,
  mark: CacheControl | undefined
): ReadonlyArray<ToolDefinition> => {
  const marked = mark === undefined ? -1 : tools.findLastIndex((tool) => !isMcp(tool))
  return tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.input_schema,
    ...(index === marked && mark !== undefined ? { cache_control: mark } : {})
  }))
}

/** A block that comes with a mark ends the part that all sessions share; the mark's kind is decided here. */
export const markSystem = (blocks: ReadonlyArray<TextBlock>, mark: CacheControl | undefined): ReadonlyArray<TextBlock> => {
  const filled = blocks.filter(isMarkable)
  const shared = filled.findLastIndex((block) => block.cache_control !== undefined)
  return filled.map((block, index) => {
    const bare = unmarked(block)
    const isMarked = mark !== undefined && (index === shared || index === filled.length - 1)
    return isMarked ? { ...bare, cache_control: mark } : bare
  })
}

/** Marks the last block that can carry a mark; in a fork that is the last one it shares with its parent. */
export const markLastMessage = (messages: ReadonlyArray<ApiMessage>, mark: CacheControl): ReadonlyArray<ApiMessage> => {
  const at = messages.findLastIndex((message) => message.content.some(isMarkable))
  const target = messages[at]
  if (target === undefined) return messages
  const blockAt = target.content.findLastIndex(isMarkable)
  const content = target.content.map((block, index) => (index === blockAt ? { ...block, cache_control: mark } : block))
  return messages.with(at, { ...target, content })
}

/** The mark that a request carries; all its marks are of one kind, and its messages need not be made to find it. */
export const markIn = ({ system, tools }: Pick<ModelRequest, "system" | "tools">): CacheControl | undefined =>
  [...tools, ...system].findLast((item) => item.cache_control !== undefined)?.cache_control

export const withoutMarks = (messages: ReadonlyArray<ApiMessage>): ReadonlyArray<ApiMessage> =>
  messages.map((message) => ({ ...message, content: message.content.map(unmarked) }))
