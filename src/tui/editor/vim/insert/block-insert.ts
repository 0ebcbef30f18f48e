/** Typing into a block: where it begins on the first line, and what the other lines get when it ends. */
import { clusters } from "../../../screen/cell/width.ts"
import type { Position } from "../../lines.ts"
import { bytesBefore, byteLength, columnAtByte, sliceBytes } from "../text/bytes.ts"
import { cellsOf, cellWidth, displayWidth, indentEnd } from "../../clusters.ts"
import type { Region } from "../engine/region.ts"
import type { BlockInsert, BytePlace, InsertSession } from "../state/state.ts"
import { clamp, lineAt, moveTo, setLine, setMarks, type Turn } from "../engine/running-command.ts"

interface Edges {
  readonly left: number
  readonly right: number
  readonly append: boolean
  readonly tabstop: number
}

/** The text of one line in the block, with the cells of characters that an edge cuts. */
interface Prepared {
  readonly start: number
  readonly end: number
  readonly before: number
  readonly after: number
  /** The line ends before the block, or within it when text goes behind the block. */
  readonly short: boolean
  /** Cells of the characters at the edges, and where the text in the block ends. */
  readonly startCells: number
  readonly endCells: number
  readonly endCell: number
}

const prepare = (text: string, { left, right, append, tabstop }: Edges): Prepared => {
  let cell = 0
  let offset = 0
  let cells = 0
  let previous = 0
  /** Goes over characters until one reaches a cell. */
  const advanceTo = (edge: number): void => {
    for (const cluster of clusters(text.slice(offset))) {
      if (cell >= edge) return
      cells = cellWidth(cluster, cell, tabstop)
      cell += cells
      previous = offset
      offset += cluster.length
    }
  }
  advanceTo(left)
  const startCells = cells
  if (cell < left) {
    const after = append ? right - left + 1 : 0
    return { start: offset, end: offset, before: 0, after, short: true, startCells, endCells: cells, endCell: cell }
  }
  const begun = { start: offset, previous }
  let before = cell > left ? startCells - (cell - left) : 0
  let after = 0
  let short = false
  if (cell > right) {
    if (append) before += right - left + 1
    after = startCells - before
  } else {
    advanceTo(right + 1)
    short = cell <= right && append
    after = short ? right - cell + 1 : cell > right ? cell - right - 1 : 0
  }
  const start = before > 0 ? begun.previous : begun.start
  return { start, end: offset, before, after, short, startCells, endCells: cells, endCell: cell }
}

interface Filled {
  readonly text: string
  /** Behind what was added. */
  readonly end: number
}

/** A line with text at the edge of the block; undefined when the line is too short for that. */
const withText = (text: string, added: string, rule: Edges & { readonly toEnd: boolean }): Filled | undefined => {
  const part = prepare(text, rule)
  if (!rule.append) {
    if (part.short) return undefined
    return insertCut(text, added, { at: part.start, spaces: part.before, cells: part.startCells })
  }
  if (part.short) {
    const missing = rule.toEnd ? 0 : Math.max(0, rule.right - part.endCell + 1)
    const head = text.slice(0, part.end) + " ".repeat(missing) + added
    return { text: head + text.slice(part.end), end: head.length }
  }
  const spaces = part.after > 0 ? part.endCells - part.after : 0
  const at = spaces === 0 ? part.end : part.end - (clusters(text.slice(0, part.end)).at(-1) ?? "").length
  return insertCut(text, added, { at, spaces, cells: part.endCells })
}

/** A tab that the edge cuts falls apart into blanks; other characters stay behind the text. */
const insertCut = (text: string, added: string, cut: { at: number; spaces: number; cells: number }): Filled => {
  const spaces = Math.max(0, cut.spaces)
  const isTab = spaces > 0 && text.charAt(cut.at) === "\t"
  const rest = isTab ? " ".repeat(Math.max(0, cut.cells - spaces)) + text.slice(cut.at + 1) : text.slice(cut.at)
  const head = text.slice(0, cut.at) + " ".repeat(spaces) + added
  return { text: head + rest, end: isTab ? cut.at + added.length + cut.cells : head.length }
}

export interface BlockStart {
  readonly turn: Turn
  readonly block: BlockInsert
}

/** Where `I` and `A` begin to type on the first line of a block, which is made long enough for it. */
export const startBlock = (turn: Turn, region: Region, append: boolean): BlockStart => {
  const { line, column } = region.start
  const { left, right, toEnd } = region.columns
  const { tabstop } = turn.vim.options
  const text = lineAt(turn, line)
  const part = prepare(text, { left, right, append, tabstop })
  const fill = append && part.short && !toEnd ? part.after : 0
  const at = append ? Math.max(column, Math.min(text.length, part.end)) : column
  const behind = moveTo(turn, { line, column: at })
  const padded = fill > 0 ? setLine(behind, line, text.slice(0, at) + " ".repeat(fill) + text.slice(at)) : behind
  const placed = moveTo(padded, { line, column: at + fill })
  const indent = indentEnd(text)
  const block: BlockInsert = {
    kind: append ? "append" : "insert",
    line,
    last: region.end.line,
    left,
    right,
    toEnd,
    start: bytesBefore(text, column),
    textStart: bytesBefore(text, part.start),
    textLength: bytesBefore(text, part.end) - bytesBefore(text, part.start) + fill,
    restLength: byteLength(text) - bytesBefore(text, append ? part.end : part.start),
    indent,
    indentCells: displayWidth(text.slice(0, indent), tabstop),
    typing: bytesBefore(lineAt(placed, line), at + fill)
  }
  return { turn: placed, block }
}

/** The same for a block whose text was taken out by `c`: typing begins at the caret. */
export const startChange = (turn: Turn, region: Region): BlockInsert => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  const indent = indentEnd(text)
  const at = bytesBefore(text, column)
  return {
    kind: "change",
    line,
    last: region.end.line,
    left: region.columns.left,
    right: region.columns.left,
    toEnd: false,
    start: at,
    textStart: at,
    textLength: 0,
    restLength: byteLength(text),
    indent,
    indentCells: 0,
    typing: at
  }
}

interface Spread {
  readonly added: string
  readonly edges: Edges & { readonly toEnd: boolean }
  readonly home: Position | undefined
}

/** What was typed is what the first line grew by, whatever the keys were. */
const changedText = (turn: Turn, block: BlockInsert): Spread | undefined => {
  if (block.line === block.last) return undefined
  const text = lineAt(turn, block.line)
  const shift = block.textStart > block.indent ? indentEnd(text) - block.indent : 0
  const from = block.textStart + shift
  const length = byteLength(text) - (block.restLength + shift)
  const { left, right, toEnd } = block
  const edges = { left, right, append: false, tabstop: turn.vim.options.tabstop, toEnd }
  return length > 0 ? { added: sliceBytes(text, from, from + length), edges, home: undefined } : undefined
}

export interface Ended {
  readonly start: BytePlace
  readonly origin: BytePlace
  readonly end: Position
  /** The indent was shifted while typing. */
  readonly isIndented: boolean
}

const INDENTS: ReadonlySet<string> = new Set(["<C-x><C-t>", "<C-x><C-d>"])

/** Where the insertion really began and ended: keys that move the caret end one and begin another. */
export const endOfTyping = (session: InsertSession, caret: Position): Ended => {
  const isIndented = session.strokes.some((stroke) => INDENTS.has(stroke))
  if (session.halted !== undefined && session.moved) return { ...session.halted, isIndented }
  return { start: session.start, origin: session.origin, end: caret, isIndented }
}

const insertedText = (turn: Turn, begun: BlockInsert, ended: Ended): Spread | undefined => {
  const { origin, start: typed, end } = ended
  const { tabstop } = turn.vim.options
  const { cursor } = turn.vim
  if (origin.line !== end.line || cursor.line !== begun.line) return undefined
  let { start, left, right, restLength, textStart, textLength } = begun
  let append = begun.kind === "append"
  if (origin.line === begun.line && origin.byte < start) start = origin.byte
  const own = lineAt(turn, cursor.line)
  const indent = indentEnd(own)
  const isIndented = typed.byte > begun.indent && indent > begun.indent
  const grown = isIndented ? displayWidth(own.slice(0, indent), tabstop) - begun.indentCells : 0
  if (isIndented) textStart += indent - begun.indent
  if (begun.line === origin.line && !begun.toEnd && !isIndented) {
    // The caret was moved before typing: the block begins where it was moved to.
    const cell = cellsOf(own, columnAtByte(own, origin.byte), tabstop).start
    if (append ? start >= origin.byte : start !== origin.byte) {
      if (append) restLength += textLength
      restLength -= cell - left
      start = origin.byte
      left = cell
      append = false
    }
  }
  const text = lineAt(turn, begun.line)
  const again = prepare(text, { left, right, append, tabstop })
  const againStart = bytesBefore(text, again.start)
  let againLength = bytesBefore(text, again.end) - againStart
  if (isIndented && textStart - indent > 0) {
    start += indent - begun.indent
    left += grown
    right += grown
  }
  if (!begun.toEnd || againLength < textLength) {
    if (append) {
      restLength += againLength - textLength
      if (again.after > 0) againLength--
    }
    textStart = againStart
    textLength = againLength
  }
  let from = append ? textStart + textLength : textStart
  let offset = 0
  if (append && begun.toEnd && begun.line === typed.line && begun.typing > typed.byte) {
    offset = begun.typing - typed.byte
    from -= offset
    if (right <= offset) return undefined
    right -= offset + 1
  }
  const length = Math.max(0, byteLength(text) - from) - restLength - offset
  if (restLength < 0 || length <= 0) return undefined
  const home = { line: cursor.line, column: columnAtByte(own, start) }
  const edges = { left, right, append, tabstop, toEnd: begun.toEnd }
  return { added: sliceBytes(text, from, from + length), edges, home }
}

/** Gives the other lines of a block what was typed on its first. The caret has left insert mode already. */
export const spreadBlock = (turn: Turn, block: BlockInsert, ended: Ended): Turn => {
  if (ended.isIndented) return turn
  const spread = block.kind === "change" ? changedText(turn, block) : insertedText(turn, block, ended)
  if (spread === undefined) return turn
  let done = turn
  // Lines that went away while typing leave a block that vim no longer knows how to fill.
  const isWhole = block.kind === "change" || block.last < turn.vim.buffer.count
  const last = isWhole ? Math.min(block.last, turn.vim.buffer.count - 1) : block.line
  for (let line = block.line + 1; line <= last; line++) {
    const filled = withText(lineAt(done, line), spread.added, spread.edges)
    if (filled === undefined) continue
    done = setLine(done, line, filled.text)
    if (line === block.last && block.kind !== "change") done = setMarks(done, { "]": { line, column: filled.end } })
  }
  // Also where there is no other line; the mark is then behind the text.
  const marked = isWhole ? setMarks(done, { ".": { line: block.line + 1, column: 0 } }) : done
  return clamp(spread.home === undefined ? marked : moveTo(marked, spread.home))
}
