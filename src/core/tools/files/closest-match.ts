import { similarity } from "../../domain/text/similarity.ts"

/** Where a text that does not occur in a file was probably meant: a hint for the next attempt, never a match. */
export interface ClosestRange {
  readonly firstLine: number
  readonly lastLine: number
  readonly score: number
}

const HIGH = 0.8
const MAX_LINES = 20_000
const MAX_SOUGHT_LINES = 200
const CANDIDATES = 20

const collapse = (line: string): string => line.trim().replace(/\s+/g, " ")

/** Starts of windows, the ones with most lines in common (blanks aside) first. */
const votedStarts = (lines: ReadonlyArray<string>, sought: ReadonlyArray<string>): ReadonlyArray<number> => {
  const places = new Map<string, Array<number>>()
  for (const [index, line] of lines.entries()) {
    const known = places.get(line)
    if (known === undefined) places.set(line, [index])
    else known.push(index)
  }
  const votes = new Map<number, number>()
  for (const [offset, line] of sought.entries()) {
    if (line === "") continue
    for (const index of (places.get(line) ?? []).slice(0, CANDIDATES)) {
      votes.set(index - offset, (votes.get(index - offset) ?? 0) + 1)
    }
  }
  return [...votes.entries()]
    .filter(([start]) => start >= 0)
    .sort((left, right) => right[1] - left[1] || left[0] - right[0])
    .slice(0, CANDIDATES)
    .map(([start]) => start)
}

const likestLine = (lines: ReadonlyArray<string>, wanted: string): number => {
  let best = { start: -1, score: 0 }
  for (const [start, line] of lines.entries()) {
    const score = line.length > wanted.length * 2 + 8 ? 0 : similarity(line, wanted)
    if (score > best.score) best = { start, score }
  }
  return best.start
}

const windowScore = (lines: ReadonlyArray<string>, sought: ReadonlyArray<string>, start: number): number => {
  let weight = 0
  let sum = 0
  for (const [offset, wanted] of sought.entries()) {
    const size = wanted.length + 1
    weight += size
    sum += size * similarity(lines[start + offset] ?? "", wanted)
  }
  return weight === 0 ? 0 : sum / weight
}

/** The line range that looks most like `sought`, if it does so clearly. Both have LF line ends. */
export const closestRange = (text: string, sought: string): ClosestRange | undefined => {
  const lines = text.split("\n").map(collapse)
  const wanted = sought.replace(/\n$/, "").split("\n").map(collapse)
  if (lines.length > MAX_LINES || wanted.length > MAX_SOUGHT_LINES) return undefined
  const longest = wanted.reduce((best, line, index) => (line.length > (wanted[best]?.length ?? 0) ? index : best), 0)
  const likest = likestLine(lines, wanted[longest] ?? "")
  const starts = [...votedStarts(lines, wanted), ...(likest >= longest ? [likest - longest] : [])]
  let best: ClosestRange | undefined
  for (const start of starts) {
    const score = windowScore(lines, wanted, start)
    if (score >= HIGH && score > (best?.score ?? 0)) {
      best = { firstLine: start + 1, lastLine: Math.min(lines.length, start + wanted.length), score }
    }
  }
  return best
}
