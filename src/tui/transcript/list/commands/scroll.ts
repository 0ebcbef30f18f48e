/** Commands that move the view and take the cursor along where they must. */
import { textWidth } from "../../../screen/cell/width.ts"
import { cursorBlock, cursorInView, cursorSpot, lastStop, placeAtColumn, stopNear } from "../state/cursor.ts"
import type { TranscriptList } from "../state/transcript-list.ts"
import { type Command, timesOf, type ListCommands } from "../state/motion.ts"
import { moveSpot } from "../view/row-position.ts"
import type { ListContext } from "../view/list-context.ts"
import { anchoredAt, asTop, FOLLOWING, scrollBy } from "../view/viewport.ts"

/** Only the view moves; the cursor is pulled along at the edges. */
const byRows =
  (direction: 1 | -1): Command =>
  (list, request, context) =>
    cursorInView(scrollBy(list, direction * timesOf(request), context), context)

/** The view and the cursor move by the same rows, and a selection by keys grows with the cursor. */
const together = (list: TranscriptList, rows: number, context: ListContext): TranscriptList => {
  const spot = cursorSpot(list, context)
  const next = scrollBy(list, rows, context)
  if (spot === undefined) return next
  const direction = rows < 0 ? -1 : 1
  const to = stopNear(list, moveSpot(list, spot, { rows, context }), { direction, context })
  const there = cursorInView({ ...next, cursor: placeAtColumn(to, list.goal) }, context)
  const { cursor, selection } = there
  if (selection?.by !== "keys" || cursor === undefined) return there
  return { ...there, selection: { ...selection, head: cursor } }
}

const byHalf =
  (direction: 1 | -1): Command =>
  (list, { count }, context) =>
    together(list, direction * (count ?? Math.max(1, context.height >> 1)), context)

/** Two rows of the page before stay in view. */
const byPage =
  (direction: 1 | -1): Command =>
  (list, request, context) =>
    together(list, direction * timesOf(request) * Math.max(1, context.height - 2), context)

/** The cursor's row at a height of the view, as far as there is text to fill it. */
const cursorTo =
  (share: 0 | 0.5 | 1): Command =>
  (list, _request, context) => {
    const spot = cursorSpot(list, context)
    if (spot === undefined) return list
    const top = moveSpot(list, spot, { rows: -Math.floor((Math.max(1, context.height) - 1) * share), context })
    const { spot: shown, isLowest } = asTop(list, top, context)
    return isLowest && list.viewport.following ? list : anchoredAt(list, shown)
  }

const longestLine = (source: string): number => source.split("\n").reduce((most, line) => Math.max(most, textWidth(line)), 0)

/** Code, diffs and tables under the cursor move sideways; prose is wrapped and has nothing beside it. */
const bySide =
  (direction: 1 | -1, step: (width: number) => number): Command =>
  (list, { count }, context) => {
    const block = cursorBlock(list, context)?.at.block
    if (block === undefined) return list
    const from = list.sideways?.block === block.id ? list.sideways.columns : 0
    const wish = from + direction * (count ?? 1) * step(context.options.width)
    const columns = Math.max(0, Math.min(wish, longestLine(block.source) - 1))
    return columns === from ? list : { ...list, sideways: { block: block.id, columns } }
  }

const aColumn = (): number => 1
const halfTheWidth = (width: number): number => Math.max(1, width >> 1)

export const SCROLLS = {
  "pane:scrollDown": byRows(1),
  "pane:scrollUp": byRows(-1),
  "pane:halfPageDown": byHalf(1),
  "pane:halfPageUp": byHalf(-1),
  "pane:pageDown": byPage(1),
  "pane:pageUp": byPage(-1),
  "transcript:pagerDown": byPage(1),
  "transcript:pagerUp": byPage(-1),
  "pane:cursorAtTop": cursorTo(0),
  "pane:centreCursor": cursorTo(0.5),
  "pane:cursorAtBottom": cursorTo(1),
  "pane:scrollRight": bySide(1, aColumn),
  "pane:scrollLeft": bySide(-1, aColumn),
  "pane:scrollRightFar": bySide(1, halfTheWidth),
  "pane:scrollLeftFar": bySide(-1, halfTheWidth)
} satisfies ListCommands

/** To the end, as the badge and a sent prompt do. */
export const toEnd = (list: TranscriptList, context: ListContext): TranscriptList => {
  const spot = lastStop(list, context)
  if (spot === undefined) return list
  const there = { ...list, cursor: placeAtColumn(spot, 0) }
  return context.autoScroll ? { ...there, viewport: FOLLOWING } : anchoredAt(there, asTop(list, spot, context).spot)
}
