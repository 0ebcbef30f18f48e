/** Soft wrap of the prompt: rows broken at word borders, what each place shows, and the cell of the caret. */
import { clusters, textWidth } from "../screen/cell/width.ts"
import type { Buffer } from "../editor/buffer.ts"
import type { Position } from "../editor/lines.ts"
import { visibleText } from "../text/sanitize.ts"
import { chipLabel, type Chips } from "./chip.ts"

const TABSTOP = 4

/** What one cluster of the buffer shows. */
export interface Glyph {
  readonly offset: number
  readonly text: string
  readonly width: number
  readonly kind: "text" | "chip" | "blank"
}

export interface PromptRow {
  readonly line: number
  /** Offsets in the line: the first one shown and the one after the last. */
  readonly start: number
  readonly end: number
  readonly glyphs: ReadonlyArray<Glyph>
}

export interface PromptLayout {
  readonly rows: ReadonlyArray<PromptRow>
  readonly caret: { readonly row: number; readonly column: number }
}

/** A tab is shown as blanks up to the next stop of its line. */
const glyphOf = (cluster: string, place: { offset: number; column: number }, chips: Chips): Glyph => {
  const { offset } = place
  const chip = chips.get(cluster)
  if (chip !== undefined) {
    const text = chipLabel(chip)
    return { offset, text, width: textWidth(text), kind: "chip" }
  }
  if (cluster === "\t") {
    const width = TABSTOP - (place.column % TABSTOP)
    return { offset, text: " ".repeat(width), width, kind: "blank" }
  }
  const text = visibleText(cluster, "prose")
  return { offset, text, width: textWidth(text), kind: cluster === " " ? "blank" : "text" }
}

const glyphsOf = (line: string, chips: Chips): ReadonlyArray<Glyph> => {
  const glyphs: Array<Glyph> = []
  let offset = 0
  let column = 0
  for (const cluster of clusters(line)) {
    const glyph = glyphOf(cluster, { offset, column }, chips)
    glyphs.push(glyph)
    offset += cluster.length
    column += glyph.width
  }
  return glyphs
}

const widthOf = (glyphs: ReadonlyArray<Glyph>): number => glyphs.reduce((sum, glyph) => sum + glyph.width, 0)

/** A row may end after blanks, chips and wide characters, whose scripts are written without blanks. */
const endsWord = (glyph: Glyph): boolean => glyph.kind !== "text" || glyph.width > 1

/**
 * Where each row begins, as indexes of glyphs. The last cell of a row belongs to the blank behind a word or to the
 * caret, so that no row begins with the blank it was broken at; blanks that fill it leave the caret an empty row below.
 */
const breaksIn = (glyphs: ReadonlyArray<Glyph>, width: number): ReadonlyArray<number> => {
  const starts: Array<number> = []
  let start = 0
  let used = 0
  let border = 0
  const begin = (at: number, index: number): void => {
    starts.push(at)
    start = at
    used = widthOf(glyphs.slice(at, index))
  }
  begin(0, 0)
  for (const [index, glyph] of glyphs.entries()) {
    const room = glyph.kind === "blank" ? width : Math.max(1, width - 1)
    const isOver = (): boolean => used + glyph.width > room && index > start
    if (isOver() && border > start && glyph.kind === "text") begin(border, index)
    if (isOver()) begin(index, index)
    used += glyph.width
    if (endsWord(glyph)) border = index + 1
  }
  if (used >= width && glyphs.length > 0) starts.push(glyphs.length)
  return starts
}

const rowsOfLine = (line: number, text: string, options: LayoutOptions): ReadonlyArray<PromptRow> => {
  const glyphs = glyphsOf(text, options.chips)
  const starts = breaksIn(glyphs, options.width)
  return starts.map((from, index) => {
    const to = starts[index + 1] ?? glyphs.length
    return {
      line,
      start: glyphs[from]?.offset ?? text.length,
      end: glyphs[to]?.offset ?? text.length,
      glyphs: glyphs.slice(from, to)
    }
  })
}

export interface LayoutOptions {
  readonly width: number
  readonly chips: Chips
}

/** Columns of a row left of an offset. */
export const columnIn = (row: PromptRow, offset: number): number =>
  row.glyphs.reduce((sum, glyph) => (glyph.offset < offset ? sum + glyph.width : sum), 0)

/** The offset shown at a column of a row; past its end the last place that is still on this row. */
export const offsetIn = (rows: ReadonlyArray<PromptRow>, index: number, column: number): number => {
  const row = rows[index]
  if (row === undefined) return 0
  let at = 0
  for (const glyph of row.glyphs) {
    at += glyph.width
    if (at > column) return glyph.offset
  }
  const isContinued = rows[index + 1]?.line === row.line
  return isContinued ? (row.glyphs.at(-1)?.offset ?? row.start) : row.end
}

/** The row of a place: of two that touch there, the lower one. */
export const rowOf = (rows: ReadonlyArray<PromptRow>, { line, column }: Position): number =>
  Math.max(
    0,
    rows.findLastIndex((row) => row.line === line && row.start <= column)
  )

export const layoutPrompt = (buffer: Buffer, caret: Position, options: LayoutOptions): PromptLayout => {
  const width = Math.max(1, options.width)
  const rows = buffer.lines.flatMap((text, line) => rowsOfLine(line, text, { ...options, width }))
  const row = rowOf(rows, caret)
  const found = rows[row]
  return { rows, caret: { row, column: found === undefined ? 0 : columnIn(found, caret.column) } }
}

/** The first row to show so that the caret's row is among `height` rows, moving as little as possible. */
export const scrollToCaret = (top: number, layout: PromptLayout, height: number): number => {
  const { row } = layout.caret
  const most = Math.max(0, layout.rows.length - height)
  return Math.max(0, Math.min(most, Math.max(row - height + 1, Math.min(top, row))))
}
