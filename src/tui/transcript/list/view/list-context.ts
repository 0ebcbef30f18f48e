/**
 * What is drawn one below the other: a block, or the head of a closed message or turn that stands for all it hides.
 */
import { textWidth } from "../../../screen/cell/width.ts"
import { lookOf } from "../../../screen/style/look.ts"
import type { Row } from "../../../screen/style/row.ts"
import type { Block, LayoutOptions, Part } from "../../block.ts"
import { glyphsOf } from "../../rows/glyphs.ts"
import {
  type BlockAt,
  blockAt,
  type Entries,
  firstBlockFrom,
  lastBlockUntil,
  nextBlock,
  previousBlock
} from "../index/entries.ts"
import { FLAG } from "../index/flags.ts"
import { blockFold, blockState, type FoldId, type Folds, groupState, messageFold, turnFold } from "./folds.ts"
import { linesBefore, nextFlagged, previousFlagged } from "../index/heights.ts"
import { laidOut, type Layout, type LayoutCache } from "./layout-cache.ts"
import { itemAt } from "../index/tree.ts"

/** What a list is drawn with; it comes with every action and is never kept. */
export interface ListContext {
  readonly height: number
  readonly options: LayoutOptions
  readonly layout: Layout
  readonly parts: (block: Block) => ReadonlyArray<Part>
  /** `autoScrollEnabled`: whether the end is followed. */
  readonly autoScroll: boolean
  /** False while the pane is hidden: what comes then is unread. */
  readonly isWatched?: boolean
}

/** The part of a list that decides which rows there are. */
export interface Shown {
  readonly entries: Entries
  readonly folds: Folds
  readonly cache: LayoutCache
  /** The one block whose code or tables are scrolled to the right. */
  readonly sideways?: Sideways | undefined
}

export interface Sideways {
  readonly block: string
  readonly columns: number
}

/** Options are compared by identity where rows are kept, so those of a scrolled block are made once. */
const scrolledOptions = new WeakMap<LayoutOptions, LayoutOptions>()

/** What a block is laid out with: the options of the list, and how far it is scrolled to the right. */
export const optionsFor = ({ sideways }: Shown, block: Block, options: LayoutOptions): LayoutOptions => {
  if (sideways === undefined || sideways.columns === 0 || sideways.block !== block.id) return options
  const kept = scrolledOptions.get(options)
  if (kept?.scroll === sideways.columns) return kept
  const made = { ...options, scroll: sideways.columns }
  scrolledOptions.set(options, made)
  return made
}

export interface Unit {
  readonly at: BlockAt
  readonly rows: ReadonlyArray<Row>
}

const turnStart = ({ tree }: Entries, index: number): number | undefined => previousFlagged(tree, index + 1, FLAG.turn)

const turnEnd = ({ tree }: Entries, start: number): number => nextFlagged(tree, start + 1, FLAG.turn) ?? tree.count

/** The entries that a closed turn or message around this place hides behind its first one. */
const closedGroup = (shown: Shown, index: number): { first: number; end: number } | undefined => {
  if (!shown.folds.hasGroups) return undefined
  const { entries } = shown
  const first = turnStart(entries, index)
  const start = first === undefined ? undefined : itemAt(entries.tree, first)
  if (first !== undefined && start !== undefined && groupState(shown.folds, turnFold(start.entry)) === "closed") {
    return { first, end: turnEnd(entries, first) }
  }
  const item = itemAt(entries.tree, index)
  return item !== undefined && groupState(shown.folds, messageFold(item.entry)) === "closed"
    ? { first: index, end: index + 1 }
    : undefined
}

/** The block that stands on screen for a block. */
export const shownBlockFor = (shown: Shown, at: BlockAt): BlockAt => {
  const group = closedGroup(shown, at.index)
  return group === undefined ? at : (firstBlockFrom(shown.entries, group.first) ?? at)
}

const foldRow = (text: string, start: number, { options }: ListContext): Row => {
  const shownText = `${glyphsOf(options).more} ${text} (za)`
  return { spans: [{ text: shownText, look: lookOf("fold") }], width: textWidth(shownText), start, end: start, hides: true }
}

const counted = (count: number, noun: string): string => `${count} more ${noun}${count === 1 ? "" : "s"}`

const groupText = ({ entries }: Shown, { first, end }: { first: number; end: number }): string =>
  end - first > 1
    ? counted(end - first - 1, "message")
    : counted(Math.max(0, linesBefore(entries.tree, end) - linesBefore(entries.tree, first) - 1), "line")

const blockRows = (shown: Shown, at: BlockAt, context: ListContext): ReadonlyArray<Row> => {
  const fold = blockState(shown.folds, at.block, context.options.view)
  return laidOut(
    shown.cache,
    { block: at.block, fold, options: optionsFor(shown, at.block, context.options) },
    context.layout
  )
}

/** A closed group shows the first row that says something, and how much is behind it. */
const groupRows = (
  shown: Shown,
  at: BlockAt,
  group: { first: number; end: number; context: ListContext }
): ReadonlyArray<Row> => {
  const rows = blockRows(shown, at, group.context)
  const head = rows.find((row) => row.end > row.start) ?? rows[0]
  if (head === undefined) return []
  const hidden = group.end - group.first > 1 || at.entry.blocks.length > 1 || rows.length > rows.indexOf(head) + 1
  return hidden ? [head, foldRow(groupText(shown, group), head.end, group.context)] : [head]
}

/** The rows at a place that `standIn` gave. */
export const unitAt = (shown: Shown, at: BlockAt, context: ListContext): Unit => {
  const group = closedGroup(shown, at.index)
  return { at, rows: group === undefined ? blockRows(shown, at, context) : groupRows(shown, at, { ...group, context }) }
}

const step = (shown: Shown, at: BlockAt, by: { direction: 1 | -1; context: ListContext }): BlockAt | undefined => {
  const group = closedGroup(shown, at.index)
  if (by.direction === 1) {
    return group === undefined ? nextBlock(shown.entries, at) : firstBlockFrom(shown.entries, group.end)
  }
  const before = group === undefined ? previousBlock(shown.entries, at) : lastBlockUntil(shown.entries, group.first - 1)
  return before === undefined ? undefined : shownBlockFor(shown, before)
}

/** The next unit in a direction that has any rows. */
export const neighbour = (shown: Shown, unit: Unit, by: { direction: 1 | -1; context: ListContext }): Unit | undefined => {
  for (let at = step(shown, unit.at, by); at !== undefined; at = step(shown, at, by)) {
    const next = unitAt(shown, at, by.context)
    if (next.rows.length > 0) return next
  }
  return undefined
}

const orNeighbour = (
  shown: Shown,
  at: BlockAt | undefined,
  by: { direction: 1 | -1; context: ListContext }
): Unit | undefined => {
  if (at === undefined) return undefined
  const unit = unitAt(shown, shownBlockFor(shown, at), by.context)
  return unit.rows.length > 0 ? unit : neighbour(shown, unit, by)
}

export const firstUnit = (shown: Shown, context: ListContext): Unit | undefined =>
  orNeighbour(shown, firstBlockFrom(shown.entries, 0), { direction: 1, context })

export const lastUnit = (shown: Shown, context: ListContext): Unit | undefined =>
  orNeighbour(shown, lastBlockUntil(shown.entries, shown.entries.tree.count - 1), { direction: -1, context })

/** The unit that shows a block, or the nearest one when it has no rows. */
export const unitFor = (shown: Shown, at: BlockAt, context: ListContext): Unit | undefined =>
  orNeighbour(shown, at, { direction: 1, context }) ?? orNeighbour(shown, at, { direction: -1, context })

/** All folds around a block, the outermost first. */
export const foldsAround = ({ entries }: Pick<Shown, "entries">, at: BlockAt): ReadonlyArray<FoldId> => {
  const first = turnStart(entries, at.index)
  const start = first === undefined ? undefined : blockAt(entries, first, 0)
  return [...(start === undefined ? [] : [turnFold(start.entry)]), messageFold(at.entry), blockFold(at.block)]
}

/** The entries of the turn around an index. */
export const turnAround = (entries: Entries, index: number): { readonly first: number; readonly end: number } => {
  const first = turnStart(entries, index)
  return {
    first: first ?? 0,
    end: first === undefined ? (nextFlagged(entries.tree, 0, FLAG.turn) ?? entries.tree.count) : turnEnd(entries, first)
  }
}
