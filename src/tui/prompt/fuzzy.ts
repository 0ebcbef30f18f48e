/** How well a short query fits a text: its characters occur in order, better close together and at word starts. */

const AT_START = 8
const AT_WORD = 6
const IN_A_ROW = 4
const PER_GAP = 1
const MOST_GAP = 3

export interface Match {
  readonly score: number
  /** UTF-16 offsets of the characters that fitted, for showing them. */
  readonly at: ReadonlyArray<number>
}

const isWordStart = (text: string, at: number): boolean => {
  if (at === 0) return true
  const before = text.charAt(at - 1)
  const isHump = /\p{Lu}/u.test(text.charAt(at)) && /\p{Ll}/u.test(before)
  return isHump || !/[\p{L}\p{N}]/u.test(before)
}

const scoreOf = (text: string, at: ReadonlyArray<number>): number =>
  at.reduce((sum, place, index) => {
    const previous = at[index - 1]
    const gap = previous === undefined ? place : place - previous - 1
    const bonus = place === 0 ? AT_START : isWordStart(text, place) ? AT_WORD : gap === 0 ? IN_A_ROW : 1
    return sum + bonus - PER_GAP * Math.min(gap, MOST_GAP)
  }, 0)

const fitFrom = (text: string, query: string, start: number): ReadonlyArray<number> | undefined => {
  const at: Array<number> = []
  let from = start
  for (const character of query) {
    const found = text.indexOf(character, from)
    if (found < 0) return undefined
    at.push(found)
    from = found + character.length
  }
  return at
}

/** Undefined when the query does not fit. Case counts only as far as the query has capitals. */
export const fuzzyMatch = (query: string, text: string): Match | undefined => {
  if (query === "") return { score: 0, at: [] }
  const plain = query === query.toLowerCase() && text.toLowerCase().length === text.length ? text.toLowerCase() : text
  let best: Match | undefined
  for (let start = plain.indexOf(query.charAt(0)); start >= 0; start = plain.indexOf(query.charAt(0), start + 1)) {
    const at = fitFrom(plain, query, start)
    if (at === undefined) break
    const score = scoreOf(text, at)
    if (best === undefined || score > best.score) best = { score, at }
  }
  return best
}
