/** Sentences and paragraphs. */
import type { Lines, Position } from "../../editor/lines.ts"
import { lastColumn } from "../chars.ts"
import { backwardOver, forward, forwardOver, onEmptyLine, under, type Walker, walker } from "../walk.ts"
import { type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"
import { offTheEnd } from "./words.ts"

const startsBlock = (lines: Lines, line: number): boolean => {
  const text = lines.at(line)
  return text === "" || text.startsWith("\f")
}

const isOneOf = (set: string, char: string): boolean => char !== "" && set.includes(char)
const blankUnder = (lines: Lines, at: Walker): boolean => isOneOf(" \t", under(lines, at))

/** Goes back to the last character that ends no sentence. */
const backToText = (lines: Lines, at: Walker, ahead: boolean): void => {
  let foundDot = false
  while (isOneOf(" \t.!?)]\"'", under(lines, at))) {
    const char = under(lines, at)
    const before = walker(at)
    if (backwardOver(lines, before) === "stuck" || (ahead && onEmptyLine(lines, before)) || foundDot) return
    if (isOneOf(".!?", char)) foundDot = true
    if (isOneOf(")]\"'", char) && !isOneOf(".!?)]\"'", under(lines, before))) return
    backwardOver(lines, at)
  }
}

/** The place behind a sentence's end when one stands here. */
const sentenceEnd = (lines: Lines, at: Walker): Walker | undefined => {
  if (!isOneOf(".!?", under(lines, at))) return undefined
  const end = walker(at)
  do {
    if (forward(lines, end) === "stuck") break
  } while (isOneOf(")]\"'", under(lines, end)))
  return under(lines, end) === "" || isOneOf(" \t", under(lines, end)) ? end : undefined
}

/** Walks to a border of sentences; false when the text ended first. */
const toBorder = (lines: Lines, at: Walker, ahead: boolean): boolean => {
  const startLine = at.line
  const move = ahead ? forwardOver : backwardOver
  while (true) {
    if (under(lines, at) === "" || (at.column === 0 && startsBlock(lines, at.line))) {
      if (!ahead && at.line !== startLine) at.line++
      return true
    }
    const end = sentenceEnd(lines, at)
    if (end !== undefined) {
      Object.assign(at, end)
      if (under(lines, at) === "") forward(lines, at)
      return true
    }
    if (move(lines, at) === "stuck") return false
  }
}

const skipBlanks = (lines: Lines, at: Walker): void => {
  while (blankUnder(lines, at) && forwardOver(lines, at) !== "stuck");
}

/** One step over a sentence or the empty lines before it: "edge" when the text ended, "none" when nothing follows. */
const toNextSentence = (lines: Lines, at: Walker, ahead: boolean): "found" | "edge" | "none" => {
  const move = ahead ? forwardOver : backwardOver
  if (under(lines, at) === "") {
    while (move(lines, at) !== "stuck" && under(lines, at) === "");
    if (ahead) return "found"
  } else if (ahead && at.column === 0 && startsBlock(lines, at.line)) {
    if (at.line === lines.count - 1) return "none"
    at.line++
    return "found"
  } else if (!ahead) backwardOver(lines, at)
  backToText(lines, at, ahead)
  return toBorder(lines, at, ahead) ? "found" : "edge"
}

/** Walks over sentences; false when there were not enough. */
export const walkSentences = (lines: Lines, at: Walker, rule: { count: number; ahead: boolean }): boolean => {
  const { ahead } = rule
  const move = ahead ? forwardOver : backwardOver
  let atEdge = false
  for (let left = rule.count; left > 0; ) {
    left--
    const from = walker(at)
    const step = toNextSentence(lines, at, ahead)
    if (step === "none" || (step === "edge" && left > 0)) return false
    atEdge = atEdge || step === "edge"
    if (!atEdge) skipBlanks(lines, at)
    if (at.line !== from.line || at.column !== from.column) continue
    // A border right here leads nowhere: the same again from the next character.
    if (move(lines, at) === "stuck") return left === 0
    left++
  }
  return true
}

const bySentence =
  (ahead: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const at = walker(position)
    return walkSentences(lines, at, { count: times(request), ahead }) ? offTheEnd(lines, at, request) : undefined
  }

const paragraphLine = (lines: Lines, from: number, direction: 1 | -1): number | undefined => {
  let skipped = false
  for (let line = from; ; line += direction) {
    if (line < 0 || line >= lines.count) return undefined
    if (lines.at(line) !== "") skipped = true
    if (line !== from && skipped && startsBlock(lines, line)) return line
  }
}

const byParagraph =
  (direction: 1 | -1) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    let line = position.line
    for (let left = times(request) - 1; left >= 0; left--) {
      const next = paragraphLine(lines, line, direction)
      if (next === undefined && left > 0) return undefined
      line = next ?? (direction > 0 ? lines.count - 1 : 0)
    }
    const text = lines.at(line)
    // Also going back: vim takes the only line of a text for its last one.
    if (line === lines.count - 1 && text !== "") {
      return { position: { line, column: lastColumn(text) }, extent: "inclusive" }
    }
    return { position: { line, column: 0 }, extent: "exclusive" }
  }

export const blockMotions: MotionTable = {
  "(": { run: bySentence(false), jump: true, numbered: true, resets: true },
  ")": { run: bySentence(true), jump: true, numbered: true, resets: true },
  "{": { run: byParagraph(-1), jump: true, numbered: true, resets: true },
  "}": { run: byParagraph(1), jump: true, numbered: true, resets: true }
}

