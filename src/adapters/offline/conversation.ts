/** What the offline model remembers: nothing but what the messages of the request say. */
import type { ApiMessage, ModelRequest, ToolDefinition } from "../../core/model/request/model-request.ts"
import {
  type ContentBlock,
  isDocument,
  isImage,
  isText,
  isToolResult,
  isToolUse,
  type ToolResultBlock
} from "../../core/domain/block.ts"
import { isProgramOpening, isProgramText } from "../../core/domain/program-texts.ts"
import { type Mark, markOf } from "./ids.ts"

export type CallOutcome = "succeeded" | "failed" | "denied" | "unanswered"

export interface SettledCall {
  readonly id: string
  readonly name: string
  readonly input: Readonly<Record<string, unknown>>
  readonly outcome: CallOutcome
  readonly result: string
}

export interface PastResponse {
  readonly text: string
  readonly calls: ReadonlyArray<SettledCall>
  readonly mark: Mark | undefined
}

/** The current turn: everything since the newest prompt of a user. */
export interface Turn {
  readonly prompt: string
  readonly responses: ReadonlyArray<PastResponse>
  /** All calls of the turn but the searches for missing tools. */
  readonly calls: ReadonlyArray<SettledCall>
  /** The calls of the newest response among them. */
  readonly latest: ReadonlyArray<SettledCall>
  readonly offered: ReadonlyMap<string, ToolDefinition>
  readonly cwd: string | undefined
  /** Where the system prompt says that memories are kept. */
  readonly memoryDir: string | undefined
}

/** Elements in which the program, not a user, speaks inside a user message. */
const PROGRAM_TAGS = [
  "system-reminder",
  "user-prompt-submit-hook",
  "local-command-[a-z]+",
  "bash-(?:input|stdout|stderr)",
  "task-notification",
  "command-(?:name|message|args|contents)"
]
const PROGRAM_ELEMENT = new RegExp(String.raw`<(${PROGRAM_TAGS.join("|")})>[\s\S]*?</\1>`, "g")

const withoutProgramText = (text: string): string => text.replace(PROGRAM_ELEMENT, "").trim()

/** How texts begin that the program writes in the user's place without an element around them. */
/** Stands where the program took an image or document out. */
const MEDIA_PLACEHOLDER = /^\[(?:image|document)\b[^\n]*\]$/

const isMedia = (block: ContentBlock): boolean =>
  isImage(block) || isDocument(block) || (isText(block) && MEDIA_PLACEHOLDER.test(block.text))

const isHuman = (text: string): boolean => text !== "" && !isProgramText(text) && !isProgramOpening(text)

/** What a user said in a message; media without words are an empty prompt, tool results are none. */
const promptsIn = ({ role, content }: ApiMessage): ReadonlyArray<string> => {
  if (role !== "user") return []
  const said = content
    .filter(isText)
    .filter((block) => !isMedia(block))
    .map((block) => withoutProgramText(block.text))
    .filter(isHuman)
  return said.length === 0 && content.some(isMedia) ? [""] : said
}

/** Every prompt of a user, oldest first, with the index of its message. */
export const humanPrompts = (
  messages: ReadonlyArray<ApiMessage>
): ReadonlyArray<{ readonly index: number; readonly text: string }> =>
  messages.flatMap((message, index) => promptsIn(message).map((text) => ({ index, text })))

export const resultText = (block: ToolResultBlock): string =>
  block.content === undefined
    ? ""
    : typeof block.content === "string"
      ? block.content
      : block.content.map((part) => (isText(part) ? part.text : `[${part.type}]`)).join("\n")

/** A failing command may print "Permission denied" itself; that is not a decision about the call. */
const DENIAL = /\b(?:permission|denied|rejected|not (?:allowed|permitted)|was not run)\b/i
const COMMAND_FAILURE = /^(?:error:\s*)?exit code/i

const outcomeOf = (block: ToolResultBlock | undefined): CallOutcome => {
  if (block === undefined) return "unanswered"
  if (block.is_error !== true) return "succeeded"
  const text = resultText(block)
  return DENIAL.test(text.slice(0, 400)) && !COMMAND_FAILURE.test(text) ? "denied" : "failed"
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** Calls of the messages with their results, whatever distance lies between them. */
export const responsesOf = (messages: ReadonlyArray<ApiMessage>): ReadonlyArray<PastResponse> => {
  const results = new Map(
    messages.flatMap((message) => message.content.filter(isToolResult)).map((block) => [block.tool_use_id, block])
  )
  return messages
    .filter((message) => message.role === "assistant")
    .map((message) => {
      const calls = message.content.filter(isToolUse).map((block): SettledCall => {
        const result = results.get(block.id)
        return {
          id: block.id,
          name: block.name,
          input: asRecord(block.input),
          outcome: outcomeOf(result),
          result: result === undefined ? "" : resultText(result)
        }
      })
      return {
        text: message.content
          .filter(isText)
          .map((block) => block.text)
          .join("\n"),
        calls,
        mark: calls.map((call) => markOf(call.id)).find((mark) => mark !== undefined)
      }
    })
}

/** The environment note stands in the system prompt, or in the first message when it was moved there. */
const environmentText = (request: ModelRequest): string =>
  [...request.system, ...(request.messages[0]?.content.filter(isText) ?? [])].map((block) => block.text).join("\n")

const DIRECTORY = /\bworking directory\b[^\n:]*:[ \t]*[`"]?(\/[^\n`"]*)/i
const MEMORY_DIR = /(?:^|[\s`"'(])((?:~|\/)[^\s`"'()]*\/memory)\/?(?=[\s`"').,;:]|$)/m

const firstGroup = (pattern: RegExp, text: string): string | undefined => pattern.exec(text)?.[1]?.trim()

export const readTurn = (request: ModelRequest): Turn => {
  const newest = humanPrompts(request.messages).at(-1)
  const responses = responsesOf(request.messages.slice((newest?.index ?? -1) + 1))
  const real = responses.filter((response) => response.mark?.kind !== "search")
  const environment = environmentText(request)
  return {
    prompt: newest?.text ?? "",
    responses,
    calls: real.flatMap((response) => response.calls),
    latest: real.at(-1)?.calls ?? [],
    offered: new Map(request.tools.map((tool) => [tool.name, tool])),
    cwd: firstGroup(DIRECTORY, environment),
    memoryDir: firstGroup(MEMORY_DIR, environment)
  }
}
