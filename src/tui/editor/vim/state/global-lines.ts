/**
 * The lines that `:g` has still to go to, in order. Most commands change the text before all of them, which moves them
 * by one number: a change of a long text must not cost a walk over all that are left.
 */
import type { Change } from "../../change.ts"

export interface GlobalLines {
  readonly lines: ReadonlyArray<number>
  /** The first that is left. */
  readonly from: number
  /** How far all of them have moved. */
  readonly by: number
}

export const NO_GLOBAL_LINES: GlobalLines = { lines: [], from: 0, by: 0 }

export const globalLinesOf = (lines: ReadonlyArray<number>): GlobalLines => ({ lines, from: 0, by: 0 })

/** The next line to go to. */
export const nextGlobalLine = ({ lines, from, by }: GlobalLines): number | undefined => {
  const line = lines[from]
  return line === undefined ? undefined : line + by
}

export const withoutNext = (left: GlobalLines): GlobalLines => ({ ...left, from: left.from + 1 })

/** Where they are after a change; lines that went away are left out. */
export const shiftGlobalLines = (left: GlobalLines, { line: first, removed, inserted }: Change): GlobalLines => {
  const by = inserted.length - removed.length
  const next = nextGlobalLine(left)
  if (by === 0 || next === undefined) return left
  const end = first + removed.length
  // Lines before this one stay, those behind it move or go.
  const edge = Math.min(first + inserted.length, end)
  if (next >= edge) {
    let { from } = left
    while (from < left.lines.length && (left.lines[from] ?? 0) + left.by < end) from++
    return { ...left, from, by: left.by + by }
  }
  if ((left.lines.at(-1) ?? 0) + left.by < edge) return left
  const lines = left.lines.slice(left.from).map((line) => line + left.by)
  const kept = lines.filter((line) => line < edge || line >= end)
  return globalLinesOf(kept.map((line) => (line >= end ? line + by : line)))
}
