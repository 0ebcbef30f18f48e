/**
 * Layout of a text that grows. Rows of complete blocks are laid out once and stay; only the block at the end is laid
 * out anew with each piece, and no block is long: see the limits of the scanner. A whole text takes the same way, so
 * at the end both have the same rows.
 */
import { appendAll } from "../append-all.ts"
import type { Row } from "../../screen/style/row.ts"
import { lineAt } from "../source-lines.ts"
import { type Feed, feed, FEED_START } from "./advance.ts"
import type { MarkdownOptions } from "./context.ts"
import type { Leaf } from "./frame.ts"
import { isUndecided, withoutTableHead } from "./hold.ts"
import { LAYOUT_START, layoutLeaf, type LayoutState } from "./layout.ts"
import { scanEnd, scanLine } from "./scan.ts"

export interface MarkdownStream {
  readonly options: MarkdownOptions
  /** Characters of source so far. */
  readonly length: number
  /** How many rows will never change. */
  readonly stableCount: number
  /** Versions of a stream share it; only `stableCount` rows of it belong to this one. */
  readonly settled: Array<Row>
  /** Rows that the next piece may change. */
  readonly open: ReadonlyArray<Row>
  readonly feed: Feed
  readonly layout: LayoutState
}

export const startMarkdown = (options: MarkdownOptions): MarkdownStream => ({
  options,
  length: 0,
  stableCount: 0,
  settled: [],
  open: [],
  feed: FEED_START,
  layout: LAYOUT_START
})

const layoutLeaves = (leaves: ReadonlyArray<Leaf>, stream: MarkdownStream, rows: Array<Row>): LayoutState => {
  let state = stream.layout
  for (const leaf of leaves) {
    const laid = layoutLeaf(leaf, state, { options: stream.options, open: false })
    for (const row of laid.rows) rows.push(row)
    state = laid.state
  }
  return state
}

/** Takes in a piece without looking at what stays open. */
const settle = (stream: MarkdownStream, text: string, final: boolean): MarkdownStream => {
  const fed = feed(stream.feed, text, final)
  const leaves = final ? [...fed.leaves, ...scanEnd(fed.feed.scan).leaves] : fed.leaves
  const mine = stream.settled.length === stream.stableCount
  const settled = mine ? stream.settled : stream.settled.slice(0, stream.stableCount)
  const layout = layoutLeaves(leaves, stream, settled)
  return {
    ...stream,
    length: stream.length + text.length,
    feed: fed.feed,
    layout,
    settled,
    stableCount: settled.length,
    open: []
  }
}

/** Leaves of the block that is still open, as if the text ended here. */
const openLeaves = ({ scan, rest, taken, inLine }: Feed): ReadonlyArray<Leaf> => {
  const text = rest.endsWith("\r") ? rest.slice(0, -1) : rest
  if (text === "" || isUndecided(text, scan)) return scanEnd(scan).leaves
  const line = lineAt(text, 0)
  const scanned = scanLine(scan, { text: line.text, start: taken, stop: taken + line.stop, end: taken + line.end }, inLine)
  return [...scanned.leaves, ...scanEnd(scanned.state).leaves]
}

const openRows = (stream: MarkdownStream): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  const leaves = openLeaves(stream.feed)
  const state = layoutLeaves(leaves.slice(0, -1), stream, rows)
  const last = leaves.at(-1)
  const shown = last === undefined ? undefined : withoutTableHead(last)
  if (shown !== undefined) appendAll(rows, layoutLeaf(shown, state, { options: stream.options, open: true }).rows)
  return rows
}

export const appendMarkdown = (stream: MarkdownStream, text: string): MarkdownStream => {
  if (text === "") return stream
  const settled = settle(stream, text, false)
  return { ...settled, open: openRows(settled) }
}

/** No more will come: nothing is held back any longer. */
export const finishMarkdown = (stream: MarkdownStream): MarkdownStream => settle(stream, "", true)

export const rowCountOf = ({ stableCount, open }: MarkdownStream): number => stableCount + open.length

export const rowOf = ({ settled, stableCount, open }: MarkdownStream, index: number): Row | undefined =>
  index < stableCount ? settled[index] : open[index - stableCount]

export const rowsOf = ({ settled, stableCount, open }: MarkdownStream): ReadonlyArray<Row> => [
  ...(settled.length === stableCount ? settled : settled.slice(0, stableCount)),
  ...open
]

export const layoutMarkdown = (source: string, options: MarkdownOptions): ReadonlyArray<Row> =>
  settle(startMarkdown(options), source, true).settled
