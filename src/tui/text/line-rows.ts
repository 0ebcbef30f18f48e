import { textWidth } from "../screen/cell/width.ts"
import { type Field, visiblePart } from "../editor/field.ts"
import { inOneLine, sanitize, type TextKind } from "./sanitize.ts"
import type { Look, Row, Span } from "../screen/style/row.ts"
import { cutLine } from "./cut.ts"
import { rowsOfLine } from "./rows.ts"
import { columnsOf } from "./wrap.ts"

/** Rows that overlays share: sentences, lines, fields. */

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }

export const spanRow = (spans: ReadonlyArray<Span>): Row => ({
  spans,
  width: spans.reduce((sum, { text }) => sum + textWidth(text), 0),
  start: 0,
  end: 0
})

export const EMPTY_ROW: Row = spanRow([])

/** A sentence, wrapped. */
export const textRows = (text: string, width: number, look: Look = TEXT, kind: TextKind = "prose"): ReadonlyArray<Row> =>
  text.split("\n").flatMap((line) => rowsOfLine(sanitize(line, kind, { look }), { start: 0, end: 0 }, { width }))

const MORE: Span = { text: "…", look: QUIET }

/** One line; where it does not fit it ends with a mark. */
export const lineRow = (given: ReadonlyArray<Span>, width: number): Row => {
  const spans = inOneLine(given)
  if (columnsOf(spans) <= width) return spanRow(spans)
  const cut = cutLine(spans, { width: Math.max(1, width - 1) })
  return spanRow(width > 1 ? [...cut.spans, MORE] : cut.spans)
}

/** A label and what is typed; a label of one sign, as `/` and `:`, stands right before it. */
export const fieldRow = (
  label: string,
  field: Field,
  width: number,
  look: Look = QUIET
): { readonly row: Row; readonly column: number } => {
  const name = label.length === 1 ? label : `${label} `
  const room = Math.max(1, width - textWidth(name))
  const part = visiblePart(field, room)
  const shown = cutLine(sanitize(part.text, "command", { look: TEXT }), { width: room, scroll: part.from })
  return { row: spanRow([{ text: name, look }, ...shown.spans]), column: textWidth(name) + part.column }
}
