/** Where the source lines of blocks begin: counted once for what streams in, looked up for blocks that are in use. */
import type { Lines } from "../../../editor/lines.ts"
import type { Block, Entry } from "../../block.ts"
import { countBreaks, linesOf } from "../../line-count.ts"

const difference = (before: Block | undefined, after: Block | undefined): number => {
  if (before === after) return 0
  if (before === undefined || after === undefined) {
    return (after === undefined ? 0 : linesOf(after)) - (before === undefined ? 0 : linesOf(before))
  }
  if (after.lines !== undefined) return after.lines - linesOf(before)
  if (after.source.startsWith(before.source)) return countBreaks(after.source, before.source.length)
  return linesOf(after) - linesOf(before)
}

/** Lines of an entry that follows a former revision: what streamed in is counted once. */
export const linesOfSuccessor = (former: { readonly entry: Entry; readonly lines: number }, entry: Entry): number => {
  const blocks = Math.max(former.entry.blocks.length, entry.blocks.length)
  let lines = former.lines
  for (let ordinal = 0; ordinal < blocks; ordinal++) {
    lines += difference(former.entry.blocks[ordinal], entry.blocks[ordinal])
  }
  return lines
}

const startsByBlock = new WeakMap<Block, ReadonlyArray<number>>()

/** Offsets at which the source lines of a block begin. */
export const lineStarts = (block: Block): ReadonlyArray<number> => {
  const known = startsByBlock.get(block)
  if (known !== undefined) return known
  const starts = [0]
  for (let at = block.source.indexOf("\n"); at !== -1; at = block.source.indexOf("\n", at + 1)) starts.push(at + 1)
  startsByBlock.set(block, starts)
  return starts
}

/** The last of some rising numbers that is not above a target; the first when all are. */
export const lastAtMost = (numbers: ReadonlyArray<number>, target: number, length = numbers.length): number => {
  let low = 0
  let high = length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((numbers[middle] ?? 0) <= target) low = middle
    else high = middle - 1
  }
  return low
}

export const lineOfOffset = (block: Block, offset: number): number => lastAtMost(lineStarts(block), offset)

/** Range of a source line without its break. */
export const lineRange = (block: Block, line: number): { readonly start: number; readonly end: number } => {
  const starts = lineStarts(block)
  const next = starts[line + 1]
  return { start: starts[line] ?? block.source.length, end: next === undefined ? block.source.length : next - 1 }
}

/** The source lines of one block: text objects never reach into the next. */
export const blockLines = (block: Block): Lines => ({
  count: lineStarts(block).length,
  at: (line) => {
    const { start, end } = lineRange(block, line)
    return block.source.slice(start, end)
  }
})
