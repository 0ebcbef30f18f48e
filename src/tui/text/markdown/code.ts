/** Code blocks: a labelled frame on the left, one line of code to a row unless wrapping is asked for. */
import { sliceColumns, textWidth } from "../../screen/cell/width.ts"
import { lookOf } from "../../screen/style/look.ts"
import { type Colouring, paintLine } from "../code/paint.ts"
import type { Row, Span } from "../../screen/style/row.ts"
import { rowsOfLine } from "../rows.ts"
import { visibleLine } from "../sanitize.ts"
import { wrapLine } from "../wrap.ts"
import type { MarkdownOptions } from "./context.ts"
import type { Leaf } from "./frame.ts"
import { marginOf } from "./margin.ts"

const FRAME_LOOK = lookOf("tableBorder")
const LABEL_LOOK = lookOf("subtle")
const CODE_LOOK = lookOf("code")
const CUT_LOOK = lookOf("control")

const GLYPHS = {
  unicode: { top: "┌ ", side: "│ ", bottom: "└", wrapped: "↪ " },
  ascii: { top: "+ ", side: "| ", bottom: "+", wrapped: "> " }
} as const

const LONGEST_LINE = 2_000
const LONGEST_LABEL = 40

/** The rows of the fences stand for them: picked out whole they give the fences too. */
export const fenceRows = (leaf: Leaf & { kind: "fence" | "fenceEnd" }, options: MarkdownOptions): ReadonlyArray<Row> => {
  const { top, bottom } = GLYPHS[options.glyphs]
  const label = leaf.kind === "fence" ? sliceColumns(visibleLine(leaf.info, "command"), 0, LONGEST_LABEL).trimEnd() : ""
  const pieces: ReadonlyArray<Span> = [
    { text: leaf.kind === "fence" ? top : bottom, look: FRAME_LOOK, at: leaf.start, covers: leaf.end - leaf.start },
    ...(label === "" ? [] : [{ text: label, look: LABEL_LOOK, at: leaf.end, covers: 0 }])
  ]
  return rowsOfLine(pieces, leaf, { width: options.width, margin: marginOf(leaf, options.glyphs), scroll: 0 })
}

/** Lines without end are shown up to a column, with the count of what is left out. */
const shortened = (text: string): { readonly text: string; readonly missing: number } => {
  if (text.length <= LONGEST_LINE / 2) return { text, missing: 0 }
  const columns = textWidth(text)
  if (columns <= LONGEST_LINE) return { text, missing: 0 }
  const kept = headOf(text)
  return { text: kept, missing: columns - textWidth(kept) }
}

const headOf = (text: string): string =>
  wrapLine([{ text: text.slice(0, LONGEST_LINE * 2), look: CODE_LOOK }], { width: LONGEST_LINE })[0]?.spans[0]?.text ??
  text.slice(0, LONGEST_LINE)

export const codeRows = (
  leaf: Leaf & { kind: "code" },
  options: MarkdownOptions,
  colouring: Colouring
): { readonly rows: ReadonlyArray<Row>; readonly colouring: Colouring } => {
  const { side, wrapped } = GLYPHS[options.glyphs]
  const { text, missing } = shortened(leaf.line.text)
  const painted = paintLine(text, { look: CODE_LOOK, at: leaf.line.at, colouring })
  const pieces = missing === 0 ? painted.pieces : [...painted.pieces, { text: ` … ${missing} more columns`, look: CUT_LOOK }]
  const margin = marginOf(leaf, options.glyphs)
  const edge: Span = { text: side, look: FRAME_LOOK }
  const rows = rowsOfLine(pieces, leaf, {
    width: options.width,
    margin: { first: [...margin.first, edge], rest: [...margin.rest, edge, { text: wrapped, look: CUT_LOOK }] },
    tab: options.tabWidth,
    ...(options.codeWrap ? {} : { scroll: options.scroll })
  })
  return { rows, colouring: painted.colouring }
}
