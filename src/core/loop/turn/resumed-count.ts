import { estimateMessages } from "../../model/tokens/estimate.ts"
import { countTokens } from "../../model/tokens/window.ts"
import { type ContentBlock, isText, isToolResult } from "../../domain/block.ts"
import * as Log from "../../domain/append-list.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { isZeroUsage } from "../../domain/usage.ts"
import { isBoundaryLine, preservedOf } from "../../session/transcript/boundary.ts"
import { MOST_CHARS_PER_TOKEN } from "../../session/load/loadable-range.ts"
import type { ContextCount } from "../machine/state.ts"

const isCounted = (message: Message): boolean =>
  message.type === "assistant" && message.isApiErrorMessage !== true && !isZeroUsage(message.message.usage)

const USUAL_CHARS_PER_TOKEN = 4

const charsOf = (block: ContentBlock): number => {
  if (isText(block)) return block.text.length
  if (!isToolResult(block)) return 0
  return typeof block.content === "string" ? block.content.length : charsIn(block.content ?? [])
}

const charsIn = (blocks: ReadonlyArray<ContentBlock>): number => blocks.reduce((sum, block) => sum + charsOf(block), 0)

/** Characters the model sees, by the lengths alone: nothing is read. */
const textChars = (messages: ReadonlyArray<Message>): number => {
  let chars = 0
  for (const message of messages) {
    if (message.type === "user") chars += charsIn(blocksOf(message.message.content))
    if (message.type === "assistant") chars += charsIn(message.message.content)
  }
  return chars
}

/**
 * How full the window is when a conversation is taken up again: what the endpoint last counted, and an estimate of the
 * rest. Messages that a compaction kept carry counts from before it, which say nothing about the window now.
 */
export const resumedCount = (messages: ReadonlyArray<Message>): ContextCount => {
  const boundaryAt = messages.findLastIndex(isBoundaryLine)
  const boundary = messages[boundaryAt]
  const visible = messages.slice(boundaryAt + 1)
  const kept =
    boundary?.type === "system"
      ? preservedOf(
          boundary,
          visible.map(({ uuid }) => uuid)
        )
      : new Set<string>()
  const since = kept.size === 0 ? visible : visible.filter(({ uuid }) => !kept.has(uuid))
  if (!since.some(isCounted)) return { counted: undefined, estimatedSince: estimateMessages(visible) }
  const counted = countTokens(Log.fromArray(since), 0)
  const chars = textChars(since)
  // A count below what the text must take was not made of this conversation.
  return counted * MOST_CHARS_PER_TOKEN < chars
    ? { counted: undefined, estimatedSince: Math.ceil(chars / USUAL_CHARS_PER_TOKEN) }
    : { counted, estimatedSince: 0 }
}
