/** The `z` commands: they work on the folds around the cursor, or on all. */
import { isFoldRow } from "../../rows/fold.ts"
import { cursorBlock, cursorMoved, cursorPlace, cursorSpot, withCursor } from "../state/cursor.ts"
import { type BlockAt, blockAt, nextBlock, placeIn, previousBlock } from "../index/entries.ts"
import {
  blockFold,
  blockState,
  type FoldId,
  type Folds,
  type FoldState,
  groupState,
  messageFold,
  setFolds,
  setLevel
} from "../view/folds.ts"
import { laidOut } from "../view/layout-cache.ts"
import { type TranscriptList, withBell } from "../state/transcript-list.ts"
import { type Command, timesOf, type ListCommands } from "../state/motion.ts"
import { rowAt } from "../view/row-position.ts"
import { itemAt } from "../index/tree.ts"
import { foldsAround, type ListContext, turnAround } from "../view/list-context.ts"

/** Whether closing a block would hide anything of it. */
const isFoldable = (list: TranscriptList, { block }: BlockAt, { options, layout }: ListContext): boolean =>
  block.meta !== true && laidOut(list.cache, { block, fold: "closed", options }, layout).some(isFoldRow)

const stateOf = (list: TranscriptList, fold: FoldId, at: { block: BlockAt; context: ListContext }): FoldState =>
  fold.startsWith("b:") ? blockState(list.folds, at.block.block, at.context.options.view) : groupState(list.folds, fold)

/** The folds around the cursor that can hide something, the outermost first. */
const foldsHere = (list: TranscriptList, at: BlockAt, context: ListContext): ReadonlyArray<FoldId> =>
  foldsAround(list, at).filter((fold) => !fold.startsWith("b:") || isFoldable(list, at, context))

/** Every block below the outermost fold around the cursor. */
const descendants = (list: TranscriptList, at: BlockAt): ReadonlyArray<FoldId> => {
  const { first, end } = turnAround(list.entries, at.index)
  const ids: Array<FoldId> = []
  for (let index = first; index < end; index++) {
    const entry = itemAt(list.entries.tree, index)?.entry
    if (entry === undefined) continue
    ids.push(messageFold(entry), ...entry.blocks.map(blockFold))
  }
  return ids
}

const withFolds = (list: TranscriptList, folds: Folds, context: ListContext): TranscriptList => {
  const place = cursorPlace(list, context)
  const changed = { ...list, folds }
  return place === undefined ? changed : cursorMoved(changed, { place, keepsGoal: true, stays: true }, context)
}

/** The folds around the cursor with their states, the outermost first. */
type Here = ReadonlyArray<{ readonly id: FoldId; readonly state: FoldState }>

interface Chosen {
  readonly ids: ReadonlyArray<FoldId>
  readonly state: FoldState
}

/** Works on the folds that `choose` picks. */
const onFolds =
  (choose: (here: Here) => Chosen | undefined): Command =>
  (list, _request, context) => {
    const at = cursorBlock(list, context)?.at
    if (at === undefined) return withBell(list)
    const here = foldsHere(list, at, context).map((id) => ({ id, state: stateOf(list, id, { block: at, context }) }))
    const chosen = choose(here)
    return chosen === undefined ? withBell(list) : withFolds(list, setFolds(list.folds, chosen.ids, chosen.state), context)
  }

/** The outermost closed fold: what is closed inside it is not to be seen. */
const toOpen = (here: Here): FoldId | undefined => here.find(({ state }) => state === "closed")?.id

/** The innermost open fold, unless one around it is closed already: then the next one out. */
const toClose = (here: Here): FoldId | undefined => {
  const closed = here.findIndex(({ state }) => state === "closed")
  return (closed === -1 ? here : here.slice(0, closed)).findLast(({ state }) => state === "open")?.id
}

const one = (id: FoldId | undefined, state: FoldState): Chosen | undefined =>
  id === undefined ? undefined : { ids: [id], state }

const toggle = onFolds((here) => one(toOpen(here), "open") ?? one(toClose(here), "closed"))

/** Opens everything around and below the cursor. */
const openAll: Command = (list, _request, context) => {
  const at = cursorBlock(list, context)?.at
  if (at === undefined) return withBell(list)
  const around = foldsAround(list, at)
  const hidesTurn = around.slice(0, -1).some((fold) => groupState(list.folds, fold) === "closed")
  const below = hidesTurn ? descendants(list, at) : []
  return withFolds(list, setFolds(list.folds, [...around, ...below], "open"), context)
}

const closeAll = onFolds((here) => ({ ids: here.map(({ id }) => id), state: "closed" }))

const toggleAll: Command = (list, request, context) => {
  const at = cursorBlock(list, context)?.at
  if (at === undefined) return withBell(list)
  const states = foldsHere(list, at, context).map((fold) => stateOf(list, fold, { block: at, context }))
  return (states.includes("closed") ? openAll : closeAll)(list, request, context)
}

const toLevel =
  (level: (folds: Folds, count: number) => number): Command =>
  (list, request, context) =>
    withFolds(list, setLevel(level(list.folds, timesOf(request))), context)

/** Blocks looked at for the next fold. Each one is laid out, so this is bounded. */
const REACH = 2_000

const toFold =
  (direction: 1 | -1): Command =>
  (list, request, context) => {
    let at = cursorBlock(list, context)?.at
    let found: BlockAt | undefined
    let left = timesOf(request)
    for (let looked = 0; at !== undefined && left > 0 && looked < REACH; looked++) {
      at = direction === 1 ? nextBlock(list.entries, at) : previousBlock(list.entries, at)
      if (at === undefined || !isFoldable(list, at, context)) continue
      found = at
      left--
    }
    return found === undefined ? withBell(list) : withCursor(list, placeIn(found, 0), context)
  }

/** Whether the cursor stands on a row that stands for what a fold hides. */
const isOnFold = (list: TranscriptList, context: ListContext): boolean => {
  const spot = cursorSpot(list, context)
  const row = spot === undefined ? undefined : rowAt(spot)
  return row !== undefined && isFoldRow(row)
}

/** Opens only what hides the cursor, and keeps it open. */
const openForCursor: Command = (list, _request, context) => {
  const at = cursorBlock(list, context)?.at
  if (at === undefined) return list
  const onFold = isOnFold(list, context)
  const ids = foldsHere(list, at, context).filter(
    (id) => stateOf(list, id, { block: at, context }) === "closed" && (onFold || !id.startsWith("b:"))
  )
  return ids.length === 0 ? list : withFolds(list, setFolds(list.folds, ids, "open"), context)
}

export const FOLD_ACTIONS = {
  "pane:foldToggle": toggle,
  "pane:foldOpen": onFolds((here) => one(toOpen(here), "open")),
  "pane:foldClose": onFolds((here) => one(toClose(here), "closed")),
  "pane:foldToggleDeep": toggleAll,
  "pane:foldOpenDeep": openAll,
  "pane:foldCloseDeep": closeAll,
  "pane:foldOpenAll": toLevel(() => 3),
  "pane:foldCloseAll": toLevel(() => 0),
  "pane:foldLess": toLevel(({ level }, count) => level + count),
  "pane:foldMore": toLevel(({ level }, count) => level - count),
  "pane:foldNext": toFold(1),
  "pane:foldPrevious": toFold(-1),
  "pane:foldReveal": openForCursor,
  /** On a row that stands for a fold; elsewhere the application opens the menu of the message. */
  "pane:open": (list, request, context) => (isOnFold(list, context) ? toggle(list, request, context) : withBell(list))
} satisfies ListCommands

/** Toggles the fold of a block that was clicked. */
export const toggleBlock = (list: TranscriptList, at: BlockAt, context: ListContext): TranscriptList => {
  const here = blockAt(list.entries, at.index, at.ordinal)
  return here === undefined
    ? list
    : toggle({ ...list, cursor: placeIn(here, 0) }, { count: undefined, argument: "" }, context)
}
