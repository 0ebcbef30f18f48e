import { isToolUse } from "../../core/domain/block.ts"
import type { Message } from "../../core/domain/message.ts"
import { speakerOf, spokenText } from "../../core/session/speaker.ts"
import { indentLines } from "../text/indented.ts"
import { shortenText } from "./shorten.ts"
import { messageLines } from "./transcript.ts"
import { visible } from "./visible.ts"

/** The end of a resumed conversation, so that whoever comes back knows where it was. */
const PROMPTS_SHOWN = 2
const PROMPT_ROOM = { lines: 8, chars: 800 }

const isPrompt = (message: Message): boolean => message.type === "user" && speakerOf(message) === "prompt"

const callLines = (message: Message, summaryOf: SummaryOf): ReadonlyArray<string> =>
  message.type !== "assistant"
    ? []
    : message.message.content
        .filter(isToolUse)
        .map((block) => `tool: ${visible(block.name)} ${visible(summaryOf(block.name, block.input))}`.trimEnd())

const promptLines = (message: Message, spacing: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (message.type !== "user" || !isPrompt(message)) return []
  const [first = "", ...rest] = shortenText(spokenText(message), PROMPT_ROOM)
  return [...spacing, `you: ${first}`, ...indentLines(rest)]
}

/** A few words about the input of a call. */
export type SummaryOf = (tool: string, input: unknown) => string

export interface HistoryOptions {
  readonly summaryOf: SummaryOf
  /** Lines between two turns. */
  readonly spacing: ReadonlyArray<string>
}

export const historyLines = (messages: ReadonlyArray<Message>, options: HistoryOptions): ReadonlyArray<string> => {
  const { summaryOf, spacing } = options
  const prompts = messages.flatMap((message, index) => (isPrompt(message) ? [index] : []))
  const from = prompts.at(-PROMPTS_SHOWN) ?? prompts[0]
  if (from === undefined) return []
  const earlier = prompts.length - PROMPTS_SHOWN
  const skipped = earlier > 0 ? [`(${earlier} earlier ${earlier === 1 ? "prompt" : "prompts"} not shown)`] : []
  const shown = messages
    .slice(from)
    .flatMap((message) => [
      ...promptLines(message, spacing),
      ...messageLines(message, { streamed: false }),
      ...callLines(message, summaryOf)
    ])
  return [...spacing, "Resumed conversation:", ...skipped, ...shown]
}
