import { HashSet } from "effect"
import { isToolResult, isToolUse, text } from "../domain/block.ts"
import type { CallId } from "../domain/id.ts"
import { appendAll, empty, fromArray, toArray, type Log } from "../domain/log.ts"
import {
  blocksOf,
  type AssistantMessage,
  type AttachmentMessage,
  type Message,
  type SystemMessage,
  type UserMessage
} from "../domain/message.ts"
import { TEXTS } from "../domain/texts.ts"
import { attachmentBlocks } from "./attachment.ts"
import { cleanBlock, isBlankText } from "./clean.ts"
import { escapeReminders } from "./fence.ts"
import type { ApiMessage } from "./model-request.ts"
import { closeRound, type Round } from "./pairing.ts"
import { isPrompt } from "./prompt-message.ts"
import { renderTurn, type Part, type RenderOptions, type Turn } from "./turn.ts"

/**
 * The conversation in the shape the endpoint accepts, kept up to date message by message. Appending touches only the
 * open round; older rounds are closed and never looked at again until a request is rendered from them.
 */
export interface ApiHistory {
  readonly closed: Log<Turn>
  readonly open: Round
  /** Ids of every call so far: a second call with the same id would make the request invalid. */
  readonly calls: HashSet.HashSet<CallId>
}

const EMPTY_ROUND: Round = { responseId: undefined, assistant: empty(), user: empty() }

export const emptyHistory: ApiHistory = { closed: empty(), open: EMPTY_ROUND, calls: HashSet.empty() }

/** The history with one more message. Messages the model never sees leave it as it is; a boundary starts it over. */
export const append = (history: ApiHistory, message: Message): ApiHistory => {
  if (message.type === "system") return addSystem(history, message)
  if (message.type === "attachment") return addUser(history, attachmentParts(message))
  if (message.isVirtual === true) return history
  if (message.type === "user") return addUser(history, userParts(message))
  return message.isApiErrorMessage === true ? history : addResponse(history, message)
}

const addSystem = (history: ApiHistory, message: SystemMessage): ApiHistory => {
  if (message.subtype === "compact_boundary") return emptyHistory
  if (message.subtype !== "local_command" || message.content === undefined) return history
  return addUser(history, [{ block: text(escapeReminders(message.content)), source: message.uuid, human: false }])
}

const attachmentParts = (message: AttachmentMessage): ReadonlyArray<Part> =>
  attachmentBlocks(message).map((block) => ({ block: cleanBlock(block), source: message.uuid, human: false }))

const userParts = (message: UserMessage): ReadonlyArray<Part> => {
  const human = isPrompt(message)
  return blocksOf(message.message.content).map((block) => ({
    block: cleanBlock(block),
    source: message.uuid,
    human: human && !isToolResult(block)
  }))
}

const addUser = (history: ApiHistory, parts: ReadonlyArray<Part>): ApiHistory =>
  parts.length === 0 ? history : { ...history, open: { ...history.open, user: appendAll(history.open.user, parts) } }

const addResponse = (history: ApiHistory, message: AssistantMessage): ApiHistory => {
  let calls = history.calls
  const parts: Array<Part> = []
  for (const block of message.message.content) {
    if (isBlankText(block)) continue
    if (isToolUse(block)) {
      if (HashSet.has(calls, block.id)) continue
      calls = HashSet.add(calls, block.id)
    }
    parts.push({ block: cleanBlock(block), source: message.uuid, model: message.message.model, human: false })
  }
  if (parts.length === 0) return history
  const responseId = message.message.id
  if (responseId === history.open.responseId) {
    return { ...history, calls, open: { ...history.open, assistant: appendAll(history.open.assistant, parts) } }
  }
  return {
    calls,
    closed: appendAll(history.closed, closeRound(history.open)),
    open: { responseId, assistant: fromArray(parts), user: empty() }
  }
}

/** Neighbours of one role become one message; what remains empty is left out. */
const joinRoles = (messages: ReadonlyArray<ApiMessage>): Array<ApiMessage> => {
  const joined: Array<ApiMessage> = []
  for (const message of messages) {
    if (message.content.length === 0) continue
    const before = joined.at(-1)
    if (before?.role !== message.role) joined.push(message)
    else joined[joined.length - 1] = { role: before.role, content: [...before.content, ...message.content] }
  }
  return joined
}

/** The messages of a request: roles alternate, the first and the last are the user's. */
export const render = (history: ApiHistory, options: RenderOptions): ReadonlyArray<ApiMessage> => {
  const turns = [...toArray(history.closed), ...closeRound(history.open)]
  const promptAt = turns.findLastIndex((turn) => turn.human)
  const messages = joinRoles(turns.map((turn, index) => renderTurn(turn, options, index > promptAt)))
  if (messages[0]?.role === "assistant") messages.unshift({ role: "user", content: [text(TEXTS.noContent)] })
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: [text(TEXTS.continueTurn)] })
  return messages
}

export const normalizeForApi = (
  messages: ReadonlyArray<Message>,
  options: RenderOptions
): ReadonlyArray<ApiMessage> => render(messages.reduce(append, emptyHistory), options)
