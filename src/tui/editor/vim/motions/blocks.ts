/** Sentences and paragraphs. */
import type { Lines, Position } from "../../lines.ts"
import { firstNonBlank, lastColumn } from "../../clusters.ts"
import { backwardOver, forward, forwardOver, onEmptyLine, place, clusterUnder, type Walker, walker } from "../text/walk.ts"
import { startsBlock, startsSection } from "./block-starts.ts"
import { type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"
import { offTheEnd } from "./words.ts"

const isOneOf = (set: string, char: string): boolean => char !== "" && set.includes(char)
const blankUnder = (lines: Lines, at: Walker): boolean => isOneOf(" \t", clusterUnder(lines, at))

/** Goes back to the last character that ends no sentence. */
const backToText = (lines: Lines, at: Walker, ahead: boolean): void => {
  let foundDot = false
  while (isOneOf(" \t.!?)]\"'", clusterUnder(lines, at))) {
    const char = clusterUnder(lines, at)
    const before = walker(at)
    if (backwardOver(lines, before) === "stuck" || (ahead && onEmptyLine(lines, before)) || foundDot) return
    if (isOneOf(".!?", char)) foundDot = true
    if (isOneOf(")]\"'", char) && !isOneOf(".!?)]\"'", clusterUnder(lines, before))) return
    backwardOver(lines, at)
  }
}

/** The place behind a sentence's end when one stands here. */
const sentenceEnd = (lines: Lines, at: Walker): Walker | undefined => {
  if (!isOneOf(".!?", clusterUnder(lines, at))) return undefined
  const end = walker(at)
  do {
    if (forward(lines, end) === "stuck") break
  } while (isOneOf(")]\"'", clusterUnder(lines, end)))
  return clusterUnder(lines, end) === "" || isOneOf(" \t", clusterUnder(lines, end)) ? end : undefined
}

/** Walks to a border of sentences; false when the text ended first. */
const toBorder = (lines: Lines, at: Walker, ahead: boolean): boolean => {
  const startLine = at.line
  const move = ahead ? forwardOver : backwardOver
  while (true) {
    if (clusterUnder(lines, at) === "" || (at.column === 0 && startsBlock(lines, at.line))) {
      if (!ahead && at.line !== startLine) at.line++
      return true
    }
    const end = sentenceEnd(lines, at)
    if (end !== undefined) {
      Object.assign(at, end)
      if (clusterUnder(lines, at) === "") forward(lines, at)
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
  if (clusterUnder(lines, at) === "") {
    while (move(lines, at) !== "stuck" && clusterUnder(lines, at) === "");
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
  for (let left = rule.count; left > 0;) {
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

/** The next border of sentences, as a mark has it. */
export const sentenceBorder = (lines: Lines, position: Position, ahead: boolean): Position | undefined => {
  const at = walker(position)
  return walkSentences(lines, at, { count: 1, ahead }) ? place(at) : undefined
}

const bySentence =
  (ahead: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const at = walker(position)
    return walkSentences(lines, at, { count: times(request), ahead }) ? offTheEnd(lines, at, request) : undefined
  }

interface BlockWalk {
  readonly direction: 1 | -1
  readonly starts: (lines: Lines, line: number) => boolean
}

const nextStart = (lines: Lines, from: number, { direction, starts }: BlockWalk): number | undefined => {
  let skipped = false
  for (let line = from; ; line += direction) {
    if (line < 0 || line >= lines.count) return undefined
    if (lines.at(line) !== "") skipped = true
    if (line !== from && skipped && starts(lines, line)) return line
  }
}

/** The line of a start so many blocks away; the edge of the text counts as the last of them. */
const walkBlocks = (lines: Lines, from: number, rule: BlockWalk & { readonly count: number }): number | undefined => {
  let line = from
  for (let left = rule.count - 1; left >= 0; left--) {
    const next = nextStart(lines, line, rule)
    if (next === undefined && left > 0) return undefined
    line = next ?? (rule.direction > 0 ? lines.count - 1 : 0)
  }
  return line
}

/** Also going back: vim takes the only line of a text for its last one. */
const atBlock = (lines: Lines, line: number): Target => {
  const text = lines.at(line)
  if (line === lines.count - 1 && text !== "") {
    return { position: { line, column: lastColumn(text) }, extent: "inclusive" }
  }
  return { position: { line, column: 0 }, extent: "exclusive" }
}

const byParagraph =
  (direction: 1 | -1) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const line = walkBlocks(lines, position.line, { direction, starts: startsBlock, count: times(request) })
    return line === undefined ? undefined : atBlock(lines, line)
  }

/** The next border of paragraphs, as a mark has it. */
export const paragraphBorder = (lines: Lines, { line: from }: Position, ahead: boolean): Position | undefined => {
  const line = walkBlocks(lines, from, { direction: ahead ? 1 : -1, starts: startsBlock, count: 1 })
  return line === undefined ? undefined : atBlock(lines, line).position
}

/** `]]` and its relatives: sections begin with a brace at the start of a line. An operator also stops at the other. */
const bySection =
  (direction: 1 | -1, brace: "{" | "}") =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const both = request.operator !== undefined && direction > 0 && brace === "{"
    const starts = (all: Lines, line: number): boolean => startsSection(all, line, brace) || (both && isClosed(all, line))
    const found = walkBlocks(lines, position.line, { direction, starts, count: times(request) })
    if (found === undefined) return undefined
    const line = both && isClosed(lines, found) ? found + 1 : found
    if (line === lines.count) return { position: { line: found, column: 0 }, extent: "exclusive" }
    const target = brace === "}" ? ({ position: { line, column: 0 }, extent: "exclusive" } as const) : atBlock(lines, line)
    if (request.operator !== undefined) return target
    return { ...target, position: { line, column: firstNonBlank(lines.at(line)) } }
  }

const isClosed = (lines: Lines, line: number): boolean => lines.at(line).startsWith("}")

export const blockMotions: MotionTable = {
  "(": { run: bySentence(false), jump: true, numbered: true, resets: true },
  ")": { run: bySentence(true), jump: true, numbered: true, resets: true },
  "{": { run: byParagraph(-1), jump: true, numbered: true, resets: true },
  "}": { run: byParagraph(1), jump: true, numbered: true, resets: true },
  "]]": { run: bySection(1, "{"), jump: true, resets: true },
  "][": { run: bySection(1, "}"), jump: true, resets: true },
  "[[": { run: bySection(-1, "{"), jump: true, resets: true },
  "[]": { run: bySection(-1, "}"), jump: true, resets: true }
}
