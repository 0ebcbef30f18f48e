/**
 * Token accounting: a token is four characters, media count a flat amount. The cache is simulated from the history
 * alone: the previous request of a conversation was everything before its newest response, marked at its end.
 */
import type { ApiMessage, ModelRequest } from "../../core/model/request/model-request.ts"
import {
  type CacheControl,
  type ContentBlock,
  isDocument,
  isImage,
  isText,
  isToolResult,
  isToolUse
} from "../../core/domain/block.ts"
import { type Usage, zeroUsage } from "../../core/domain/usage.ts"
import { resultText } from "./conversation.ts"
import type { Entry } from "./entry.ts"

const CHARS_PER_TOKEN = 4
const MEDIA_CHARS = 1_600 * CHARS_PER_TOKEN

const tokensOf = (chars: number): number => Math.ceil(chars / CHARS_PER_TOKEN)

const jsonChars = (value: unknown): number => JSON.stringify(value)?.length ?? 0

const mediaChars = (block: ContentBlock): number => (isImage(block) || isDocument(block) ? MEDIA_CHARS : 0)

const blockChars = (block: ContentBlock): number => {
  if (isText(block)) return block.text.length
  if (isToolUse(block)) return block.name.length + jsonChars(block.input)
  if (isImage(block) || isDocument(block)) return MEDIA_CHARS
  if (isToolResult(block)) {
    const parts = typeof block.content === "string" ? [] : (block.content ?? [])
    return resultText(block).length + parts.reduce((sum, part) => sum + mediaChars(part), 0)
  }
  return jsonChars(block)
}

interface Measured {
  readonly chars: number
  /** Characters up to and including the last cache mark. */
  readonly markedChars: number
  /** Characters that the previous request of this conversation had. */
  readonly previousChars: number
  readonly ttl: CacheControl["ttl"]
}

const markOn = (part: object): CacheControl | undefined => {
  const mark: unknown = "cache_control" in part ? part.cache_control : undefined
  if (typeof mark !== "object" || mark === null) return undefined
  return "ttl" in mark && mark.ttl === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" }
}

interface Piece {
  readonly chars: number
  readonly mark: CacheControl | undefined
}

const messagePieces = (messages: ReadonlyArray<ApiMessage>): ReadonlyArray<Piece> =>
  messages.flatMap((message) => message.content.map((block) => ({ chars: blockChars(block), mark: markOn(block) })))

const sum = (pieces: ReadonlyArray<Piece>): number => pieces.reduce((total, piece) => total + piece.chars, 0)

const measure = (request: ModelRequest): Measured => {
  const answered = request.messages.findLastIndex((message) => message.role === "assistant")
  const fixed: ReadonlyArray<Piece> = [
    ...request.tools.map((tool) => ({
      chars: tool.name.length + tool.description.length + jsonChars(tool.input_schema),
      mark: markOn(tool)
    })),
    ...request.system.map((block) => ({ chars: block.text.length, mark: markOn(block) }))
  ]
  const before = [...fixed, ...messagePieces(request.messages.slice(0, Math.max(0, answered)))]
  const pieces = [...before, ...messagePieces(request.messages.slice(Math.max(0, answered)))]
  const lastMark = pieces.findLastIndex((piece) => piece.mark !== undefined)
  return {
    chars: sum(pieces),
    markedChars: sum(pieces.slice(0, lastMark + 1)),
    previousChars: answered < 0 ? 0 : sum(before),
    ttl: pieces[lastMark]?.mark?.ttl
  }
}

export const requestTokens = (request: ModelRequest): number => tokensOf(measure(request).chars)

const entryChars = (entry: Entry): number =>
  (entry.think?.length ?? 0) +
  (entry.text?.length ?? 0) +
  (entry.tools ?? []).reduce((total, call) => total + call.name.length + jsonChars(call.input), 0)

/** Counts of a finished response; the output is counted after what was really said. */
export const usageOf = (request: ModelRequest, entry: Entry): Usage => {
  const output = entry.tokens?.output ?? tokensOf(entryChars(entry))
  const declared = entry.tokens?.input
  if (declared !== undefined) return { ...zeroUsage, input_tokens: declared, output_tokens: output }
  const { chars, markedChars, previousChars, ttl } = measure(request)
  const read = Math.floor(Math.min(previousChars, markedChars) / CHARS_PER_TOKEN)
  const creation = Math.floor(markedChars / CHARS_PER_TOKEN) - read
  return {
    ...zeroUsage,
    input_tokens: tokensOf(chars) - read - creation,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: creation,
    cache_creation: {
      ephemeral_1h_input_tokens: ttl === "1h" ? creation : 0,
      ephemeral_5m_input_tokens: ttl === "1h" ? 0 : creation
    }
  }
}
