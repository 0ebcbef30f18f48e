/** Blocks: the cells between two columns over several lines. A tab cut by an edge falls apart into blanks. */
import { clusters } from "../../../screen/cell/width.ts"
import { cellWidth } from "../../clusters.ts"

export interface Columns {
  readonly left: number
  /** The last cell. */
  readonly right: number
  /** The block reaches to the ends of its lines, however long they are. */
  readonly toEnd: boolean
}

/** The part of one line in a block. */
export interface BlockPart {
  /** Offsets of the clusters that the block touches. */
  readonly start: number
  readonly end: number
  /** Cells of a cut cluster that stay outside, on either side. */
  readonly before: number
  readonly after: number
  readonly inside: string
  /** Cells of the line within the block. */
  readonly cells: number
  /** The line ends before the block begins. */
  readonly short: boolean
  /** Cells up to the right edge that the line does not reach. */
  readonly missing: number
}

export const blockPart = (text: string, { left, right }: Columns, tabstop: number): BlockPart => {
  let cell = 0
  let offset = 0
  let start: number | undefined
  let end = 0
  let before = 0
  let after = 0
  let inside = ""
  let cells = 0
  for (const cluster of clusters(text)) {
    if (cell > right) break
    const next = cell + cellWidth(cluster, cell, tabstop)
    if (next > left) {
      if (start === undefined) {
        start = offset
        before = Math.max(0, left - cell)
      }
      after = Math.max(0, next - 1 - right)
      const isWhole = cell >= left && next - 1 <= right
      const covered = Math.min(next, right + 1) - Math.max(cell, left)
      inside += isWhole ? cluster : " ".repeat(covered)
      cells += covered
      end = offset + cluster.length
    }
    cell = next
    offset += cluster.length
  }
  const missing = Math.max(0, right + 1 - cell)
  if (start === undefined) {
    return { start: text.length, end: text.length, before: 0, after: 0, inside: "", cells, short: cell < left, missing }
  }
  return { start, end, before, after, inside, cells, short: false, missing }
}

/** A line without its part in a block. */
export const withoutPart = (text: string, part: BlockPart): string =>
  text.slice(0, part.start) + " ".repeat(part.before) + " ".repeat(part.after) + text.slice(part.end)

/** A line with other text in place of its part in a block. */
export const withPart = (text: string, part: BlockPart, inside: string): string =>
  text.slice(0, part.start) + " ".repeat(part.before) + inside + " ".repeat(part.after) + text.slice(part.end)
