/** Rows of a changed file: numbers, signs, coloured code, marked words. The rows answer for the text of the patch. */
import { appendAll } from "../append-all.ts"
import { changedPieces, GROUND, marksOf, type Sign, signOf, signSpan } from "./diff-line.ts"
import { type DiffHunk, type FileDiff, fileHeader, hunkHeader } from "./diff-source.ts"
import { languageOfFile } from "../code/language-names.ts"
import { lookOf, TEXT, withGround, withTrait } from "../../screen/style/look.ts"
import { type Colouring, type GroundMark, NO_COLOURING } from "../code/paint.ts"
import type { Row, Span } from "../../screen/style/row.ts"
import { rowsOfLine } from "../rows.ts"
import { sanitize, visibleLine } from "../sanitize.ts"
import { pairsIn } from "./word-marks.ts"

export interface DiffOptions {
  readonly width: number
  readonly glyphs: "unicode" | "ascii"
  readonly highlight: boolean
  readonly tabWidth: number
  readonly codeWrap: boolean
  readonly scroll: number
}

const NUMBER = lookOf("lineNumber")
const NOTE = withTrait(TEXT, "dim")
const HUNK = lookOf("subtle")
const PATH = withTrait(TEXT, "bold")
const ADDED_COUNT = lookOf("success")
const REMOVED_COUNT = lookOf("error")

/** Narrower panes keep their columns for the code. */
export const WIDE_ENOUGH_FOR_NUMBERS = 40

interface Drawing {
  readonly options: DiffOptions
  /** Digits of the highest line number; none: no numbers. */
  readonly digits: number
}

interface LineNumbers {
  readonly before: number | undefined
  readonly after: number | undefined
}

const numberText = (value: number | undefined, digits: number): string =>
  (value === undefined ? "" : String(value)).padStart(digits)

const gutter = ({ before, after }: LineNumbers, { digits }: Drawing): ReadonlyArray<Span> =>
  digits === 0 ? [] : [{ text: `${numberText(before, digits)} ${numberText(after, digits)} `, look: NUMBER }]

interface CodeLine {
  readonly sign: Sign
  readonly text: string
  /** Where the line, sign included, begins in the patch. */
  readonly at: number
  readonly numbers: LineNumbers
  /** All lines around it end with a carriage return: it says nothing and is not drawn. */
  readonly endsWithReturn: boolean
  readonly marks: ReadonlyArray<GroundMark>
  readonly colouring: Colouring
}

interface LaidLine {
  readonly rows: ReadonlyArray<Row>
  readonly colouring: Colouring
}

const codeLineRows = (line: CodeLine, drawing: Drawing): LaidLine => {
  const { options } = drawing
  const ground = GROUND[line.sign]
  const text = line.endsWithReturn ? line.text.slice(0, -1) : line.text
  const painted = changedPieces(text, line.sign, {
    at: line.at + 1,
    colouring: line.colouring,
    marks: line.marks,
    glyphs: options.glyphs
  })
  const indent: Span = { text: " ", look: ground === undefined ? TEXT : withGround(TEXT, ground.line) }
  const rows = rowsOfLine(
    painted.pieces,
    { start: line.at, end: line.at + line.text.length + 2 },
    {
      width: options.width,
      margin: {
        first: [...gutter(line.numbers, drawing), { ...signSpan(line.sign), at: line.at }],
        rest: [...gutter({ before: undefined, after: undefined }, drawing), indent]
      },
      tab: options.tabWidth,
      ...(options.codeWrap ? {} : { scroll: options.scroll }),
      ...(ground === undefined ? {} : { fill: ground.line })
    }
  )
  return { rows, colouring: painted.colouring }
}

const noteRows = (text: string, at: number, { options }: Drawing): ReadonlyArray<Row> =>
  rowsOfLine(
    sanitize(text, "code", { look: NOTE, at }),
    { start: at, end: at + text.length + 1 },
    { width: options.width, ...(options.codeWrap ? {} : { scroll: options.scroll }) }
  )

/** A line of a file that is new as a whole: its source is the file, not a patch, and it has one number. */
export const addedLineRows = (
  line: { readonly text: string; readonly start: number; readonly end: number; readonly number: string },
  colouring: Colouring,
  options: DiffOptions
): LaidLine => {
  const number: ReadonlyArray<Span> = line.number === "" ? [] : [{ text: `${line.number} `, look: NUMBER }]
  const rest = line.number === "" ? [] : [{ text: " ".repeat(line.number.length + 1), look: NUMBER }]
  const { pieces, colouring: next } = changedPieces(line.text, "+", { at: line.start, colouring, glyphs: options.glyphs })
  const rows = rowsOfLine(pieces, line, {
    width: options.width,
    margin: { first: [...number, signSpan("+")], rest: [...rest, { text: " ", look: withGround(TEXT, "diffAdded") }] },
    tab: options.tabWidth,
    ...(options.codeWrap ? {} : { scroll: options.scroll }),
    fill: "diffAdded"
  })
  return { rows, colouring: next }
}

const hunkRows = (
  hunk: DiffHunk,
  start: { readonly at: number; readonly colouring: Colouring },
  drawing: Drawing
): ReadonlyArray<Row> => {
  const header = hunkHeader(hunk)
  const rows: Array<Row> = [
    ...rowsOfLine(
      [{ text: header, look: HUNK, at: start.at }],
      { start: start.at, end: start.at + header.length + 1 },
      { width: drawing.options.width, scroll: 0 }
    )
  ]
  const pairs = pairsIn(hunk.lines)
  const endsWithReturn = hunk.lines.every((line) => line.endsWith("\r") || line.startsWith("\\"))
  /** Both sides are coloured as the texts that they are. */
  const sides = { old: start.colouring, new: start.colouring }
  let at = start.at + header.length + 1
  let before = hunk.oldStart
  let after = hunk.newStart
  for (const [index, line] of hunk.lines.entries()) {
    if (line.startsWith("\\")) appendAll(rows, noteRows(line, at, drawing))
    else {
      const sign = signOf(line)
      const numbers = { before: sign === "+" ? undefined : before++, after: sign === "-" ? undefined : after++ }
      const colouring = sign === "-" ? sides.old : sides.new
      const laid = codeLineRows(
        { sign, text: line.slice(1), at, numbers, endsWithReturn, marks: marksOf(hunk.lines, pairs, index), colouring },
        drawing
      )
      appendAll(rows, laid.rows)
      if (sign !== "+") sides.old = laid.colouring
      if (sign !== "-") sides.new = laid.colouring
    }
    at += line.length + 1
  }
  return rows
}

const countIn = (file: FileDiff, sign: string): number =>
  file.hunks.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(sign)).length, 0)

/** One row for the header of the patch: the path and how many lines came and went. */
const headerRows = (file: FileDiff, at: number, drawing: Drawing): ReadonlyArray<Row> => {
  const notes = file.notes ?? []
  const noted = notes.reduce((sum, note) => sum + note.length + 1, 0)
  const header = fileHeader(file)
  const start = at + noted
  const name = file.oldPath === undefined || file.oldPath === file.path ? file.path : `${file.oldPath} -> ${file.path}`
  const pieces: ReadonlyArray<Span> = [
    { text: visibleLine(name, "command"), look: PATH, at: start, covers: header.length - noted },
    { text: ` +${countIn(file, "+")}`, look: ADDED_COUNT },
    { text: ` -${countIn(file, "-")}`, look: REMOVED_COUNT }
  ]
  let place = at
  const noteRowsOf = notes.flatMap((note) => {
    const rows = noteRows(note, place, drawing)
    place += note.length + 1
    return rows
  })
  return [...noteRowsOf, ...rowsOfLine(pieces, { start, end: at + header.length }, { width: drawing.options.width })]
}

const digitsFor = (file: FileDiff, width: number): number => {
  if (width < WIDE_ENOUGH_FOR_NUMBERS) return 0
  const highest = Math.max(
    0,
    ...file.hunks.map((hunk) => Math.max(hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines))
  )
  return String(highest).length
}

const drawingOf = (file: FileDiff, options: DiffOptions): Drawing => ({ options, digits: digitsFor(file, options.width) })

export const colouringOf = ({ hunks, path }: FileDiff, options: DiffOptions): Colouring => {
  const language = options.highlight ? languageOfFile(path, hunks[0]?.lines[0]?.slice(1) ?? "") : undefined
  return language === undefined ? NO_COLOURING : { language, state: [] }
}

/** Rows of one hunk of a file. Without wrapping there is one for its header and one for each of its lines. */
export const rowsOfHunk = (file: FileDiff, hunk: DiffHunk, options: DiffOptions): ReadonlyArray<Row> =>
  hunkRows(hunk, { at: 0, colouring: colouringOf(file, options) }, drawingOf(file, options))

/** Rows of one file; `at` is where its part of the patch (`unifiedSource`) begins in the source of the block. */
export const diffRows = (file: FileDiff, options: DiffOptions, at = 0): ReadonlyArray<Row> => {
  const drawing = drawingOf(file, options)
  const colouring = colouringOf(file, options)
  const rows = [...headerRows(file, at, drawing)]
  let start = at + fileHeader(file).length
  for (const hunk of file.hunks) {
    appendAll(rows, hunkRows(hunk, { at: start, colouring }, drawing))
    start += hunkHeader(hunk).length + 1 + hunk.lines.reduce((sum, line) => sum + line.length + 1, 0)
  }
  return rows
}
