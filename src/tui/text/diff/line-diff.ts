/**
 * The changes between two long texts, fast rather than smallest: lines that are unique in both and stand in the same
 * order hold the texts together, and only what lies between two of them is compared line by line.
 */
import { diffArrays } from "diff"
import type { DiffHunk } from "./diff-source.ts"

interface Line {
  readonly sign: " " | "+" | "-"
  readonly text: string
}

type Lines = ReadonlyArray<string>
type Pair = readonly [before: number, after: number]

/** Beyond so many edits between two anchors everything goes and everything comes. */
const MOST_EDITS_IN_GAP = 100
const CONTEXT_LINES = 3

/** Each with its line feed, so that a missing one at the end counts. */
const linesOf = (text: string): Lines => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const placesOfUnique = (lines: Lines): ReadonlyMap<string, number> => {
  const places = new Map<string, number>()
  const seen = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (seen.has(line)) places.delete(line)
    else places.set(line, index)
    seen.add(line)
  }
  return places
}

/** The longest rising sequence of the places after, by the piles of patience. */
const longestRising = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Pair> => {
  const tops: Array<number> = []
  const previous: Array<number> = []
  for (const [index, [, after]] of pairs.entries()) {
    let low = 0
    let high = tops.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < after) low = middle + 1
      else high = middle
    }
    previous[index] = tops[low - 1] ?? -1
    tops[low] = index
  }
  const rising: Array<Pair> = []
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at]
    if (pair !== undefined) rising.push(pair)
  }
  return rising.toReversed()
}

const anchorsOf = (before: Lines, after: Lines): ReadonlyArray<Pair> => {
  const there = placesOfUnique(after)
  const pairs = [...placesOfUnique(before)].flatMap(([line, index]) => {
    const place = there.get(line)
    return place === undefined ? [] : [[index, place] as const]
  })
  return longestRising(pairs)
}

const signed = (sign: Line["sign"], lines: Lines): ReadonlyArray<Line> => lines.map((text) => ({ sign, text }))

const gapLines = (before: Lines, after: Lines): ReadonlyArray<Line> => {
  const changes =
    before.length === 0 || after.length === 0
      ? undefined
      : diffArrays([...before], [...after], { maxEditLength: MOST_EDITS_IN_GAP })
  if (changes === undefined) return [...signed("-", before), ...signed("+", after)]
  return changes.flatMap(({ added, removed, value }) => signed(added ? "+" : removed ? "-" : " ", value))
}

const allLines = (before: Lines, after: Lines): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  let [from, to] = [0, 0]
  for (const [left, right] of [...anchorsOf(before, after), [before.length, after.length] as const]) {
    for (const line of gapLines(before.slice(from, left), after.slice(to, right))) lines.push(line)
    if (left < before.length) lines.push({ sign: " ", text: before[left] ?? "" })
    from = left + 1
    to = right + 1
  }
  return lines
}

const drawnLine = ({ sign, text }: Line): ReadonlyArray<string> =>
  text.endsWith("\n") ? [`${sign}${text.slice(0, -1)}`] : [`${sign}${text}`, "\\ No newline at end of file"]

/** Stretches of changes with the lines around them; those that nearly touch are one. */
const stretchesOf = (lines: ReadonlyArray<Line>): ReadonlyArray<readonly [start: number, end: number]> => {
  const stretches: Array<[number, number]> = []
  for (const [index, { sign }] of lines.entries()) {
    if (sign === " ") continue
    const last = stretches.at(-1)
    const start = Math.max(0, index - CONTEXT_LINES)
    const end = Math.min(lines.length, index + CONTEXT_LINES + 1)
    if (last !== undefined && start <= last[1]) last[1] = end
    else stretches.push([start, end])
  }
  return stretches
}

/** The hunks between two texts. */
export const hunksBetween = (oldText: string, newText: string): ReadonlyArray<DiffHunk> => {
  const lines = allLines(linesOf(oldText), linesOf(newText))
  const hunks: Array<DiffHunk> = []
  let [at, before, after] = [0, 1, 1]
  const pass = (end: number): void => {
    for (; at < end; at++) {
      if (lines[at]?.sign !== "+") before += 1
      if (lines[at]?.sign !== "-") after += 1
    }
  }
  for (const [start, end] of stretchesOf(lines)) {
    pass(start)
    const [oldStart, newStart] = [before, after]
    pass(end)
    const shown = lines.slice(start, end).flatMap(drawnLine)
    hunks.push({ oldStart, oldLines: before - oldStart, newStart, newLines: after - newStart, lines: shown })
  }
  return hunks
}
