import { isOn } from "../../domain/env.ts"
import { type CacheControl, isText, type ContentBlock, type TextBlock } from "../../domain/block.ts"
import { profileOf } from "../catalog/model.ts"
import type { ApiMessage, ModelRequest, ToolDefinition } from "./model-request.ts"

/**
 * Where cache marks go. The endpoint keeps the request up to each mark, and finds again what it kept only at a mark or
 * within twenty blocks before one. There may be four, so these go first: the end of the conversation, where the last
 * request ended (many parallel calls are more than twenty blocks), the last block of the system prompt, the last block of
 * it that all sessions share. With only one of the last two, the last built-in tool has its own if others follow it.
 */
export interface Caching {
  readonly enabled: boolean
  readonly ttl: "5m" | "1h"
}

/** Five minutes is what the endpoint assumes, so only the hour is said. */
export const cacheControlOf = (caching: Caching): CacheControl =>
  caching.ttl === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" }

const TTL_MS = { "5m": 5 * 60_000, "1h": 60 * 60_000 } as const

/** How long the endpoint keeps what was not asked for again. */
export const ttlMsOf = ({ ttl }: Caching): number => TTL_MS[ttl]

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

/** The last tool of ours where tools of servers, which may change, stand behind it. */
const placeOfMark = (tools: ReadonlyArray<ToolDefinition>, system: ReadonlyArray<TextBlock>): number => {
  const last = tools.findLastIndex((tool) => !isMcp(tool))
  const marks = system.filter((block) => block.cache_control !== undefined).length
  return marks === 0 || (marks === 1 && last < tools.length - 1) ? last : -1
}

/** `system` as `markSystem` gives it. */
export const markTools = (
  tools: ReadonlyArray<ToolDefinition>,
  system: ReadonlyArray<TextBlock>,
  mark: CacheControl | undefined
): ReadonlyArray<ToolDefinition> => {
  const marked = mark === undefined ? -1 : placeOfMark(tools, system)
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

/** Marks the last block that can carry a mark, of the last message that has one. */
const markEnd = (messages: ReadonlyArray<ApiMessage>, before: number, mark: CacheControl): ReadonlyArray<ApiMessage> => {
  const at = messages.findLastIndex((message, index) => index < before && message.content.some(isMarkable))
  const target = messages[at]
  if (target === undefined) return messages
  const blockAt = target.content.findLastIndex(isMarkable)
  const content = target.content.map((block, index) => (index === blockAt ? { ...block, cache_control: mark } : block))
  return messages.with(at, { ...target, content })
}

/** Marks where the conversation ends, and where it ended when it was last sent: before the newest response. */
export const markConversation = (messages: ReadonlyArray<ApiMessage>, mark: CacheControl): ReadonlyArray<ApiMessage> => {
  const ended = markEnd(messages, messages.length, mark)
  const response = messages.findLastIndex(({ role }, index) => role === "assistant" && index < messages.length - 1)
  return response > 0 ? markEnd(ended, response, mark) : ended
}

/** The mark that a request carries; all its marks are of one kind, and its messages need not be made to find it. */
export const markIn = ({ system, tools }: Pick<ModelRequest, "system" | "tools">): CacheControl | undefined =>
  [...tools, ...system].findLast((item) => item.cache_control !== undefined)?.cache_control

export const withoutMarks = (messages: ReadonlyArray<ApiMessage>): ReadonlyArray<ApiMessage> =>
  messages.map((message) => ({ ...message, content: message.content.map(unmarked) }))
