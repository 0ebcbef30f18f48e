/** A rectangle of screen cells. Width and height are never negative. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export const rect = (x: number, y: number, width: number, height: number): Rect => ({
  x,
  y,
  width: Math.max(0, width),
  height: Math.max(0, height)
})

export const isEmpty = ({ width, height }: Rect): boolean => width === 0 || height === 0

export const contains = (area: Rect, x: number, y: number): boolean =>
  x >= area.x && y >= area.y && x < area.x + area.width && y < area.y + area.height

export const intersect = (a: Rect, b: Rect): Rect => {
  const x = Math.max(a.x, b.x)
  const y = Math.max(a.y, b.y)
  return rect(x, y, Math.min(a.x + a.width, b.x + b.width) - x, Math.min(a.y + a.height, b.y + b.height) - y)
}

/** What is left after taking away rows and columns at the edges. */
export const inset = (area: Rect, by: { top?: number; right?: number; bottom?: number; left?: number }): Rect => {
  const left = Math.min(by.left ?? 0, area.width)
  const top = Math.min(by.top ?? 0, area.height)
  return rect(area.x + left, area.y + top, area.width - left - (by.right ?? 0), area.height - top - (by.bottom ?? 0))
}
