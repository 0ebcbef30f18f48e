/** Text objects: messages, calls, turns and the parts of blocks, and inside a block all that vim has. */
import type { Position } from "../../../editor/lines.ts"
import { textObjects } from "../../../editor/vim/objects/table.ts"
import type { Block, PartName } from "../../block.ts"
import { cursorBlock } from "../state/cursor.ts"
import { type BlockAt, blockAt, firstBlockFrom, lastBlockUntil, type Place, placeIn } from "../index/entries.ts"
import { blockLines, lineOfOffset, lineRange } from "../index/line-starts.ts"
import type { TranscriptList } from "../state/transcript-list.ts"
import { behindCluster, type PlaceRange } from "../state/ranges.ts"
import { type ListContext, turnAround } from "../view/list-context.ts"
import { pathAround } from "./words.ts"

interface Asked {
  readonly at: BlockAt
  readonly place: Place
  readonly around: boolean
  readonly count: number
  readonly context: ListContext
}

type ListObject = (list: TranscriptList, asked: Asked) => PlaceRange | undefined

const span = (first: BlockAt | undefined, last: BlockAt | undefined): PlaceRange | undefined =>
  first === undefined || last === undefined
    ? undefined
    : { start: placeIn(first, 0), end: placeIn(last, last.block.source.length), shape: "char" }

const within = (at: BlockAt, range: { readonly start: number; readonly end: number }): PlaceRange => ({
  start: placeIn(at, range.start),
  end: placeIn(at, range.end),
  shape: "char"
})

const message: ListObject = ({ entries }, { at }) =>
  span(blockAt(entries, at.index, 0), blockAt(entries, at.index, at.entry.blocks.length - 1))

const turn: ListObject = ({ entries }, { at }) => {
  const { first, end } = turnAround(entries, at.index)
  return span(firstBlockFrom(entries, first), lastBlockUntil(entries, end - 1))
}

/** The smallest part of a name around the cursor. */
const part =
  (name: PartName): ListObject =>
  (_list, { around, at, context, place }) => {
    const found = context
      .parts(at.block)
      .filter((one) => one.name === name && place.offset >= one.start && place.offset <= Math.max(one.start, one.end - 1))
      .toSorted((a, b) => a.end - a.start - (b.end - b.start))[0]
    if (found === undefined) return undefined
    return within(at, around ? found : (found.inner ?? found))
  }

/** A call; its inner is what it gave back. */
const call: ListObject = (_list, { around, at, context }) => {
  if (at.block.kind !== "tool") return undefined
  const whole = { start: 0, end: at.block.source.length }
  const result = around ? undefined : context.parts(at.block).find(({ name }) => name === "result")
  if (!around && result === undefined) return undefined
  return within(at, result === undefined ? whole : (result.inner ?? result))
}

const positionIn = (block: Block, offset: number): Position => {
  const line = lineOfOffset(block, offset)
  return { line, column: offset - lineRange(block, line).start }
}

const path: ListObject = (_list, { at, place }) => {
  const { line, column } = positionIn(at.block, place.offset)
  const found = pathAround(blockLines(at.block).at(line), column)
  const { start } = lineRange(at.block, line)
  return found === undefined ? undefined : within(at, { start: start + found.start, end: start + found.end })
}

const offsetIn = (block: Block, { line, column }: Position): number => {
  const { start, end } = lineRange(block, line)
  return Math.min(start + column, end)
}

/** What vim selects inside the block; in visual mode the selection grows if it began in the same block. */
const fromVim =
  (key: string): ListObject =>
  ({ selection }, { around, at, count, place }) => {
    const { block } = at
    const isGrowing = selection?.by === "keys" && selection.anchor.block === place.block
    const anchor = isGrowing ? positionIn(block, selection.anchor.offset) : undefined
    const found = textObjects.get(key)?.(blockLines(block), positionIn(block, place.offset), { count, around, anchor })
    if (found === undefined) return undefined
    const [first, last] = [offsetIn(block, found.start), offsetIn(block, found.end)].toSorted((a, b) => a - b)
    if (first === undefined || last === undefined) return undefined
    if (found.extent === "line") {
      const start = lineRange(block, lineOfOffset(block, first)).start
      return { ...within(at, { start, end: lineRange(block, lineOfOffset(block, last)).end }), shape: "line" }
    }
    return within(at, { start: first, end: found.extent === "inclusive" ? behindCluster(block.source, last) : last })
  }

const FROM_VIM = ["w", "W", "s", "p", "b", "(", ")", "[", "]", "B", "{", "}", "<", ">", '"', "'", "`"]

/** By the key that follows `i` or `a`. */
const OBJECTS: Readonly<Record<string, ListObject>> = {
  ...Object.fromEntries(FROM_VIM.map((key) => [key, fromVim(key)])),
  m: message,
  t: call,
  u: turn,
  c: part("code"),
  d: part("file"),
  h: part("hunk"),
  l: part("item"),
  o: part("table"),
  f: path
}

export const isObject = (name: string): boolean => (name.startsWith("i") || name.startsWith("a")) && name.slice(1) in OBJECTS

/** The range of an object such as `im` around the cursor; undefined when there is none. */
export const objectAt = (
  list: TranscriptList,
  name: string,
  by: { count: number; context: ListContext }
): PlaceRange | undefined => {
  const here = cursorBlock(list, by.context)
  if (here === undefined) return undefined
  return OBJECTS[name.slice(1)]?.(list, { ...here, around: name.startsWith("a"), ...by })
}

/** The path under the cursor, or the file that the block is about. */
export const fileAt = (list: TranscriptList, context: ListContext): string | undefined => {
  const here = cursorBlock(list, context)
  if (here === undefined) return undefined
  const { block } = here.at
  const { line, column } = positionIn(block, here.place.offset)
  const path = pathAround(blockLines(block).at(line), column)?.text
  const file = path ?? context.parts(block).find(({ name }) => name === "file")?.label
  return file?.replace(/(?::\d+){1,2}$/, "")
}
