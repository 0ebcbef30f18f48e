import type { PlacedPane, Plan } from "./plan.ts"
import type { Rect } from "../cell/rect.ts"
import { leafId } from "./tree.ts"

/** Which pane lies in a direction on a planned screen. */
export type Direction = "left" | "down" | "up" | "right"

/** A pane with its title. */
export const outerOf = ({ title, content }: PlacedPane): Rect =>
  title === undefined ? content : { ...content, y: title.y, height: content.height + 1 }

/** Distance from one rectangle to another in a direction; undefined when it does not lie there. */
const distance = (from: Rect, to: Rect, direction: Direction): number | undefined => {
  const gap = {
    left: from.x - (to.x + to.width),
    right: to.x - (from.x + from.width),
    up: from.y - (to.y + to.height),
    down: to.y - (from.y + from.height)
  }[direction]
  return gap < 0 ? undefined : gap
}

const overlap = (a: readonly [number, number], b: readonly [number, number]): number =>
  Math.min(a[0] + a[1], b[0] + b[1]) - Math.max(a[0], b[0])

/** How much of the shared edge the two have; the row or column of the cursor decides among equals. */
const shared = (from: Rect, to: Rect, direction: Direction): number =>
  direction === "left" || direction === "right"
    ? overlap([from.y, from.height], [to.y, to.height])
    : overlap([from.x, from.width], [to.x, to.width])

const covers = (area: Rect, direction: Direction, cursor: { readonly x: number; readonly y: number }): boolean =>
  direction === "left" || direction === "right"
    ? cursor.y >= area.y && cursor.y < area.y + area.height
    : cursor.x >= area.x && cursor.x < area.x + area.width

/** The nearest pane that touches the cursor's row or column, else the one that shares most of the edge. */
export const neighbour = (
  plan: Plan,
  from: string,
  { direction, cursor }: { readonly direction: Direction; readonly cursor: { readonly x: number; readonly y: number } }
): string | undefined => {
  const start = plan.panes.find(({ leaf }) => leafId(leaf) === from)
  if (start === undefined) return undefined
  const here = outerOf(start)
  const candidates = plan.panes.flatMap((pane) => {
    const area = outerOf(pane)
    const away = pane === start ? undefined : distance(here, area, direction)
    const edge = shared(here, area, direction)
    return away === undefined || edge <= 0 ? [] : [{ pane, away, edge, hit: covers(area, direction, cursor) }]
  })
  const best = candidates.toSorted((a, b) => a.away - b.away || Number(b.hit) - Number(a.hit) || b.edge - a.edge)[0]
  return best === undefined ? undefined : leafId(best.pane.leaf)
}

/** Panes in reading order: top to bottom, then left to right. */
export const inReadingOrder = (plan: Plan): ReadonlyArray<string> =>
  plan.panes.toSorted((a, b) => outerOf(a).y - outerOf(b).y || outerOf(a).x - outerOf(b).x).map(({ leaf }) => leafId(leaf))

/** The pane in the lower right corner: of those that reach lowest, the one that reaches farthest to the right. */
export const bottomRight = (plan: Plan): string | undefined => {
  const corner = plan.panes.toSorted((a, b) => {
    const [here, there] = [outerOf(a), outerOf(b)]
    return there.y + there.height - (here.y + here.height) || there.x + there.width - (here.x + here.width)
  })[0]
  return corner === undefined ? undefined : leafId(corner.leaf)
}
