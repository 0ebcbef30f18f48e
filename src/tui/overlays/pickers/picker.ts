import type { PickerState } from "../../model/overlay.ts"
import { textWidth } from "../../screen/cell/width.ts"
import { fuzzyMatch } from "../../text/fuzzy.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { sanitize } from "../../text/sanitize.ts"
import { columnsOf } from "../../text/wrap.ts"
import { EMPTY_ROW, fieldRow, lineRow, textRows } from "../../text/line-rows.ts"
import type { Panel, PanelCaret } from "../panel/panel.ts"

/** A list to choose from with a filter: what palette, help, models, themes, sessions and history searches share. */
export interface PickerItem {
  readonly id: string
  readonly label: string
  /** Beside the label, dim. */
  readonly detail: string
  /** At the right end: a key, an age, a price. */
  readonly right: string
  /** Begins a group; drawn above the first item of it. */
  readonly group?: string
  /** Why it cannot be chosen now. */
  readonly disabled?: string
  readonly marked?: boolean
  /** Does not work here, and can be read all the same. */
  readonly isDim?: boolean
  /** Text that a filter looks into besides what is shown. */
  readonly also?: () => string
}

interface Found {
  readonly item: PickerItem
  readonly positions: ReadonlyArray<number>
}

/** Every group once, where its best match puts it. */
const inGroups = <Hit extends Found>(hits: ReadonlyArray<Hit>): ReadonlyArray<Hit> => {
  const groups = new Map<string | undefined, Array<Hit>>()
  for (const hit of hits) {
    const group = groups.get(hit.item.group)
    if (group === undefined) groups.set(hit.item.group, [hit])
    else group.push(hit)
  }
  return [...groups.values()].flat()
}

/** The items that match, best first within their groups; in their own order while nothing is typed. */
const found = (items: ReadonlyArray<PickerItem>, filter: string): ReadonlyArray<Found> => {
  if (filter.trim() === "") return items.map((item) => ({ item, positions: [] }))
  const hits = items
    .flatMap((item) => {
      const byLabel = fuzzyMatch(filter, item.label)
      if (byLabel !== undefined) return [{ item, positions: byLabel.positions, score: byLabel.score }]
      const byDetail = fuzzyMatch(filter, item.detail)
      if (byDetail !== undefined) return [{ item, positions: [], score: byDetail.score - 1_000 }]
      const isElsewhere = item.also?.().toLowerCase().includes(filter.trim().toLowerCase()) === true
      return isElsewhere ? [{ item, positions: [], score: -2_000 }] : []
    })
    .toSorted((a, b) => b.score - a.score)
  return inGroups(hits)
}

export const filteredItems = (items: ReadonlyArray<PickerItem>, picker: PickerState): ReadonlyArray<PickerItem> =>
  found(items, picker.filter.text).map(({ item }) => item)

export const selectedItem = (items: ReadonlyArray<PickerItem>, picker: PickerState): PickerItem | undefined => {
  const shown = filteredItems(items, picker)
  return shown[Math.min(picker.selected, shown.length - 1)]
}

const PLAIN: Look = { role: "text" }
const MATCHED: Look = { role: "claude", bold: true }
const DETAIL: Look = { role: "subtle" }
const DISABLED: Look = { role: "inactive", dim: true }
const GROUP: Look = { role: "paneTitle", bold: true }
const CHOSEN: Look = { role: "permission", bold: true }

/** The label with the letters that matched set off. */
const labelSpans = ({ item, positions }: Found, look: Look): ReadonlyArray<Span> => {
  if (positions.length === 0) return sanitize(item.label, "command", { look })
  const hits = new Set(positions)
  return Array.from(item.label, (character, index) => ({
    text: character,
    look: hits.has(index) ? MATCHED : look
  })).flatMap(({ text, look: each }) => sanitize(text, "command", { look: each }))
}

const MOST_RIGHT = 0.4

/** The label comes first: where both have no room, the facts at the right end go, the last ones first. */
const fittingRight = ({ label, right }: PickerItem, width: number): string => {
  const parts = right.split(" · ")
  const room = Math.max(Math.floor(width * MOST_RIGHT), width - textWidth(label) - 4)
  while (parts.length > 1 && textWidth(parts.join(" · ")) > room) parts.pop()
  return parts.join(" · ")
}

const itemRow = (each: Found, isSelected: boolean, width: number): Row => {
  const { item } = each
  const mark = isSelected ? "▸ " : item.marked === true ? "• " : "  "
  const isDim = item.disabled !== undefined || (item.isDim === true && !isSelected)
  const look = isDim ? DISABLED : isSelected ? CHOSEN : PLAIN
  const right = sanitize(fittingRight(item, width), "command", { look: item.isDim === true ? DISABLED : DETAIL })
  const room = Math.max(1, width - columnsOf(right) - 1)
  const note = item.disabled ?? item.detail
  const left: ReadonlyArray<Span> = [
    { text: mark, look },
    ...labelSpans(each, look),
    ...(note === "" ? [] : [{ text: "  ", look: PLAIN }, ...sanitize(note, "command", { look: DETAIL })])
  ]
  const cut = lineRow(left, room)
  const gap = Math.max(0, width - cut.width - columnsOf(right))
  return lineRow([...cut.spans, { text: " ".repeat(gap), look: PLAIN }, ...right], width)
}

/** Rows further away than any screen is high are never seen, and not made: lists may hold thousands of sessions. */
const FAR_ROWS = 400

const NOTHING = "nothing matches"

const rowsOf = (
  shown: ReadonlyArray<Found>,
  { picker, empty = NOTHING }: Pick<PickerPanel, "picker" | "empty">,
  width: number
): ReadonlyArray<Row> => {
  const selected = Math.min(picker.selected, shown.length - 1)
  const rows: Array<Row> = []
  let group: string | undefined
  for (const [index, each] of shown.entries()) {
    if (each.item.group !== undefined && each.item.group !== group) {
      group = each.item.group
      rows.push(lineRow(sanitize(group, "command", { look: GROUP }), width))
    }
    rows.push(Math.abs(index - selected) > FAR_ROWS ? EMPTY_ROW : itemRow(each, index === selected, width))
  }
  if (rows.length === 0) rows.push(lineRow([{ text: empty, look: DETAIL }], width))
  return rows
}

/** Where the chosen item stands among the rows, heads of groups included. */
const selectedRowOf = (shown: ReadonlyArray<Found>, { selected }: PickerState): number => {
  const last = Math.min(selected, shown.length - 1)
  let row = 0
  let group: string | undefined
  for (const [index, { item }] of shown.entries()) {
    if (item.group !== undefined && item.group !== group) row += 1
    group = item.group ?? group
    if (index >= last) break
    row += 1
  }
  return row
}

/** Which of the shown items a row stands for; the heads of groups stand for none. */
export const itemAtRow = (items: ReadonlyArray<PickerItem>, picker: PickerState, row: number): number | undefined => {
  let passed = 0
  let group: string | undefined
  for (const [index, item] of filteredItems(items, picker).entries()) {
    if (item.group !== undefined && item.group !== group) passed += 1
    group = item.group ?? group
    if (passed === row) return index
    passed += 1
  }
  return undefined
}

export interface PickerPanel {
  readonly title: string
  readonly items: ReadonlyArray<PickerItem>
  readonly picker: PickerState
  readonly hint: string
  /** The key that lists all of them. */
  readonly hintKey: string | undefined
  readonly width: number
  /** Rows under the list: a preview, an explanation. */
  readonly below?: (width: number) => ReadonlyArray<Row>
  /** What is said in place of items when there are none. */
  readonly empty?: string
}

export const pickerPanel = (given: PickerPanel): Panel => {
  const { title, items, picker, hint, hintKey, width, below } = given
  const under = (columns: number): ReadonlyArray<Row> => [
    ...(picker.showsKeys ? textRows(hint, columns, DETAIL) : []),
    ...(below?.(columns) ?? [])
  ]
  const shown = found(items, picker.filter.text)
  const isFiltered = picker.isFiltering || picker.filter.text !== ""
  const caretAt = (columns: number): PanelCaret => ({
    part: "foot",
    row: under(columns).length,
    column: fieldRow("filter:", picker.filter, columns).column
  })
  return {
    title,
    tone: "calm",
    width,
    body: (columns) => rowsOf(shown, given, columns),
    top: 0,
    selected: selectedRowOf(shown, picker),
    foot: (columns) => [...under(columns), ...(isFiltered ? [fieldRow("filter:", picker.filter, columns).row] : [])],
    ...(picker.isFiltering ? { caret: caretAt } : {}),
    hint,
    ...(picker.isOnlyFilter || picker.showsKeys || hintKey === undefined ? {} : { hintKey })
  }
}
