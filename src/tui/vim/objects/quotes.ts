/** `i" a" i' a'` and backquotes: a string within one line. */
import type { Position } from "../../editor/lines.ts"
import { isBlank, nextColumn, previousColumn } from "../chars.ts"
import { type ObjectRequest, samePlace, type Selected, type TextObject } from "./object.ts"

const nextQuote = (text: string, from: number, rule: { quote: string; escapes: boolean }): number | undefined => {
  for (let column = from; column < text.length; column++) {
    if (rule.escapes && text[column] === "\\") column++
    else if (text[column] === rule.quote) return column
  }
  return undefined
}

const previousQuote = (text: string, from: number, quote: string): number => {
  let column = from
  while (column > 0) {
    column--
    let escapes = 0
    while (text[column - escapes - 1] === "\\") escapes++
    if (escapes % 2 === 1) column -= escapes
    else if (text[column] === quote) break
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
  const before = previousQuote(text, column, quote)
  return stringAfter(text, before, quote)
}

interface Area {
  readonly low: number
  readonly high: number
}

interface Search {
  readonly quote: string
  readonly area: Area | undefined
}

const findString = (text: string, column: number, rule: Search): Strings | undefined => {
  const { quote, area } = rule
  if (area === undefined) {
    return text[column] === quote ? stringFromStart(text, column, quote) : stringAround(text, column, quote)
  }
  if (text[column] !== quote) {
    const next = nextQuote(text, column, { quote, escapes: false })
    return next === undefined ? undefined : stringFromStart(text, next, quote)
  }
  const start = nextQuote(text, column + 1, { quote, escapes: false })
  if (start === undefined) return undefined
  const end = nextQuote(text, start + 1, { quote, escapes: true })
  return end === undefined ? { start: area.high, end: start } : { start, end }
}

const withBlanks = (text: string, found: Strings): Strings => {
  let { start, end } = found
  if (isBlank(text.charAt(end + 1))) while (isBlank(text.charAt(end + 1))) end++
  else while (start > 0 && isBlank(text.charAt(start - 1))) start--
  return { start, end }
}

type QuoteRequest = ObjectRequest & { readonly quote: string }

/** The columns of a selection that has more than one character. */
const areaOf = (anchor: Position | undefined, position: Position): Area | undefined => {
  if (anchor === undefined || samePlace(anchor, position)) return undefined
  const [low, high] = [anchor.column, position.column].toSorted((a, b) => a - b)
  return low === undefined || high === undefined ? undefined : { low, high }
}

const selectQuoted = (text: string, position: Position, request: QuoteRequest): Selected | undefined => {
  const { anchor, around, quote } = request
  if (anchor !== undefined && anchor.line !== position.line) return undefined
  const area = areaOf(anchor, position)
  const inside = area !== undefined && text[area.low - 1] === quote && text[area.high + 1] === quote
  const found = findString(text, position.column, { quote, area })
  if (found === undefined) return undefined
  const wide = around ? withBlanks(text, found) : found
  const bare = !around && request.count < 2 && !inside
  const start = { line: position.line, column: bare ? wide.start + 1 : wide.start }
  if (anchor === undefined) {
    if (bare) return { start, end: { line: position.line, column: wide.end }, extent: "exclusive" }
    return { start, end: { line: position.line, column: wide.end }, extent: "inclusive" }
  }
  const end = { line: position.line, column: bare ? previousColumn(text, wide.end) : wide.end }
  const stays = area !== undefined && !movesStart(text, area, { quote, inside })
  return { start: stays ? { line: position.line, column: area.low } : start, end, extent: "inclusive" }
}

/** The selection begins anew unless it already holds a quote or was begun at one. */
const movesStart = (text: string, area: Area, rule: { quote: string; inside: boolean }): boolean => {
  if (text.slice(area.low, nextColumn(text, area.high)).includes(rule.quote)) return false
  return rule.inside || (text[area.low] !== rule.quote && text[area.low - 1] !== rule.quote)
}

export const quoteObject =
  (quote: string): TextObject =>
  (lines, position, request) =>
    selectQuoted(lines.at(position.line), position, { ...request, quote })
