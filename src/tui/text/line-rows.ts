import { textWidth } from "../screen/cell/width.ts"
import { type Field, visiblePart } from "../editor/field.ts"
import { inOneLine, sanitize, type TextKind } from "./sanitize.ts"
import type { Look, Row, Span } from "../screen/style/row.ts"
import { cutLine } from "./cut.ts"
import { rowsOfLine } from "./rows.ts"
import { columnsOf } from "./wrap.ts"

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
export const lineRow = (given: ReadonlyArray<Span>, width: number): Row => {
  const spans = inOneLine(given)
  if (columnsOf(spans) <= width) return spanRow(spans)
  const cut = cutLine(spans, { width: Math.max(1, width - 1) })
  return spanRow(width > 1 ? [...cut.spans, MORE] : cut.spans)
}

export interface Choice {
  readonly key: string
  readonly label: string
  readonly look?: Look
  /** `command` unless it is a sentence of somebody else. */
  readonly kind?: TextKind
  /** What the choice means: shown after it as far as its row has room. */
  readonly aside?: string
}

const LEAST_ASIDE = 8

/** The label, and in the room that it leaves what it means. */
const labelSpans = ({ label, kind = "command", aside = "" }: Choice, look: Look, room: number): ReadonlyArray<Span> => {
  const spans = sanitize(label, kind, { look })
  const left = room - columnsOf(spans) - 2
  if (aside === "" || left < LEAST_ASIDE) return spans
  const told = lineRow(sanitize(aside.replaceAll("\n", " "), kind, { look: QUIET }), left)
  return [...spans, { text: "  ", look: QUIET }, ...told.spans]
}

interface DrawnChoice {
  readonly margin: Span
  readonly label: ReadonlyArray<Span>
}

/** A mark at the chosen one that does not depend on colour, and its number. */
const drawn = (choices: ReadonlyArray<Choice>, selected: number, width: number): ReadonlyArray<DrawnChoice> => {
  const keyWidth = Math.max(0, ...choices.map(({ key }) => textWidth(key)))
  return choices.map((choice, index) => {
    const isChosen = index === selected
    const text = `${isChosen ? "▸" : " "} ${choice.key.padStart(keyWidth)} `
    const label = labelSpans(choice, isChosen ? CHOSEN : (choice.look ?? TEXT), width - textWidth(text))
    return { margin: { text, look: isChosen ? CHOSEN : QUIET }, label }
  })
}

/** Numbered choices. */
export const choiceRows = (choices: ReadonlyArray<Choice>, selected: number, width: number): ReadonlyArray<Row> =>
  drawn(choices, selected, width).flatMap(({ margin, label }) => {
    const rest = { text: " ".repeat(textWidth(margin.text)), look: TEXT }
    return rowsOfLine(label, { start: 0, end: 0 }, { width, margin: { first: [margin], rest: [rest] } })
  })

/** The same with one row for each, cut where it is too long. */
export const tightChoiceRows = (choices: ReadonlyArray<Choice>, selected: number, width: number): ReadonlyArray<Row> =>
  drawn(choices, selected, width).map(({ margin, label }) => lineRow([margin, ...label], width))

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
