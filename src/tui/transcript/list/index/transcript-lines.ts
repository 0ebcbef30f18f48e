/**
 * The transcript as `Lines`: the source lines of all blocks one after the other, each made when it is asked for. Vim's
 * motions and searches go over it; places of the transcript and positions in it are turned into one another.
 */
import type { Lines, Position } from "../../../editor/lines.ts"
import { type BlockAt, blockAt, type Entries, firstBlockFrom, locate, type Place, placeIn } from "./entries.ts"
import { indexOfLine, linesBefore } from "./heights.ts"
import { blockLines, lineOfOffset, lineRange, lineStarts } from "./line-starts.ts"
import { itemAt } from "./tree.ts"

/** The block that holds a line of the whole text, and the number of the line in it. */
const blockOfLine = (entries: Entries, line: number): { readonly at: BlockAt; readonly line: number } | undefined => {
  const { index, firstLine } = indexOfLine(entries.tree, Math.max(0, line))
  let rest = Math.max(0, line) - firstLine
  const blocks = itemAt(entries.tree, index)?.entry.blocks ?? []
  for (const [ordinal, block] of blocks.entries()) {
    const count = lineStarts(block).length
    const at = rest < count || ordinal === blocks.length - 1 ? blockAt(entries, index, ordinal) : undefined
    if (at !== undefined) return { at, line: Math.min(rest, count - 1) }
    rest -= count
  }
  const at = firstBlockFrom(entries, index)
  return at === undefined ? undefined : { at, line: 0 }
}

export const transcriptLines = (entries: Entries): Lines => ({
  count: Math.max(1, entries.tree.lines),
  at: (line) => {
    const found = blockOfLine(entries, line)
    return found === undefined ? "" : blockLines(found.at.block).at(found.line)
  }
})

export const positionOf = (entries: Entries, place: Place): Position => {
  const at = locate(entries, place)
  if (at === undefined) return { line: 0, column: 0 }
  const before = at.entry.blocks.slice(0, at.ordinal).reduce((sum, block) => sum + lineStarts(block).length, 0)
  const line = lineOfOffset(at.block, place.offset)
  return {
    line: linesBefore(entries.tree, at.index) + before + line,
    column: place.offset - lineRange(at.block, line).start
  }
}

export const placeOfPosition = (entries: Entries, { line, column }: Position): Place | undefined => {
  const found = blockOfLine(entries, line)
  if (found === undefined) return undefined
  const { start, end } = lineRange(found.at.block, found.line)
  return placeIn(found.at, Math.min(start + column, end))
}
