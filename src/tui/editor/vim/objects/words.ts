/** `iw aw iW aW`: words, and the blanks between them. */
import { comparePositions, type Lines, type Position, samePlace } from "../../lines.ts"
import { walkToNextWord, walkToPreviousEnd, walkToWordEnd, walkToWordStart } from "../motions/words.ts"
import { backward, backwardOver, classUnder, forward, forwardOver, place, type Walker, walker } from "../text/walk.ts"
import { type ObjectRequest, type Selected, type TextObject } from "./object.ts"

const toRunStart = (lines: Lines, at: Walker, big: boolean): void => {
  const kind = classUnder(lines, at, big)
  while (at.column > 0) {
    backward(lines, at)
    if (classUnder(lines, at, big) !== kind) {
      forward(lines, at)
      return
    }
  }
}

interface Growth {
  readonly big: boolean
  readonly around: boolean
  readonly more: boolean
}

/** Takes in one word more: whether its last character is part of it, or undefined when there is none. */
const grow = (lines: Lines, at: Walker, rule: Growth): boolean | undefined => {
  const { big, around } = rule
  if (forwardOver(lines, at) === "stuck") return undefined
  if (around !== (classUnder(lines, at, big) === 0)) {
    if (!walkToNextWord(lines, at, { count: 1, big, stopAtEnd: true }) && rule.more) return undefined
    if (at.column === 0) return false
    backward(lines, at)
    return true
  }
  return walkToWordEnd(lines, at, { count: 1, big, stay: true, stopAtEmpty: true }) ? true : undefined
}

const growBack = (lines: Lines, at: Walker, rule: { big: boolean; around: boolean }): boolean => {
  const { big, around } = rule
  if (backwardOver(lines, at) === "stuck") return false
  if (around !== (classUnder(lines, at, big) !== 0)) return walkToWordStart(lines, at, { count: 1, big, stay: true })
  if (!walkToPreviousEnd(lines, at, { count: 1, big, stopAtEnd: true })) return false
  forwardOver(lines, at)
  return true
}

/** Without blanks behind it `aw` takes those before it, but never an indent. */
const takeBlanksBefore = (lines: Lines, start: Position, big: boolean): Position => {
  if (start.column === 0) return start
  const at = walker(start)
  backward(lines, at)
  toRunStart(lines, at, big)
  return classUnder(lines, at, big) === 0 && at.column > 0 ? place(at) : start
}

/** Vim leaves the caret where the search for words ended. */
const stuckAt = (start: Position, at: Walker): Selected => ({ start, end: place(at), extent: "inclusive", short: true })

interface First {
  readonly start: Position
  readonly takesBlanks: boolean
}

const selectFirst = (lines: Lines, at: Walker, rule: { big: boolean; around: boolean }): First | undefined => {
  toRunStart(lines, at, rule.big)
  const start = place(at)
  if ((classUnder(lines, at, rule.big) === 0) === rule.around) {
    const ok = walkToWordEnd(lines, at, { count: 1, big: rule.big, stay: true, stopAtEmpty: true })
    return ok ? { start, takesBlanks: false } : undefined
  }
  walkToNextWord(lines, at, { count: 1, big: rule.big, stopAtEnd: true })
  if (at.column === 0) backwardOver(lines, at)
  else backward(lines, at)
  return { start, takesBlanks: rule.around }
}

const selectWords = (
  lines: Lines,
  position: Position,
  request: ObjectRequest & { readonly big: boolean }
): Selected | undefined => {
  const { big, around, anchor } = request
  const at = walker(position)
  let count = request.count
  let start = anchor ?? position
  let takesBlanks = false
  let inclusive = true
  if (anchor === undefined || samePlace(anchor, position)) {
    const first = selectFirst(lines, at, { big, around })
    if (first === undefined) return stuckAt(position, at)
    start = first.start
    takesBlanks = first.takesBlanks
    count--
  }
  for (; count > 0; count--) {
    if (anchor !== undefined && comparePositions(at, start) < 0) {
      if (!growBack(lines, at, { big, around })) return stuckAt(start, at)
      inclusive = true
      continue
    }
    const grown = grow(lines, at, { big, around, more: count > 1 })
    if (grown === undefined) return stuckAt(start, at)
    inclusive = grown
  }
  if (takesBlanks && (classUnder(lines, at, big) !== 0 || (at.column === 0 && !inclusive))) {
    start = takeBlanksBefore(lines, start, big)
  }
  return { start, end: place(at), extent: inclusive ? "inclusive" : "exclusive" }
}

export const wordObject =
  (big: boolean): TextObject =>
  (lines, position, request) =>
    selectWords(lines, position, { ...request, big })
