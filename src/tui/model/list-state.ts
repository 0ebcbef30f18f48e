import type { Row } from "../screen/style/row.ts"

/** A list pane as a value: where its cursor is, what is in view, what is searched for, marked and folded. */
export interface Item {
  readonly id: string
  /** Where only the number of rows is known, they are made when they are looked at. */
  readonly rows: ReadonlyArray<Row>
  /** How many rows there are, where that is known without making them. */
  readonly height?: number
  /** What `y` yanks, and `/` searches where there is no text for that. */
  readonly source: string
  /** What `/` searches. */
  readonly text?: string
  /** The fold that the item belongs to, where the pane has folds. */
  readonly fold?: string | undefined
}

export interface ListState {
  /** Id of the item under the cursor; lists change while they are looked at. */
  readonly cursor: string | undefined
  /** Place of the cursor when its item was last seen, for when the item goes away. */
  readonly place: number
  readonly topRow: number
  /** Columns scrolled to the right, where the pane shows lines that are wider than it. */
  readonly sideways: number
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
  sideways: 0,
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

export const heightOf = (item: Item | undefined): number => (item === undefined ? 0 : (item.height ?? item.rows.length))

interface Making {
  readonly row: () => Row
  readonly source: () => string
}

interface Named {
  readonly id: string
  readonly text: string
  readonly fold?: string
}

/** A class and no literal: thousands of these are counted with every key, and all of them look alike. */
class RowItem implements Item {
  readonly id: string
  readonly text: string
  readonly fold: string | undefined
  readonly height = 1
  private made: ReadonlyArray<Row> | undefined = undefined

  constructor(
    { id, text, fold }: Named,
    private readonly making: Making
  ) {
    this.id = id
    this.text = text
    this.fold = fold
  }

  get rows(): ReadonlyArray<Row> {
    this.made ??= [this.making.row()]
    return this.made
  }

  get source(): string {
    return this.making.source()
  }
}

/** An item of one row that is made when it is first drawn: a long list costs what is in view. */
export const rowItem = (item: Named, making: Making): Item => new RowItem(item, making)

export const rowOf = (items: ReadonlyArray<Item>, index: number): number => {
  let row = 0
  for (let each = 0; each < index; each++) row += heightOf(items[each])
  return row
}

/** Lists are values: what was counted stays true. */
const counted = new WeakMap<ReadonlyArray<Item>, number>()

export const totalRows = (items: ReadonlyArray<Item>): number => {
  const known = counted.get(items)
  if (known !== undefined) return known
  const total = rowOf(items, items.length)
  counted.set(items, total)
  return total
}

export const indexAtRow = (items: ReadonlyArray<Item>, row: number): number => {
  let passed = 0
  for (const [index, item] of items.entries()) {
    passed += heightOf(item)
    if (row < passed) return index
  }
  return Math.max(0, items.length - 1)
}

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most))

/** First rows to draw with which an item is in view: all of it, or nothing else where it is taller than the pane. */
const topsFor = (index: number, { items, height }: ListContext): readonly [least: number, most: number] => {
  const first = rowOf(items, index)
  const over = heightOf(items[index]) - height
  return over > 0 ? [first, first + over] : [first + over, first]
}

const lastTop = ({ items, height }: ListContext): number => Math.max(0, totalRows(items) - height)

/** The first row to draw: the cursor's item is in view, of one that is taller than the pane at least a row. */
export const topRowOf = (list: ListState, context: ListContext): number => {
  const { items, height } = context
  const index = cursorIndex(list, items)
  const rows = heightOf(items[index])
  const first = rowOf(items, index)
  const [least, most] = rows > height ? [first - height + 1, first + rows - 1] : topsFor(index, context)
  return between(0, between(least, list.topRow, most), lastTop(context))
}

/** The cursor on another item, with it in view. */
export const movedTo = (list: ListState, index: number, context: ListContext): ListState => {
  const { items } = context
  const place = Math.max(0, Math.min(index, items.length - 1))
  const [least, most] = topsFor(place, context)
  const topRow = between(0, between(least, list.topRow, most), lastTop(context))
  return { ...list, place, cursor: items[place]?.id, topRow }
}

export const scrolledTo = (list: ListState, topRow: number, context: ListContext): ListState => ({
  ...list,
  topRow: Math.max(0, Math.min(topRow, totalRows(context.items) - context.height))
})

/** Puts the cursor on the item that a click hit. */
export const pointAt = (list: ListState, row: number, context: ListContext): ListState =>
  movedTo(list, indexAtRow(context.items, topRowOf(list, context) + row), context)

/** The items on which the cursor may stand with a row at the top: those that are whole, or one that fills the pane. */
const standing = (top: number, { items, height }: ListContext): readonly [least: number, most: number] | undefined => {
  const first = indexAtRow(items, top)
  const last = indexAtRow(items, top + height - 1)
  const least = rowOf(items, first) < top ? first + 1 : first
  const most = rowOf(items, last + 1) > top + height ? last - 1 : last
  if (least <= most) return [least, most]
  const tall = [first, last].find((index) => heightOf(items[index]) > height)
  return tall === undefined ? undefined : [tall, tall]
}

/** The first row nearest to a wish at which the cursor has a place: rather a little less far than over something. */
const nearestTop = (from: number, wish: number, context: ListContext): number => {
  const step = Math.sign(wish - from)
  for (let top = wish; top !== from; top -= step) if (standing(top, context) !== undefined) return top
  for (let top = wish; top > 0 && top < lastTop(context); top += step) if (standing(top, context) !== undefined) return top
  return step > 0 ? lastTop(context) : 0
}

/** The view moves by rows; the cursor only as far as it must, or to where it is wished. */
export const scrolledBy = (
  list: ListState,
  rows: number,
  context: ListContext,
  wish = cursorIndex(list, context.items)
): ListState => {
  const { items } = context
  const from = topRowOf(list, context)
  const wanted = between(0, from + rows, lastTop(context))
  const top = wanted === from ? from : nearestTop(from, wanted, context)
  const [least, most] = standing(top, context) ?? [wish, wish]
  const place = between(least, wish, most)
  return { ...list, topRow: top, place, cursor: items[place]?.id }
}
