import { textWidth } from "../../screen/cell/width.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { EMPTY_ROW, fieldRow, lineRow, spanRow } from "../../text/line-rows.ts"
import { rowsOfLine } from "../../text/rows.ts"
import { sanitize } from "../../text/sanitize.ts"
import { columnsOf } from "../../text/wrap.ts"
import type { DockChoice } from "./dock-panel.ts"

/** The numbered choices of a docked question: side by side where they fit, else one below the other. */

const TEXT: Look = { role: "text" }
const QUIET: Look = { role: "subtle" }
const CHOSEN: Look = { role: "permission", bold: true }
const GAP: Span = { text: "   ", look: TEXT }

export interface ChoiceRows {
  readonly rows: ReadonlyArray<Row>
  /** Where each choice can be clicked on. */
  readonly spots: ReadonlyArray<ChoiceSpot>
  readonly caret: { readonly row: number; readonly column: number } | undefined
  /** A label was cut: what it says must be read elsewhere. */
  readonly isCut: (index: number) => boolean
}

export interface ChoiceSpot {
  readonly index: number
  readonly row: number
  readonly from: number
  readonly to: number
}

interface Drawn {
  readonly margin: Span
  readonly label: ReadonlyArray<Span>
  readonly caret: number | undefined
}

const LEAST_MEANING = 8

/** The label, and in the room that it leaves what it means. */
const labelSpans = (
  { label, kind = "command", meaning = "" }: DockChoice,
  look: Look,
  room: number
): ReadonlyArray<Span> => {
  const spans = sanitize(label, kind, { look })
  const left = room - columnsOf(spans) - 2
  if (meaning === "" || left < LEAST_MEANING) return spans
  const shown = lineRow(sanitize(meaning.replaceAll("\n", " "), kind, { look: QUIET }), left)
  return [...spans, { text: "  ", look: QUIET }, ...shown.spans]
}

const marginOf = ({ key }: DockChoice, isChosen: boolean): Span => ({
  text: `${isChosen ? "▸" : " "} ${key} `,
  look: isChosen ? CHOSEN : QUIET
})

const drawn = (choice: DockChoice, isChosen: boolean, width: number): Drawn => {
  const margin = marginOf(choice, isChosen)
  const room = Math.max(1, width - textWidth(margin.text))
  const look = isChosen ? CHOSEN : TEXT
  const { field } = choice
  if (field === undefined) return { margin, label: labelSpans(choice, look, room), caret: undefined }
  const { row, column } = fieldRow(`${choice.label}:`, field.value, room, look)
  return { margin, label: row.spans, caret: field.isOpen ? textWidth(margin.text) + column : undefined }
}

/** All of them in one row; undefined where they do not fit or say more than their names. */
const sideBySide = (choices: ReadonlyArray<DockChoice>, selected: number, width: number): ChoiceRows | undefined => {
  const names = choices.reduce((sum, { key, label }) => sum + textWidth(`  ${key} ${label}`), 0)
  const room = width - names - GAP.text.length * (choices.length - 1)
  if (room < 0 || choices.some(({ meaning }) => meaning !== undefined)) return undefined
  const open = choices.findIndex(({ field }) => field?.isOpen === true)
  const shown = open < 0 ? [...choices.keys()] : [open]
  const spans: Array<Span> = []
  const spots: Array<ChoiceSpot> = []
  let caret: ChoiceRows["caret"]
  for (const index of shown) {
    const choice = choices[index]
    if (choice === undefined) continue
    if (spans.length > 0) spans.push(GAP)
    const from = columnsOf(spans)
    const own = open < 0 ? textWidth(`  ${choice.key} ${choice.label}`) + room : width
    const { margin, label, caret: column } = drawn(choice, index === selected, own)
    spans.push(margin, ...label)
    spots.push({ index, row: 0, from, to: columnsOf(spans) })
    if (column !== undefined) caret = { row: 0, column }
  }
  return { rows: [spanRow(spans)], spots, caret, isCut: () => false }
}

/** The rows of one choice; a field is one row in the room of its label, so that nothing moves while somebody types. */
const wrapped = (choice: DockChoice, { margin, label }: Drawn, width: number): ReadonlyArray<Row> => {
  if (choice.field !== undefined) {
    const { field: _field, ...plain } = choice
    const room = wrapped(plain, drawn(plain, false, width), width).length
    return [lineRow([margin, ...label], width), ...Array.from({ length: room - 1 }, () => EMPTY_ROW)]
  }
  const rest = { text: " ".repeat(textWidth(margin.text)), look: TEXT }
  return rowsOfLine(label, { start: 0, end: 0 }, { width, margin: { first: [margin], rest: [rest] } })
}

const belowEachOther = (
  choices: ReadonlyArray<DockChoice>,
  { selected, width, isTight }: { readonly selected: number; readonly width: number; readonly isTight: boolean }
): ChoiceRows => {
  const rows: Array<Row> = []
  const spots: Array<ChoiceSpot> = []
  const cut = new Set<number>()
  let caret: ChoiceRows["caret"]
  for (const [index, choice] of choices.entries()) {
    const each = drawn(choice, index === selected, width)
    const made = isTight ? [lineRow([each.margin, ...each.label], width)] : wrapped(choice, each, width)
    if (isTight && columnsOf([each.margin, ...each.label]) > width) cut.add(index)
    if (each.caret !== undefined) caret = { row: rows.length, column: each.caret }
    for (const row of made) {
      spots.push({ index, row: rows.length, from: 0, to: width })
      rows.push(row)
    }
  }
  return { rows, spots, caret, isCut: (index) => cut.has(index) }
}

export const choiceRows = (choices: ReadonlyArray<DockChoice>, selected: number, width: number): ChoiceRows =>
  sideBySide(choices, selected, width) ?? belowEachOther(choices, { selected, width, isTight: false })

/** One row for each, cut where it is too long. */
export const tightChoiceRows = (choices: ReadonlyArray<DockChoice>, selected: number, width: number): ChoiceRows =>
  sideBySide(choices, selected, width) ?? belowEachOther(choices, { selected, width, isTight: true })
