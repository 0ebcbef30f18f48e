/**
 * Ranges of source text over blocks: what a selection, an operator or an object takes, and the text that a yank
 * gives.
 */
import { clusters } from "../../../screen/cell/width.ts"
import type { Shape } from "../../../editor/selection.ts"
import { type BlockAt, comparePlaces, type Entries, locate, nextBlock, type Place, placeIn } from "../index/entries.ts"
import { lineOfOffset, lineRange } from "../index/line-starts.ts"

/** From a place up to, not with, another one at or after it. */
export interface PlaceRange {
  readonly start: Place
  readonly end: Place
  readonly shape: Shape
}

const LONGEST_CLUSTER = 64

/** The border behind the cluster at an offset. */
export const behindCluster = (source: string, offset: number): number =>
  Math.min(source.length, offset + (clusters(source.slice(offset, offset + LONGEST_CLUSTER))[0]?.length ?? 0))

export const orderPlaces = (entries: Entries, a: Place, b: Place): readonly [Place, Place] =>
  comparePlaces(entries, a, b) <= 0 ? [a, b] : [b, a]

/** Both ends and everything between them, by character or by whole source lines. */
export const rangeBetween = (entries: Entries, ends: readonly [Place, Place], shape: Shape): PlaceRange | undefined => {
  const [first, last] = orderPlaces(entries, ...ends)
  const [from, to] = [locate(entries, first), locate(entries, last)]
  if (from === undefined || to === undefined) return undefined
  if (shape === "line") {
    const { start } = lineRange(from.block, lineOfOffset(from.block, first.offset))
    const { end } = lineRange(to.block, lineOfOffset(to.block, last.offset))
    return { start: placeIn(from, start), end: placeIn(to, end), shape }
  }
  return { start: first, end: placeIn(to, behindCluster(to.block.source, last.offset)), shape }
}

/** The blocks of a range, each with the part of its source that belongs to it. */
export function* piecesOf(
  entries: Entries,
  { start, end }: PlaceRange
): Generator<{ readonly at: BlockAt; readonly from: number; readonly to: number }> {
  const last = locate(entries, end)
  let at = locate(entries, start)
  let from = start.offset
  if (last === undefined) return
  while (at !== undefined) {
    const isLast = at.index === last.index && at.ordinal === last.ordinal
    yield { at, from, to: isLast ? end.offset : at.block.source.length }
    if (isLast || at.index > last.index) return
    at = nextBlock(entries, at)
    from = 0
  }
}

/** The source text of a range as it is; a blank line parts two blocks. */
export const textOf = (entries: Entries, range: PlaceRange): string => {
  let text: string | undefined
  for (const { at, from, to } of piecesOf(entries, range)) {
    if (at.block.meta === true) continue
    const piece = at.block.source.slice(from, to)
    text = text === undefined ? piece : `${text}${text.endsWith("\n") ? "\n" : "\n\n"}${piece}`
  }
  return text ?? ""
}
