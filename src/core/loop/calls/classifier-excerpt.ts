import { Result } from "effect"
import { cutText } from "../../tools/contract/result-size.ts"
import { isContentBlock, isText, isToolResult, isToolUse, type ToolUseBlock } from "../../domain/block.ts"
import type { CallId } from "../../domain/id.ts"
import * as Log from "../../domain/append-list.ts"
import { blocksOf, type Message, type UserContent } from "../../domain/message.ts"
import type { RecordLine } from "../../permission/classifier/request.ts"
import { toolFor } from "../../tools/toolbox.ts"
import type { AnyTool, DecodedCall } from "../../tools/contract/any-tool.ts"
import type { AgentState, Call } from "../machine/state.ts"
import { isRunning } from "../machine/transition.ts"

/** What the classifier is shown of the conversation: what the user wrote and what the agent did, never any result. */
const ROOM_CHARS = { user: 40_000, call: 40_000 }
const LINE_CHARS = 4_000

const clipped = (value: string): string => cutText(value, LINE_CHARS, "the rest is left out")

const userLine = (content: UserContent): ReadonlyArray<RecordLine> => {
  const said = blocksOf(content)
    .filter(isText)
    .map((block) => block.text)
    .join("\n")
  return said.trim() === "" ? [] : [{ user: clipped(said) }]
}

/** Look-ups say nothing about what the agent is up to, and there are many of them. */
const callLine = (name: string, tool: AnyTool, { input, traits }: DecodedCall): RecordLine | undefined => {
  const said = traits.readOnly && !traits.openWorld ? "" : tool.classifierInput(input)
  return said === "" ? undefined : { call: name, input: clipped(said) }
}

/** What a transcript holds of a call has to be read again. */
const blockLine = (state: AgentState, { name, input }: ToolUseBlock): RecordLine | undefined => {
  const tool = toolFor(state.toolbox, name)
  const reading = tool?.accept(input)
  return tool === undefined || reading === undefined || Result.isFailure(reading)
    ? undefined
    : callLine(name, tool, reading.success)
}

const openLine = (state: AgentState, { name, tool, reading }: Call): RecordLine | undefined => {
  const known = tool === undefined ? undefined : toolFor(state.toolbox, tool)
  return known === undefined || reading === undefined ? undefined : callLine(name, known, reading)
}

const marked = (line: RecordLine | undefined, isDenied: boolean): ReadonlyArray<RecordLine> => {
  if (line === undefined) return []
  return [isDenied ? { ...line, denied: true as const } : line]
}

const deniedIn = (messages: ReadonlyArray<Message>): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      message.type === "user" && message.toolDenialKind !== undefined
        ? blocksOf(message.message.content)
            .filter(isToolResult)
            .map((block) => block.tool_use_id)
        : []
    )
  )

/** A message that the program or a task wrote does not speak for the user. */
const saidByPerson = (message: Message): UserContent | undefined => {
  if (message.type === "user") {
    const isOurs = message.isMeta === true || message.isCompactSummary === true || message.origin !== undefined
    return isOurs ? undefined : message.message.content
  }
  if (message.type !== "attachment") return undefined
  const { commandMode, prompt } = message.attachment
  if (commandMode !== "prompt") return undefined
  return typeof prompt === "string" ? prompt : Array.isArray(prompt) ? prompt.filter(isContentBlock) : undefined
}

const linesOf = (state: AgentState, before: CallId | undefined): ReadonlyArray<RecordLine> => {
  const messages = [...new Map(Log.toArray(state.conversation.messages).map((message) => [message.uuid, message])).values()]
  const denied = deniedIn(messages)
  const calls = isRunning(state) ? state.run.turn.calls : []
  const open = new Set(calls.map(({ id }) => id))
  const lines = messages.flatMap((message): ReadonlyArray<RecordLine> => {
    if (message.type === "assistant") {
      const earlier = message.message.content.filter(isToolUse).filter(({ id }) => !open.has(id))
      return earlier.flatMap((block) => marked(blockLine(state, block), denied.has(block.id)))
    }
    const said = saidByPerson(message)
    return said === undefined ? [] : userLine(said)
  })
  const end = calls.findIndex(({ id }) => id === before)
  const beside = calls
    .slice(0, end < 0 ? calls.length : end)
    .flatMap((call) => marked(openLine(state, call), "result" in call && call.result.denial !== undefined))
  const waiting = state.queue.filter(({ origin }) => origin === "human").flatMap(({ content }) => userLine(content))
  return [...lines, ...beside, ...waiting]
}

export interface CheckRecord {
  readonly record: ReadonlyArray<RecordLine>
  readonly isCut: boolean
}

/** The newest lines that fit. What the user wrote has room of its own: many calls do not push a limit out. */
export const checkRecord = (state: AgentState, before: CallId | undefined): CheckRecord => {
  const lines = linesOf(state, before)
  const used = { user: 0, call: 0 }
  const record = lines
    .toReversed()
    .filter((line) => {
      const kind = "user" in line ? "user" : "call"
      used[kind] += JSON.stringify(line).length
      return used[kind] <= ROOM_CHARS[kind]
    })
    .toReversed()
  return { record, isCut: record.length < lines.length }
}
