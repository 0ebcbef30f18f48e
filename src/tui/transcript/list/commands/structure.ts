import { Record } from "effect"
/**
 * Motions from turn to turn, call to call, hunk to hunk: one table of what they stop at, and one walk for all of
 * them.
 */
import type { Block, PartName } from "../../block.ts"
import { cursorPlace } from "../state/cursor.ts"
import { type BlockAt, blockAt, type Entries, locate, type Place, placeIn } from "../index/entries.ts"
import { FLAG, isDiff, isError, isQuestion, toolFlag } from "../index/flags.ts"
import { indexOfKey, nextFlagged, previousFlagged } from "../index/heights.ts"
import { lineStarts } from "../index/line-starts.ts"
import { type ListMotion, type ListMotions, timesOf } from "../state/motion.ts"
import { itemAt } from "../index/tree.ts"
import type { ListContext } from "../view/list-context.ts"

/** What a motion stops at: entries that may have it by their flags, then offsets in their blocks. */
interface Structure {
  readonly mask: number
  readonly stops: (at: BlockAt, context: ListContext) => ReadonlyArray<number>
}

const START: ReadonlyArray<number> = [0]
const NOWHERE: ReadonlyArray<number> = []

const blocks = (mask: number, holds: (block: Block) => boolean): Structure => ({
  mask,
  stops: ({ block }) => (block.meta !== true && holds(block) ? START : NOWHERE)
})

const messages = (mask: number, holds: (at: BlockAt) => boolean): Structure => ({
  mask,
  stops: (at) => (at.ordinal === at.entry.blocks.findIndex(({ meta }) => meta !== true) && holds(at) ? START : NOWHERE)
})

const parts = (mask: number, name: PartName): Structure => ({
  mask,
  stops: ({ block }, context) => context.parts(block).flatMap((part) => (part.name === name ? [part.start] : []))
})

/** Where paragraphs begin: after an empty line, and with every block. */
const paragraphs: Structure = {
  mask: FLAG.message,
  stops: ({ block }) => {
    const starts = lineStarts(block)
    const isEmpty = (line: number): boolean =>
      block.source.slice(starts[line], starts[line + 1] ?? block.source.length).trim() === ""
    return starts.filter((_, line) => (line === 0 || isEmpty(line - 1)) && (!isEmpty(line) || block.source === ""))
  }
}

const turns = blocks(FLAG.turn, ({ kind }) => kind === "user")

const STRUCTURES = {
  Prompt: turns,
  Message: messages(FLAG.message, () => true),
  Answer: messages(FLAG.assistant, ({ entry }) => entry.kind === "assistant"),
  Call: blocks(FLAG.tool, ({ kind }) => kind === "tool"),
  Error: blocks(FLAG.error, isError),
  Diff: blocks(FLAG.diff, isDiff),
  Hunk: parts(FLAG.diff | FLAG.tool, "hunk"),
  Code: parts(FLAG.code | FLAG.tool, "code"),
  Thinking: blocks(FLAG.thinking, ({ kind }) => kind === "thinking"),
  Boundary: blocks(FLAG.boundary, ({ kind }) => kind === "boundary"),
  Decision: blocks(FLAG.question, isQuestion)
} as const

interface Walk {
  readonly structure: Structure
  readonly direction: 1 | -1
  readonly context: ListContext
}

/** The stop of an entry that comes first in the direction, beyond a place in it when one is given. */
const stopIn = (
  entries: Entries,
  index: number,
  walk: Walk & { readonly beyond?: { ordinal: number; offset: number } }
): Place | undefined => {
  const { beyond, context, direction, structure } = walk
  const count = itemAt(entries.tree, index)?.entry.blocks.length ?? 0
  const first = beyond?.ordinal ?? (direction === 1 ? 0 : count - 1)
  for (let ordinal = first; ordinal >= 0 && ordinal < count; ordinal += direction) {
    const at = blockAt(entries, index, ordinal)
    if (at === undefined) continue
    const stops = structure.stops(at, context)
    const ahead = ordinal === beyond?.ordinal ? stops.filter((offset) => (offset - beyond.offset) * direction > 0) : stops
    const stop = direction === 1 ? ahead[0] : ahead.at(-1)
    if (stop !== undefined) return placeIn(at, stop)
  }
  return undefined
}

const nextPlace = (entries: Entries, from: Place, walk: Walk): Place | undefined => {
  const at = locate(entries, from)
  if (at === undefined) return undefined
  const { direction, structure } = walk
  const here = stopIn(entries, at.index, { ...walk, beyond: { ordinal: at.ordinal, offset: from.offset } })
  if (here !== undefined) return here
  const flagged = (index: number): number | undefined =>
    direction === 1
      ? nextFlagged(entries.tree, index + 1, structure.mask)
      : previousFlagged(entries.tree, index, structure.mask)
  for (let index = flagged(at.index); index !== undefined; index = flagged(index)) {
    const found = stopIn(entries, index, walk)
    if (found !== undefined) return found
  }
  return undefined
}

/** Goes as often as asked, or as often as there is something to go to. */
const along =
  (structureFor: (block: Block) => Structure | undefined, direction: 1 | -1, always = false): ListMotion =>
  (list, request, context) => {
    const from = cursorPlace(list, context)
    const block = from === undefined ? undefined : locate(list.entries, from)?.block
    const structure = block === undefined ? undefined : structureFor(block)
    if (from === undefined || structure === undefined) return undefined
    let place = from
    for (let left = timesOf(request); left > 0; left--) {
      const next = nextPlace(list.entries, place, { structure, direction, context })
      if (next === undefined) break
      place = next
    }
    if (place === from) return undefined
    return { place, extent: "exclusive", reveals: true, ...((always || timesOf(request) > 1) && { jump: true }) }
  }

const sameTool = (block: Block): Structure | undefined => {
  const { tool } = block
  return tool === undefined ? undefined : blocks(toolFlag(tool), (other) => other.tool === tool)
}

const toUnread =
  (direction: 1 | -1): ListMotion =>
  (list, request, context) => {
    const from = cursorPlace(list, context)
    if (from === undefined) return undefined
    const ahead = list.unread.filter((key) => (key - from.key) * direction > 0)
    const key = direction === 1 ? ahead[timesOf(request) - 1] : ahead.at(-timesOf(request))
    const at = key === undefined ? undefined : blockAt(list.entries, indexOfKey(list.entries.tree, key), 0)
    return at === undefined ? undefined : { place: placeIn(at, 0), extent: "exclusive", reveals: true, jump: true }
  }

const stepsTo = (direction: 1 | -1) => Record.map(STRUCTURES, (structure) => along(() => structure, direction))

export const structureMotions = {
  ...Record.mapKeys(stepsTo(1), (name) => `transcript:next${name}` as const),
  ...Record.mapKeys(stepsTo(-1), (name) => `transcript:previous${name}` as const),
  "transcript:nextTurn": along(() => turns, 1, true),
  "transcript:previousTurn": along(() => turns, -1, true),
  "transcript:nextSameTool": along(sameTool, 1),
  "transcript:previousSameTool": along(sameTool, -1),
  "transcript:nextParagraph": along(() => paragraphs, 1),
  "transcript:previousParagraph": along(() => paragraphs, -1),
  "transcript:nextUnread": toUnread(1),
  "transcript:previousUnread": toUnread(-1)
} satisfies ListMotions
