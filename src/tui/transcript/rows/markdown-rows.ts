/** Markdown as rows: a whole text at once, or an answer that grows. */
import { appendAll } from "../../text/append-all.ts"
import type { MarkdownOptions } from "../../text/markdown/context.ts"
import { appendMarkdown, layoutMarkdown, rowsOf, startMarkdown, type MarkdownStream } from "../../text/markdown/stream.ts"
import type { Row } from "../../screen/style/row.ts"
import type { LayoutOptions, TextBlock } from "../block.ts"
import { shiftRows, type Range } from "./compose.ts"
import { FOLD_LIMITS, foldRow } from "./fold.ts"
import { partsOf } from "./parts.ts"

const optionsOf = (options: LayoutOptions): MarkdownOptions => ({
  width: options.width,
  glyphs: options.glyphs,
  highlight: options.highlight,
  tabWidth: options.tabWidth,
  codeWrap: options.codeWrap,
  scroll: options.scroll,
  cwd: options.cwd
})

/** A range of source as Markdown. */
export const markdownRows = (source: string, range: Range, options: LayoutOptions): ReadonlyArray<Row> => {
  if (range.end <= range.start) return []
  const rows = layoutMarkdown(source.slice(range.start, range.end), optionsOf(options))
  return range.start === 0 ? rows : shiftRows(rows, range.start)
}

/** Streams of one text, by what they were laid out for: two panes may show it at two widths. */
const streams = new WeakMap<object, Map<string, MarkdownStream>>()
const MOST_STREAMS = 4

const keyOf = (options: MarkdownOptions): string => Object.values(options).join("\u0000")

/** The text so far. What earlier revisions of the block laid out is not laid out again. */
const growingRows = (block: TextBlock, options: MarkdownOptions): ReadonlyArray<Row> => {
  const known = streams.get(block.lineage) ?? new Map<string, MarkdownStream>()
  if (known.size === 0) streams.set(block.lineage, known)
  const key = keyOf(options)
  const before = known.get(key)
  const usable = before !== undefined && before.length <= block.source.length ? before : startMarkdown(options)
  const stream = appendMarkdown(usable, block.source.slice(usable.length))
  if (before === undefined && known.size >= MOST_STREAMS) known.clear()
  known.set(key, stream)
  return rowsOf(stream)
}

/** Long code keeps its first rows; the text around it stays whole. */
const withFoldedCode = (rows: ReadonlyArray<Row>, block: TextBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  if (options.fold === "open" || rows.length <= FOLD_LIMITS.code) return rows
  const shown: Array<Row> = []
  let at = 0
  for (const part of partsOf(block)) {
    if (part.name !== "code") continue
    const start = rows.findIndex((row, index) => index >= at && row.start >= part.start)
    const end = rows.findIndex((row, index) => index >= start && row.start >= part.end)
    const stop = end < 0 ? rows.length : end
    if (start < 0 || stop - start <= FOLD_LIMITS.code + 1) continue
    const cut = start + FOLD_LIMITS.code
    appendAll(shown, rows.slice(at, cut))
    shown.push(foldRow(rows.slice(cut, stop), options))
    at = stop
  }
  return at === 0 ? rows : [...shown, ...rows.slice(at)]
}

export const answerRows = (block: TextBlock, options: LayoutOptions): ReadonlyArray<Row> => {
  const forMarkdown = optionsOf(options)
  if (block.streaming) return growingRows(block, forMarkdown)
  return withFoldedCode(layoutMarkdown(block.source, forMarkdown), block, options)
}
