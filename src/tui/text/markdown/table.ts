/** Tables: in columns, in columns with wrapped cells, or as groups of `Header: value`. Rows answer for their lines. */
import type { Links } from "marked"
import { cutLine } from "../cut.ts"
import { lookOf, TEXT, withTrait } from "../../screen/style/look.ts"
import type { Row, Span } from "../../screen/style/row.ts"
import { decoration, fitMargin, type Margin, rowsOfLine } from "../rows.ts"
import { columnsOf, wrapLine } from "../wrap.ts"
import { type ColumnPlan, planColumns } from "./columns.ts"
import type { MarkdownOptions } from "./context.ts"
import type { Alignment, Fragment, Leaf } from "./frame.ts"
import { inlineLines } from "./inline.ts"
import { marginOf } from "./margin.ts"
import { cellsOf } from "./marks.ts"

type Cell = ReadonlyArray<Span>

/** What further parts of a long table take over from its beginning. */
export interface TableHead {
  readonly header: ReadonlyArray<Cell>
  readonly plan: ColumnPlan
}

interface Setting {
  readonly options: MarkdownOptions
  readonly links: Links
  readonly align: ReadonlyArray<Alignment>
  readonly margin: Margin
  readonly head: TableHead
}

const BORDER = lookOf("tableBorder")
const HEAD = withTrait(TEXT, "bold")
const GLYPHS = {
  unicode: { bar: " │ ", line: "─", cross: "─┼─" },
  ascii: { bar: " | ", line: "-", cross: "-+-" }
} as const

interface CellContext {
  readonly head: boolean
  readonly options: MarkdownOptions
  readonly links: Links
}

/** Lines of a growing table are read once: a line is the same object as long as the table is open. */
const readLines = new WeakMap<Fragment, CellContext & { readonly cells: ReadonlyArray<Cell> }>()

const readCells = (line: Fragment, { head, options, links }: CellContext): ReadonlyArray<Cell> =>
  cellsOf(line.text).map(({ from, to }): Cell => {
    const source = { text: line.text.slice(from, to), placeOf: (index: number) => line.at + from + index }
    return inlineLines(source, { look: head ? HEAD : TEXT, links, workspace: options.cwd, inCell: true })[0] ?? []
  })

const cellPieces = (line: Fragment, count: number, context: CellContext): ReadonlyArray<Cell> => {
  const known = readLines.get(line)
  const same =
    known !== undefined && known.head === context.head && known.options === context.options && known.links === context.links
  const cells = same ? known.cells : readCells(line, context)
  if (!same) readLines.set(line, { ...context, cells })
  return Array.from({ length: count }, (_, index) => cells[index] ?? [])
}

const pad = (cell: Cell, width: number, place: { readonly room: number; readonly align: Alignment }): Cell => {
  const free = Math.max(0, place.room - width)
  const left = place.align === "right" ? free : place.align === "center" ? free >> 1 : 0
  const blank = (count: number): Cell => (count === 0 ? [] : [{ text: " ".repeat(count), look: TEXT }])
  return [...blank(left), ...cell, ...blank(free - left)]
}

const firstPlace = (spans: ReadonlyArray<Span>, fallback: number): number =>
  spans.find((span) => span.at !== undefined)?.at ?? fallback

/** The screen rows of one line of the table, all cells side by side. */
const lineRows = (
  cells: ReadonlyArray<Cell>,
  line: { readonly start: number; readonly end: number },
  setting: Setting
): ReadonlyArray<Row> => {
  const { plan } = setting.head
  const widths = plan.kind === "columns" ? plan.widths : []
  const wrapped = cells.map((cell, column) => wrapLine(cell, { width: widths[column] ?? 1 }))
  const height = Math.max(1, ...wrapped.map((lines) => lines.length))
  const bar: Span = { text: GLYPHS[setting.options.glyphs].bar, look: BORDER }
  const rows: Array<Row> = []
  for (let row = 0; row < height; row++) {
    const spans = wrapped.flatMap((lines, column) => {
      const part = lines[row] ?? { spans: [], width: 0 }
      const padded = pad(part.spans, part.width, { room: widths[column] ?? 1, align: setting.align[column] ?? "left" })
      return column === 0 ? padded : [bar, ...padded]
    })
    const start = row === 0 ? line.start : Math.max(rows.at(-1)?.start ?? line.start, firstPlace(spans, line.start))
    rows.push(framed(spans, { start, end: line.end }, setting))
  }
  return rows
}

/** Columns scrolled to the right show the table as wide as it is. */
const framed = (
  spans: ReadonlyArray<Span>,
  range: { readonly start: number; readonly end: number },
  { options, margin }: Setting
): Row => {
  const before = fitMargin(margin.rest, options.width)
  const room = options.width - columnsOf(before)
  const shown = cutLine(spans, { width: room, scroll: options.scroll })
  return { spans: [...before, ...shown.spans], width: shown.width + columnsOf(before), ...range }
}

const ruleRow = (line: Fragment & { readonly start: number }, setting: Setting): Row => {
  const { plan } = setting.head
  const { line: dash, cross } = GLYPHS[setting.options.glyphs]
  const text = (plan.kind === "columns" ? plan.widths : []).map((width) => dash.repeat(width)).join(cross)
  return framed([{ text, look: BORDER, at: line.at, covers: line.text.length }], line, setting)
}

const COLON: Span = { text: ": ", look: HEAD }
const GROUP_LINE = 8

/** A cell's heading comes from elsewhere in the source, so it is drawn without a place. */
const unplaced = (cell: Cell): Cell => cell.map(({ text, look }) => ({ text, look }))

const groupRows = (
  cells: ReadonlyArray<Cell>,
  line: { readonly start: number; readonly end: number },
  setting: Setting
): ReadonlyArray<Row> => {
  const { margin, options, head } = setting
  const indent: Span = { text: "  ", look: TEXT }
  const rows = cells.flatMap((cell, column) => {
    const pieces = [...unplaced(head.header[column] ?? []), COLON, ...cell]
    const start = column === 0 ? line.start : firstPlace(cell, line.end)
    const next = cells[column + 1]
    const end = next === undefined ? line.end : firstPlace(next, line.end)
    const layout = { width: options.width, margin: { first: margin.rest, rest: [...margin.rest, indent] } }
    return rowsOfLine(pieces, { start, end: Math.max(start, end) }, layout)
  })
  const dash = GLYPHS[options.glyphs].line.repeat(
    Math.min(GROUP_LINE, Math.max(1, options.width - columnsOf(fitMargin(margin.rest, options.width))))
  )
  return [...rows, decoration([...fitMargin(margin.rest, options.width), { text: dash, look: BORDER }], line.end)]
}

const planFor = (
  rows: ReadonlyArray<ReadonlyArray<Cell>>,
  count: number,
  room: { readonly width: number; readonly scroll: number }
): ColumnPlan => {
  const wanted = Array.from({ length: count }, (_, column) =>
    Math.max(1, ...rows.map((cells) => columnsOf(cells[column] ?? [])))
  )
  return room.scroll > 0 ? { kind: "columns", widths: wanted } : planColumns(wanted, room.width)
}

/** Lines with the range of source each answers for: together the whole table. */
const rangesOf = (leaf: Leaf & { kind: "table" }): ReadonlyArray<Fragment & { readonly start: number }> =>
  leaf.lines.map((line, index) => ({ ...line, start: index === 0 ? leaf.start : (leaf.lines[index - 1]?.end ?? line.at) }))

export const tableRows = (
  leaf: Leaf & { kind: "table" },
  context: { readonly options: MarkdownOptions; readonly links: Links; readonly head: TableHead | undefined }
): { readonly rows: ReadonlyArray<Row>; readonly head: TableHead } => {
  const { options, links } = context
  const margin = marginOf(leaf, options.glyphs)
  const lines = rangesOf(leaf)
  const begins = !leaf.continued || context.head === undefined
  const bodyFrom = begins ? 2 : 0
  const count = leaf.align.length
  const headed = begins ? leaf.lines[0] : undefined
  const header =
    headed === undefined ? (context.head?.header ?? []) : cellPieces(headed, count, { head: true, options, links })
  const body = leaf.lines.slice(bodyFrom).map((line) => cellPieces(line, count, { head: false, options, links }))
  const width = options.width - columnsOf(fitMargin(margin.rest, options.width))
  const known = begins ? undefined : context.head?.plan
  const plan = known ?? planFor([header, ...body], count, { width, scroll: options.scroll })
  const head: TableHead = { header, plan }
  const setting: Setting = { options, links, align: leaf.align, margin, head }
  const top = withFirstMargin(begins ? headRows(lines, header, setting) : [], margin, options.width)
  const drawn = plan.kind === "columns" ? lineRows : groupRows
  const rows = body.flatMap((cells, index) => {
    const line = lines[index + bodyFrom]
    return line === undefined ? [] : drawn(cells, line, setting)
  })
  return { rows: [...top, ...rows], head }
}

/** Groups repeat the headings, so the head itself is one row of headings and stands for both of its lines. */
const headRows = (
  lines: ReadonlyArray<Fragment & { readonly start: number }>,
  header: ReadonlyArray<Cell>,
  setting: Setting
): ReadonlyArray<Row> => {
  const [first, rule] = lines
  if (first === undefined || rule === undefined) return []
  if (setting.head.plan.kind === "columns") return [...lineRows(header, first, setting), ruleRow(rule, setting)]
  const pieces = header.flatMap((cell, index) => (index === 0 ? cell : [{ text: ", ", look: TEXT }, ...cell]))
  return rowsOfLine(
    pieces,
    { start: first.start, end: rule.end },
    { width: setting.options.width, margin: { first: setting.margin.rest, rest: setting.margin.rest } }
  )
}

/** The first row of a table that begins a list item carries its mark. */
const withFirstMargin = (rows: ReadonlyArray<Row>, margin: Margin, width: number): ReadonlyArray<Row> => {
  const [first, ...others] = rows
  if (first === undefined) return rows
  const rest = fitMargin(margin.rest, width)
  const lead = fitMargin(margin.first, width)
  return [{ ...first, spans: [...lead, ...first.spans.slice(rest.length)] }, ...others]
}
