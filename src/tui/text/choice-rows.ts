import { textWidth } from "../screen/cell/width.ts"
import type { Field } from "../editor/field.ts"
import type { Look, Row, Span } from "../screen/style/row.ts"
import { EMPTY_ROW, fieldRow, lineRow, spanRow } from "./line-rows.ts"
import { rowsOfLine } from "./rows.ts"
import { sanitize, type TextKind } from "./sanitize.ts"
import { columnsOf } from "./wrap.ts"

/** Numbered choices: one below the other, or side by side where they fit. */

export interface Choice {
  readonly key: string
  readonly label: string
  /** `command` unless it is a sentence of somebody else. */
  readonly kind?: TextKind
  /** What the choice means, as far as its row has room. */
  readonly meaning?: string
  /** Words that go with the choice, in its own row. */
  readonly field?: { readonly value: Field; readonly isOpen: boolean }
}

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
const labelSpans = ({ label, kind = "command", meaning = "" }: Choice, look: Look, room: number): ReadonlyArray<Span> => {
  const spans = sanitize(label, kind, { look })
  const left = room - columnsOf(spans) - 2
  if (meaning === "" || left < LEAST_MEANING) return spans
  const shown = lineRow(sanitize(meaning.replaceAll("\n", " "), kind, { look: QUIET }), left)
  return [...spans, { text: "  ", look: QUIET }, ...shown.spans]
}

/** A mark at the chosen one that does not depend on colour, and its number. */
const drawn = (choice: Choice, isChosen: boolean, width: number): Drawn => {
  const margin: Span = { text: `${isChosen ? "▸" : " "} ${choice.key} `, look: isChosen ? CHOSEN : QUIET }
  const room = Math.max(1, width - textWidth(margin.text))
  const look = isChosen ? CHOSEN : TEXT
  const { field } = choice
  if (field === undefined) return { margin, label: labelSpans(choice, look, room), caret: undefined }
  const { row, column } = fieldRow(`${choice.label}:`, field.value, room, look)
  return { margin, label: row.spans, caret: field.isOpen ? textWidth(margin.text) + column : undefined }
}

/** All of them in one row; undefined where they do not fit or say more than their names. */
const sideBySide = (choices: ReadonlyArray<Choice>, selected: number, width: number): ChoiceRows | undefined => {
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
const wrapped = (choice: Choice, { margin, label }: Drawn, width: number): ReadonlyArray<Row> => {
  if (choice.field !== undefined) {
    const { field: _field, ...plain } = choice
    const room = wrapped(plain, drawn(plain, false, width), width).length
    return [lineRow([margin, ...label], width), ...Array.from({ length: room - 1 }, () => EMPTY_ROW)]
  }
  const rest = { text: " ".repeat(textWidth(margin.text)), look: TEXT }
  return rowsOfLine(label, { start: 0, end: 0 }, { width, margin: { first: [margin], rest: [rest] } })
}

/** One below the other; tight ones have one row each, cut where it is too long. */
const belowEachOther = (
  given: ReadonlyArray<Choice>,
  { selected, width, isTight }: { readonly selected: number; readonly width: number; readonly isTight: boolean }
): ChoiceRows => {
  const keyWidth = Math.max(0, ...given.map(({ key }) => textWidth(key)))
  const rows: Array<Row> = []
  const spots: Array<ChoiceSpot> = []
  const cut = new Set<number>()
  let caret: ChoiceRows["caret"]
  for (const [index, choice] of given.entries()) {
    const padded = { ...choice, key: choice.key.padStart(keyWidth) }
    const each = drawn(padded, index === selected, width)
    const made = isTight ? [lineRow([each.margin, ...each.label], width)] : wrapped(padded, each, width)
    if (isTight && columnsOf([each.margin, ...each.label]) > width) cut.add(index)
    if (each.caret !== undefined) caret = { row: rows.length, column: each.caret }
    for (const row of made) {
      spots.push({ index, row: rows.length, from: 0, to: width })
      rows.push(row)
    }
  }
  return { rows, spots, caret, isCut: (index) => cut.has(index) }
}

export const choiceRows = (choices: ReadonlyArray<Choice>, selected: number, width: number): ReadonlyArray<Row> =>
  belowEachOther(choices, { selected, width, isTight: false }).rows

/** In as few rows as they can be read in; with `isTight` in as few as they can be told apart. */
export const fewestRows = (
  choices: ReadonlyArray<Choice>,
  at: { readonly selected: number; readonly width: number; readonly isTight: boolean }
): ChoiceRows => sideBySide(choices, at.selected, at.width) ?? belowEachOther(choices, at)
