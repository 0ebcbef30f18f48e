import { isPrompt } from "../../model/request/prompt-message.ts"
import type { Message } from "../../domain/message.ts"
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

export interface TailLimits {
  /** Rounds are kept until this much is reached. */
  readonly minTokens: number
  /** A tail above this is not kept. */
  readonly maxTokens: number
}

export const TAIL_LIMITS: TailLimits = { minTokens: 10_000, maxTokens: 40_000 }
export const NO_TAIL: TailLimits = { minTokens: 0, maxTokens: 0 }

export interface Cut {
  /** What the summary replaces. */
  readonly older: ReadonlyArray<Message>
  /** What stays word for word: the running turn's prompt and the newest rounds. */
  readonly kept: ReadonlyArray<Message>
}

/** Number of newest rounds to keep: at least one unless it alone is too large, more while they stay small. */
const roundsToKeep = (groups: ReadonlyArray<RoundGroup>, limits: TailLimits): number => {
  let tokens = 0
  let count = 0
  for (const group of groups.slice(1).toReversed()) {
    tokens += estimateMessages(group)
    if (tokens > limits.maxTokens || (count > 0 && tokens > limits.minTokens)) break
    count++
  }
  return count
}

/**
 * Splits the conversation for compaction. The prompt of the running turn is always kept: it may open the tail, lie in
 * it, or stand alone before it. Nothing is returned when there is no earlier response to summarise.
 */
export const cutForCompaction = (messages: ReadonlyArray<Message>, limits: TailLimits): Cut | undefined => {
  const groups = groupRounds(messages)
  const tail = groups.slice(groups.length - roundsToKeep(groups, limits)).flat()
  const promptAt = limits.maxTokens > 0 ? messages.findLastIndex(isPrompt) : -1
  const turnFits = promptAt >= 0 && estimateMessages(messages.slice(promptAt)) <= limits.maxTokens
  const cutAt = tail.length === 0 && turnFits ? promptAt : messages.length - tail.length
  const older = messages.slice(0, cutAt)
  if (!older.some((message) => message.type === "assistant")) return undefined
  const prompt = promptAt >= 0 && promptAt < cutAt ? messages.slice(promptAt, promptAt + 1) : []
  return { older, kept: [...prompt, ...messages.slice(cutAt)] }
}
