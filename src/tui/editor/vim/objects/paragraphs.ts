/** `ip ap`: runs of lines with text, and of blank lines. */
import type { Lines } from "../../lines.ts"
import { startsBlock } from "../motions/block-starts.ts"
import type { ObjectRequest, Selected, TextObject } from "./object.ts"

const isWhite = (lines: Lines, line: number): boolean => lines.at(line).trim() === ""

interface Grown {
  readonly line: number
  /** There were fewer runs than asked for. */
  readonly short: boolean
}

/** Grows a selection of several lines by whole runs at the end where the caret is. */
const extend = (lines: Lines, from: number, request: ObjectRequest & { direction: 1 | -1 }): Grown => {
  const { direction } = request
  const edge = direction < 0 ? 0 : lines.count - 1
  let line = from
  for (let left = request.count; left > 0; left--) {
    if (line === edge) return { line, short: true }
    let previous: boolean | undefined
    for (let part = 0; part < 2; part++) {
      line += direction
      const white = isWhite(lines, line)
      if (previous === white) {
        line -= direction
        break
      }
      while (line !== edge) {
        if (white !== isWhite(lines, line + direction)) break
        if (!white && startsBlock(lines, line + (direction > 0 ? 1 : 0))) break
        line += direction
      }
      if (!request.around || line === edge) break
      previous = white
    }
  }
  return { line, short: false }
}

const runStart = (lines: Lines, from: number, white: boolean): number => {
  let line = from
  while (line > 0) {
    if (white ? !isWhite(lines, line - 1) : isWhite(lines, line - 1) || startsBlock(lines, line)) break
    line--
  }
  return line
}

const skipText = (lines: Lines, from: number): number => {
  let line = from + 1
  while (line < lines.count - 1 && !isWhite(lines, line + 1) && !startsBlock(lines, line + 1)) line++
  return line
}

const skipWhite = (lines: Lines, from: number): number => {
  let line = from
  while (line < lines.count - 1 && isWhite(lines, line + 1)) line++
  return line
}

const select = (lines: Lines, from: number, request: ObjectRequest): { first: number; last: number } | undefined => {
  const { around } = request
  const white = isWhite(lines, from)
  let first = runStart(lines, from, white)
  let last = white ? skipWhite(lines, first - 1) : first - 1
  let left = !around && white ? request.count - 1 : request.count
  while (left-- > 0) {
    if (last === lines.count - 1) return undefined
    const blank = !around && isWhite(lines, last + 1)
    if (!blank) last = skipText(lines, last)
    if (left === 0 && white && around) break
    if (around || blank) last = skipWhite(lines, last)
  }
  if (!white && around && !isWhite(lines, last)) {
    while (first > 0 && isWhite(lines, first - 1)) first--
  }
  return { first, last }
}

export const paragraphObject: TextObject = (lines, position, request): Selected | undefined => {
  const { anchor } = request
  const grow = (): Selected | undefined => {
    const direction = anchor !== undefined && position.line < anchor.line ? -1 : 1
    const { line, short } = extend(lines, position.line, { ...request, direction })
    const end = { line, column: 0 }
    return { start: anchor ?? position, end, extent: "line", shape: "keep", ...(short && { short: true }) }
  }
  if (anchor !== undefined && anchor.line !== position.line) return grow()
  const found = select(lines, position.line, request)
  if (found === undefined) return undefined
  // Whole lines that begin here already would stay as they are: they grow instead.
  if (anchor !== undefined && request.shape === "line" && found.first === position.line) return grow()
  // A selection that begins on the first line keeps its column there.
  const start = anchor?.line === found.first ? anchor : { line: found.first, column: 0 }
  return { start, end: { line: found.last, column: 0 }, extent: "line" }
}
