import type { UserMessage } from "../../domain/message.ts"
import type { RoundGroup } from "./keep.ts"
import { estimateMessages } from "../../model/tokens/estimate.ts"

/**
 * A conversation may be too long even to be summarised. Then its oldest rounds are left out of the request for the
 * summary, whole ones only, so that no call is parted from its result, and never all of them.
 */

/** Estimates err; where something must go anyway, enough goes that the rest fits for certain. */
const MARGIN = 0.75

/** How many of the oldest rounds must go for the rest to fit: none if all fit. Looks no further back than the room. */
export const roundsBeyond = (rounds: ReadonlyArray<RoundGroup>, roomTokens: number): number => {
  let tokens = 0
  let firstWithMargin = rounds.length - 1
  for (let index = rounds.length - 1; index >= 0; index--) {
    tokens += estimateMessages(rounds[index] ?? [])
    if (tokens > roomTokens) return Math.max(0, firstWithMargin)
    if (tokens <= roomTokens * MARGIN) firstWithMargin = index
  }
  return 0
}

const UNKNOWN_SHARE = 0.2

/**
 * How many more of these rounds to leave out after the endpoint found them too long: as many as make up for what was
 * too much, or a fifth where that is not known. Undefined when nothing can go.
 */
export const roundsToDrop = (rounds: ReadonlyArray<RoundGroup>, overTokens: number | undefined): number | undefined => {
  if (rounds.length < 2) return undefined
  if (overTokens === undefined) return Math.max(1, Math.floor(rounds.length * UNKNOWN_SHARE))
  let freed = 0
  const last = rounds.findIndex((round) => (freed += estimateMessages(round)) >= overTokens)
  return last < 0 ? rounds.length - 1 : Math.min(last + 1, rounds.length - 1)
}

/** Stands where the rounds stood that were left out. */
export const leftOutNote = (count: number): UserMessage => ({
  type: "user",
  uuid: "",
  timestamp: "",
  isMeta: true,
  message: {
    role: "user",
    content: `[Rounds of this conversation that did not fit and are left out here, before its rest: ${count}]`
  }
})
