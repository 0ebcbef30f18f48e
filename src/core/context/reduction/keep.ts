import { isToolResult, isToolUse } from "../../domain/block.ts"
import type { CallId, Uuid } from "../../domain/id.ts"
import { blocksOf, type Message } from "../../domain/message.ts"
import { isPrompt } from "../../model/request/prompt-message.ts"
import { estimateMessages } from "../../model/tokens/estimate.ts"

/**
 * Where a conversation may be cut. A round is one response with its results and whatever the user's side said up to the
 * next response; between rounds no call is parted from its result.
 */
export type RoundGroup = ReadonlyArray<Message>

/** Joined again, the groups are the messages; only the first one can begin with something else than a response. */
export const groupRounds = (messages: ReadonlyArray<Message>): ReadonlyArray<RoundGroup> => {
  const groups: Array<Array<Message>> = []
  let current: Array<Message> = []
  let response: string | undefined
  for (const message of messages) {
    const opens = message.type === "assistant" && message.message.id !== response
    if (opens && current.length > 0) {
      groups.push(current)
      current = []
    }
    if (message.type === "assistant") response = message.message.id
    current.push(message)
  }
  return current.length === 0 ? groups : [...groups, current]
}

/** What must stay word for word, wherever it stands. */
export interface Wanted {
  /** The prompt that is being answered, if one is. */
  readonly promptUuid: Uuid | undefined
  readonly pins: ReadonlySet<Uuid>
}

export interface Cut {
  /** The conversation up to the end of what a summary stands for, with what of it stays; a request's own beginning. */
  readonly read: ReadonlyArray<Message>
  /** What goes. */
  readonly older: ReadonlyArray<Message>
  /** What stays word for word, in its order. */
  readonly kept: ReadonlyArray<Message>
}

/** The calls that a message makes or answers. */
export const callsIn = (message: Message): ReadonlyArray<CallId> => {
  if (message.type === "assistant") {
    return message.message.content.flatMap((block) => (isToolUse(block) ? [block.id] : []))
  }
  if (message.type !== "user") return []
  return blocksOf(message.message.content).flatMap((block) => (isToolResult(block) ? [block.tool_use_id] : []))
}

/** With a call its result stays, and with a result its call: nobody takes one without the other. */
export const withOtherHalves = (messages: ReadonlyArray<Message>, wanted: ReadonlySet<Uuid>): ReadonlySet<Uuid> => {
  const found = new Set(wanted)
  const calls = new Set<CallId>()
  for (let before = -1; before !== found.size;) {
    before = found.size
    for (const message of messages) if (found.has(message.uuid)) for (const call of callsIn(message)) calls.add(call)
    if (calls.size === 0) break
    for (const message of messages) if (callsIn(message).some((call) => calls.has(call))) found.add(message.uuid)
  }
  return found
}

/** Words that the user sent while the prompt was being answered, and that joined its turn. */
const joinedTurn = (message: Message): boolean =>
  message.type === "attachment" &&
  message.attachment.type === "queued_command" &&
  message.attachment["commandMode"] === "prompt"

/** Everything that stays although it stands before the cut. */
const stays = (messages: ReadonlyArray<Message>, { promptUuid, pins }: Wanted): ReadonlySet<Uuid> => {
  const promptAt = promptUuid === undefined ? -1 : messages.findIndex(({ uuid }) => uuid === promptUuid)
  const spoken = promptAt < 0 ? [] : messages.slice(promptAt).filter((one, index) => index === 0 || joinedTurn(one))
  return withOtherHalves(messages, new Set([...pins, ...spoken.map(({ uuid }) => uuid)]))
}

/** Splits the conversation at a place between two rounds. */
export const cutAt = (messages: ReadonlyArray<Message>, place: number, wanted: Wanted): Cut => {
  const read = messages.slice(0, place)
  const staying = stays(messages, wanted)
  const isKept = ({ uuid }: Message): boolean => staying.has(uuid)
  return {
    read,
    older: read.filter((message) => !isKept(message)),
    kept: [...read.filter(isKept), ...messages.slice(place)]
  }
}

/** Where the newest response begins. Up to here an earlier request has sent everything already. */
export const newestRoundAt = (messages: ReadonlyArray<Message>): number => {
  const newest = messages.findLast((message) => message.type === "assistant")
  if (newest?.type !== "assistant") return messages.length
  return messages.findIndex((message) => message.type === "assistant" && message.message.id === newest.message.id)
}

/** The newest round stays, unless with the rest that stays it would take more than this. */
export const cutBeforeNewest = (messages: ReadonlyArray<Message>, wanted: Wanted, roomTokens: number): Cut => {
  const cut = cutAt(messages, newestRoundAt(messages), wanted)
  return estimateMessages(cut.kept) <= roomTokens ? cut : cutAt(messages, endOf(messages, wanted), wanted)
}

/** A prompt that nothing answers yet is the end of the request; what came after it stays with it. */
const endOf = (messages: ReadonlyArray<Message>, { promptUuid }: Wanted): number => {
  const promptAt = messages.findIndex(({ uuid }) => uuid === promptUuid)
  return promptAt >= newestRoundAt(messages) ? promptAt : messages.length
}

/** Everything may go but what must stay. */
export const cutAtEnd = (messages: ReadonlyArray<Message>, wanted: Wanted): Cut =>
  cutAt(messages, endOf(messages, wanted), wanted)

const saysSomething = (message: Message): boolean => message.type === "assistant" || isPrompt(message)

/** Something was said in what goes: more than an earlier summary and notes of ours. */
export const hasWords = ({ older }: Cut): boolean => older.some(saysSomething)

/** An earlier exchange goes, not only words that nothing answered. */
export const hasExchange = ({ older }: Cut): boolean => older.some((message) => message.type === "assistant")
