/** Which words of two versions of a line differ. */
import { diffWordsWithSpace } from "diff"

export interface Changed {
  readonly start: number
  readonly end: number
}

export interface WordMarks {
  readonly removed: ReadonlyArray<Changed>
  readonly added: ReadonlyArray<Changed>
}

const MOST_CHANGED = 0.6
/** Longer lines are data, not code. */
const LONGEST = 1_000

/** Absent when so much changed that marks would only be noise. */
export const wordMarks = (before: string, after: string): WordMarks | undefined => {
  if (before.length > LONGEST || after.length > LONGEST) return undefined
  const removed: Array<Changed> = []
  const added: Array<Changed> = []
  let left = 0
  let right = 0
  let changed = 0
  for (const part of diffWordsWithSpace(before, after)) {
    const { length } = part.value
    if (part.removed) removed.push({ start: left, end: left + length })
    if (part.added) added.push({ start: right, end: right + length })
    if (part.removed || part.added) changed += length
    if (!part.added) left += length
    if (!part.removed) right += length
  }
  const total = before.length + after.length
  return total === 0 || changed / total >= MOST_CHANGED ? undefined : { removed, added }
}

/** Lines that were changed into each other: the runs of removed and added lines, in pairs. */
export const pairsIn = (lines: ReadonlyArray<string>): ReadonlyMap<number, number> => {
  const pairs = new Map<number, number>()
  let at = 0
  while (at < lines.length) {
    const removedFrom = at
    while (lines[at]?.startsWith("-") === true) at++
    const removedTo = at
    if (lines[at]?.startsWith("\\") === true) at++
    const addedFrom = at
    while (lines[at]?.startsWith("+") === true) at++
    const count = Math.min(removedTo - removedFrom, at - addedFrom)
    for (let pair = 0; pair < count; pair++) {
      pairs.set(removedFrom + pair, addedFrom + pair)
      pairs.set(addedFrom + pair, removedFrom + pair)
    }
    if (at === removedFrom) at++
  }
  return pairs
}
