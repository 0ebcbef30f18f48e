/**
 * A caret that walks over a text in place. Unlike the caret that people see it may stand behind the last character of a
 * line, which is how the rules for words, sentences and objects are defined.
 */
import type { Lines, Position } from "../../lines.ts"
import { charClass } from "./char-class.ts"
import { clusterAt, nextColumn, previousColumn } from "../../clusters.ts"

export interface Walker {
  line: number
  column: number
}

/** How a move went: inside the line, onto its end, over to the next line, or not at all. */
export type Moved = "inside" | "end" | "line" | "stuck"

export const walker = (position: Position): Walker => ({ line: position.line, column: position.column })

export const place = (at: Walker): Position => ({ line: at.line, column: at.column })

/** The character under the walker; empty at the end of a line. */
export const clusterUnder = (lines: Lines, at: Walker): string => clusterAt(lines.at(at.line), at.column)

export const onEmptyLine = (lines: Lines, at: Walker): boolean => lines.at(at.line) === ""

export const forward = (lines: Lines, at: Walker): Moved => {
  const text = lines.at(at.line)
  if (at.column < text.length) {
    at.column = nextColumn(text, at.column)
    return at.column < text.length ? "inside" : "end"
  }
  if (at.line + 1 >= lines.count) return "stuck"
  at.line++
  at.column = 0
  return "line"
}

export const backward = (lines: Lines, at: Walker): Moved => {
  if (at.column > 0) {
    at.column = previousColumn(lines.at(at.line), at.column)
    return "inside"
  }
  if (at.line === 0) return "stuck"
  at.line--
  at.column = lines.at(at.line).length
  return "line"
}

/** As `forward`, never resting at the end of a line that has characters. */
export const forwardOver = (lines: Lines, at: Walker): Moved => {
  const moved = forward(lines, at)
  return (moved === "end" || moved === "line") && at.column > 0 ? forward(lines, at) : moved
}

export const backwardOver = (lines: Lines, at: Walker): Moved => {
  const moved = backward(lines, at)
  return moved === "line" && at.column > 0 ? backward(lines, at) : moved
}

export const classUnder = (lines: Lines, at: Walker, big: boolean): number => charClass(clusterUnder(lines, at), big)

/** Walks on while the class stays; true when the text ended first. */
export const skipClass = (
  lines: Lines,
  at: Walker,
  rule: { readonly kind: number; readonly big: boolean; readonly move: typeof forward }
): boolean => {
  while (classUnder(lines, at, rule.big) === rule.kind) {
    if (rule.move(lines, at) === "stuck") return true
  }
  return false
}
