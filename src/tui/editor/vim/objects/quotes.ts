/** `i" a" i' a'` and backquotes: a string within one line. */
import { type Position, samePlace } from "../../lines.ts"
import { isBlank, previousColumn } from "../../clusters.ts"
import { type ObjectRequest, type Selected, type TextObject } from "./object.ts"

const nextQuote = (text: string, from: number, rule: { quote: string; escapes: boolean }): number | undefined => {
  for (let column = from; column < text.length; column++) {
    if (rule.escapes && text[column] === "\\") column++
    else if (text[column] === rule.quote) return column
  }
  return undefined
}

/** Where the search back stops: on a quote, else at the start of the line. */
const previousQuote = (text: string, from: number, rule: { quote: string; escapes: boolean }): number => {
  let column = from
  while (column > 0) {
    column--
    let escapes = 0
    while (rule.escapes && text[column - escapes - 1] === "\\") escapes++
    if (escapes % 2 === 1) column -= escapes
    else if (text[column] === rule.quote) break
  }
  return column
}

interface Strings {
  readonly start: number
  readonly end: number
}

const stringAfter = (text: string, from: number, quote: string): Strings | undefined => {
  const start = nextQuote(text, from, { quote, escapes: false })
  const end = start === undefined ? undefined : nextQuote(text, start + 1, { quote, escapes: true })
  return start === undefined || end === undefined ? undefined : { start, end }
}

/** On a quote nobody knows whether it opens or closes: strings are counted from the start of the line. */
const stringFromStart = (text: string, column: number, quote: string): Strings | undefined => {
  let found = stringAfter(text, 0, quote)
  while (found !== undefined && found.end < column) found = stringAfter(text, found.end + 1, quote)
  return found !== undefined && found.start <= column ? found : undefined
}

const stringAround = (text: string, column: number, quote: string): Strings | undefined => {
  const before = previousQuote(text, column, { quote, escapes: true })
  return stringAfter(text, before, quote)
}

/** A selection of more than one character: where it begins and ends, and at which end the caret is. */
interface Area {
  readonly low: number
  readonly high: number
  readonly caretLast: boolean
  /** It holds a quote. */
  readonly hasQuote: boolean
  /** It is exactly what stands between two quotes. */
  readonly inside: boolean
}

const areaOf = (text: string, quote: string, ends: { anchor: number; caret: number }): Area => {
  const low = Math.min(ends.anchor, ends.caret)
  const high = Math.max(ends.anchor, ends.caret)
  return {
    low,
    high,
    caretLast: ends.anchor < ends.caret,
    hasQuote: text.slice(low, high + 1).includes(quote),
    inside: text[low - 1] === quote && high < text.length && text[high + 1] === quote
  }
}

/** Ahead of a selection that ends on a quote: the next string, or from here to the next quote. */
const stringAhead = (text: string, column: number, quote: string): Strings | undefined => {
  const start = nextQuote(text, column + 1, { quote, escapes: false })
  if (start === undefined) return undefined
  const end = nextQuote(text, start + 1, { quote, escapes: true })
  return end === undefined ? { start: column, end: start } : { start, end }
}

/** The same going back, when the caret is the first character of the selection. */
const stringBehind = (text: string, column: number, quote: string): Strings | undefined => {
  const end = previousQuote(text, column, { quote, escapes: false })
  if (text[end] !== quote) return undefined
  const start = previousQuote(text, end, { quote, escapes: true })
  return text[start] === quote ? { start, end } : { start: end, end: column }
}

const findGrown = (text: string, column: number, rule: { quote: string; area: Area }): Strings | undefined => {
  const { quote, area } = rule
  if (text[column] === quote) {
    return area.caretLast ? stringAhead(text, column, quote) : stringBehind(text, column, quote)
  }
  const near = area.caretLast
    ? nextQuote(text, column, { quote, escapes: false })
    : previousQuote(text, column, { quote, escapes: false })
  return near === undefined ? undefined : stringFromStart(text, near, quote)
}

const withBlanks = (text: string, found: Strings): Strings => {
  let { start, end } = found
  if (isBlank(text.charAt(end + 1))) while (isBlank(text.charAt(end + 1))) end++
  else while (start > 0 && isBlank(text.charAt(start - 1))) start--
  return { start, end }
}

type QuoteRequest = ObjectRequest & { readonly quote: string }

/** Whether the near end of a selection moves: it holds no quote yet, and does not stand at one. */
const movesLow = (text: string, area: Area, quote: string): boolean =>
  !area.hasQuote && (area.inside || (text[area.low] !== quote && text[area.low - 1] !== quote))

const movesHigh = (text: string, area: Area, quote: string): boolean =>
  area.inside || (!area.hasQuote && text[area.high] !== quote && text[area.high + 1] !== quote)

/** The string for a selection that has one character or none: its ends become those of the selection. */
const selectFresh = (text: string, position: Position, request: QuoteRequest): Selected | undefined => {
  const { around, quote, count } = request
  const { line, column } = position
  const found = text[column] === quote ? stringFromStart(text, column, quote) : stringAround(text, column, quote)
  if (found === undefined) return undefined
  const { start, end } = around ? withBlanks(text, found) : found
  const bare = !around && count < 2
  const first = { line, column: bare ? start + 1 : start }
  if (request.anchor === undefined) {
    // Behind the closing quote; only at the end of the line it counts as being on it.
    const isLast = end + 1 >= text.length
    const last = { line, column: bare ? end : end + 1 }
    return { start: first, end: last, extent: !bare && isLast ? "inclusive" : "exclusive" }
  }
  return { start: first, end: { line, column: bare ? previousColumn(text, end) : end }, extent: "inclusive" }
}

interface SelectionEnds {
  readonly anchor: Position
  readonly caret: Position
}

const growSelection = (text: string, request: QuoteRequest, ends: SelectionEnds): Selected | undefined => {
  const { around, quote } = request
  const { line } = ends.caret
  const area = areaOf(text, quote, { anchor: ends.anchor.column, caret: ends.caret.column })
  const found = findGrown(text, ends.caret.column, { quote, area })
  if (found === undefined) return undefined
  const { start, end } = around ? withBlanks(text, found) : found
  const takesQuotes = around || request.count > 1 || area.inside
  const first = { line, column: takesQuotes ? start : start + 1 }
  const last = { line, column: takesQuotes ? end : previousColumn(text, end) }
  if (area.caretLast) {
    return { start: movesLow(text, area, quote) ? first : ends.anchor, end: last, extent: "inclusive" }
  }
  return { start: movesHigh(text, area, quote) ? last : ends.anchor, end: first, extent: "inclusive" }
}

const selectQuoted = (text: string, position: Position, request: QuoteRequest): Selected | undefined => {
  const { anchor } = request
  if (anchor === undefined || samePlace(anchor, position)) return selectFresh(text, position, request)
  if (anchor.line !== position.line) return undefined
  return growSelection(text, request, { anchor, caret: position })
}

export const quoteObject =
  (quote: string): TextObject =>
  (lines, position, request) =>
    selectQuoted(lines.at(position.line), position, { ...request, quote })
