import { yank } from "../../model/prompt/shared-registers.ts"
import { withoutCommands, notify } from "../../model/update-result.ts"
import { type FocusedList, withList, onItem } from "./focused-list.ts"
import type { ActionId } from "../../keymap/actions/action-tables.ts"
import type { Press, Handler } from "../../model/action.ts"
import { Record } from "effect"
import { searchAgain } from "./list-search.ts"
import {
  cursorIndex,
  heightOf,
  indexAtRow,
  itemUnder,
  type ListContext,
  type ListState,
  movedTo,
  rowOf,
  scrolledBy,
  scrolledTo,
  topRowOf,
  totalRows
} from "../../model/list-state.ts"

/** The keys that every list pane understands (UI-4), by the id of their action. What opening means is the pane's business. */

export interface ListResult {
  readonly list: ListState
  readonly notice?: string
}

type ListAction = (list: ListState, request: Press, context: ListContext) => ListResult

const MOST_JUMPS = 100

/** Remembers the item that is about to be left. */
const leaving = (list: ListState, { items }: ListContext): ListState => {
  const here = itemUnder(list, items)?.id
  if (here === undefined) return list
  const places = [...list.jumps.places.filter((id) => id !== here), here].slice(-MOST_JUMPS)
  return { ...list, jumps: { places, at: places.length }, marks: new Map(list.marks).set("'", here) }
}

const motion =
  (target: (index: number, times: number, context: ListContext & { readonly top: number }) => number): ListAction =>
  (list, { count }, context) => ({
    list: movedTo(
      list,
      target(cursorIndex(list, context.items), count ?? 1, { ...context, top: topRowOf(list, context) }),
      context
    )
  })

const jump =
  (target: (count: number | undefined, context: ListContext) => number): ListAction =>
  (list, { count }, context) => ({ list: movedTo(leaving(list, context), target(count, context), context) })

/** View and cursor go so many rows on; where the view cannot, the cursor alone. */
const byRows =
  (rows: (height: number) => number): ListAction =>
  (list, { count }, context) => {
    const { items, height } = context
    const by = (count ?? 1) * rows(height)
    const target = indexAtRow(items, Math.max(0, rowOf(items, cursorIndex(list, items)) + by))
    const top = topRowOf(list, context)
    const scrolled = scrolledBy({ ...list, topRow: top }, by, context, target)
    return { list: scrolled.topRow === top ? movedTo(list, target, context) : scrolled }
  }

const half = (height: number): number => Math.max(1, Math.floor(height / 2))
const page = (height: number): number => Math.max(1, height - 2)

const scroll =
  (by: 1 | -1): ListAction =>
  (list, { count }, context) => ({ list: scrolledBy(list, by * (count ?? 1), context) })

const FAR_COLUMNS = 20
const MOST_COLUMNS = 2_000

const bySide =
  (columns: number): ListAction =>
  (list, { count }) => ({
    list: { ...list, sideways: Math.max(0, Math.min(MOST_COLUMNS, list.sideways + columns * (count ?? 1))) }
  })

const align =
  (top: (row: number, rows: number, height: number) => number): ListAction =>
  (list, _request, context) => {
    const index = cursorIndex(list, context.items)
    return {
      list: scrolledTo(list, top(rowOf(context.items, index), heightOf(context.items[index]), context.height), context)
    }
  }

const again =
  (reverse: boolean): ListAction =>
  (list, { count }, context) => {
    const { list: found, notice } = searchAgain(leaving(list, context), context, { reverse, count: count ?? 1 })
    return notice === undefined ? { list: found } : { list: found, notice }
  }

const setMark: ListAction = (list, { argument }, { items }) => {
  const id = itemUnder(list, items)?.id
  return id === undefined || !/^[a-z]$/.test(argument)
    ? { list }
    : { list: { ...list, marks: new Map(list.marks).set(argument, id) } }
}

const toMark: ListAction = (list, { argument }, context) => {
  const id = list.marks.get(argument === "`" ? "'" : argument)
  const index = context.items.findIndex((item) => item.id === id)
  if (index < 0) return { list, notice: `mark ${argument} is not set here` }
  return { list: movedTo(leaving(list, context), index, context) }
}

const walk =
  (direction: 1 | -1): ListAction =>
  (list, { count }, context) => {
    const isFirst = direction === -1 && list.jumps.at === list.jumps.places.length
    const { jumps } = isFirst ? leaving(list, context) : list
    const at = (isFirst ? jumps.places.length - 1 : jumps.at) + direction * (count ?? 1)
    const index = context.items.findIndex((item) => item.id === jumps.places[at])
    return index < 0 ? { list } : { list: { ...movedTo(list, index, context), jumps: { ...jumps, at } } }
  }

const foldsIn = ({ items }: ListContext): ReadonlyArray<string> => [
  ...new Set(items.flatMap(({ fold }) => (fold === undefined ? [] : [fold])))
]

/** Opens, closes or toggles the fold of the item; a cursor that would be hidden goes to the head of its fold. */
const fold =
  (change: (isFolded: boolean) => boolean): ListAction =>
  (list, _request, { items }) => {
    const id = itemUnder(list, items)?.fold
    if (id === undefined) return { list, notice: "there are no folds here" }
    const folded = new Set(list.folded)
    if (change(folded.has(id))) folded.add(id)
    else folded.delete(id)
    const head = items.findIndex((item) => item.fold === id)
    return { list: folded.has(id) ? { ...list, folded, place: head, cursor: items[head]?.id } : { ...list, folded } }
  }

const foldAll =
  (isFolded: boolean): ListAction =>
  (list, _request, context) => {
    const folded = new Set(isFolded ? foldsIn(context) : [])
    const id = itemUnder(list, context.items)?.fold
    const head = context.items.findIndex((item) => item.fold === id && id !== undefined)
    return {
      list: isFolded && head >= 0 ? { ...list, folded, place: head, cursor: context.items[head]?.id } : { ...list, folded }
    }
  }

const toFold =
  (by: 1 | -1): ListAction =>
  (list, { count }, context) => {
    const { items } = context
    const heads = items.flatMap((item, index) =>
      item.fold !== undefined && items[index - 1]?.fold !== item.fold ? [index] : []
    )
    const here = cursorIndex(list, items)
    const ahead = by === 1 ? heads.filter((head) => head > here) : heads.filter((head) => head < here).toReversed()
    const target = ahead[Math.min(count ?? 1, ahead.length) - 1]
    return target === undefined ? { list } : { list: movedTo(list, target, context) }
  }

/** A list has no columns to move in. */
const stay: ListAction = (list) => ({ list })

export const LIST_ACTIONS = {
  "pane:left": stay,
  "pane:right": stay,
  "pane:down": motion((index, times) => index + times),
  "pane:up": motion((index, times) => index - times),
  "pane:top": jump((count) => (count ?? 1) - 1),
  "pane:bottom": jump((count, { items }) => (count ?? items.length) - 1),
  "pane:halfPageDown": byRows(half),
  "pane:halfPageUp": byRows((height) => -half(height)),
  "pane:pageDown": byRows(page),
  "pane:pageUp": byRows((height) => -page(height)),
  "pane:scrollDown": scroll(1),
  "pane:scrollUp": scroll(-1),
  "pane:scrollRight": bySide(1),
  "pane:scrollLeft": bySide(-1),
  "pane:scrollRightFar": bySide(FAR_COLUMNS),
  "pane:scrollLeftFar": bySide(-FAR_COLUMNS),
  "pane:screenTop": motion((_index, times, { items, top }) => indexAtRow(items, top + times - 1)),
  "pane:screenMiddle": motion((_index, _times, { items, top, height }) =>
    indexAtRow(items, top + Math.floor(Math.min(height, totalRows(items)) / 2))
  ),
  "pane:screenBottom": motion((_index, times, { items, top, height }) =>
    indexAtRow(items, Math.min(top + height, totalRows(items)) - times)
  ),
  "pane:centreCursor": align((row, rows, height) => row - Math.floor((height - rows) / 2)),
  "pane:cursorAtTop": align((row) => row),
  "pane:cursorAtBottom": align((row, rows, height) => row + rows - height),
  "pane:searchNext": again(false),
  "pane:searchPrevious": again(true),
  "pane:setMark": setMark,
  "pane:goToMark": toMark,
  "pane:goToMarkLine": toMark,
  "pane:jumpOlder": walk(-1),
  "pane:jumpNewer": walk(1),
  "pane:foldToggle": fold((isFolded) => !isFolded),
  "pane:foldOpen": fold(() => false),
  "pane:foldClose": fold(() => true),
  "pane:foldToggleDeep": fold((isFolded) => !isFolded),
  "pane:foldOpenDeep": fold(() => false),
  "pane:foldCloseDeep": fold(() => true),
  "pane:foldReveal": fold(() => false),
  "pane:foldOpenAll": foldAll(false),
  "pane:foldLess": foldAll(false),
  "pane:foldCloseAll": foldAll(true),
  "pane:foldMore": foldAll(true),
  "pane:foldNext": toFold(1),
  "pane:foldPrevious": toFold(-1)
} as const satisfies Partial<Record<ActionId, ListAction>>

/** An action of the list itself. */
const handled =
  (act: ListAction): Handler<FocusedList> =>
  ({ model, pane, list, context }, press) => {
    const { list: next, notice } = act(list, press, context)
    const moved = withList(model, pane, next)
    return withoutCommands(notice === undefined ? moved : notify(moved, notice))
  }

export const yankItem: Handler<FocusedList> = onItem(({ model, item }) => yank(model, item.source, { what: "the item" }))

export const LIST_HANDLERS = { ...Record.map(LIST_ACTIONS, handled), "pane:yank": yankItem }

/** Opens or closes the fold that an item heads. */
export const toggleFold: Handler<FocusedList> = LIST_HANDLERS["pane:foldToggle"]
