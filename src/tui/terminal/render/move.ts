import { BS, CR, CSI, LF } from "./sequence.ts"

/** The shortest way to place the cursor. */
export interface Spot {
  readonly x: number
  readonly y: number
}

const digits = (value: number): number => (value < 10 ? 1 : value < 100 ? 2 : value < 1_000 ? 3 : 4)

const counted = (count: number, letter: string): string => `${CSI}${count === 1 ? "" : count}${letter}`

const absolute = ({ x, y }: Spot): string => {
  if (x > 0) return `${CSI}${y + 1};${x + 1}H`
  return y > 0 ? `${CSI}${y + 1}H` : `${CSI}H`
}

const absoluteLength = ({ x, y }: Spot): number => {
  if (x > 0) return 4 + digits(y + 1) + digits(x + 1)
  return y > 0 ? 3 + digits(y + 1) : 3
}

const shorter = (a: string, b: string): string => (b.length < a.length ? b : a)

const alongRow = (from: number, to: number): string => {
  const column = `${CSI}${to + 1}G`
  if (to > from) return shorter(counted(to - from, "C"), column)
  if (to === 0) return CR
  const back = from - to
  return shorter(back <= 4 ? BS.repeat(back) : counted(back, "D"), column)
}

/**
 * To the start of a row below. A line feed alone is never sent: the line discipline may add a return, so that only the
 * pair is sure to end in the first column.
 */
const downRows = (rows: number, x: number): string => (CR + LF).repeat(rows) + (x > 0 ? counted(x, "C") : "")

/** A move from a known place, or from nowhere known: only an absolute move is right then. */
export const moveTo = (from: Spot | undefined, to: Spot): string => {
  if (from === undefined) return absolute(to)
  const down = to.y - from.y
  if (down === 0) return to.x === from.x ? "" : alongRow(from.x, to.x)
  const best = absoluteLength(to)
  if (down > 0 && 2 * down < best) {
    const feeds = downRows(down, to.x)
    if (feeds.length < best) return feeds
  }
  if (to.x !== from.x) return absolute(to)
  return shorter(absolute(to), counted(Math.abs(down), down > 0 ? "B" : "A"))
}
