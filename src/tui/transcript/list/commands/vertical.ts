/** Motions by rows and source lines, which go by what is drawn: a closed fold is one step. */
import { isFoldRow } from "../../rows/fold.ts"
import { cursorSpot, firstStop, lastStop, nextStop, placeAtColumn, stopNear } from "../state/cursor.ts"
import { lineOfOffset } from "../index/line-starts.ts"
import type { TranscriptList } from "../state/transcript-list.ts"
import { type Landing, type ListMotion, type ListMotions, timesOf } from "../state/motion.ts"
import { compareSpots, moveSpot, rowAt, type Spot } from "../view/row-position.ts"
import type { ListContext } from "../view/list-context.ts"
import { spotAtPercent, topSpot } from "../view/viewport.ts"

interface Way {
  readonly direction: 1 | -1
  readonly context: ListContext
}

/** Whether two rows belong to the same source line, so that wrapping alone parts them. */
const sameLine = (a: Spot, b: Spot): boolean => {
  const [first, second] = [rowAt(a), rowAt(b)]
  if (first === undefined || second === undefined || isFoldRow(first) || isFoldRow(second)) return false
  if (a.unit.at.key !== b.unit.at.key || a.unit.at.ordinal !== b.unit.at.ordinal) return false
  const { block } = a.unit.at
  return lineOfOffset(block, first.start) === lineOfOffset(block, second.start)
}

/** The first row of the next source line; upwards the first row of the one before. */
const nextLine = (list: TranscriptList, from: Spot, way: Way): Spot | undefined => {
  let next = nextStop(list, from, way)
  while (next !== undefined && sameLine(from, next)) next = nextStop(list, next, way)
  if (next === undefined || way.direction === 1) return next
  for (;;) {
    const above = nextStop(list, next, way)
    if (above === undefined || !sameLine(above, next)) return next
    next = above
  }
}

const landing = (list: TranscriptList, spot: Spot): Landing => ({
  place: placeAtColumn(spot, list.goal),
  extent: "line",
  keepsGoal: true
})

const repeated =
  (step: typeof nextLine, direction: 1 | -1): ListMotion =>
  (list, request, context) => {
    const start = cursorSpot(list, context)
    let spot = start
    for (let left = timesOf(request); left > 0 && spot !== undefined; left--) {
      const next = step(list, spot, { direction, context })
      if (next === undefined) break
      spot = next
    }
    return spot === undefined || spot === start ? undefined : landing(list, spot)
  }

const toFirst: ListMotion = (list, request, context) => {
  if (request.count !== undefined) return toPercent(list, request, context)
  const spot = firstStop(list, context)
  return spot === undefined ? undefined : { place: placeAtColumn(spot, 0), extent: "line", jump: true }
}

const toLast: ListMotion = (list, request, context) => {
  if (request.count !== undefined) return toPercent(list, request, context)
  const spot = lastStop(list, context)
  return spot === undefined ? undefined : { place: placeAtColumn(spot, 0), extent: "line", jump: true }
}

/** With a count: so many percent of all rows down. */
const toPercent: ListMotion = (list, request, context) => {
  const spot = spotAtPercent(list, timesOf(request), context)
  if (spot === undefined) return undefined
  return { place: placeAtColumn(stopNear(list, spot, { direction: -1, context }), 0), extent: "line", jump: true }
}

/** A row counted from the top or the bottom of the view, or its middle. */
const inView =
  (edge: "top" | "middle" | "bottom"): ListMotion =>
  (list, request, context) => {
    const top = topSpot(list, context)
    if (top === undefined) return undefined
    const { height } = context
    const rows = { top: timesOf(request) - 1, middle: (height - 1) >> 1, bottom: height - timesOf(request) }[edge]
    const inside = Math.max(0, Math.min(rows, height - 1))
    const spot = stopNear(list, moveSpot(list, top, { rows: inside, context }), {
      direction: edge === "bottom" ? -1 : 1,
      context
    })
    return compareSpots(spot, top) < 0 ? undefined : { place: placeAtColumn(spot, 0), extent: "line" }
  }

export const verticalMotions = {
  "pane:down": repeated(nextLine, 1),
  "pane:up": repeated(nextLine, -1),
  "transcript:rowDown": repeated(nextStop, 1),
  "transcript:rowUp": repeated(nextStop, -1),
  "pane:top": toFirst,
  "pane:bottom": toLast,
  "pane:screenTop": inView("top"),
  "pane:screenMiddle": inView("middle"),
  "pane:screenBottom": inView("bottom")
} satisfies ListMotions
