import { bodyToText, type Encoding } from "../../domain/text/encoding.ts"
import { toLf } from "../../domain/text/line-ending.ts"
import { linesOfSpans, type Span } from "./replace.ts"

/**
 * The surroundings of changes, before and after. Diffs and snippets are made from these, so that their cost depends on
 * the size of the changes and not on the size of the file.
 */
export interface ChangeWindow {
  readonly oldStartLine: number
  readonly oldText: string
  readonly newStartLine: number
  readonly newText: string
}

export interface ReplacedBody {
  readonly before: Uint8Array
  readonly after: Uint8Array
  readonly spans: ReadonlyArray<Span>
  readonly replacement: Uint8Array
  readonly encoding: Encoding
}

const LF = 0x0a

/** Start of the line `lines` above the one that holds `at`. */
const backLines = (body: Uint8Array, at: number, lines: number): number => {
  let start = at
  for (let count = 0; count <= lines; count++) {
    if (start === 0) return 0
    start = body.lastIndexOf(LF, start - 1)
    if (start === -1) return 0
  }
  return start + 1
}

/** End (after its line feed) of the line `lines` below the one that holds `at`. */
const onLines = (body: Uint8Array, at: number, lines: number): number => {
  let end = at
  for (let count = 0; count <= lines; count++) {
    const feed = body.indexOf(LF, end)
    if (feed === -1) return body.length
    end = feed + 1
  }
  return end
}

interface Cluster {
  readonly from: number
  readonly to: number
  readonly firstSpan: number
  readonly lastSpan: number
}

const clusters = (body: Uint8Array, spans: ReadonlyArray<Span>, contextLines: number): ReadonlyArray<Cluster> => {
  const found: Array<Cluster> = []
  for (const [index, span] of spans.entries()) {
    const from = backLines(body, span.start, contextLines)
    const to = onLines(body, span.end, contextLines)
    const last = found.at(-1)
    if (last !== undefined && from <= last.to) found[found.length - 1] = { ...last, to, lastSpan: index }
    else found.push({ from, to, firstSpan: index, lastSpan: index })
  }
  return found
}

/** Changed places with `contextLines` around each; places that touch are one window. */
export const changeWindows = (change: ReplacedBody, contextLines: number): ReadonlyArray<ChangeWindow> => {
  const { before, after, spans, replacement, encoding } = change
  const growth: Array<number> = [0]
  for (const span of spans) growth.push((growth.at(-1) ?? 0) + replacement.length - (span.end - span.start))
  const places = clusters(before, spans, contextLines).map((cluster) => ({
    old: { start: cluster.from, end: cluster.to },
    new: {
      start: cluster.from + (growth[cluster.firstSpan] ?? 0),
      end: cluster.to + (growth[cluster.lastSpan + 1] ?? 0)
    }
  }))
  const oldLines = linesOfSpans(
    before,
    places.map((place) => place.old)
  )
  const newLines = linesOfSpans(
    after,
    places.map((place) => place.new)
  )
  return places.map((place, index) => ({
    oldStartLine: oldLines[index] ?? 1,
    oldText: toLf(bodyToText(before.subarray(place.old.start, place.old.end), encoding)),
    newStartLine: newLines[index] ?? 1,
    newText: toLf(bodyToText(after.subarray(place.new.start, place.new.end), encoding))
  }))
}

/** Lines with their line feeds. */
const fedLines = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+/g) ?? []

/** Two texts as one window: what they share at the start and at the end is left out except `contextLines`. */
export const textWindow = (before: string, after: string, contextLines: number): ChangeWindow => {
  const oldLines = fedLines(before)
  const newLines = fedLines(after)
  const shorter = Math.min(oldLines.length, newLines.length)
  let head = 0
  while (head < shorter && oldLines[head] === newLines[head]) head += 1
  let tail = 0
  while (tail < shorter - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail += 1
  const from = Math.max(0, head - contextLines)
  const cut = (lines: ReadonlyArray<string>): string => lines.slice(from, lines.length - tail + contextLines).join("")
  return { oldStartLine: from + 1, oldText: cut(oldLines), newStartLine: from + 1, newText: cut(newLines) }
}
