import { isText, isThinking, isToolResult, type ContentBlock } from "../../core/domain/block.ts"
import type { Emission, TurnResult } from "../../core/loop/machine/emission.ts"
import type { Message, UserMessage } from "../../core/domain/message.ts"
import { attachmentLine } from "../transcript/entries/attachment-line.ts"
import { indentLines } from "../text/indented.ts"
import { shortenText } from "./shorten.ts"
import { withSpokenTables } from "./spoken-tables.ts"
import { visible } from "./visible.ts"

/**
 * The conversation as appended text with spoken labels: for screen readers, dumb terminals and anybody who wants plain
 * lines. Nothing written is ever changed again.
 */
export interface LineOptions {
  /** Text of the answer was already written while it streamed. */
  readonly streamed: boolean
}

const RESULT_ROOM = { lines: 8, chars: 800 }
const THOUGHT_ROOM = { lines: 8, chars: 1_200 }

const resultText = (content: string | ReadonlyArray<ContentBlock> | undefined): string =>
  typeof content === "string"
    ? content
    : (content ?? []).map((block) => (isText(block) ? block.text : `[${block.type}]`)).join("\n")

/** A label, then the text; further lines stand beneath it, a little to the right. */
const labelled = (label: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [first = "", ...rest] = lines
  return [`${label}: ${first}`, ...indentLines(rest)]
}

/** The result of a call under the line that announced it. A refused call was announced as such already. */
const resultLines = (message: UserMessage): ReadonlyArray<string> => {
  const { content } = message.message
  if (typeof content === "string" || message.toolDenialKind !== undefined) return []
  return content.filter(isToolResult).flatMap((block) => {
    const lines = shortenText(resultText(block.content), RESULT_ROOM)
    return block.is_error === true ? labelled("tool error", lines) : indentLines(lines)
  })
}

const blockLines = (block: ContentBlock, options: LineOptions): ReadonlyArray<string> => {
  if (isText(block))
    return options.streamed || block.text.trim() === "" ? [] : [`nacre: ${visible(withSpokenTables(block.text), "prose")}`]
  if (!isThinking(block) || block.type !== "thinking" || block.thinking.trim() === "") return []
  return labelled("thinking", shortenText(block.thinking, THOUGHT_ROOM))
}

export const messageLines = (message: Message, options: LineOptions): ReadonlyArray<string> => {
  switch (message.type) {
    case "assistant":
      if (message.isApiErrorMessage === true) {
        return message.message.content.filter(isText).map((block) => `error: ${visible(block.text)}`)
      }
      return message.message.content.flatMap((block) => blockLines(block, options))
    case "user":
      return message.isMeta === true ? [] : resultLines(message)
    case "system": {
      if (message.content === undefined || message.isMeta === true) return []
      const label = message.level === "warning" || message.level === "error" ? message.level : "note"
      return [`${label}: ${visible(message.content)}`]
    }
    case "attachment": {
      const line = attachmentLine(message)
      return line === "" ? [] : [`note: ${visible(line)}`]
    }
  }
}

const isInterrupted = ({ terminalReason }: TurnResult): boolean =>
  terminalReason === "aborted_streaming" || terminalReason === "aborted_tools"

const endLines = (result: TurnResult): ReadonlyArray<string> => {
  const errors = isInterrupted(result) ? ["[interrupted]"] : result.errors.map((error) => `error: ${visible(error)}`)
  const cost = result.totalCostUsd > 0 ? [`Cost: $${result.totalCostUsd.toFixed(4)}`] : []
  return [...errors, ...cost]
}

const SECOND_MS = 1_000

/** The lines an emission appends; most append none. */
export const linesOf = (emission: Emission, options: LineOptions): ReadonlyArray<string> => {
  switch (emission._tag) {
    case "MessageAdded":
      return messageLines(emission.message, options)
    case "CallChecking":
      return [`checking: ${emission.tool} ${visible(emission.summary)}`]
    case "CallStarted":
      return [`tool: ${emission.tool} ${visible(emission.summary)}`]
    case "RetryScheduled": {
      const seconds = Math.ceil(emission.delayMs / SECOND_MS)
      return [`warning: ${visible(emission.text)}; trying again in ${seconds} s (attempt ${emission.attempt})`]
    }
    case "PartialDiscarded":
      return options.streamed ? ["[the unfinished answer above is void]"] : []
    case "StatusChanged":
      return emission.status === "compacting" ? ["note: compacting the conversation"] : []
    case "ModeReported":
      return [`[${emission.mode} mode on]`]
    case "PermissionDenied":
      return [`denied: ${emission.tool}${emission.reason === emission.message ? "" : `: ${visible(emission.reason)}`}`]
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
