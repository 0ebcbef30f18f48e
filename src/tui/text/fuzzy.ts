/**
 * Finds what somebody means by a few letters: they must occur in order. Beginnings of names and words, letters in a
 * row, and short candidates come first. Made for tens of thousands of paths at every key press.
 */
export interface FuzzyMatch {
  readonly score: number
  /** Offsets of the matched letters in the candidate. */
  readonly positions: ReadonlyArray<number>
}

export interface Ranked<A> extends FuzzyMatch {
  readonly item: A
}

const EXACT = 200
const PREFIX = 60
const BASE_NAME = 40
const IN_ONE = 20
const WORD_START = 16
const CONSECUTIVE = 14
const SAME_CASE = 1
const GAP = -1
const MOST_GAP = -12

const SLASH = 47

const isLower = (code: number): boolean => code >= 97 && code <= 122
const isUpper = (code: number): boolean => code >= 65 && code <= 90
const isLetterOrDigit = (code: number): boolean => isLower(code) || isUpper(code) || (code >= 48 && code <= 57) || code > 127

/** Behind a separator, or a capital after a small letter. */
const startsWord = (text: string, at: number): boolean => {
  if (at === 0) return true
  const before = text.charCodeAt(at - 1)
  return !isLetterOrDigit(before) || (isLower(before) && isUpper(text.charCodeAt(at)))
}

/** The last place where the letters still fit in order, walking back from the end of the first fit. */
const tightest = (query: string, lower: string, from: number): ReadonlyArray<number> | undefined => {
  let at = from - 1
  for (let letter = 0; letter < query.length; letter++) {
    at = lower.indexOf(query[letter] ?? "", at + 1)
    if (at < 0) return undefined
  }
  const positions = Array.from({ length: query.length }, () => 0)
  for (let letter = query.length - 1, place = at; letter >= 0; letter--, place--) {
    place = lower.lastIndexOf(query[letter] ?? "", place)
    positions[letter] = place
  }
  return positions
}

const scoreOf = (candidate: string, positions: ReadonlyArray<number>, query: string): number => {
  let score = 0
  let previous = -1
  for (const [letter, at] of positions.entries()) {
    if (startsWord(candidate, at)) score += WORD_START
    if (letter > 0) score += at === previous + 1 ? CONSECUTIVE : Math.max(MOST_GAP, GAP * (at - previous - 1))
    if (candidate[at] === query[letter]) score += SAME_CASE
    previous = at
  }
  return score - candidate.length / 64
}

/** Letters at word starts first, as in `fb` for `FooBar`; absent when they do not all start words. */
const byWordStarts = (candidate: string, lower: string, query: string): ReadonlyArray<number> | undefined => {
  const positions: Array<number> = []
  for (let at = 0; at < candidate.length && positions.length < query.length; at++) {
    const next = positions.length
    if (lower[at] !== query[next]) continue
    if (startsWord(candidate, at) || positions[next - 1] === at - 1) positions.push(at)
  }
  return positions.length === query.length ? positions : undefined
}

interface Asked {
  readonly query: string
  readonly lower: string
}

const scoreIn = (candidate: string, lower: string, { query, lower: wanted }: Asked): FuzzyMatch | undefined => {
  const anywhere = tightest(wanted, lower, 0)
  if (anywhere === undefined) return undefined
  const base = lower.lastIndexOf("/", lower.charCodeAt(lower.length - 1) === SLASH ? lower.length - 2 : lower.length) + 1
  const inBase = base === 0 ? undefined : tightest(wanted, lower, base)
  const starts = byWordStarts(candidate, lower, wanted)
  const ways = [anywhere, inBase, starts].flatMap((positions) => {
    if (positions === undefined) return []
    const first = positions[0] ?? 0
    const whole = (positions.at(-1) ?? 0) - first === wanted.length - 1
    const bonus =
      (first >= base ? BASE_NAME : 0) +
      (whole && wanted.length > 2 ? IN_ONE : 0) +
      (whole && (first === 0 || first === base) ? PREFIX : 0) +
      (lower === wanted || (whole && first === base && base + wanted.length === lower.length) ? EXACT : 0)
    return [{ positions, score: scoreOf(candidate, positions, query) + bonus }]
  })
  return ways.reduce((best, way) => (way.score > best.score ? way : best))
}

/** Letters of another case count as the same; a lower-cased text of another length cannot be matched by place. */
const lowerOf = (text: string): string => {
  const lower = text.toLowerCase()
  return lower.length === text.length ? lower : text
}

const askedFor = (query: string): Asked => {
  const compact = query.replaceAll(/\s+/g, "")
  return { query: compact, lower: lowerOf(compact) }
}

/** How well the letters fit one candidate; absent when they do not occur in order. */
export const fuzzyMatch = (query: string, candidate: string): FuzzyMatch | undefined => {
  const asked = askedFor(query)
  if (asked.lower === "") return { score: 0, positions: [] }
  return scoreIn(candidate, lowerOf(candidate), asked)
}

/** Candidates prepared once, for lists that are asked again with every key. */
export interface FuzzyIndex<A> {
  readonly items: ReadonlyArray<A>
  readonly texts: ReadonlyArray<string>
  readonly lower: ReadonlyArray<string>
}

export const fuzzyIndex = <A>(items: ReadonlyArray<A>, textOf: (item: A) => string): FuzzyIndex<A> => {
  const texts = items.map(textOf)
  return { items, texts, lower: texts.map(lowerOf) }
}

/** The best candidates, best first; equals stay in their order. */
export const fuzzyRank = <A>(index: FuzzyIndex<A>, query: string, limit: number): ReadonlyArray<Ranked<A>> => {
  const asked = askedFor(query)
  const found: Array<Ranked<A>> = []
  for (const [place, item] of index.items.entries()) {
    if (asked.lower === "" && found.length >= limit) break
    const match =
      asked.lower === ""
        ? {
            score: 0,
            positions: []
          }
        : scoreIn(index.texts[place] ?? "", index.lower[place] ?? "", asked)
    if (match !== undefined) found.push({ ...match, item })
  }
  return found.sort((a, b) => b.score - a.score).slice(0, limit)
}
