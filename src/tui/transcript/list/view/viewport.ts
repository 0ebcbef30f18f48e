/**
 * Which rows are on screen. Either the end is followed, or the view hangs on a source offset at its top row: then
 * nothing but the user moves it, because everything else happens above or below that row.
 */
import type { Row } from "../../../screen/style/row.ts"
import { type BlockAt, firstBlockFrom, locate, setRowCount, type Place } from "../index/entries.ts"
import { blockState } from "./folds.ts"
import { indexOfKey, indexOfRow, prefix, rowsOf } from "../index/heights.ts"
import { knownRows } from "./layout-cache.ts"
import {
  compareSpots,
  distance,
  firstSpot,
  groupStart,
  lastSpot,
  moveSpot,
  placeOfSpot,
  rowAt,
  rowOfAnchor,
  type Spot
} from "./row-position.ts"
import { itemAt } from "../index/tree.ts"
import { type ListContext, neighbour, optionsFor, type Shown, unitFor } from "./list-context.ts"

/** The top row: the place where it begins, and how many rows that begin there stand before it. */
export interface Anchor {
  readonly place: Place
  readonly skip: number
}

export type Viewport =
  | { readonly following: true }
  | {
      readonly following: false
      readonly anchor: Anchor
      /** The last entry when the view was anchored: what came later is new, and so is that entry once it grew. */
      readonly seen: Seen
    }

interface Seen {
  readonly key: number
  readonly length: number
}

export const FOLLOWING: Viewport = { following: true }

export interface Scrolled extends Shown {
  readonly viewport: Viewport
}

/** A row and where it is drawn. */
export interface PlacedRow {
  readonly y: number
  readonly at: BlockAt
  /** Which of the rows of its block it is. */
  readonly index: number
  readonly row: Row
}

const anchorOf = (spot: Spot): Anchor => ({
  place: placeOfSpot(spot),
  skip: spot.row - groupStart(spot.unit.rows, spot.row)
})

/** The top row when the last row is at the bottom. */
const bottomTop = (list: Scrolled, context: ListContext): Spot | undefined => {
  const last = lastSpot(list, context)
  return last === undefined ? undefined : moveSpot(list, last, { rows: 1 - Math.max(1, context.height), context })
}

export const topSpot = (list: Scrolled, context: ListContext): Spot | undefined => {
  const { viewport } = list
  if (viewport.following) return bottomTop(list, context)
  const { place, skip } = viewport.anchor
  const at = locate(list.entries, place)
  const unit = at === undefined ? undefined : unitFor(list, at, context)
  if (at === undefined || unit === undefined) return undefined
  if (unit.at.block.id !== place.block) return { unit, row: 0 }
  return { unit, row: rowOfAnchor(unit.rows, place.offset, skip) }
}

const lengthOf = (item: ReturnType<typeof itemAt>): number =>
  item?.entry.blocks.reduce((sum, { source }) => sum + source.length, 0) ?? 0

const lastSeen = ({ entries: { tree } }: Scrolled): Seen => {
  const last = itemAt(tree, tree.count - 1)
  return { key: last?.key ?? -1, length: lengthOf(last) }
}

/** Hangs the view on a row. What was new stays new until the end is reached. */
export const anchoredAt = <List extends Scrolled>(list: List, spot: Spot): List => ({
  ...list,
  viewport: {
    following: false,
    anchor: anchorOf(spot),
    seen: list.viewport.following ? lastSeen(list) : list.viewport.seen
  }
})

/** Whether the same row is at the top. */
export const isSameView = (one: Scrolled["viewport"], other: Scrolled["viewport"]): boolean => {
  if (one.following || other.following) return one.following === other.following
  const [a, b] = [one.anchor, other.anchor]
  return (
    a.skip === b.skip &&
    a.place.entry === b.place.entry &&
    a.place.block === b.place.block &&
    a.place.offset === b.place.offset
  )
}

/** The row itself, or the lowest that may be at the top: below it the end would leave rows empty. */
export const asTop = (
  list: Scrolled,
  spot: Spot,
  context: ListContext
): { readonly spot: Spot; readonly isLowest: boolean } => {
  const bottom = bottomTop(list, context)
  return bottom === undefined || compareSpots(spot, bottom) < 0
    ? { spot, isLowest: false }
    : { spot: bottom, isLowest: true }
}

/** Scrolls by rows. Down to the last row means to follow the end from now on. */
export const scrollBy = <List extends Scrolled>(list: List, rows: number, context: ListContext): List => {
  const top = topSpot(list, context)
  if (top === undefined) return list
  const target = moveSpot(list, top, { rows, context })
  if (rows < 0) return anchoredAt(list, target)
  const { spot, isLowest } = asTop(list, target, context)
  return isLowest && context.autoScroll ? { ...list, viewport: FOLLOWING } : anchoredAt(list, spot)
}

/** Stops following without moving a row. */
export const held = <List extends Scrolled>(list: List, context: ListContext): List => {
  const top = list.viewport.following ? topSpot(list, context) : undefined
  return top === undefined ? list : anchoredAt(list, top)
}

/** The row with what drawing put above it: a gap, a border, a header. */
const withHead = ({ unit, row }: Spot): Spot => ({ unit, row: groupStart(unit.rows, row) })

/** Scrolls as little as possible so that a row is in view; one that is far away comes to the middle. */
export const revealSpot = <List extends Scrolled>(list: List, spot: Spot, context: ListContext): List => {
  const top = topSpot(list, context)
  const height = Math.max(1, context.height)
  if (top === undefined) return list
  if (compareSpots(spot, top) < 0) {
    const near = distance(list, spot, { spot: top, within: height, context }) !== undefined
    return anchoredAt(list, near ? withHead(spot) : moveSpot(list, spot, { rows: -(height >> 1), context }))
  }
  const down = distance(list, top, { spot, within: 2 * height, context })
  if (down !== undefined && down < height) return list
  const target = moveSpot(list, spot, { rows: down === undefined ? -(height >> 1) : 1 - height, context })
  return anchoredAt(list, asTop(list, target, context).spot)
}

/** The rows of the view, and no others are laid out. */
export const visibleRows = (list: Scrolled, context: ListContext): ReadonlyArray<PlacedRow> => {
  const placed: Array<PlacedRow> = []
  let spot = topSpot(list, context)
  while (spot !== undefined && placed.length < context.height) {
    const { unit } = spot
    for (let index = spot.row; index < unit.rows.length && placed.length < context.height; index++) {
      const row = rowAt({ unit, row: index })
      if (row !== undefined) placed.push({ y: placed.length, at: unit.at, index, row })
    }
    const next = neighbour(list, unit, { direction: 1, context })
    spot = next === undefined ? undefined : { unit: next, row: 0 }
  }
  return placed
}

/** How many messages came or went on since the view stopped following. */
export const newCount = ({ viewport, entries: { tree } }: Scrolled): number => {
  if (viewport.following) return 0
  const { key, length } = viewport.seen
  const index = indexOfKey(tree, key)
  const item = itemAt(tree, index)
  return tree.count - index - (item?.key === key && lengthOf(item) <= length ? 1 : 0)
}

/** Rows of an entry as far as they are known by now. */
const entryRows = (list: Scrolled, index: number, { options }: ListContext): number | undefined => {
  const blocks = itemAt(list.entries.tree, index)?.entry.blocks ?? []
  let rows = 0
  for (const block of blocks) {
    const fold = blockState(list.folds, block, options.view)
    const known = knownRows(list.cache, { block, fold, options: optionsFor(list, block, options) })
    if (known === undefined) return undefined
    rows += known
  }
  return rows
}

/** Lays out the view and one more of its height on each side, and takes over the heights that this showed. */
export const measure = <List extends Scrolled>(list: List, context: ListContext): List => {
  const top = topSpot(list, context)
  if (top === undefined) return list
  const from = moveSpot(list, top, { rows: -context.height, context }).unit.at.index
  const to = moveSpot(list, top, { rows: 2 * context.height, context }).unit.at.index
  if (list.folds.hasGroups) return list
  let { entries } = list
  for (let index = from; index <= to; index++) {
    const rows = entryRows(list, index, context)
    if (rows !== undefined) entries = setRowCount(entries, index, rows)
  }
  return entries === list.entries ? list : { ...list, entries }
}

/** How far along the top of the view is, in percent of all rows; 100 while following. */
export const percent = (list: Scrolled, { options: { width } }: ListContext): number => {
  if (list.viewport.following) return 100
  const { tree } = list.entries
  const total = rowsOf(tree, width)
  const before = rowsOf(prefix(tree, indexOfKey(tree, list.viewport.anchor.place.key)), width)
  return total === 0 ? 100 : Math.floor((100 * before) / total)
}

/** The row that stands so many percent down. */
export const spotAtPercent = (list: Scrolled, share: number, context: ListContext): Spot | undefined => {
  const { tree } = list.entries
  if (share >= 100) return lastSpot(list, context)
  const row = Math.floor((rowsOf(tree, context.options.width) * Math.max(0, share)) / 100)
  const index = indexOfRow(tree, row, context.options.width)
  const at = firstBlockFrom(list.entries, index)
  const unit = at === undefined ? undefined : unitFor(list, at, context)
  if (unit === undefined) return firstSpot(list, context)
  const inside = row - rowsOf(prefix(tree, index), context.options.width)
  return moveSpot(list, { unit, row: 0 }, { rows: Math.max(0, inside), context })
}
