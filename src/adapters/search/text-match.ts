import { LIMITS } from "../../core/domain/limits.ts"
import type { GrepLine } from "../../core/tools/search/search-result.ts"
import { LONG_LINE } from "./long-line.ts"

/** Matches in one text, by lines. Line numbers count from 0 here. */
export interface LineRange {
  readonly first: number
  readonly last: number
}

export interface MatchPart {
  readonly line: number
  readonly text: string
}

export interface TextMatches {
  readonly lines: ReadonlyArray<string>
  /** Whether the last line has no line end. */
  readonly open: boolean
  readonly ranges: ReadonlyArray<LineRange>
  readonly parts: ReadonlyArray<MatchPart>
}

const splitLines = (text: string): Pick<TextMatches, "lines" | "open"> => {
  const lines = text.split("\n")
  const open = lines.at(-1) !== ""
  return { lines: open ? lines : lines.slice(0, -1), open }
}

export const matchLines = (text: string, pattern: RegExp): TextMatches => {
  const { lines, open } = splitLines(text)
  const ranges: Array<LineRange> = []
  const parts: Array<MatchPart> = []
  lines.forEach((line, index) => {
    const found = [...line.matchAll(pattern)]
    if (found.length > 0) ranges.push({ first: index, last: index })
    for (const match of found) parts.push({ line: index, text: match[0] })
  })
  return { lines, open, ranges, parts }
}

const lineStarts = (lines: ReadonlyArray<string>): ReadonlyArray<number> => {
  let start = 0
  return lines.map((line) => {
    const own = start
    start += line.length + 1
    return own
  })
}

const lineAt = (starts: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

/** Matches that may span lines: one range per match. */
export const matchAcross = (text: string, pattern: RegExp): TextMatches => {
  const { lines, open } = splitLines(text)
  const starts = lineStarts(lines)
  const ranges: Array<LineRange> = []
  const parts: Array<MatchPart> = []
  for (const match of text.matchAll(pattern)) {
    const [matched] = match
    if (match.index >= text.length) continue
    const first = lineAt(starts, match.index)
    ranges.push({ first, last: lineAt(starts, match.index + Math.max(0, matched.length - 1)) })
    const pieces = matched.replace(/\n$/, "").split("\n")
    if (matched !== "\n") pieces.forEach((piece, index) => parts.push({ line: first + index, text: piece }))
  }
  return { lines, open, ranges, parts }
}

const shown = (text: string, terminated: boolean): string =>
  Buffer.byteLength(text) + (terminated ? 1 : 0) > LIMITS.grepColumns ? LONG_LINE : text.replace(/\r$/, "")

export const matchingParts = (path: string, matches: TextMatches): ReadonlyArray<GrepLine> =>
  matches.parts.map((part) => ({ kind: "match", path, line: part.line + 1, text: shown(part.text, false) }))

/** The matching lines with their surroundings; a separator stands between groups that do not touch. */
export const matchingLines = (
  path: string,
  matches: TextMatches,
  around: { readonly before: number; readonly after: number }
): ReadonlyArray<GrepLine> => {
  const separated = around.before + around.after > 0
  const matched = new Set(matches.ranges.flatMap(({ first, last }) => span(first, last)))
  const listed = new Set(
    [...matched].flatMap((line) =>
      span(Math.max(0, line - around.before), Math.min(matches.lines.length - 1, line + around.after))
    )
  )
  const ordered = [...listed].sort((left, right) => left - right)
  return ordered.flatMap((line, index): ReadonlyArray<GrepLine> => {
    const text = shown(matches.lines[line] ?? "", !matches.open || line < matches.lines.length - 1)
    const entry: GrepLine = { kind: matched.has(line) ? "match" : "context", path, line: line + 1, text }
    const previous = ordered[index - 1]
    const gap = separated && previous !== undefined && previous < line - 1
    return gap ? [{ kind: "separator" }, entry] : [entry]
  })
}

const span = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)
