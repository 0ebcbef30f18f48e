import { textWidth } from "../cell/width.ts"
import { type Field, visiblePart } from "../field/field.ts"
import { sanitize, type TextKind } from "../text/sanitize.ts"
import type { Look, Row, Span } from "../text/row.ts"
import { cutLine } from "../text/cut.ts"
import { rowsOfLine } from "../text/rows.ts"
import { columnsOf } from "../text/wrap.ts"

/** Rows that overlays share: sentences, choices, fields. */

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const CHOSEN: Look = { role: "permission", bold: true }

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
export const lineRow = (spans: ReadonlyArray<Span>, width: number): Row => {
  if (columnsOf(spans) <= width) return spanRow(spans)
  const cut = cutLine(spans, { width: Math.max(1, width - 1) })
  return spanRow(width > 1 ? [...cut.spans, MORE] : cut.spans)
}

export interface Choice {
  readonly key: string
  readonly label: string
  readonly look?: Look
}

/** Numbered choices with a mark at the chosen one that does not depend on colour. */
export const choiceRows = (choices: ReadonlyArray<Choice>, selected: number, width: number): ReadonlyArray<Row> =>
  choices.flatMap(({ key, label, look }, index) => {
    const isChosen = index === selected
    const margin = `${isChosen ? "▸" : " "} ${key} `
    const rest = " ".repeat(textWidth(margin))
    return rowsOfLine(
      sanitize(label, "command", { look: isChosen ? CHOSEN : (look ?? TEXT) }),
      { start: 0, end: 0 },
      { width, margin: { first: [{ text: margin, look: isChosen ? CHOSEN : QUIET }], rest: [{ text: rest, look: TEXT }] } }
    )
  })

/** A label and what is typed; a label of one sign, as `/` and `:`, stands right before it. */
export const fieldRow = (label: string, field: Field, width: number): { readonly row: Row; readonly column: number } => {
  const name = label.length === 1 ? label : `${label} `
  const room = Math.max(1, width - textWidth(name))
  const part = visiblePart(field, room)
  const shown = cutLine(sanitize(part.text, "command", { look: TEXT }), { width: room, scroll: part.from })
  return { row: spanRow([{ text: name, look: QUIET }, ...shown.spans]), column: textWidth(name) + part.column }
}
