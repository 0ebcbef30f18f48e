import { LIMITS } from "../../domain/limits.ts"
import type { Entry } from "./transcript-index.ts"

/**
 * A conversation that was never compacted can be longer than any model takes. What lies further back than that can only
 * be summarised away, and not even the summary can be asked for with it, so it is not taken into memory.
 */

/** Over a whole conversation no text takes fewer tokens than one for so many characters. */
export const MOST_CHARS_PER_TOKEN = 8

/** Boundary and summary stand for everything before them and are never left behind. */
const headLength = (lines: ReadonlyArray<Entry>): number => {
  const [first] = lines
  if (first === undefined || first.links.boundary === null) return 0
  const summary = lines.findIndex((entry) => entry.links.isSummary)
  return summary < 0 ? 1 : summary + 1
}

/** Index of the oldest line that can still be sent, counted from the newest. */
const oldestWithin = (lines: ReadonlyArray<Entry>, head: number, windowTokens: number): number => {
  let text = windowTokens * MOST_CHARS_PER_TOKEN
  let body: number = LIMITS.requestBodyBytes
  for (let index = lines.length - 1; index >= head; index--) {
    const { textChars, mediaChars } = lines[index] ?? { textChars: 0, mediaChars: 0 }
    text -= textChars
    body -= textChars + mediaChars
    if (text < 0 || body < 0) return index + 1
  }
  return head
}

/** A response begins here: between it and the line before, no call is parted from its result. */
const opensRound = (lines: ReadonlyArray<Entry>, index: number): boolean => {
  const line = lines[index]
  return line !== undefined && line.links.messageId !== null && line.response !== lines[index - 1]?.response
}

/** A conversation's path without the rounds that no request can hold, and these. */
export const splitAtReach = (path: ReadonlyArray<Entry>, windowTokens: number) => {
  const head = headLength(path)
  let from = oldestWithin(path, head, windowTokens)
  while (from > head && from < path.length && !opensRound(path, from)) from++
  if (from === head || from === path.length) return { lines: path, beyond: [] }
  return { lines: [...path.slice(0, head), ...path.slice(from)], beyond: path.slice(head, from) }
}
