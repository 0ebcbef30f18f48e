/** `it at`: an element between its tags. */
import { type Lines, type Position, samePlace } from "../../lines.ts"
import { previousColumn } from "../../clusters.ts"
import { type ObjectRequest, type Selected, type TextObject } from "./object.ts"

/** How far an element may reach from the caret, in lines. */
const REACH = 500
/** An end tag, or a start tag that does not close itself. Quotes in it mean nothing. */
const TAG = /<(?:\/([^>]*)|([^\s>/!]+)(?:\s[^>]*?[^/>])?\s?)>/g

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
    const [whole, name, opened] = match
    const end = match.index + whole.length
    if (name === undefined) {
      open.push({ name: opened ?? "", start: match.index, end })
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

/** What is selected, or the caret; the search begins at `from`. */
interface Span {
  readonly from: number
  readonly low: number
  readonly high: number
}

/** On a tag the caret stands for the element of that tag; in an indent for what follows it. */
const freshSpan = (slice: Slice, at: number, elements: ReadonlyArray<Element>): Span => {
  const lineStart = slice.text.lastIndexOf("\n", at - 1) + 1
  const indent = /^[ \t]*/.exec(slice.text.slice(lineStart))?.[0].length ?? 0
  const caret = Math.max(at, lineStart + indent)
  const opened = elements.find(({ start, innerStart }) => start <= caret && caret < innerStart)
  if (opened !== undefined) return { from: opened.innerStart - 1, low: at, high: at }
  const closed = elements.find(({ innerEnd, end }) => innerEnd <= caret && caret < end)
  if (closed === undefined) return { from: caret, low: at, high: at }
  return { from: closed.innerEnd, low: at, high: closed.innerEnd - 1 }
}

/** The element around a place, or with a count one further out; further still when it ends too soon. */
const elementAround = (elements: ReadonlyArray<Element>, { from, high }: Span, count: number): Element | undefined =>
  elements
    .filter(({ start, innerEnd }) => start < from && innerEnd >= from)
    .toSorted((a, b) => b.start - a.start)
    .slice(count - 1)
    .find(({ innerEnd }) => innerEnd >= high)

interface Chosen {
  readonly element: Element
  readonly whole: boolean
}

/** Where the text between the tags is what is selected already, the tags are taken in. */
const choose = (elements: ReadonlyArray<Element>, span: Span, request: ObjectRequest): Chosen | undefined => {
  const element = elementAround(elements, span, request.count)
  if (element === undefined || request.around) return element && { element, whole: true }
  const isSame = element.innerStart === span.low && element.innerEnd - 1 === span.high
  if (request.anchor === undefined || !isSame) return { element, whole: false }
  const wider = elementAround(elements, { ...span, from: span.low }, request.count)
  return wider && { element: wider, whole: true }
}

/** The character before a place, or the line break before a line. */
const lastBefore = (lines: Lines, behind: Position): Position => {
  if (behind.column === 0) return { line: behind.line - 1, column: lines.at(behind.line - 1).length }
  return { line: behind.line, column: previousColumn(lines.at(behind.line), behind.column) }
}

export const tagObject: TextObject = (lines, position, request: ObjectRequest): Selected | undefined => {
  const { anchor } = request
  const slice = sliceAround(lines, position)
  const elements = elementsOf(slice.text)
  const at = slice.offset(position)
  const [low, high] = anchor === undefined ? [at, at] : [at, slice.offset(anchor)].toSorted((a, b) => a - b)
  const isFresh = anchor === undefined || samePlace(anchor, position)
  const span = isFresh ? freshSpan(slice, at, elements) : { from: low ?? at, low: low ?? at, high: high ?? at }
  const chosen = choose(elements, span, request)
  if (chosen === undefined) return undefined
  const { element, whole } = chosen
  const [start, end] = whole ? [element.start, element.end] : [element.innerStart, element.innerEnd]
  if (start === end && anchor === undefined) {
    return { start: slice.position(start), end: slice.position(start), extent: "exclusive" }
  }
  if (start === end) {
    return { start: slice.position(start), end: slice.position(start), extent: "inclusive", shape: "char" }
  }
  const behind = slice.position(end)
  // Before a tag that begins its line lies the line break, which is a part of the text.
  if (behind.column === 0 && anchor === undefined) {
    return { start: slice.position(start), end: behind, extent: "exclusive", exact: true }
  }
  return { start: slice.position(start), end: lastBefore(lines, behind), extent: "inclusive", shape: "char" }
}
