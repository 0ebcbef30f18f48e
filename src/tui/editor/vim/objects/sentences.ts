/** `is as`: sentences, and the blanks between them. */
import { comparePositions, type Lines, type Position, samePlace } from "../../lines.ts"
import { isBlank } from "../../clusters.ts"
import { walkSentences } from "../motions/blocks.ts"
import { backwardOver, forwardOver, place, clusterUnder, type Walker, walker } from "../text/walk.ts"
import { type ObjectRequest, type Selected, type TextObject } from "./object.ts"

/** The text, and the places that the steps over sentences began at: vim takes each of them for a jump. */
interface Walked extends Lines {
  readonly jumps: Array<Position>
}

const stepOver = (lines: Walked, at: Walker, forwards: boolean): void => {
  const next = walker(at)
  if (!walkSentences(lines, next, { count: 1, ahead: forwards })) return
  lines.jumps.push(place(at))
  Object.assign(at, next)
}

const ahead = (lines: Walked, at: Walker): void => {
  stepOver(lines, at, true)
}

const behind = (lines: Walked, at: Walker): void => {
  stepOver(lines, at, false)
}

const blankUnder = (lines: Lines, at: Walker): boolean => isBlank(clusterUnder(lines, at))

const toFirstBlank = (lines: Lines, at: Walker): void => {
  while (backwardOver(lines, at) !== "stuck") {
    if (!blankUnder(lines, at)) {
      forwardOver(lines, at)
      return
    }
  }
}

/** Sentences and blanks in turn, ending on the last character of the last one. */
const forwardBy = (lines: Walked, at: Walker, rule: { readonly count: number; readonly atStart: boolean }): void => {
  let { count, atStart } = rule
  while (count-- > 0) {
    ahead(lines, at)
    if (atStart) toFirstBlank(lines, at)
    if (count === 0 || atStart) backwardOver(lines, at)
    atStart = !atStart
  }
}

const blanksOnly = (lines: Lines, from: Position, to: Position): boolean => {
  const at = walker(from)
  while (comparePositions(at, to) < 0) {
    if (!blankUnder(lines, at)) return false
    if (forwardOver(lines, at) === "stuck") return true
  }
  return true
}

const growBack = (lines: Walked, position: Position, request: ObjectRequest): Position => {
  const before = walker(position)
  backwardOver(lines, before)
  const at = walker(position)
  ahead(lines, at)
  let atStart = blanksOnly(lines, place(before), place(at))
  if (!atStart) {
    behind(lines, at)
    if (samePlace(position, at)) atStart = true
    else ahead(lines, at)
  }
  for (let left = request.around ? request.count * 2 : request.count; left > 0; left--) {
    if (atStart) toFirstBlank(lines, at)
    if (!atStart || (!request.around && !blankUnder(lines, at))) behind(lines, at)
    atStart = !atStart
  }
  return place(at)
}

const growAhead = (lines: Walked, position: Position, request: ObjectRequest & { from?: Walker }): Position => {
  const next = walker(position)
  if (request.from === undefined) ahead(lines, next)
  const after = walker(request.from ?? position)
  forwardOver(lines, after)
  let at = next
  let atStart = true
  if (!samePlace(next, after)) {
    atStart = !blanksOnly(lines, place(after), place(next))
    if (atStart) behind(lines, at)
    else at = walker(position)
  }
  forwardBy(lines, at, { count: request.around ? request.count * 2 : request.count, atStart })
  return place(at)
}

interface Growing extends ObjectRequest {
  readonly anchor: Position
  /** Behind the blanks that were all there was to select. */
  readonly from?: Walker
}

const extend = (lines: Walked, position: Position, request: Growing): Selected => {
  const back = comparePositions(position, request.anchor) < 0
  const end = back ? growBack(lines, position, request) : growAhead(lines, position, request)
  return { start: request.anchor, end, extent: "inclusive", shape: "keep" }
}

interface Sentence {
  readonly blanksEnd: Walker
  readonly start: Position
  readonly startsBlank: boolean
}

const findStart = (lines: Walked, position: Position, at: Walker): Sentence => {
  const blank = walker(position)
  while (blankUnder(lines, blank) && forwardOver(lines, blank) !== "stuck");
  if (samePlace(blank, at)) {
    const start = walker(position)
    toFirstBlank(lines, start)
    return { start: place(start), startsBlank: true, blanksEnd: blank }
  }
  behind(lines, at)
  return { start: place(at), startsBlank: false, blanksEnd: blank }
}

const select = (lines: Walked, position: Position, request: ObjectRequest): Selected => {
  const { anchor, around } = request
  if (anchor !== undefined && !samePlace(anchor, position)) return extend(lines, position, { ...request, anchor })
  const at = walker(position)
  ahead(lines, at)
  const { start: found, startsBlank, blanksEnd } = findStart(lines, position, at)
  const start = walker(found)
  const count = around ? request.count * 2 : startsBlank ? request.count - 1 : request.count
  if (count > 0) forwardBy(lines, at, { count, atStart: true })
  else backwardOver(lines, at)
  if (around && startsBlank) {
    toFirstBlank(lines, at)
    if (blankUnder(lines, at)) backwardOver(lines, at)
  } else if (around && !blankUnder(lines, at)) toFirstBlank(lines, start)
  if (anchor !== undefined) {
    return samePlace(start, at)
      ? extend(lines, place(at), { ...request, anchor, from: blanksEnd })
      : { start: place(start), end: place(at), extent: "inclusive", shape: "char" }
  }
  const extent = forwardOver(lines, at) === "stuck" ? "inclusive" : "exclusive"
  return { start: place(start), end: place(at), extent }
}

export const sentenceObject: TextObject = (lines, position, request) => {
  const jumps: Array<Position> = []
  return { ...select({ ...lines, jumps }, position, request), jumps }
}
