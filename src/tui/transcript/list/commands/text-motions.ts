/**
 * Vim's own motions over the source text. Those that look for a partner stay in the block: there is no pair across
 * messages.
 */
import { Record } from "effect"
import { isFoldRow } from "../../rows/fold.ts"
import type { Lines, Position } from "../../../editor/lines.ts"
import { VIM_OPTIONS } from "../../../editor/vim/state/context.ts"
import type { MotionRequest as VimRequest, Target } from "../../../editor/vim/motions/motion.ts"
import { motions } from "../../../editor/vim/motions/table.ts"
import { cursorPlace, cursorSpot, nextStop, placeAtColumn } from "../state/cursor.ts"
import { comparePlaces, locate, type Place, placeIn } from "../index/entries.ts"
import { blockLines, lineOfOffset, lineRange } from "../index/line-starts.ts"
import type { TranscriptList } from "../state/transcript-list.ts"
import type { Landing, ListMotion, ListMotions, MotionRequest } from "../state/motion.ts"
import { placeOfPosition, positionOf, transcriptLines } from "../index/transcript-lines.ts"
import { rowAt, spotOfPlace } from "../view/row-position.ts"
import type { ListContext } from "../view/list-context.ts"

/** By the name that vim has for the motion. */
const OVER_ALL = {
  "pane:left": "h",
  "pane:right": "l",
  "transcript:lineStart": "0",
  "transcript:firstNonBlank": "^",
  "transcript:lineEnd": "$",
  "transcript:lastNonBlank": "g_",
  "transcript:column": "|",
  "transcript:word": "w",
  "transcript:bigWord": "W",
  "transcript:wordBack": "b",
  "transcript:bigWordBack": "B",
  "transcript:wordEnd": "e",
  "transcript:bigWordEnd": "E",
  "transcript:wordEndBack": "ge",
  "transcript:bigWordEndBack": "gE",
  "transcript:find": "f",
  "transcript:findBack": "F",
  "transcript:till": "t",
  "transcript:tillBack": "T",
  "transcript:repeatFind": ";",
  "transcript:repeatFindBack": ","
} as const
const IN_BLOCK = {
  "transcript:bracket": "%",
  "transcript:parenthesisBefore": "[(",
  "transcript:parenthesisAfter": "])",
  "transcript:braceBefore": "[{",
  "transcript:braceAfter": "]}"
} as const

const requestOf = (list: TranscriptList, { count, argument }: MotionRequest): VimRequest => ({
  count,
  argument,
  wanted: 0,
  operator: list.operator?.name,
  visual: list.selection?.by === "keys",
  find: list.find,
  search: undefined,
  mark: () => undefined,
  options: VIM_OPTIONS,
  view: { top: 0, bottom: 0 },
  width: 0,
  rowStarts: () => [0]
})

const run = (name: string, lines: Lines, at: { position: Position; request: VimRequest }): Target | undefined =>
  motions.get(name)?.run(lines, at.position, at.request)

const landingOf = (place: Place, { extent, find }: Target, name: string): Landing => ({
  place,
  extent,
  ...(find !== undefined && { find }),
  ...(name === "$" && { goal: Number.MAX_SAFE_INTEGER })
})

/** A motion that ends inside the fold it began on goes past it instead. */
const pastFold = (list: TranscriptList, landing: Landing, at: { from: Place; context: ListContext }): Landing => {
  const { context, from } = at
  const spot = spotOfPlace(list, landing.place, context)
  const start = cursorSpot(list, context)
  const row = spot === undefined ? undefined : rowAt(spot)
  if (list.operator !== undefined || spot === undefined || row === undefined || !isFoldRow(row)) return landing
  if (start === undefined || rowAt(start) !== row) return landing
  const direction = comparePlaces(list.entries, landing.place, from) < 0 ? -1 : 1
  const next = nextStop(list, spot, { direction, context })
  return next === undefined
    ? landing
    : { ...landing, place: placeAtColumn(next, direction === 1 ? 0 : Number.MAX_SAFE_INTEGER) }
}

const overAll =
  (name: string): ListMotion =>
  (list, request, context) => {
    const from = cursorPlace(list, context)
    if (from === undefined) return undefined
    const at = { position: positionOf(list.entries, from), request: requestOf(list, request) }
    const target = run(name, transcriptLines(list.entries), at)
    const place = target === undefined ? undefined : placeOfPosition(list.entries, target.position)
    if (target === undefined || place === undefined) return undefined
    return pastFold(list, landingOf(place, target, name), { from, context })
  }

const inBlock =
  (name: string): ListMotion =>
  (list, request, context) => {
    const from = cursorPlace(list, context)
    const at = from === undefined ? undefined : locate(list.entries, from)
    if (from === undefined || at === undefined) return undefined
    const line = lineOfOffset(at.block, from.offset)
    const position = { line, column: from.offset - lineRange(at.block, line).start }
    const target = run(name, blockLines(at.block), { position, request: requestOf(list, request) })
    if (target === undefined) return undefined
    const offset = lineRange(at.block, target.position.line).start + target.position.column
    return landingOf(placeIn(at, offset), target, name)
  }

export const textMotions = { ...Record.map(OVER_ALL, overAll), ...Record.map(IN_BLOCK, inBlock) } satisfies ListMotions
