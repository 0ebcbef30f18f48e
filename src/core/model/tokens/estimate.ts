import {
  isDocument,
  isImage,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  type RedactedThinkingBlock,
  type ThinkingBlock,
  type ToolResultBlock
} from "../../domain/block.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { attachmentBlocks } from "../request/attachment.ts"
import type { ToolDefinition } from "../request/model-request.ts"
import { imageSize, type PixelSize } from "../../domain/image-size.ts"
import { detectFileType } from "../../domain/file-type.ts"

/**
 * Token estimates for what the endpoint has not counted yet. They are pure and additive: a list costs the sum of its
 * items. Figures of whole messages are remembered by identity, because messages never change.
 */
const ASCII_PER_TOKEN = 4
const OTHER_PER_TOKEN = 1.5
const JSON_PER_TOKEN = 3
const PIXELS_PER_TOKEN = 750
const MIN_IMAGE_TOKENS = 85
const UNKNOWN_IMAGE_TOKENS = 1_600
const PDF_PAGE_TOKENS = 2_500
/** A page of text and drawings as base64; only used because the number of pages is not in the block. */
const PDF_PAGE_BASE64_CHARS = 70_000

const codePointTokens = (value: string): number => {
  let ascii = 0
  let other = 0
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code < 0x80) ascii++
    // The second half of a pair belongs to the code point its first half has counted.
    else if (code < 0xdc00 || code > 0xdfff) other++
  }
  return ascii / ASCII_PER_TOKEN + other / OTHER_PER_TOKEN
}

export const estimateText = (value: string): number => Math.ceil(codePointTokens(value))

export const estimateJson = (value: unknown): number => {
  const json = JSON.stringify(value) as string | undefined
  return Math.ceil((json?.length ?? 0) / JSON_PER_TOKEN)
}

export const estimateImage = (size: PixelSize | undefined): number =>
  size === undefined
    ? UNKNOWN_IMAGE_TOKENS
    : Math.max(MIN_IMAGE_TOKENS, Math.ceil((size.width * size.height) / PIXELS_PER_TOKEN))

export const estimatePdf = (pages: number): number => pages * PDF_PAGE_TOKENS

/** Enough of a picture to find its size, in whole groups of base64. */
const HEADER_BASE64_CHARS = 65_536

const headerBytes = (base64: string): Uint8Array => {
  try {
    return Uint8Array.from(atob(base64.slice(0, HEADER_BASE64_CHARS)), (character) => character.charCodeAt(0))
  } catch {
    return new Uint8Array()
  }
}

const estimateImageBlock = (block: ImageBlock): number => {
  const head = headerBytes(block.source.data ?? "")
  const kind = detectFileType(head)
  return estimateImage(kind?.kind === "image" ? imageSize(head, kind.type) : undefined)
}

const estimateDocumentBlock = (block: DocumentBlock): number => {
  const data = block.source.data ?? ""
  if (block.source.type === "text") return estimateText(data)
  return estimatePdf(Math.max(1, Math.ceil(data.length / PDF_PAGE_BASE64_CHARS)))
}

const estimateToolResult = (block: ToolResultBlock): number =>
  typeof block.content === "string" ? estimateText(block.content) : estimateBlocks(block.content ?? [])

const estimateThinking = (block: ThinkingBlock | RedactedThinkingBlock): number =>
  block.type === "thinking" ? estimateText(block.thinking) : Math.ceil(block.data.length / ASCII_PER_TOKEN)

export const estimateBlock = (block: ContentBlock): number => {
  if (isText(block)) return estimateText(block.text)
  if (isToolUse(block)) return estimateText(block.name) + estimateJson(block.input)
  if (isToolResult(block)) return estimateToolResult(block)
  if (isImage(block)) return estimateImageBlock(block)
  if (isDocument(block)) return estimateDocumentBlock(block)
  if (isThinking(block)) return estimateThinking(block)
  return estimateJson(block)
}

export const estimateBlocks = (blocks: ReadonlyArray<ContentBlock>): number =>
  blocks.reduce((sum, block) => sum + estimateBlock(block), 0)

export const estimateTool = (tool: ToolDefinition): number =>
  estimateText(tool.name) + estimateText(tool.description) + estimateJson(tool.input_schema)

export const estimateTools = (tools: ReadonlyArray<ToolDefinition>): number =>
  tools.reduce((sum, tool) => sum + estimateTool(tool), 0)

const remembered = new WeakMap<object, number>()

const remember = (key: object, compute: () => number): number => {
  const known = remembered.get(key)
  if (known !== undefined) return known
  const tokens = compute()
  remembered.set(key, tokens)
  return tokens
}

const messageBlocks = (message: Message): ReadonlyArray<ContentBlock> => {
  if (message.type === "attachment") return attachmentBlocks(message)
  if (message.type === "system") return message.subtype === "local_command" ? blocksOf(message.content ?? "") : []
  if (message.isVirtual === true) return []
  if (message.type === "user") return blocksOf(message.message.content)
  return message.isApiErrorMessage === true ? [] : message.message.content
}

/** What a stored message adds to the window; messages the model never sees add nothing. */
export const estimateMessage = (message: Message): number => remember(message, () => estimateBlocks(messageBlocks(message)))

export const estimateMessages = (messages: ReadonlyArray<Message>): number =>
  messages.reduce((sum, message) => sum + estimateMessage(message), 0)
