/** `> < =`: indents. */
import { clusters } from "../../../screen/cell/width.ts"
import { sliceLines } from "../../buffer.ts"
import { blockPart } from "../text/block.ts"
import { cellWidth, displayWidth, indentEnd, lastColumn } from "../../clusters.ts"
import type { VimOptions } from "../state/context.ts"
import { indentWidth, makeIndent, withIndent } from "../text/indent.ts"
import type { Invocation } from "../state/invocation.ts"
import { lineCount, type Region } from "../engine/region.ts"
import { clamp, lineStart, moveTo, replaceSpan, setMarks, type Turn } from "../engine/running-command.ts"

export const shiftText = (text: string, by: number, options: VimOptions): string => {
  if (text === "" && by > 0) return text
  return withIndent(text, indentWidth(text, options.tabstop) + by * options.shiftwidth, options)
}

/** Blanks from a cell on, with tabs where the options want them. */
const blanksFrom = (cell: number, width: number, options: VimOptions): string => {
  if (options.expandtab) return " ".repeat(width)
  const whole = (cell % options.tabstop) + width
  const tabs = Math.floor(whole / options.tabstop)
  return tabs === 0 ? " ".repeat(width) : "\t".repeat(tabs) + " ".repeat(whole % options.tabstop)
}

const pushBlock = (text: string, cells: number, rule: { region: Region; options: VimOptions }): string => {
  const { region, options } = rule
  const part = blockPart(text, region.columns, options.tabstop)
  if (part.short || text === "") return text
  const head = text.slice(0, part.start).replace(/[ \t]+$/, "")
  const tail = text.slice(part.start).replace(/^[ \t]+/, "")
  const headCells = displayWidth(head, options.tabstop)
  const gap = displayWidth(text.slice(0, text.length - tail.length), options.tabstop) - headCells
  // Before a wide character that the block's edge cuts vim counts tabs as if the line began there.
  const isCutWide = part.before > 0 && text.charAt(part.start) !== "\t"
  return head + blanksFrom(isCutWide ? 0 : headCells, gap + cells, options) + tail
}

const pullBlock = (text: string, cells: number, rule: { region: Region; options: VimOptions }): string => {
  const { region, options } = rule
  const part = blockPart(text, region.columns, options.tabstop)
  if (part.short) return text
  const textAt = part.start + (/^[ \t]*/.exec(text.slice(part.start))?.[0].length ?? 0)
  const textCell = displayWidth(text.slice(0, textAt), options.tabstop)
  const target = textCell - Math.min(cells, textCell - region.columns.left)
  let cell = 0
  let kept = ""
  for (const cluster of clusters(text.slice(0, textAt))) {
    const next = cell + cellWidth(cluster, cell, options.tabstop)
    if (next > target) break
    kept += cluster
    cell = next
  }
  return kept + " ".repeat(target - cell) + text.slice(textAt)
}

const shiftLine = (text: string, by: number, rule: { region: Region; options: VimOptions }): string => {
  const { region, options } = rule
  if (region.shape !== "block") return shiftText(text, by, options)
  const cells = Math.abs(by) * options.shiftwidth
  return by > 0 ? pushBlock(text, cells, rule) : pullBlock(text, cells, rule)
}

const shifting =
  (direction: 1 | -1) =>
  (turn: Turn, region: Region, invocation: Invocation): Turn => {
    const { line } = region.start
    const by = direction * (region.visual ? (invocation.count ?? 1) : 1)
    const rule = { region, options: turn.vim.options }
    const lines = sliceLines(turn.vim.buffer, line, region.end.line + 1).map((text) => shiftLine(text, by, rule))
    const shifted = replaceSpan(turn, { line, count: lineCount(region) }, lines, 0)
    const last = region.end.line
    const end = { line: last, column: lastColumn(shifted.vim.buffer.at(last)) }
    const marked = setMarks(shifted, { "[": region.start, "]": end })
    return region.shape === "block" ? clamp(marked) : moveTo(marked, lineStart(marked, line))
  }

const opens = (text: string): boolean => /[([{]\s*$/.test(text)
const closes = (text: string): boolean => /^\s*[)\]}]/.test(text)

/** Indents by brackets: one step deeper after a line that ends open, one back for a line that begins closed. */
const reindent = (turn: Turn, region: Region): Turn => {
  const { options, buffer } = turn.vim
  const { line } = region.start
  let previous = ""
  for (let at = line - 1; at >= 0 && previous === ""; at--) previous = buffer.at(at).trimEnd()
  const lines: Array<string> = []
  for (let at = line; at <= region.end.line; at++) {
    const text = buffer.at(at)
    const depth = (opens(previous) ? 1 : 0) - (closes(text) ? 1 : 0)
    const width = indentWidth(previous, options.tabstop) + depth * options.shiftwidth
    const indented = text.trim() === "" ? "" : makeIndent(Math.max(0, width), options) + text.slice(indentEnd(text))
    lines.push(indented)
    if (indented !== "") previous = indented
  }
  const changed = replaceSpan(turn, { line, count: lineCount(region) }, lines, 0)
  return moveTo(changed, lineStart(changed, line))
}

export const shiftRight = { run: shifting(1), byLines: true } as const
export const shiftLeft = { run: shifting(-1), byLines: true } as const
export const indentOperator = { run: reindent, byLines: true } as const
