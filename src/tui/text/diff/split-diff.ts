/** A hunk in two columns: the old text at the left, the new text at the right, changed lines beside each other. */
import { cutLine } from "../cut.ts"
import { changedPieces, GROUND, marksOf, type Sign, signOf, signSpan } from "./diff-line.ts"
import { colouringOf, type DiffOptions } from "./diff-rows.ts"
import { type DiffHunk, type FileDiff, hunkHeader } from "./diff-source.ts"
import { lookOf, TEXT, withGround } from "../../screen/style/look.ts"
import type { Colouring } from "../code/paint.ts"
import type { Row, Span } from "../../screen/style/row.ts"
import { GOES_ON_MARK, rowsOfLine } from "../rows.ts"
import { columnsOf } from "../wrap.ts"
import { pairsIn } from "./word-marks.ts"

/** Which lines of a hunk stand beside each other, by their places in it; a note stands alone at the left. */
export interface SplitLine {
  readonly left?: number
  readonly right?: number
}

/** Narrower panes cannot hold two columns of code. */
const LEAST_WIDTH = 60
const ROOMY_WIDTH = 140

export const isSplit = (wish: "unified" | "split" | "auto", width: number): boolean =>
  wish === "split" ? width >= LEAST_WIDTH : wish === "auto" && width >= ROOMY_WIDTH

export const splitLines = ({ lines }: DiffHunk): ReadonlyArray<SplitLine> => {
  const pairs = pairsIn(lines)
  return lines.flatMap((line, index): ReadonlyArray<SplitLine> => {
    const partner = pairs.get(index)
    switch (signOf(line)) {
      case "+":
        return partner === undefined ? [{ right: index }] : []
      case "-":
        return [partner === undefined ? { left: index } : { left: index, right: partner }]
      case " ":
        return [line.startsWith("\\") ? { left: index } : { left: index, right: index }]
    }
  })
}

const NUMBER = lookOf("lineNumber")
const NOTE = lookOf("subtle")
const BETWEEN: Readonly<Record<DiffOptions["glyphs"], Span>> = {
  unicode: { text: " │ ", look: lookOf("gutter") },
  ascii: { text: " | ", look: lookOf("gutter") }
}

interface Half {
  readonly number: string
  readonly sign: Sign
  readonly pieces: ReadonlyArray<Span>
  readonly width: number
  readonly scroll: number
  readonly tab: number
}

/** A line in so many columns, filled up; a mark says that it goes on. */
const halfSpans = ({ number, sign, pieces, width, scroll, tab }: Half): ReadonlyArray<Span> => {
  const lead: ReadonlyArray<Span> = [{ text: `${number} `, look: NUMBER }, signSpan(sign)]
  const room = Math.max(1, width - columnsOf(lead))
  const whole = cutLine(pieces, { width: room, scroll, tab })
  const isCut = cutLine(pieces, { width: room + 1, scroll, tab }).width > whole.width
  const shown = isCut ? cutLine(pieces, { width: room - 1, scroll, tab }) : whole
  const ground = GROUND[sign]
  const look = ground === undefined ? TEXT : withGround(TEXT, ground.line)
  const rest = Math.max(0, room - shown.width - (isCut ? 1 : 0))
  return [...lead, ...shown.spans, { text: " ".repeat(rest), look }, ...(isCut ? [{ text: GOES_ON_MARK, look: NOTE }] : [])]
}

const rowOf = (spans: ReadonlyArray<Span>): Row => ({ spans, width: columnsOf(spans), start: 0, end: 0 })

/** Old and new number of every line. */
const numbersOf = ({
  lines,
  oldStart,
  newStart
}: DiffHunk): ReadonlyArray<{ readonly before: number; readonly after: number }> => {
  let before = oldStart
  let after = newStart
  return lines.map((line) => {
    const here = { before, after }
    if (!line.startsWith("+") && !line.startsWith("\\")) before++
    if (!line.startsWith("-") && !line.startsWith("\\")) after++
    return here
  })
}

/** One row for the header and one for each of `splitLines`. */
export const splitHunkRows = (file: FileDiff, hunk: DiffHunk, options: DiffOptions): ReadonlyArray<Row> => {
  const { width, glyphs, scroll, tabWidth } = options
  const { lines } = hunk
  const pairs = pairsIn(lines)
  const numbers = numbersOf(hunk)
  const digits = String(Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines)).length
  const half = Math.floor((width - columnsOf([BETWEEN[glyphs]])) / 2)
  const sides: Record<"left" | "right", Colouring> = { left: colouringOf(file, options), right: colouringOf(file, options) }
  const halfOf = (side: "left" | "right", index: number | undefined): ReadonlyArray<Span> => {
    const line = index === undefined ? undefined : lines[index]
    const number = index === undefined ? undefined : numbers[index]
    if (index === undefined || line === undefined || number === undefined) return [{ text: " ".repeat(half), look: TEXT }]
    const sign = signOf(line)
    const painted = changedPieces(line.slice(1).replace(/\r$/, ""), sign, {
      at: 0,
      colouring: sides[side],
      marks: marksOf(lines, pairs, index),
      glyphs
    })
    sides[side] = painted.colouring
    const shown = String(side === "left" ? number.before : number.after).padStart(digits)
    return halfSpans({ number: shown, sign, pieces: painted.pieces, width: half, scroll, tab: tabWidth })
  }
  return [
    ...rowsOfLine([{ text: hunkHeader(hunk), look: NOTE }], { start: 0, end: 0 }, { width, scroll: 0 }),
    ...splitLines(hunk).map(({ left, right }) => {
      const note = left === undefined ? "" : (lines[left] ?? "")
      if (note.startsWith("\\")) return rowOf([{ text: note, look: NOTE }])
      return rowOf([...halfOf("left", left), BETWEEN[glyphs], ...halfOf("right", right)])
    })
  ]
}
