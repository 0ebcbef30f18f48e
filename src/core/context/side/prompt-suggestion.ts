import { findLastIndex, get, type Log } from "../../domain/append-list.ts"
import type { Message } from "../../domain/message.ts"
import { spokenText } from "../../session/speaker.ts"
import { isPrompt } from "./excerpt.ts"
import type { SideTask } from "./side-task.ts"

/** What the user may want to ask next, for whoever would type it anyway. */
const INSTRUCTION = `Stop here and look at it from the user's side. What will they most likely type next?
Answer with that prompt only, in their words and their language: 2 to 12 words, one line, no quotes, no formatting, no full stop.
It must follow from what was said: the next step of their plan, or what you have just offered. Never thank, praise, judge or
answer, never speak as the assistant. If nothing follows, answer with nothing. Do not call any tool.`

const OUTPUT_TOKENS = 60
const TIMEOUT_MS = 20_000
const LEAST_BUDGET = 0.1
const MOST_CHARS = 100
const MOST_WORDS = 12

/** Nothing that anybody would type: they end a conversation, judge it, or speak for the other side. */
const NO_PROMPTS: ReadonlyArray<RegExp> = [
  /^(?:done|nothing|none|no|n\/?a|silence|empty|stop|ok(?:ay)?|finished|complete)\b[.!]?$/i,
  /\b(?:thanks?|thank you|thx|bye|goodbye|see you|cheers)\b/i,
  /^(?:looks? good|nice|great|perfect|good job|well done|awesome|excellent|lgtm|that works)\b/i,
  /^(?:i'll|i will|i'm|i am going|i can|i've|let me|here(?:'s| is| are)|sure|certainly|of course|you (?:can|could|should))\b/i,
  /\b(?:api error|error:|exception|rate limit|overloaded|unauthorized)\b/i,
  /[`*_#>|[\]{}]|\n|^-\s|https?:/
]

const isOneSentence = (text: string): boolean => !/[.!?]\s+\S/.test(text)

const lastPrompt = (messages: Log<Message>): string => {
  const message = get(messages, findLastIndex(messages, isPrompt))
  return message === undefined || !isPrompt(message) ? "" : spokenText(message)
}

const asTyped = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/s, "$1")
    .trim()

/** The suggestion in an answer, if it is one. */
export const suggestionIn = (answer: string, prompt: string): string | undefined => {
  const text = asTyped(answer)
  const words = text.split(/\s+/).length
  if (text === "" || text.length >= MOST_CHARS || words > MOST_WORDS || !isOneSentence(text)) return undefined
  if (NO_PROMPTS.some((pattern) => pattern.test(text))) return undefined
  return text.toLowerCase() === prompt.trim().toLowerCase() ? undefined : text
}

const hasEarlierPrompt = (messages: Log<Message>): boolean => {
  const last = findLastIndex(messages, isPrompt)
  return last > 0 && findLastIndex({ ...messages, length: last }, isPrompt) >= 0
}

export const promptSuggestion: SideTask = {
  moments: ["turn-end"],
  order: ({ messages, ended, isPlanning, isCached, budgetLeft }) => {
    const isWanted = ended?.isAnswered === true && !isPlanning && isCached && budgetLeft >= LEAST_BUDGET
    if (!isWanted || !hasEarlierPrompt(messages)) return undefined
    return {
      sight: { _tag: "Fork", instruction: INSTRUCTION },
      maxOutputTokens: OUTPUT_TOKENS,
      timeoutMs: TIMEOUT_MS
    }
  },
  read: ({ text }, { messages }) => {
    const suggestion = suggestionIn(text, lastPrompt(messages))
    return suggestion === undefined ? undefined : { _tag: "Suggested", text: suggestion }
  },
  overlap: "replace"
}
