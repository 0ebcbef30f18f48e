import { isThinking, isText, type ContentBlock } from "../../domain/block.ts"
import { partUuid, type Uuid } from "../../domain/id.ts"
import { SYNTHETIC_MODEL, type AssistantMessage, type Message, type UserMessage } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"
import { zeroUsage } from "../../domain/usage.ts"
import { awaitsAnswer, endingOf, isContinueRequest, type Interruption } from "./interruption.ts"
import { CLEANING_PART, pairCalls } from "./pairing.ts"

/**
 * Makes a loaded conversation fit to be continued: what could not be sent is left out, what is missing is filled in,
 * nothing kept changes its place. The file is not touched, and ids of filled-in messages are derived, so cleaning the
 * result again changes nothing.
 */
export interface Cleaned {
  readonly messages: ReadonlyArray<Message>
  readonly interruption: Interruption
  /** The API's error stood where the answer should be. It is not kept, but it was an end that the user has seen. */
  readonly endedInError: boolean
}

/** Names that attachments had in older transcripts. */
const FORMER_ATTACHMENTS: ReadonlyMap<string, string> = new Map([
  ["new_file", "file"],
  ["new_directory", "directory"]
])

const withCurrentAttachment = (message: Message): Message => {
  const type = message.type === "attachment" ? FORMER_ATTACHMENTS.get(message.attachment.type) : undefined
  return message.type !== "attachment" || type === undefined
    ? message
    : { ...message, attachment: { ...message.attachment, type } }
}

const isApiError = (message: Message): boolean => message.type === "assistant" && message.isApiErrorMessage === true

const isBlank = (block: ContentBlock): boolean => isText(block) && block.text.trim() === ""
const hasSubstance = (message: AssistantMessage): boolean =>
  message.message.content.some((block) => !isThinking(block) && !isBlank(block))

/** Thinking needs words or calls of the same response beside it; blank text is never worth keeping. */
const dropHollow = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  if (messages.every((message) => message.type !== "assistant" || hasSubstance(message))) return messages
  const substantial = new Set(
    messages.flatMap((message) => (message.type === "assistant" && hasSubstance(message) ? message.message.id : []))
  )
  return messages.filter((message) => {
    if (message.type !== "assistant" || hasSubstance(message)) return true
    return substantial.has(message.message.id) && message.message.content.some(isThinking)
  })
}

const continueRequest = (last: Message): UserMessage => ({
  type: "user",
  uuid: partUuid(last.uuid, CLEANING_PART - 1),
  timestamp: last.timestamp,
  message: { role: "user", content: TEXTS.continueTurn },
  isMeta: true
})

export const clean = (loaded: ReadonlyArray<Message>): Cleaned => {
  const isOld = (message: Message): boolean => isApiError(message) || withCurrentAttachment(message) !== message
  const current = loaded.some(isOld) ? loaded.map(withCurrentAttachment).filter((message) => !isApiError(message)) : loaded
  const messages = dropHollow(pairCalls(current))
  const { interruption, asked } = endingOf(messages)
  const endedInError = endsInError(loaded)
  const last = messages.at(-1)
  return interruption === "interrupted_turn" && !asked && last !== undefined
    ? { messages: [...messages, continueRequest(last)], interruption, endedInError }
    : { messages, interruption, endedInError }
}

const endsInError = (loaded: ReadonlyArray<Message>): boolean => {
  const last = loaded.findLast((message) => message.type === "user" || message.type === "assistant")
  return last !== undefined && isApiError(last)
}

const silence = ({ uuid, timestamp }: Fresh): AssistantMessage => ({
  type: "assistant",
  uuid,
  timestamp,
  message: {
    id: uuid,
    type: "message",
    role: "assistant",
    model: SYNTHETIC_MODEL,
    content: [{ type: "text", text: TEXTS.noResponse }],
    stop_reason: "stop_sequence",
    stop_sequence: "",
    usage: zeroUsage
  }
})

const withoutContinueRequest = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const last = messages.at(-1)
  return last !== undefined && isContinueRequest(last) ? messages.slice(0, -1) : messages
}

interface Fresh {
  readonly uuid: Uuid
  readonly timestamp: string
}

/**
 * The conversation as it stands before a new prompt. An answer that never came is written out as silence, so that the
 * model does not take both messages for one. After an error of the API they do become one: the user asks on.
 */
export const beforePrompt = (
  { messages, endedInError }: Pick<Cleaned, "messages" | "endedInError">,
  fresh: Fresh
): ReadonlyArray<Message> => {
  if (endedInError) return withoutContinueRequest(messages)
  return awaitsAnswer(messages) ? [...messages, silence(fresh)] : messages
}
