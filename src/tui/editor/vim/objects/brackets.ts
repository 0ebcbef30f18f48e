/** `i( a( i[ a[ i{ a{ i< a<`: text between brackets. */
import { comparePositions, type Lines, type Position, samePlace } from "../../lines.ts"
import { indentEnd } from "../../clusters.ts"
import { findPair } from "../motions/pairs.ts"
import { backwardOver, forward, forwardOver, place, clusterUnder, type Walker, walker } from "../text/walk.ts"
import { type ObjectRequest, type Selected, type TextObject } from "./object.ts"

interface Pair {
  readonly open: string
  readonly close: string
}

const inIndent = (lines: Lines, at: Position): boolean => indentEnd(lines.at(at.line)) > at.column

/** The opening bracket that encloses a place, quotes ignored; ahead of it when none encloses it. */
const openings = (lines: Lines, from: Position, rule: Pair & { readonly count: number }): Position | undefined => {
  const { open, close } = rule
  const back = { deeper: close, wanted: open, ahead: false, escaped: false, ignoreQuotes: true }
  const ahead = { ...back, ahead: true }
  const search = findPair(lines, from, back) === undefined ? ahead : back
  let at: Position | undefined = from
  for (let left = rule.count; left > 0 && at !== undefined; left--) at = findPair(lines, at, search)
  return at
}

const closing = (lines: Lines, from: Position, pair: Pair): Position | undefined =>
  findPair(lines, from, { deeper: pair.open, wanted: pair.close, ahead: true, escaped: false })

interface Inner {
  readonly start: Walker
  readonly end: Walker
  /** The closing bracket stands first in its line. */
  readonly ownLine: boolean
}

const innerOf = (lines: Lines, open: Position, close: Position): Inner => {
  const start = walker(open)
  const end = walker(close)
  forwardOver(lines, start)
  let ownLine = end.column === 0
  backwardOver(lines, end)
  while (inIndent(lines, end)) {
    ownLine = true
    if (backwardOver(lines, end) !== "inside") break
  }
  return { start, end, ownLine }
}

const startPlace = (lines: Lines, position: Position, open: string): Walker => {
  const at = walker(position)
  if (open === "{") while (inIndent(lines, at) && forward(lines, at) === "inside");
  if (clusterUnder(lines, at) === open) at.column++
  return at
}

const grownInner = (lines: Lines, area: { start: Position; end: Position }, pair: Pair): Inner | undefined => {
  const from = walker(area.start)
  backwardOver(lines, from)
  const open = findPair(lines, from, { deeper: pair.close, wanted: pair.open, ahead: false, escaped: false })
  const close = open === undefined ? undefined : closing(lines, open, pair)
  return open === undefined || close === undefined ? undefined : innerOf(lines, open, close)
}

const result = (lines: Lines, inner: Inner, visual: boolean): Selected => {
  const { start, end, ownLine } = inner
  if (visual) {
    if (ownLine && clusterUnder(lines, end) !== "") forward(lines, end)
    return { start: place(start), end: place(end), extent: "inclusive", shape: "char" }
  }
  if (ownLine) {
    forwardOver(lines, end)
    return { start: place(start), end: place(end), extent: "exclusive" }
  }
  return comparePositions(start, end) <= 0
    ? { start: place(start), end: place(end), extent: "inclusive" }
    : { start: place(start), end: place(start), extent: "exclusive" }
}

const selectBlock = (lines: Lines, position: Position, request: ObjectRequest & Pair): Selected | undefined => {
  const { anchor } = request
  const fresh = anchor === undefined || samePlace(anchor, position)
  const low = fresh || comparePositions(position, anchor) < 0 ? position : anchor
  const high = fresh || comparePositions(anchor, position) < 0 ? position : anchor
  const from = fresh ? startPlace(lines, position, request.open) : low
  const open = openings(lines, from, request)
  const close = open === undefined ? undefined : closing(lines, open, request)
  if (open === undefined || close === undefined) return undefined
  const visual = anchor !== undefined
  if (request.around) {
    return result(lines, { start: walker(open), end: walker(close), ownLine: false }, visual)
  }
  const inner = innerOf(lines, open, close)
  const bigger = comparePositions(inner.start, low) < 0 || comparePositions(high, inner.end) < 0
  if (visual && !bigger && !samePlace(inner.start, inner.end)) {
    const grown = grownInner(lines, { start: low, end: high }, request)
    return grown === undefined ? undefined : result(lines, grown, visual)
  }
  return result(lines, inner, visual)
}

export const bracketObject =
  (open: string, close: string): TextObject =>
  (lines, position, request) =>
    selectBlock(lines, position, { ...request, open, close })
