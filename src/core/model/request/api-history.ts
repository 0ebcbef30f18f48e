import { isToolResult, isToolUse, text } from "../../domain/block.ts"
import { addId, emptyIds, hasId, idsOf, type IdSet } from "../../domain/id-set.ts"
import { appendAll, empty, fromArray, toArray, type Log } from "../../domain/append-list.ts"
import {
  blocksOf,
  type AssistantMessage,
  type AttachmentMessage,
  type Message,
  type SystemMessage,
  type UserMessage
} from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { attachmentBlocks, isAside } from "./attachment.ts"
import { cleanBlock, isBlankText } from "./clean.ts"
import { escapeReminders } from "./fence.ts"
import type { ApiMessage } from "./model-request.ts"
import { closeParts, closeRound, type Round } from "./pairing.ts"
import { isPrompt } from "./prompt-message.ts"
import { renderTurn, shownParts, type Part, type RenderOptions, type Turn } from "./api-turn.ts"

/**
 * The conversation in the shape the endpoint accepts, kept up to date message by message. Appending touches only the
 * open round; older rounds are closed and never looked at again until a request is rendered from them.
 */
export interface ApiHistory {
  /** Turns of a conversation that was read back, made when a request first shows them. */
  readonly earlier: () => ReadonlyArray<Turn>
  readonly closed: Log<Turn>
  readonly open: Round
  /** Ids of every call so far: a second call with the same id would make the request invalid. */
  readonly calls: IdSet
}

const EMPTY_ROUND: Round = { responseId: undefined, assistant: empty(), user: empty() }

const NO_TURNS: ReadonlyArray<Turn> = []

export const emptyHistory: ApiHistory = {
  earlier: () => NO_TURNS,
  closed: empty(),
  open: EMPTY_ROUND,
  calls: emptyIds
}

const NO_PARTS: ReadonlyArray<Part> = []

const isBoundary = (message: Message): boolean => message.type === "system" && message.subtype === "compact_boundary"

const isResponse = (message: Message): message is AssistantMessage => message.type === "assistant"

/** The history with one more message. Messages the model never sees leave it as it is; a boundary starts it over. */
export const append = (history: ApiHistory, message: Message): ApiHistory => {
  if (isBoundary(message)) return emptyHistory
  return isResponse(message) ? addResponse(history, message) : addUser(history, partsOfUser(message))
}

/** What a message of the user's side adds. */
const partsOfUser = (message: Exclude<Message, AssistantMessage>): ReadonlyArray<Part> => {
  if (message.type === "system") return systemParts(message)
  if (message.type === "attachment") return attachmentParts(message)
  return message.isVirtual === true ? NO_PARTS : userParts(message)
}

const systemParts = (message: SystemMessage): ReadonlyArray<Part> =>
  message.subtype !== "local_command" || message.content === undefined
    ? NO_PARTS
    : [{ block: text(escapeReminders(message.content)), source: message.uuid, human: false }]

const attachmentParts = (message: AttachmentMessage): ReadonlyArray<Part> =>
  attachmentBlocks(message).map((block) => ({
    block: cleanBlock(block),
    source: message.uuid,
    human: false,
    ...(isAside(message) ? { isAside: true as const } : {})
  }))

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

/** Whether the model sees anything of a response. */
const isShown = (message: AssistantMessage): boolean => message.isVirtual !== true && message.isApiErrorMessage !== true

/** What a response adds. `take` is asked for each call and says no to an id that is taken. */
const partsOfResponse = (message: AssistantMessage, take: (callId: string) => boolean): ReadonlyArray<Part> => {
  if (!isShown(message)) return NO_PARTS
  const { content, model } = message.message
  const parts: Array<Part> = []
  for (const block of content) {
    if (isBlankText(block) || (isToolUse(block) && !take(block.id))) continue
    parts.push({ block: cleanBlock(block), source: message.uuid, model, human: false })
  }
  return parts
}

const addResponse = (history: ApiHistory, message: AssistantMessage): ApiHistory => {
  let calls = history.calls
  const parts = partsOfResponse(message, (callId) => {
    if (hasId(calls, callId)) return false
    calls = addId(calls, callId)
    return true
  })
  if (parts.length === 0) return history
  const responseId = message.message.id
  if (responseId === history.open.responseId) {
    return { ...history, calls, open: { ...history.open, assistant: appendAll(history.open.assistant, parts) } }
  }
  return {
    earlier: history.earlier,
    calls,
    closed: appendAll(history.closed, closeRound(history.open)),
    open: { responseId, assistant: fromArray(parts), user: empty() }
  }
}

/** Turns of whole rounds in one go; as appending their messages one by one, without a new value for each. */
const turnsIn = (messages: ReadonlyArray<Message>): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = []
  const calls = new Set<string>()
  const take = (callId: string): boolean => !calls.has(callId) && calls.add(callId).has(callId)
  let responseId: string | undefined
  let assistant: Array<Part> = []
  let user: Array<Part> = []
  for (const message of messages) {
    if (!isResponse(message)) {
      user.push(...partsOfUser(message))
      continue
    }
    const parts = partsOfResponse(message, take)
    if (parts.length === 0) continue
    if (message.message.id !== responseId) {
      turns.push(...closeParts(assistant, user))
      responseId = message.message.id
      assistant = []
      user = []
    }
    assistant.push(...parts)
  }
  turns.push(...closeParts(assistant, user))
  return turns
}

/** Where the round of the newest response begins, and the calls before it: one look at each message, nothing made. */
const outlineOf = (messages: ReadonlyArray<Message>) => {
  const calls = new Set<string>()
  let ofNewest: Array<string> = []
  let responseId: string | undefined
  let openAt = 0
  for (const [index, message] of messages.entries()) {
    if (!isResponse(message) || !isShown(message)) continue
    const { content, id } = message.message
    if (!content.some((block) => (isToolUse(block) ? !calls.has(block.id) : !isBlankText(block)))) continue
    if (id !== responseId) {
      responseId = id
      openAt = index
      ofNewest = []
    }
    for (const block of content) {
      if (!isToolUse(block) || calls.has(block.id)) continue
      calls.add(block.id)
      ofNewest.push(block.id)
    }
  }
  for (const callId of ofNewest) calls.delete(callId)
  return { openAt, calls }
}

/** The history of a whole list: its newest round is ready, the rounds before it wait until they are shown. */
export const historyOf = (messages: ReadonlyArray<Message>): ApiHistory => {
  const visible = messages.slice(messages.findLastIndex(isBoundary) + 1)
  const { openAt, calls } = outlineOf(visible)
  const before = visible.slice(0, openAt)
  let turns: ReadonlyArray<Turn> | undefined
  const earlier = (): ReadonlyArray<Turn> => (turns ??= turnsIn(before))
  return visible.slice(openAt).reduce(append, { ...emptyHistory, calls: idsOf(calls), earlier })
}

/** Neighbours of one role become one message; what is empty is left out. */
const join = (joined: Array<ApiMessage>, message: ApiMessage): void => {
  if (message.content.length === 0) return
  const before = joined.at(-1)
  if (before?.role !== message.role) joined.push(message)
  else joined[joined.length - 1] = { role: before.role, content: [...before.content, ...message.content] }
}

const turnsOf = (history: ApiHistory): ReadonlyArray<Turn> => [
  ...history.earlier(),
  ...toArray(history.closed),
  ...closeRound(history.open)
]

/** What a request shows of the conversation, part by part: the blocks of `renderMessages` and where each came from. */
export const renderedParts = (history: ApiHistory, options: RenderOptions): ReadonlyArray<Part> => {
  const turns = turnsOf(history)
  const promptAt = turns.findLastIndex((turn) => turn.human)
  return turns.flatMap((turn, index) => shownParts(turn, options, index > promptAt))
}

/** The messages of a request: roles alternate, the first and the last are the user's. */
export const renderMessages = (history: ApiHistory, options: RenderOptions): ReadonlyArray<ApiMessage> => {
  const turns = turnsOf(history)
  const promptAt = turns.findLastIndex((turn) => turn.human)
  const messages: Array<ApiMessage> = []
  for (const [index, turn] of turns.entries()) join(messages, renderTurn(turn, options, index > promptAt))
  if (messages[0]?.role === "assistant") messages.unshift({ role: "user", content: [text(TEXTS.noContent)] })
  if (messages.at(-1)?.role === "assistant") messages.push({ role: "user", content: [text(TEXTS.continueTurn)] })
  return messages
}

export const normalizeForApi = (messages: ReadonlyArray<Message>, options: RenderOptions): ReadonlyArray<ApiMessage> =>
  renderMessages(historyOf(messages), options)
