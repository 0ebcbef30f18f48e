import { CATEGORIES, SPACES, type CategoryId, type SpaceId } from "./category.ts"
import type { ContextUsage } from "./context-usage.ts"

/** The window as a picture: cells from its beginning to its end, each in the name of what takes most of it. */
export interface GridCell {
  readonly id: CategoryId | SpaceId
  /** The share of the cell that is used. */
  readonly fullness: number
}

const ROWS = 10
const COLUMNS = 10
const WIDE_COLUMNS = 20
const WIDE_FROM_TOKENS = 1_000_000

interface Stretch {
  readonly id: CategoryId | SpaceId
  readonly from: number
  readonly to: number
}

/** One after the other from the first token of the window to the last. */
const stretchesOf = ({ categories, spaces }: ContextUsage): ReadonlyArray<Stretch> => {
  let from = 0
  return [...categories, ...spaces].map(({ id, tokens }) => {
    const stretch = { id, from, to: from + tokens }
    from = stretch.to
    return stretch
  })
}

const shared = (stretch: Stretch, from: number, to: number): number =>
  Math.max(0, Math.min(stretch.to, to) - Math.max(stretch.from, from))

/** Rows of cells. What is used beyond the window has no cell: the picture is full. */
export const gridOf = (usage: ContextUsage): ReadonlyArray<ReadonlyArray<GridCell>> => {
  const { windowTokens, usedTokens } = usage.status
  const columns = windowTokens >= WIDE_FROM_TOKENS ? WIDE_COLUMNS : COLUMNS
  const size = windowTokens / (ROWS * columns)
  const stretches = stretchesOf(usage)
  const cellAt = (place: number): GridCell => {
    const from = place * size
    const to = from + size
    const [first] = stretches.toSorted((left, right) => shared(right, from, to) - shared(left, from, to))
    return { id: first?.id ?? "free", fullness: Math.min(1, Math.max(0, (usedTokens - from) / size)) }
  }
  return Array.from({ length: ROWS }, (_row, row) =>
    Array.from({ length: columns }, (_column, column) => cellAt(row * columns + column))
  )
}

const isSpace = (id: CategoryId | SpaceId): id is SpaceId => Object.hasOwn(SPACES, id)

export const letterOf = (id: CategoryId | SpaceId): string => (isSpace(id) ? SPACES[id] : CATEGORIES[id]).letter
