import { Schema } from "effect"

/** Content blocks in the shape the Messages API uses; unknown kinds are carried through untouched. */
export const CacheControl = Schema.Struct({
  type: Schema.Literal("ephemeral"),
  ttl: Schema.optionalKey(Schema.Literals(["5m", "1h"]))
})
export type CacheControl = typeof CacheControl.Type

export const TextBlock = Schema.Struct({
  type: Schema.Literal("text"),
  text: Schema.String,
  citations: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.Unknown))),
  cache_control: Schema.optionalKey(CacheControl)
})
export type TextBlock = typeof TextBlock.Type

export const ThinkingBlock = Schema.Struct({
  type: Schema.Literal("thinking"),
  thinking: Schema.String,
  signature: Schema.String
})
export type ThinkingBlock = typeof ThinkingBlock.Type

export const RedactedThinkingBlock = Schema.Struct({ type: Schema.Literal("redacted_thinking"), data: Schema.String })
export type RedactedThinkingBlock = typeof RedactedThinkingBlock.Type

export const ToolUseBlock = Schema.Struct({
  type: Schema.Literal("tool_use"),
  id: Schema.String,
  name: Schema.String,
  input: Schema.Unknown,
  cache_control: Schema.optionalKey(CacheControl)
})
export type ToolUseBlock = typeof ToolUseBlock.Type

export const MediaSource = Schema.Struct({
  type: Schema.String,
  media_type: Schema.optionalKey(Schema.String),
  data: Schema.optionalKey(Schema.String),
  url: Schema.optionalKey(Schema.String),
  file_id: Schema.optionalKey(Schema.String)
})
export type MediaSource = typeof MediaSource.Type

export const ImageBlock = Schema.Struct({
  type: Schema.Literal("image"),
  source: MediaSource,
  cache_control: Schema.optionalKey(CacheControl)
})
export type ImageBlock = typeof ImageBlock.Type

export const DocumentBlock = Schema.Struct({
  type: Schema.Literal("document"),
  source: MediaSource,
  title: Schema.optionalKey(Schema.NullOr(Schema.String)),
  cache_control: Schema.optionalKey(CacheControl)
})
export type DocumentBlock = typeof DocumentBlock.Type

export const ToolResultBlock = Schema.Struct({
  type: Schema.Literal("tool_result"),
  tool_use_id: Schema.String,
  content: Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.Unknown)])),
  is_error: Schema.optionalKey(Schema.Boolean),
  cache_control: Schema.optionalKey(CacheControl)
})
/** What the model sees of a settled call. The content blocks inside are text, images or documents. */
export type ToolResultBlock = Omit<typeof ToolResultBlock.Type, "content"> & {
  readonly content?: string | ReadonlyArray<ContentBlock>
}

export interface UnknownBlock {
  readonly type: string & {}
  readonly [key: string]: unknown
}

export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ImageBlock
  | DocumentBlock
  | ToolResultBlock
  | UnknownBlock

export const isText = (block: ContentBlock): block is TextBlock => block.type === "text"
export const isToolUse = (block: ContentBlock): block is ToolUseBlock => block.type === "tool_use"
export const isToolResult = (block: ContentBlock): block is ToolResultBlock => block.type === "tool_result"
export const isThinking = (block: ContentBlock): block is ThinkingBlock | RedactedThinkingBlock =>
  block.type === "thinking" || block.type === "redacted_thinking"
export const isImage = (block: ContentBlock): block is ImageBlock => block.type === "image"
export const isDocument = (block: ContentBlock): block is DocumentBlock => block.type === "document"

export const text = (value: string): TextBlock => ({ type: "text", text: value })

const KnownBlock = Schema.Union([
  TextBlock,
  ThinkingBlock,
  RedactedThinkingBlock,
  ToolUseBlock,
  ImageBlock,
  DocumentBlock,
  ToolResultBlock
])
const isKnownBlock = Schema.is(KnownBlock)
const KNOWN_TYPES = new Set(["text", "thinking", "redacted_thinking", "tool_use", "image", "document", "tool_result"])

/** The usual shapes read by hand: a long session has tens of thousands of them. What is unsure goes to the schema. */
const isUsualBlock = (block: Readonly<Record<string, unknown>>): boolean => {
  if ("cache_control" in block) return false
  switch (block["type"]) {
    case "text":
      return typeof block["text"] === "string" && !("citations" in block)
    case "tool_use":
      return typeof block["id"] === "string" && typeof block["name"] === "string" && "input" in block
    case "tool_result":
      return typeof block["tool_use_id"] === "string" && typeof block["content"] === "string" && !("is_error" in block)
    default:
      return false
  }
}

/** A block from outside: known kinds must have their fields, other kinds only need a `type`. */
export const isContentBlock = (value: unknown): value is ContentBlock => {
  if (typeof value !== "object" || value === null || !("type" in value) || typeof value.type !== "string") return false
  return !KNOWN_TYPES.has(value.type) || isUsualBlock(value) || isKnownBlock(value)
}
