/** Feeds text to the scanner line by line. What was taken in is never looked at again. */
import { appendAll } from "../append-all.ts"
import { lineAt, type SourceLine } from "../source-lines.ts"
import type { Leaf } from "./frame.ts"
import { SCAN_START, type ScanState } from "./open-leaf.ts"
import { scanEnd, scanLine } from "./scan.ts"

export interface Feed {
  readonly scan: ScanState
  /** Source before this place is taken in. */
  readonly taken: number
  /** Source behind it: the beginning of a line. */
  readonly rest: string
  /** The line was cut there, because it is very long. */
  readonly inLine: boolean
}

export const FEED_START: Feed = { scan: SCAN_START, taken: 0, rest: "", inLine: false }

const isVerbatim = ({ open }: ScanState): boolean => open?.kind === "fence" || open?.kind === "html"

/** Longer lines are taken in part by part, so that none has to be read again and again. */
const LONGEST_LINE = 4_096

/** Where a very long line is cut: behind a space if there is one, never inside a surrogate pair. */
const cutPlace = (text: string): number => {
  const space = text.lastIndexOf(" ", LONGEST_LINE) + 1
  if (space > LONGEST_LINE / 2) return space
  const last = text.charCodeAt(LONGEST_LINE - 1)
  return last >= 0xd800 && last < 0xdc00 ? LONGEST_LINE - 1 : LONGEST_LINE
}

const shifted = (line: SourceLine, by: number): SourceLine => ({
  text: line.text,
  start: line.start + by,
  stop: line.stop + by,
  end: line.end + by
})

/** Takes in all whole lines, and with `final` the last one too; gives the leaves that are complete. */
export const feed = (
  before: Feed,
  text: string,
  final: boolean
): {
  readonly feed: Feed
  readonly leaves: ReadonlyArray<Leaf>
} => {
  const rest = before.rest + text
  const leaves: Array<Leaf> = []
  let { scan, inLine } = before
  let at = 0
  const take = (line: SourceLine): void => {
    const scanned = scanLine(scan, shifted(line, before.taken), inLine)
    scan = scanned.state
    appendAll(leaves, scanned.leaves)
    at = line.end
  }
  const close = (): void => {
    const scanned = scanEnd(scan)
    scan = scanned.state
    appendAll(leaves, scanned.leaves)
  }
  while (at < rest.length) {
    const line = lineAt(rest, at)
    if (line.text.length > LONGEST_LINE && !isVerbatim(scan)) {
      const cut = at + cutPlace(line.text)
      take({ text: rest.slice(at, cut), start: at, stop: cut, end: cut })
      if (scan.open?.kind === "paragraph") close()
      inLine = true
      continue
    }
    if (line.end === line.stop && !final) break
    take(line)
    inLine = false
  }
  return { feed: { scan, taken: before.taken + at, rest: rest.slice(at), inLine }, leaves }
}

/** Every leaf of a whole text. */
export const leavesOf = (source: string): ReadonlyArray<Leaf> => {
  const fed = feed(FEED_START, source, true)
  return [...fed.leaves, ...scanEnd(fed.feed.scan).leaves]
}
