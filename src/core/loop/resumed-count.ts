import { estimateMessages } from "../budget/estimate.ts"
import { countTokens } from "../budget/window.ts"
import * as Log from "../domain/log.ts"
import type { Message } from "../domain/message.ts"
import { isZeroUsage } from "../domain/usage.ts"
import { isBoundaryLine, preservedOf } from "../session/boundary.ts"
import type { ContextCount } from "./state.ts"

const isCounted = (message: Message): boolean =>
  message.type === "assistant" && message.isApiErrorMessage !== true && !isZeroUsage(message.message.usage)

/**
 * How full the window is when a conversation is taken up again: what the endpoint last counted, and an estimate of the
 * rest. Messages that a compaction kept carry counts from before it, which say nothing about the window now.
 */
export const resumedCount = (messages: ReadonlyArray<Message>): ContextCount => {
  const boundaryAt = messages.findLastIndex(isBoundaryLine)
  const boundary = messages[boundaryAt]
  const visible = messages.slice(boundaryAt + 1)
  const kept = boundary?.type === "system" ? preservedOf(boundary, visible.map(({ uuid }) => uuid)) : new Set<string>()
  const since = visible.filter(({ uuid }) => !kept.has(uuid))
  return since.some(isCounted)
    ? { counted: countTokens(Log.fromArray(since), 0), estimatedSince: 0 }
    : { counted: undefined, estimatedSince: estimateMessages(visible) }
}
