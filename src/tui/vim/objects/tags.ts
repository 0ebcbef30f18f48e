/** `it at`: an element between its tags. */
import { comparePositions, type Lines, type Position } from "../../editor/lines.ts"
import { backwardOver, place, walker } from "../walk.ts"
import { type ObjectRequest, samePlace, type Selected, type TextObject } from "./object.ts"

/** How far an element may reach from the caret, in lines. */
const REACH = 500
const TAG = /<(\/?)([A-Za-z][^\s>/]*)(?:[^>"']|"[^"]*"|'[^']*')*?(\/?)>/g

interface Element {
  readonly start: number
  readonly innerStart: number
  readonly innerEnd: number
  readonly end: number
}

const elementsOf = (text: string): ReadonlyArray<Element> => {
  const open: Array<{ readonly name: string; readonly start: number; readonly end: number }> = []
  const found: Array<Element> = []
  for (const match of text.matchAll(TAG)) {
    const [whole, slash, name = "", selfClosed] = match
    const end = match.index + whole.length
    if (selfClosed === "/") continue
    if (slash === "") {
      open.push({ name, start: match.index, end })
      continue
    }
    const from = open.findLastIndex((tag) => tag.name.toLowerCase() === name.toLowerCase())
    const opening = open[from]
    if (opening === undefined) continue
    open.length = from
    found.push({ start: opening.start, innerStart: opening.end, innerEnd: match.index, end })
  }
  return found
}

interface Slice {
  readonly text: string
  readonly offset: (position: Position) => number
  readonly position: (offset: number) => Position
}

const sliceAround = (lines: Lines, position: Position): Slice => {
  const first = Math.max(0, position.line - REACH)
  const last = Math.min(lines.count, position.line + REACH)
  const parts = Array.from({ length: last - first }, (_, index) => lines.at(first + index))
  const starts: Array<number> = []
  let total = 0
  for (const part of parts) {
    starts.push(total)
    total += part.length + 1
  }
  return {
    text: parts.join("\n"),
    offset: ({ line, column }) => (starts[line - first] ?? 0) + column,
    position: (offset) => {
      const index = starts.findLastIndex((start) => start <= offset)
      return { line: first + index, column: offset - (starts[index] ?? 0) }
    }
  }
}

const contains = (element: Element, low: number, high: number): boolean => element.start <= low && high < element.end

export const tagObject: TextObject = (lines, position, request: ObjectRequest): Selected | undefined => {
  const { anchor, around } = request
  const slice = sliceAround(lines, position)
  const fresh = anchor === undefined || samePlace(anchor, position)
  const ends = fresh ? [position, position] : [anchor, position].toSorted(comparePositions)
  const low = slice.offset(ends[0] ?? position)
  const high = slice.offset(ends[1] ?? position)
  const boundsOf = (element: Element): readonly [number, number] =>
    around ? [element.start, element.end] : [element.innerStart, element.innerEnd]
  const enclosing = elementsOf(slice.text)
    .filter((element) => contains(element, low, high))
    .toSorted((a, b) => a.end - a.start - (b.end - b.start))
    .filter((element) => fresh || boundsOf(element)[0] < low || boundsOf(element)[1] - 1 > high)
  const element = enclosing[request.count - 1]
  if (element === undefined) return undefined
  const [start, end] = boundsOf(element)
  if (start === end && anchor === undefined) {
    return { start: slice.position(start), end: slice.position(start), extent: "exclusive" }
  }
  if (start === end) {
    const whole = { start: slice.position(element.start), end: slice.position(element.end - 1) }
    return { ...whole, extent: "inclusive", shape: "char" }
  }
  const last = walker(slice.position(end))
  backwardOver(lines, last)
  return { start: slice.position(start), end: place(last), extent: "inclusive", shape: "char" }
}
