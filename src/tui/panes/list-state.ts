import type { Row } from "../text/row.ts"

/** A list pane as a value: where its cursor is, what is in view, what is searched for, marked and folded. */
export interface Item {
  readonly id: string
  readonly rows: ReadonlyArray<Row>
  /** What `y` yanks and `/` searches. */
  readonly source: string
  /** The fold that the item belongs to, where the pane has folds. */
  readonly fold?: string
}

export interface ListState {
  /** Id of the item under the cursor; lists change while they are looked at. */
  readonly cursor: string | undefined
  /** Place of the cursor when its item was last seen, for when the item goes away. */
  readonly place: number
  readonly topRow: number
  readonly pattern: string
  readonly backward: boolean
  /** Off after `:noh`, until the next search. */
  readonly highlighted: boolean
  /** Ids of items by letter; the quote stands for where the last jump began. */
  readonly marks: ReadonlyMap<string, string>
  /** Ids of items that were left by a jump, oldest first, and which of them stands here. */
  readonly jumps: { readonly places: ReadonlyArray<string>; readonly at: number }
  readonly folded: ReadonlySet<string>
}

export const NEW_LIST: ListState = {
  cursor: undefined,
  place: 0,
  topRow: 0,
  pattern: "",
  backward: false,
  highlighted: false,
  marks: new Map(),
  jumps: { places: [], at: 0 },
  folded: new Set()
}

export interface ListContext {
  readonly items: ReadonlyArray<Item>
  readonly height: number
}

/** Where the cursor is now; the same item wherever it went, else the same place. */
export const cursorIndex = ({ cursor, place }: ListState, items: ReadonlyArray<Item>): number => {
  const found = cursor === undefined ? -1 : items.findIndex(({ id }) => id === cursor)
  return Math.max(0, Math.min(found >= 0 ? found : place, items.length - 1))
}

export const itemUnder = (list: ListState, items: ReadonlyArray<Item>): Item | undefined => items[cursorIndex(list, items)]

export const rowOf = (items: ReadonlyArray<Item>, index: number): number => {
  let row = 0
  for (let each = 0; each < index; each++) row += items[each]?.rows.length ?? 0
  return row
}

export const totalRows = (items: ReadonlyArray<Item>): number => rowOf(items, items.length)

export const indexAtRow = (items: ReadonlyArray<Item>, row: number): number => {
  let passed = 0
  for (const [index, item] of items.entries()) {
    passed += item.rows.length
    if (row < passed) return index
  }
  return Math.max(0, items.length - 1)
}

/** The first row to draw: the cursor's item is always in view. */
export const topRowOf = (list: ListState, { items, height }: ListContext): number => {
  const index = cursorIndex(list, items)
  const first = rowOf(items, index)
  const rows = items[index]?.rows.length ?? 0
  const last = Math.max(0, totalRows(items) - height)
  const lowest = Math.max(0, first + Math.min(rows, height) - height)
  return Math.max(Math.min(list.topRow, first, last), Math.min(lowest, last))
}

/** The cursor on another item, with it in view. */
export const movedTo = (list: ListState, index: number, context: ListContext): ListState => {
  const { items } = context
  const place = Math.max(0, Math.min(index, items.length - 1))
  const next = { ...list, place, cursor: items[place]?.id }
  return { ...next, topRow: topRowOf(next, context) }
}

export const scrolledTo = (list: ListState, topRow: number, context: ListContext): ListState => ({
  ...list,
  topRow: Math.max(0, Math.min(topRow, totalRows(context.items) - context.height))
})

/** Puts the cursor on the item that a click hit. */
export const pointAt = (list: ListState, row: number, context: ListContext): ListState =>
  movedTo(list, indexAtRow(context.items, topRowOf(list, context) + row), context)

/** Turns the wheel: the view moves, and the cursor only as far as it must to stay in it. */
export const wheel = (list: ListState, rows: number, context: ListContext): ListState => {
  const top = Math.max(0, Math.min(topRowOf(list, context) + rows, totalRows(context.items) - context.height))
  const index = cursorIndex(list, context.items)
  const least = indexAtRow(context.items, top)
  const most = indexAtRow(context.items, top + context.height - 1)
  const place = Math.min(Math.max(index, least), most)
  return { ...list, topRow: top, place, cursor: context.items[place]?.id }
}
