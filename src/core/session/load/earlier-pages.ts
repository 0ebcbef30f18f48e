import type { Message } from "../../domain/message.ts"
import type { Entry, Span } from "./transcript-index.ts"
import { messageOf } from "../transcript/message-line.ts"
import { groupFragments } from "./restore.ts"
import { readLine } from "../transcript/record.ts"

/**
 * What was said before the part that the model knows, as places in the file. Nobody may ever look at it, and it may be
 * most of a large file, so it is read in pages when somebody scrolls up to it.
 */
export type EarlierPage = ReadonlyArray<Span>

const PAGE_BYTES = 256 * 1024
const PAGE_LINES = 300
/** A turn that is longer than so many pages is cut where it stands. */
const MOST_PAGES_IN_ONE = 4

/** A turn or a boundary: no call before it has its result behind it. */
const opensPart = ({ links }: Entry): boolean =>
  links.boundary !== null || (links.type === "user" && links.source === null && !links.isSummary)

/** Pages in the order of the conversation. Each begins where a turn does, as far as turns allow it. */
export const pagesOf = (earlier: ReadonlyArray<Entry>): ReadonlyArray<EarlierPage> => {
  const pages: Array<EarlierPage> = []
  let end = earlier.length
  let bytes = 0
  for (let start = end - 1; start >= 0; start--) {
    const entry = earlier[start]
    if (entry === undefined) continue
    bytes += entry.length
    const size = Math.max(bytes / PAGE_BYTES, (end - start) / PAGE_LINES)
    if (start > 0 && (size < 1 || (size < MOST_PAGES_IN_ONE && !opensPart(entry)))) continue
    pages.push(earlier.slice(start, end).map(({ offset, length }) => ({ offset, length })))
    end = start
    bytes = 0
  }
  return pages.toReversed()
}

/** The messages of lines that were read again; lines that changed meanwhile hold none. */
export const messagesOfLines = (values: ReadonlyArray<unknown>): ReadonlyArray<Message> =>
  groupFragments(
    values.flatMap((value) => {
      const line = readLine(value)
      return (line?._tag === "Chain" ? messageOf(line.raw) : null) ?? []
    })
  )
