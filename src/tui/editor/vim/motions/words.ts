/** Words: `w b e ge` and their counterparts for blank-separated words. */
import type { Lines, Position } from "../../lines.ts"
import { isBlank } from "../../clusters.ts"
import {
  backward,
  classUnder,
  forward,
  onEmptyLine,
  place,
  skipClass,
  clusterUnder,
  type Walker,
  walker
} from "../text/walk.ts"
import { type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"

export interface WordRule {
  readonly count: number
  readonly big: boolean
  /** Stop at the line's end instead of going on to the next line's first word. */
  readonly stopAtEnd?: boolean
  /** The first word counts even when the walk begins at its end. */
  readonly stay?: boolean
  /** Empty lines are words. */
  readonly stopAtEmpty?: boolean
}

const atEmptyLine = (lines: Lines, at: Walker): boolean => at.column === 0 && onEmptyLine(lines, at)

/** Moves to the start of a following word; false when the text ended. */
export const walkToNextWord = (lines: Lines, at: Walker, rule: WordRule): boolean => {
  for (let left = rule.count - 1; left >= 0; left--) {
    const kind = classUnder(lines, at, rule.big)
    const lastLine = at.line === lines.count - 1
    const stopsHere = (rule.stopAtEnd ?? false) && left === 0
    const first = forward(lines, at)
    if (first === "stuck" || (first !== "inside" && lastLine)) return false
    if (first !== "inside" && stopsHere) return true
    if (kind !== 0) {
      while (classUnder(lines, at, rule.big) === kind) {
        const moved = forward(lines, at)
        if (moved === "stuck" || (moved !== "inside" && stopsHere)) return true
      }
    }
    while (classUnder(lines, at, rule.big) === 0) {
      if (atEmptyLine(lines, at)) break
      const moved = forward(lines, at)
      if (moved === "stuck" || (moved !== "inside" && (lastLine || stopsHere))) return true
    }
  }
  return true
}

export const walkToWordStart = (lines: Lines, at: Walker, rule: WordRule): boolean => {
  let stay = rule.stay ?? false
  for (let left = rule.count; left > 0; left--, stay = false) {
    const kind = classUnder(lines, at, rule.big)
    if (backward(lines, at) === "stuck") return false
    if (!stay || kind === 0 || kind === classUnder(lines, at, rule.big)) {
      let empty = false
      while (classUnder(lines, at, rule.big) === 0 && !empty) {
        empty = atEmptyLine(lines, at)
        if (!empty && backward(lines, at) === "stuck") return true
      }
      if (empty) continue
      if (skipClass(lines, at, { kind: classUnder(lines, at, rule.big), big: rule.big, move: backward })) return true
    }
    forward(lines, at)
  }
  return true
}

export const walkToWordEnd = (lines: Lines, at: Walker, rule: WordRule): boolean => {
  let stay = rule.stay ?? false
  for (let left = rule.count; left > 0; left--, stay = false) {
    const kind = classUnder(lines, at, rule.big)
    if (forward(lines, at) === "stuck") return false
    if (kind !== 0 && classUnder(lines, at, rule.big) === kind) {
      if (skipClass(lines, at, { kind, big: rule.big, move: forward })) return false
    } else if (!stay || kind === 0) {
      let empty = false
      while (classUnder(lines, at, rule.big) === 0 && !empty) {
        empty = (rule.stopAtEmpty ?? false) && atEmptyLine(lines, at)
        if (!empty && forward(lines, at) === "stuck") return false
      }
      if (empty) continue
      if (skipClass(lines, at, { kind: classUnder(lines, at, rule.big), big: rule.big, move: forward })) return false
    }
    backward(lines, at)
  }
  return true
}

export const walkToPreviousEnd = (lines: Lines, at: Walker, rule: WordRule): boolean => {
  const stop = rule.stopAtEnd ?? false
  for (let left = rule.count; left > 0; left--) {
    const kind = classUnder(lines, at, rule.big)
    const first = backward(lines, at)
    if (first === "stuck") return false
    if (stop && first === "line") return true
    if (kind !== 0) {
      while (classUnder(lines, at, rule.big) === kind) {
        const moved = backward(lines, at)
        if (moved === "stuck" || (stop && moved === "line")) return true
      }
    }
    while (classUnder(lines, at, rule.big) === 0) {
      if (atEmptyLine(lines, at)) break
      const moved = backward(lines, at)
      if (moved === "stuck" || (stop && moved === "line")) return true
    }
  }
  return true
}

/** A target may not stand behind the last character: it steps back and takes that character in. */
export const offTheEnd = (lines: Lines, at: Walker, request: MotionRequest): Target => {
  if (request.visual || at.column === 0 || clusterUnder(lines, at) !== "") {
    return { position: place(at), extent: "exclusive" }
  }
  backward(lines, at)
  return { position: place(at), extent: "inclusive" }
}

const reached = (lines: Lines, at: Walker, state: { ok: boolean; request: MotionRequest }): Target => {
  const target = offTheEnd(lines, at, state.request)
  return !state.ok && state.request.operator === undefined ? { ...target, short: true } : target
}

const toNext =
  (big: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    const at = walker(position)
    const char = clusterUnder(lines, at)
    // `cw` on a word means `ce`: it leaves the blanks behind the word alone.
    if (request.operator === "c" && char !== "" && !isBlank(char)) {
      const ok = walkToWordEnd(lines, at, { count: times(request), big, stay: true })
      return { ...reached(lines, at, { ok, request }), extent: "inclusive" }
    }
    const stopAtEnd = request.operator !== undefined
    const ok = walkToNextWord(lines, at, { count: times(request), big, stopAtEnd })
    return reached(lines, at, { ok, request })
  }

const toEnd =
  (big: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    const at = walker(position)
    const ok = walkToWordEnd(lines, at, { count: times(request), big })
    return { ...reached(lines, at, { ok, request }), extent: "inclusive" }
  }

const toStart =
  (big: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    const at = walker(position)
    const ok = walkToWordStart(lines, at, { count: times(request), big })
    return { position: place(at), extent: "exclusive", ...(!ok && { short: true }) }
  }

const toPreviousEnd =
  (big: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    const at = walker(position)
    const ok = walkToPreviousEnd(lines, at, { count: times(request), big })
    return { position: place(at), extent: "inclusive", ...(!ok && { short: true }) }
  }

export const wordMotions: MotionTable = {
  w: { run: toNext(false), resets: true },
  W: { run: toNext(true), resets: true },
  b: { run: toStart(false), resets: true },
  B: { run: toStart(true), resets: true },
  e: { run: toEnd(false), resets: true },
  E: { run: toEnd(true), resets: true },
  ge: { run: toPreviousEnd(false), resets: true },
  gE: { run: toPreviousEnd(true), resets: true }
}
