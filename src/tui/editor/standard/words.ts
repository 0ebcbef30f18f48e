/** Where words begin and end, over line breaks, for the keys of the standard editor. */
import type { Buffer } from "../buffer.ts"
import type { Position } from "../lines.ts"
import { clusterAt, nextColumn, previousColumn } from "../clusters.ts"

type Test = (cluster: string) => boolean

const WORD = /^[\p{L}\p{N}\p{M}\p{Co}\p{Extended_Pictographic}_]/u

const isWord: Test = (cluster) => WORD.test(cluster)
const isInk: Test = (cluster) => !/^\s/.test(cluster)

export const after = (buffer: Buffer, { line, column }: Position): Position | undefined => {
  if (column < buffer.at(line).length) return { line, column: nextColumn(buffer.at(line), column) }
  return line + 1 < buffer.count ? { line: line + 1, column: 0 } : undefined
}

export const before = (buffer: Buffer, { line, column }: Position): Position | undefined => {
  if (column > 0) return { line, column: previousColumn(buffer.at(line), column) }
  return line > 0 ? { line: line - 1, column: buffer.at(line - 1).length } : undefined
}

/** The cluster at a place; a line break counts as a blank. */
const at = (buffer: Buffer, { line, column }: Position): string => clusterAt(buffer.at(line), column) || "\n"

const isEnd = (buffer: Buffer, position: Position): boolean => after(buffer, position) === undefined

const skipAhead = (buffer: Buffer, from: Position, while_: Test): Position => {
  let place = from
  while (!isEnd(buffer, place) && while_(at(buffer, place))) place = after(buffer, place) ?? place
  return place
}

const skipBack = (buffer: Buffer, from: Position, while_: Test): Position => {
  let place = from
  for (;;) {
    const previous = before(buffer, place)
    if (previous === undefined || !while_(at(buffer, previous))) return place
    place = previous
  }
}

export const wordEndAfter = (buffer: Buffer, from: Position): Position =>
  skipAhead(
    buffer,
    skipAhead(buffer, from, (cluster) => !isWord(cluster)),
    isWord
  )

export const wordStartAfter = (buffer: Buffer, from: Position): Position =>
  skipAhead(buffer, skipAhead(buffer, from, isWord), (cluster) => !isWord(cluster))

export const wordStartBefore = (buffer: Buffer, from: Position): Position =>
  skipBack(
    buffer,
    skipBack(buffer, from, (cluster) => !isWord(cluster)),
    isWord
  )

/** As above for words that only blanks end. */
export const blankWordStartBefore = (buffer: Buffer, from: Position): Position =>
  skipBack(
    buffer,
    skipBack(buffer, from, (cluster) => !isInk(cluster)),
    isInk
  )
