/** The cursor arrives where a motion, a mark or a jump took it. */
import { cursorMoved, cursorPlace } from "../state/cursor.ts"
import { fillIndex, findBlock, type Place, placeIn } from "../index/entries.ts"
import { pushJump, walkJumps } from "../state/jumps.ts"
import { type TranscriptList, withBell, withNotice } from "../state/transcript-list.ts"
import { type Command, type Landing, timesOf, type ListCommands } from "../state/motion.ts"
import type { ListContext } from "../view/list-context.ts"

export const arriveAt = (list: TranscriptList, landing: Landing, context: ListContext): TranscriptList => {
  const from = cursorPlace(list, context)
  const left = landing.jump === true && from !== undefined ? { ...list, jumps: pushJump(list.jumps, from) } : list
  const there = cursorMoved(left, landing, context)
  const { cursor, selection } = there
  const grown = selection?.by === "keys" && cursor !== undefined ? { ...selection, head: cursor } : selection
  return { ...there, goal: landing.goal ?? there.goal, find: landing.find ?? there.find, selection: grown }
}

/** Loads the whole index first: what comes next is about all of it. */
export const loadWholeIndex = (list: TranscriptList): TranscriptList =>
  list.entries.pending === 0 ? list : { ...list, entries: fillIndex(list.entries, list.entries.pending) }

/** Marks that were stored know ids only; the key is found again when it is needed. */
export const resolvePlace = (list: TranscriptList, place: Place): Place | undefined => {
  if (Number.isFinite(place.key)) return place
  const at = findBlock(list.entries, { entry: place.entry, block: place.block })
  return at === undefined ? undefined : placeIn(at, place.offset)
}

/** Goes to a place, also to one that has to be read first. */
export const goTo = (list: TranscriptList, place: Place, context: ListContext): TranscriptList => {
  const all = Number.isFinite(place.key) ? list : loadWholeIndex(list)
  const there = resolvePlace(all, place)
  if (there !== undefined) {
    const landing = { place: there, extent: "exclusive", jump: true, reveals: true } as const
    return arriveAt({ ...all, sought: undefined }, landing, context)
  }
  if (all.hasEarlier) return { ...all, sought: place }
  return withNotice({ ...all, sought: undefined }, "the message of that mark is gone")
}

const setMark: Command = (list, { argument }, context) => {
  const place = cursorPlace(list, context)
  if (place === undefined || !/^[a-zA-Z'`]$/.test(argument)) return withBell(list)
  return { ...list, marks: new Map([...list.marks, [argument === "`" ? "'" : argument, place]]) }
}

/** Goes to a mark; the quotes stand for where the last jump began. */
const toMark: Command = (list, { argument }, context) => {
  const isPrevious = argument === "'" || argument === "`"
  const place = isPrevious ? (list.jumps.places.at(-1) ?? list.marks.get("'")) : list.marks.get(argument)
  return place === undefined ? withBell(list) : goTo(list, place, context)
}

const byJump =
  (direction: 1 | -1): Command =>
  (list, request, context) => {
    const here = cursorPlace(list, context)
    const walked = here === undefined ? undefined : walkJumps(list.jumps, here, direction * timesOf(request))
    if (walked === undefined) return direction === -1 ? { ...list, outcome: { _tag: "LeftJumps" } } : withBell(list)
    const place = resolvePlace(list, walked.place)
    if (place === undefined) return { ...goTo(list, walked.place, context), jumps: walked.jumps }
    return { ...cursorMoved(list, { place, reveals: true }, context), jumps: walked.jumps }
  }

export const PLACE_COMMANDS = {
  "pane:setMark": setMark,
  "pane:goToMarkLine": toMark,
  "pane:goToMark": toMark,
  "pane:jumpOlder": byJump(-1),
  "pane:jumpNewer": byJump(1)
} satisfies ListCommands
