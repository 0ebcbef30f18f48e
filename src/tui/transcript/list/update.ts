/** The pane's one door: an action and the list in, the next list out. Whatever is no key has a function of its own. */
import type { Entry } from "../block.ts"
import type * as Vector from "../vector.ts"
import { arriveAt, goTo, PLACE_COMMANDS, loadWholeIndex } from "./commands/go-to-place.ts"
import { cursorPlace, settleCursor } from "./state/cursor.ts"
import { type Entries, fillIndex, findBlock, type Place, placeIn, prependEntries, syncEntries } from "./index/entries.ts"
import { indexOfKey } from "./index/heights.ts"
import { FOLD_ACTIONS } from "./commands/fold-actions.ts"
import { type TranscriptList, withBell, type ListOperator } from "./state/transcript-list.ts"
import { type Command, type ListMotions, type MotionRequest, timesOf, type ListCommands } from "./state/motion.ts"
import { objectAt } from "./commands/objects.ts"
import {
  cancelOperator,
  isOperator,
  lineRangeAt,
  onRange,
  onSelection,
  rangeOfMotion,
  OPERATORS
} from "./commands/operators.ts"
import { SCROLLS } from "./commands/scroll.ts"
import { searchedInEarlier } from "./commands/search.ts"
import { SEARCH_COMMANDS } from "./commands/search-commands.ts"
import { startSelection, withoutSelection } from "./commands/selection.ts"
import { structureMotions } from "./commands/structure.ts"
import { NO_TALLY, tallyAfter } from "./find/match-count.ts"
import { textMotions } from "./commands/text-motions.ts"
import { itemAt } from "./index/tree.ts"
import type { ListContext } from "./view/list-context.ts"
import { verticalMotions } from "./commands/vertical.ts"
import { topSpot } from "./view/viewport.ts"
import { selectRange, VISUAL_COMMANDS } from "./commands/visual.ts"

export interface ListAction {
  readonly name: ListActionName
  readonly count?: number
  readonly argument?: string
}

const MOTION_TABLE = { ...textMotions, ...structureMotions, ...verticalMotions }
const MOTIONS: ListMotions = MOTION_TABLE

const requestOf = ({ argument, count }: ListAction): MotionRequest => ({ count, argument: argument ?? "" })

/** Counts before an operator and before its motion multiply. */
const countedBy = (count: number | undefined, action: ListAction): MotionRequest =>
  requestOf(count === undefined ? action : { ...action, count: count * (action.count ?? 1) })

const isAboutAll = ({ name, count }: ListAction): boolean =>
  name === "pane:top" || (name === "pane:bottom" && count !== undefined)

const byMotion = (before: TranscriptList, action: ListAction, context: ListContext): TranscriptList => {
  const list = isAboutAll(action) ? loadWholeIndex(before) : before
  const { operator } = list
  const landing = MOTIONS[action.name]?.(list, countedBy(operator?.count, action), context)
  if (landing === undefined) return operator === undefined ? withBell(list) : cancelOperator(list)
  if (operator === undefined) return arriveAt(list, landing, context)
  const from = cursorPlace(list, context)
  const range = from === undefined ? undefined : rangeOfMotion(list, from, landing)
  if (range === undefined) return cancelOperator(list)
  return onRange({ ...list, find: landing.find ?? list.find }, operator.name, { range, context })
}

/** A text object as vim names it, such as `im`, for the operator that waits or the selection. */
const byObject = (
  list: TranscriptList,
  object: { readonly name: string; readonly count: number | undefined },
  context: ListContext
): TranscriptList => {
  const count = (list.operator?.count ?? 1) * (object.count ?? 1)
  const range = takesObjects(list) ? objectAt(list, object.name, { count, context }) : undefined
  if (range === undefined) return cancelOperator(list)
  if (list.operator === undefined) return selectRange(list, range, context)
  return onRange(list, list.operator.name, { range, context })
}

/** `yy`, `gyy` and `!!` take whole lines. */
const isDoubled = ({ operator }: TranscriptList, name: ListOperator): boolean =>
  operator?.name === name || (operator?.name === "transcript:quote" && name === "transcript:yank")

const byOperator = (
  list: TranscriptList,
  action: ListAction & { readonly name: ListOperator },
  context: ListContext
): TranscriptList => {
  const { name, count } = action
  if (list.selection !== undefined) return onSelection(list, name, context)
  if (!isDoubled(list, name)) return { ...list, operator: { name, count } }
  return yankLines(list, countedBy(list.operator?.count, action), context)
}

const yankLines: Command = (list, request, context) => {
  const down = timesOf(request) - 1
  const landing = down === 0 ? undefined : verticalMotions["pane:down"](list, { count: down, argument: "" }, context)
  const range = lineRangeAt(list, landing, context)
  return range === undefined
    ? cancelOperator(list)
    : onRange(list, list.operator?.name ?? "transcript:yank", { range, context })
}

/** Gives up the operator that waits, or else the selection. */
export const listCalmed = (list: TranscriptList): TranscriptList =>
  list.operator === undefined ? withoutSelection(list) : { ...list, operator: undefined }

const COMMAND_TABLE = {
  ...SCROLLS,
  ...FOLD_ACTIONS,
  ...VISUAL_COMMANDS,
  ...PLACE_COMMANDS,
  ...SEARCH_COMMANDS,
  "transcript:yankLine": yankLines
}
const COMMANDS: ListCommands = COMMAND_TABLE

/** What the list itself does; all else that a key means in the pane is not about the text. */
export const LIST_ACTIONS = { ...MOTION_TABLE, ...COMMAND_TABLE, ...OPERATORS }

export type ListActionName = keyof typeof LIST_ACTIONS

const takesObjects = ({ operator, selection }: TranscriptList): boolean => operator !== undefined || selection?.by === "keys"

const dispatched = (list: TranscriptList, action: ListAction, context: ListContext): TranscriptList => {
  const { name } = action
  if (isOperator(name)) return byOperator(list, { ...action, name }, context)
  if (action.name in MOTIONS) return byMotion(list, action, context)
  const command = COMMANDS[action.name]
  if (command === undefined) return cancelOperator(list)
  const { operator, ...rest } = list
  return command(operator === undefined ? list : { ...rest, operator: undefined }, requestOf(action), context)
}

const untold = (list: TranscriptList): TranscriptList => ({ ...list, outcome: undefined, sought: undefined })

/** One action of a key. */
export const updateList = (list: TranscriptList, action: ListAction, context: ListContext): TranscriptList =>
  settleCursor(dispatched(untold(list), action, context), context, { grown: false })

export const listTookObject = (
  list: TranscriptList,
  object: { readonly name: string; readonly count: number | undefined },
  context: ListContext
): TranscriptList => settleCursor(byObject(untold(list), object, context), context, { grown: false })

/** Moves the head of a selection by a motion, as shift with an arrow does. */
export const listExtended = (list: TranscriptList, action: ListAction, context: ListContext): TranscriptList => {
  const cursor = cursorPlace(list, context)
  if (cursor === undefined) return list
  const selection = list.selection ?? startSelection(cursor, "char", "mouse")
  const landing = MOTIONS[action.name]?.({ ...list, cursor: selection.head }, requestOf(action), context)
  return landing === undefined ? list : { ...list, selection: { ...selection, head: landing.place } }
}

/** The session changed. */
export const listChanged = (list: TranscriptList, source: Vector.Vector<Entry>, context: ListContext): TranscriptList => {
  const entries = syncEntries(list.entries, source)
  if (entries === list.entries) return list
  const { query, tally } = list.search
  const search = query === undefined ? list.search : { ...list.search, tally: tallyAfter(tally, list.entries, entries) }
  const fresh = context.isWatched === false ? keysFrom(entries, list.entries.tree.count) : []
  const unread = fresh.length === 0 ? list.unread : [...list.unread, ...fresh].slice(-MOST_UNREAD)
  return settleCursor({ ...list, entries, search, unread }, context, { grown: true })
}

/** The first entry got a blank row above it; where its first row was at the top of the view, it stays there. */
const keptAtTop = ({ entries, viewport }: TranscriptList, after: Entries): TranscriptList["viewport"] => {
  if (viewport.following) return viewport
  const { place, skip } = viewport.anchor
  const first = itemAt(entries.tree, 0)
  const index = first === undefined ? -1 : indexOfKey(after.tree, first.key)
  const [before, now] = [first?.entry.blocks[0], itemAt(after.tree, index)?.entry.blocks[0]]
  const isLower = before?.gap !== true && now?.gap === true
  if (!isLower || place.key !== first?.key || place.block !== now.id || place.offset !== 0) return viewport
  return { ...viewport, anchor: { place, skip: skip + 1 } }
}

/** Entries were read that come before all others. A search, or the way to a mark, goes on in them. */
export const listPrepended = (
  list: TranscriptList,
  at: { readonly source: Vector.Vector<Entry>; readonly count: number; readonly hasEarlier: boolean },
  context: ListContext
): TranscriptList => {
  const { entries, part } = prependEntries(list.entries, at.source, at.count)
  const search = { ...list.search, tally: NO_TALLY }
  const viewport = keptAtTop(list, entries)
  const grown = { ...list, entries, viewport, hasEarlier: at.hasEarlier, search, outcome: undefined }
  const { sought } = list
  const found = searchedInEarlier(grown, part, context)
  return settleCursor(sought === undefined ? found : goTo(found, sought, context), context, { grown: false })
}

/** The view is at the beginning of what there is, or a search has come to it, or a mark lies before it. */
export const wantsEarlier = (list: TranscriptList, context: ListContext): boolean => {
  if (!list.hasEarlier || list.entries.pending > 0) return false
  const top = topSpot(list, context)
  const { parked, typing } = list.search
  const searches = parked !== undefined && typing === undefined
  return searches || list.sought !== undefined || top === undefined || top.unit.at.index === 0
}

const MOST_UNREAD = 1_000

const keysFrom = ({ tree }: Entries, from: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(0, tree.count - from) }, (_, at) => itemAt(tree, from + at)?.key ?? 0)

/** The user has seen what was unread. */
export const listSeen = (list: TranscriptList): TranscriptList => (list.unread.length === 0 ? list : { ...list, unread: [] })

/** One slice of the index of a session that was opened. */
export const listFilled = (list: TranscriptList, count: number, context: ListContext): TranscriptList => {
  const entries = fillIndex(list.entries, count)
  return entries === list.entries ? list : settleCursor({ ...list, entries }, context, { grown: false })
}

/** The size, the view or another option changed. */
export const listRedrawn = (list: TranscriptList, context: ListContext): TranscriptList =>
  settleCursor(list, context, { grown: list.viewport.following })

/** Goes to a place that a mark kept. */
export const listWentTo = (list: TranscriptList, place: Place, context: ListContext): TranscriptList =>
  settleCursor(goTo({ ...list, outcome: undefined }, place, context), context, { grown: false })

/** Goes to an entry that another pane names. */
export const listOpenedAt = (
  list: TranscriptList,
  ids: { readonly entry: string; readonly block?: string; readonly offset?: number },
  context: ListContext
): TranscriptList => {
  const all = loadWholeIndex(list)
  const at = findBlock(all.entries, ids)
  if (at === undefined) return withBell(all)
  const place = placeIn(at, ids.offset ?? 0)
  const there = arriveAt(all, { place, extent: "exclusive", jump: true, reveals: true }, context)
  return settleCursor(there, context, { grown: false })
}
