import { isToolResult, isToolUse, type ContentBlock, type ToolResultBlock } from "../../domain/block.ts"
import { partUuid, type CallId } from "../../domain/id.ts"
import { blocksOf, type AssistantMessage, type Message, type UserMessage } from "../../domain/message.ts"
import { TEXTS } from "../../domain/program-texts.ts"

/**
 * Every call gets exactly one answer, and every answer has its call. An answer counts only until the model spoke
 * again: later ones could not be sent beside their call.
 */

/** Parts from here on are made by cleaning; blocks of a split message are numbered from zero and stay far below. */
export const CLEANING_PART = 0xf000_0000_0000

interface Calls {
  /** Which response made a call; responses are numbered by change of `message.id`. */
  readonly responseOf: ReadonlyMap<CallId, number>
  /** Number of the response that is current at each message. */
  readonly current: ReadonlyArray<number>
}

const callsIn = (messages: ReadonlyArray<Message>): Calls => {
  const responseOf = new Map<CallId, number>()
  const current: Array<number> = []
  let response = -1
  let id: string | null = null
  for (const message of messages) {
    if (message.type === "assistant") {
      if (message.message.id !== id) response++
      id = message.message.id
      for (const block of message.message.content.filter(isToolUse)) {
        if (!responseOf.has(block.id)) responseOf.set(block.id, response)
      }
    }
    current.push(response)
  }
  return { responseOf, current }
}

const NONE: ReadonlyArray<CallId> = []

const answersOf = (message: Message): ReadonlyArray<CallId> =>
  message.type !== "user" || typeof message.message.content === "string"
    ? NONE
    : message.message.content.filter(isToolResult).map((block) => block.tool_use_id)

/** Whether there is nothing to repair, as there is nearly always. */
const arePaired = (messages: ReadonlyArray<Message>): boolean => {
  const used = new Set<CallId>()
  const open = new Set<CallId>()
  let id: string | null = null
  for (const message of messages) {
    if (message.type === "assistant") {
      if (message.message.id !== id && open.size > 0) return false
      id = message.message.id
      for (const block of message.message.content) {
        if (!isToolUse(block)) continue
        if (used.has(block.id)) return false
        used.add(block.id)
        open.add(block.id)
      }
    }
    if (!answersOf(message).every((callId) => open.delete(callId))) return false
  }
  return open.size === 0
}

const withContent = (message: AssistantMessage, content: ReadonlyArray<ContentBlock>): AssistantMessage => ({
  ...message,
  message: { ...message.message, content }
})

/** A call id that was used before is not a call: the first one has the answer. */
const withoutRepeatedCalls = (message: AssistantMessage, seen: Set<CallId>): AssistantMessage => {
  const content = message.message.content.filter((block) => {
    if (!isToolUse(block)) return true
    if (seen.has(block.id)) return false
    seen.add(block.id)
    return true
  })
  return content.length === message.message.content.length ? message : withContent(message, content)
}

const withoutStrayResults = (message: UserMessage, belongs: (block: ToolResultBlock) => boolean): UserMessage | null => {
  const blocks = blocksOf(message.message.content)
  if (!blocks.some(isToolResult)) return message
  const content = blocks.filter((block) => !isToolResult(block) || belongs(block))
  if (content.length === blocks.length) return message
  return content.length === 0 ? null : { ...message, message: { role: "user", content } }
}

const dropUnpaired = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const { responseOf, current } = callsIn(messages)
  const seen = new Set<CallId>()
  const answered = new Set<CallId>()
  return messages.flatMap((message, index): ReadonlyArray<Message> => {
    if (message.type === "assistant") return [withoutRepeatedCalls(message, seen)]
    if (message.type !== "user") return [message]
    const kept = withoutStrayResults(message, ({ tool_use_id: id }) => {
      if (answered.has(id) || !seen.has(id) || responseOf.get(id) !== current[index]) return false
      answered.add(id)
      return true
    })
    return kept === null ? [] : [kept]
  })
}

const endedResult = (caller: AssistantMessage, callId: CallId, index: number): UserMessage => ({
  type: "user",
  uuid: partUuid(caller.uuid, CLEANING_PART + index),
  timestamp: caller.timestamp,
  message: {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: callId, content: TEXTS.sessionEndedResult, is_error: true }]
  },
  sourceToolAssistantUUID: caller.uuid
})

/** Results for calls that have none, put behind the response's last fragment or result. */
const settleOpenCalls = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> => {
  const answered = new Set(messages.flatMap(answersOf))
  const { current } = callsIn(messages)
  const missing = new Map<number, Array<UserMessage>>()
  const lastOf = new Map<number, number>()
  messages.forEach((message, index) => {
    const response = current[index] ?? -1
    if (message.type === "assistant" || answersOf(message).length > 0) lastOf.set(response, index)
    if (message.type !== "assistant") return
    const open = message.message.content.filter(isToolUse).filter((block) => !answered.has(block.id))
    const results = open.map((block, part) => endedResult(message, block.id, part))
    missing.set(response, [...(missing.get(response) ?? []), ...results])
  })
  return messages.flatMap((message, index) => {
    const response = current[index] ?? -1
    return lastOf.get(response) === index ? [message, ...(missing.get(response) ?? [])] : [message]
  })
}

export const pairCalls = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  arePaired(messages) ? messages : settleOpenCalls(dropUnpaired(messages))
