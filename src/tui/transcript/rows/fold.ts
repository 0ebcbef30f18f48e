/** Too many rows become a few and one that stands for the rest. */
import { lookOf } from "../../screen/style/look.ts"
import type { Row } from "../../screen/style/row.ts"
import type { Block, LayoutOptions, View } from "../block.ts"
import { cutRow, mark } from "./compose.ts"
import { glyphsOf } from "./glyphs.ts"

/** More rows than the limit fold to so many at the head and at the tail. */
export interface FoldShape {
  readonly limit: number
  readonly head: number
  readonly tail: number
}

/** The first rows only. */
export const headOnly = (limit: number): FoldShape => ({ limit, head: limit, tail: 0 })

export const FOLD_LIMITS = { result: 10, user: 12, diff: 30, code: 40, command: 3 } as const

/** Shell output is read from both ends: what it began with, and how it ended. */
export const OUTPUT_FOLD: FoldShape = { limit: FOLD_LIMITS.result, head: 3, tail: 6 }

const FOLD = lookOf("fold")

export const foldRow = (hidden: ReadonlyArray<Row>, options: Pick<LayoutOptions, "glyphs" | "width">): Row => {
  const count = hidden.length === 1 ? "1 more line" : `${hidden.length} more lines`
  const row = cutRow([mark(`${glyphsOf(options).more} ${count} (za)`, FOLD)], options.width)
  const start = hidden[0]?.start ?? 0
  return { ...row, start, end: Math.max(start, hidden.at(-1)?.end ?? start), hides: true }
}

export const foldRows = (rows: ReadonlyArray<Row>, shape: FoldShape, options: LayoutOptions): ReadonlyArray<Row> => {
  if (options.fold === "open" || rows.length <= shape.limit) return rows
  const end = rows.length - shape.tail
  return [...rows.slice(0, shape.head), foldRow(rows.slice(shape.head, end), options), ...rows.slice(end)]
}

/** Whether Enter on this row opens a fold. */
export const isFoldRow = (row: Row): boolean => row.hides === true

/** How a block that nobody touched is shown. */
export const defaultFold = (block: Block, view: View): LayoutOptions["fold"] =>
  view === "verbose" && block.kind !== "boundary" ? "open" : "closed"
