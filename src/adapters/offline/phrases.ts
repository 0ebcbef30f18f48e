/** The phrase rules: from a sentence to a plan. English, case-insensitive, polite words are skipped. */
import type { Turn } from "./conversation.ts"
import type { Step } from "./entry.ts"
import { list, read, remember, replace, search, write } from "./phrase-files.ts"
import { ask, delegate, fetchPage, plan, run, searchWeb, skill, track } from "./phrase-work.ts"
import { afterSuccess } from "./steps.ts"

export interface OfflineRequest {
  /** The sentence without polite words before it; ends as it was written. */
  readonly text: string
  /** The same without polite words and punctuation after it. */
  readonly core: string
  readonly turn: Turn
}

/** A rule answers with the steps of the plan, or undefined when the sentence is none of its own. */
export type Rule = (said: OfflineRequest) => ReadonlyArray<Step> | undefined

/** Special sentences stand before the general ones that would also match them. */
const RULES: ReadonlyArray<Rule> = [
  remember,
  ask,
  delegate,
  skill,
  fetchPage,
  searchWeb,
  replace,
  write,
  run,
  track,
  plan,
  read,
  list,
  search
]

const COURTESIES = [
  "please|pls|kindly|hey|hi|hello|ok|okay|now|nacre",
  String.raw`(?:can|could|would|will)\s+you`,
  String.raw`i(?:'d|\s+would)?\s+(?:want|like)\s+you\s+to`,
  "let'?s|go ahead and"
]
const POLITE = new RegExp(String.raw`^(?:${COURTESIES.join("|")})\b[,:!]?\s+`, "i")
const THANKS = /[\s,]+(?:please|thanks|thank you)[.!]*$/i
const FULL_STOP = /(?<=[\w`"')*\]}])[.!?]+$/

const withoutCourtesy = (text: string): string => {
  const shorter = text.replace(POLITE, "")
  return shorter === text ? text : withoutCourtesy(shorter)
}

const said = (sentence: string, turn: Turn): OfflineRequest => {
  const text = withoutCourtesy(sentence.trim())
  return { text, core: text.replace(THANKS, "").replace(FULL_STOP, "").trim(), turn }
}

const understand = (sentence: string, turn: Turn): ReadonlyArray<Step> | undefined => {
  const one = said(sentence, turn)
  for (const rule of RULES) {
    const steps = rule(one)
    if (steps !== undefined) return steps
  }
  return undefined
}

/** `A then B`, but not inside quotes. */
const THEN = /(`[^`]*`|"[^"]*")|(?:\s*[,.;])?\s+(?:and\s+)?then\s+/gi

const sequence = (prompt: string): ReadonlyArray<string> => {
  const parts: Array<string> = []
  let from = 0
  for (const match of prompt.matchAll(THEN)) {
    if (match[1] !== undefined) continue
    parts.push(prompt.slice(from, match.index))
    from = match.index + match[0].length
  }
  return [...parts, prompt.slice(from)]
}

/** No sentence is that long; matching stays quick whatever is pasted. */
const SENTENCE_CHARS = 20_000

/** The steps of a prompt: of its parts when each of them is understood, else of the whole. */
export const phraseSteps = (turn: Turn): ReadonlyArray<Step> | undefined => {
  if (turn.prompt.length > SENTENCE_CHARS) return undefined
  const parts = sequence(turn.prompt)
  const understood = parts.map((part) => understand(part, turn))
  if (parts.length === 1 || understood.some((steps) => steps === undefined)) return understand(turn.prompt, turn)
  return understood.flatMap((steps = [], part) =>
    steps.map((step, index) => (part > 0 && index === 0 ? afterSuccess(step) : step))
  )
}
