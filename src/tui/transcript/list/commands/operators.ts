/** Operators: they take a selection, a motion or an object, and give its source text to the application. */
import { cursorPlace, withCursor } from "../state/cursor.ts"
import type { Place } from "../index/entries.ts"
import { type ListOperator, type TranscriptList, withBell } from "../state/transcript-list.ts"
import type { Landing } from "../state/motion.ts"
import { orderPlaces, type PlaceRange, rangeBetween, textOf } from "../state/ranges.ts"
import { selectedText, withoutSelection } from "./selection.ts"
import type { ListContext } from "../view/list-context.ts"

export const OPERATORS: Readonly<Record<ListOperator, true>> = {
  "transcript:yank": true,
  "transcript:quote": true,
  "transcript:pipe": true
}

export const isOperator = (name: string): name is ListOperator => Object.hasOwn(OPERATORS, name)

const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => (line === "" ? ">" : `> ${line}`))
    .join("\n")

const given = (
  list: TranscriptList,
  operator: ListOperator,
  { text, type }: { text: string; type: PlaceRange["shape"] }
): TranscriptList => ({
  ...list,
  operator: undefined,
  outcome: { _tag: "Yanked", operator, text: operator === "transcript:quote" ? quoted(text) : text, type }
})

/** Takes a range; as in vim the cursor goes to its start. */
export const onRange = (
  list: TranscriptList,
  operator: ListOperator,
  at: { range: PlaceRange; context: ListContext }
): TranscriptList => {
  const text = textOf(list.entries, at.range)
  return given(withCursor(list, at.range.start, at.context), operator, { text, type: at.range.shape })
}

export const onSelection = (list: TranscriptList, operator: ListOperator, context: ListContext): TranscriptList => {
  const { selection } = list
  if (selection === undefined) return list
  const text = selectedText(list, selection, context)
  const [start] = orderPlaces(list.entries, selection.anchor, selection.head)
  const left = withoutSelection(list)
  const moved = selection.by === "keys" ? withCursor(left, start, context) : left
  return given(moved, operator, { text, type: selection.shape })
}

/** So many source lines from the cursor on: the doubled operator. */
export const lineRangeAt = (
  list: TranscriptList,
  landing: Landing | undefined,
  context: ListContext
): PlaceRange | undefined => {
  const from = cursorPlace(list, context)
  return from === undefined ? undefined : rangeBetween(list.entries, [from, landing?.place ?? from], "line")
}

/** What an operator takes on the way of a motion. */
export const rangeOfMotion = (list: TranscriptList, from: Place, landing: Landing): PlaceRange | undefined => {
  if (landing.extent === "line") return rangeBetween(list.entries, [from, landing.place], "line")
  const range = rangeBetween(list.entries, [from, landing.place], "char")
  if (range === undefined || landing.extent === "inclusive") return range
  const [start, end] = orderPlaces(list.entries, from, landing.place)
  return { start, end, shape: "char" }
}

export const cancelOperator = (list: TranscriptList): TranscriptList => withBell({ ...list, operator: undefined })
