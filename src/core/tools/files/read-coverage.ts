import type { FileEntry, LineRange } from "./file-cache.ts"

/** Which lines of a file the model has seen, over several reads and its own edits. */
export const joinRanges = (ranges: ReadonlyArray<LineRange>): ReadonlyArray<LineRange> => {
  const joined: Array<LineRange> = []
  for (const range of [...ranges].sort((left, right) => left.first - right.first)) {
    const last = joined.at(-1)
    if (last !== undefined && range.first <= last.last + 1) {
      joined[joined.length - 1] = { first: last.first, last: Math.max(last.last, range.last) }
    } else joined.push(range)
  }
  return joined
}

export const hasSeen = (entry: FileEntry, range: LineRange): boolean =>
  !entry.partial || (entry.seen ?? []).some((seen) => seen.first <= range.first && seen.last >= range.last)

/** Whether a page goes on exactly where the pages before it ended, so that their texts can be joined. */
const continues = (known: FileEntry, page: FileEntry): boolean => {
  const [before, ...others] = known.seen ?? []
  const textsKnown = known.content !== "" && page.content !== ""
  return textsKnown && others.length === 0 && before?.first === 1 && page.seen?.[0]?.first === before.last + 1
}

/** What is known after one more read of a file: pages read in order grow into the whole of it. */
export const afterRead = (known: FileEntry | undefined, page: FileEntry, isLastPage: boolean): FileEntry => {
  if (known === undefined || known.hash !== page.hash || !page.partial) return page
  if (!known.partial) return { ...page, content: known.content, partial: false }
  const seen = joinRanges([...(known.seen ?? []), ...(page.seen ?? [])])
  if (!continues(known, page)) return { ...page, seen }
  return { ...page, seen, content: known.content + page.content, partial: !isLastPage }
}

export interface LineChange {
  /** Lines of the old text that the change touched. */
  readonly lines: LineRange
  /** Lines that it added; negative when it removed some. */
  readonly growth: number
}

/** Seen ranges after changes inside them: a range grows with its changes and moves with those above it. */
export const afterChanges = (
  seen: ReadonlyArray<LineRange>,
  changes: ReadonlyArray<LineChange>
): ReadonlyArray<LineRange> => {
  const growthWhere = (counts: (change: LineChange) => boolean): number =>
    changes.reduce((sum, change) => (counts(change) ? sum + change.growth : sum), 0)
  const moved = seen.map((range) => ({
    first: range.first + growthWhere((change) => change.lines.last < range.first),
    last: range.last + growthWhere((change) => change.lines.last <= range.last)
  }))
  return joinRanges(moved.filter((range) => range.last >= range.first))
}
