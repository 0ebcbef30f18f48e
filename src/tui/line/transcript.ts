import { isText, isThinking, isToolResult, isToolUse, type ContentBlock } from "../../core/domain/block.ts"
import type { Emission, TurnResult } from "../../core/loop/emission.ts"
import type { Message } from "../../core/domain/message.ts"
import { visible } from "./visible.ts"

/**
 * The conversation as appended text with spoken labels: for screen readers, dumb terminals and anybody who wants plain
 * lines. Nothing written is ever changed again.
 */
export interface LineOptions {
  /** Text of the answer was already written while it streamed. */
  readonly streamed: boolean
}

const RESULT_LINES = 8
const RESULT_CHARS = 800

const shortened = (text: string): string => {
  const lines = visible(text).trimEnd().split("\n")
  const shown = lines.slice(0, RESULT_LINES).join("\n").slice(0, RESULT_CHARS)
  const hidden = lines.length - RESULT_LINES
  return hidden > 0 ? `${shown}\n(${hidden} more lines)` : shown
}

const resultText = (content: string | ReadonlyArray<ContentBlock> | undefined): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((block) => (isText(block) ? block.text : `[${block.type}]`)).join("\n")

const blockLines = (block: ContentBlock, options: LineOptions): ReadonlyArray<string> => {
  if (isText(block)) return options.streamed ? [] : [`nacre: ${visible(block.text)}`]
  if (isThinking(block)) return block.type === "thinking" ? [`thinking: ${visible(block.thinking)}`] : []
  if (isToolUse(block)) return []
  if (isToolResult(block)) {
    const label = block.is_error === true ? "tool error" : "tool result"
    return [`${label}: ${shortened(resultText(block.content))}`]
  }
  return []
}

const messageLines = (message: Message, options: LineOptions): ReadonlyArray<string> => {
  switch (message.type) {
    case "assistant":
      if (message.isApiErrorMessage === true) {
        return message.message.content.filter(isText).map((block) => `error: ${visible(block.text)}`)
      }
      return message.message.content.flatMap((block) => blockLines(block, options))
    case "user":
      if (message.isMeta === true || typeof message.message.content === "string") return []
      return message.message.content.filter(isToolResult).flatMap((block) => blockLines(block, options))
    case "system":
      return message.content === undefined ? [] : [`${message.level === "warning" ? "warning" : "note"}: ${visible(message.content)}`]
    case "attachment":
      return []
  }
}

const endLines = (result: TurnResult): ReadonlyArray<string> => {
  const cost = result.totalCostUsd > 0 ? [`Cost: $${result.totalCostUsd.toFixed(4)}`] : []
  return [...result.errors.map((error) => `error: ${visible(error)}`), ...cost]
}

const UNITS_MS = 1_000

/** The lines an emission appends; most append none. */
export const linesOf = (emission: Emission, options: LineOptions): ReadonlyArray<string> => {
  switch (emission._tag) {
    case "MessageAdded":
      return messageLines(emission.message, options)
    case "CallStarted":
      return [`tool: ${emission.tool} ${visible(emission.summary)}`]
    case "RetryScheduled":
      return [
        `warning: ${visible(emission.text)}; retrying in ${Math.ceil(emission.delayMs / UNITS_MS)} s (attempt ${emission.attempt})`
      ]
    case "PartialDiscarded":
      return options.streamed ? ["[the unfinished answer above is void]"] : []
    case "StatusChanged":
      return emission.status === "compacting" ? ["note: compacting the conversation"] : []
    case "ModeReported":
      return [`[${emission.mode} mode on]`]
    case "PermissionDenied":
      return [`denied: ${emission.tool}: ${visible(emission.reason)}`]
    case "PromptQueued":
      return ["note: queued; it is sent at the next safe point"]
    case "Notice":
      return [`${emission.level === "info" ? "note" : emission.level}: ${visible(emission.text)}`]
    case "TurnFinished":
      return endLines(emission.result)
    default:
      return []
  }
}
