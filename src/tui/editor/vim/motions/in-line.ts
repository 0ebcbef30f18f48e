/** Motions inside a line, and `l`, `h` with their relatives that may leave it. */
import type { Lines, Position } from "../../lines.ts"
import {
  cellsOf,
  clusterAt,
  columnAtCell,
  displayWidth,
  firstNonBlank,
  indentEnd,
  lastColumn,
  nextColumn,
  previousColumn,
  snap
} from "../../clusters.ts"
import type { Find } from "../state/state.ts"
import { exclusive, inclusive, type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"

const left =
  (wraps: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    let { line, column } = position
    let exact = false
    let short = false
    for (let left = times(request); left > 0; left--) {
      if (column > 0) column = previousColumn(lines.at(line), column)
      else if (wraps && line > 0) {
        line--
        const text = lines.at(line)
        const removes = (request.operator === "d" || request.operator === "c") && text !== ""
        column = removes ? text.length : request.visual ? text.length : lastColumn(text)
        exact = exact || removes
      } else {
        short = request.operator === undefined && left === times(request)
        break
      }
    }
    return { ...exclusive({ line, column }), ...(exact && { exact: true }), ...(short && { short: true }) }
  }

const right =
  (wraps: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    let { line, column } = position
    let takesLast = false
    let short = false
    for (let left = times(request); left > 0; left--) {
      const text = lines.at(line)
      const next = nextColumn(text, column)
      if (request.visual ? column < text.length : next < text.length) {
        column = next
        continue
      }
      if (wraps && line + 1 < lines.count) {
        if (request.operator !== undefined && !takesLast && text !== "") takesLast = true
        else {
          line++
          column = 0
          takesLast = false
        }
        continue
      }
      if (request.operator === undefined) short = left === times(request)
      else takesLast = text !== ""
      break
    }
    return { position: { line, column }, extent: takesLast ? "inclusive" : "exclusive", ...(short && { short: true }) }
  }

const OPPOSITE: Record<Find["key"], Find["key"]> = { f: "F", F: "f", t: "T", T: "t" }

/** A letter with combining marks is found by the letter. */
const isCharacter = (cluster: string, char: string): boolean =>
  cluster === char || (cluster.startsWith(char) && /^\p{M}+$/u.test(cluster.slice(char.length)))

const findInLine = (
  text: string,
  from: number,
  rule: { readonly find: Find; readonly count: number; readonly leave: boolean }
): number | undefined => {
  const { char, key } = rule.find
  const ahead = key === "f" || key === "t"
  let column = from
  let stop = !rule.leave
  for (let left = rule.count; left > 0; left--) {
    for (let found = false; !found; stop = true) {
      const next = ahead ? nextColumn(text, column) : previousColumn(text, column)
      if (ahead ? next >= text.length : column === 0) return undefined
      column = next
      found = stop && isCharacter(clusterAt(text, column), char)
    }
  }
  if (key === "t") return previousColumn(text, column)
  // Behind a letter its own marks may stand: the caret is then still on the letter.
  return key === "T" ? snap(text, column + char.length) : column
}

const runFind = (
  lines: Lines,
  position: Position,
  rule: { readonly find: Find; readonly count: number; readonly leave: boolean }
): Target | undefined => {
  const column = findInLine(lines.at(position.line), position.column, rule)
  if (column === undefined) return undefined
  const ahead = rule.find.key === "f" || rule.find.key === "t"
  return { position: { line: position.line, column }, extent: ahead ? "inclusive" : "exclusive" }
}

const finder =
  (key: Find["key"]) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const find = { key, char: request.argument }
    const target = runFind(lines, position, { find, count: times(request), leave: false })
    return target === undefined ? undefined : { ...target, find }
  }

const findAgain =
  (reverse: boolean) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    if (request.find === undefined) return undefined
    const key = reverse ? OPPOSITE[request.find.key] : request.find.key
    const leave = times(request) === 1 && (key === "t" || key === "T")
    return runFind(lines, position, { find: { ...request.find, key }, count: times(request), leave })
  }

const toLastNonBlank = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const line = position.line + times(request) - 1
  if (times(request) > 1 && position.line === lines.count - 1) {
    return { ...inclusive(position), wanted: Infinity, short: true }
  }
  const at = Math.min(line, lines.count - 1)
  const text = lines.at(at).trimEnd()
  return inclusive({ line: at, column: lastColumn(text) })
}

/** `$` with a count goes down first; the caret then stays at the ends of lines. */
const toEnd = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const down = times(request) - 1
  if (down > 0 && position.line === lines.count - 1) {
    return { ...inclusive(position), wanted: Infinity, short: true }
  }
  const line = Math.min(position.line + down, lines.count - 1)
  const text = lines.at(line)
  return { ...inclusive({ line, column: request.visual ? text.length : lastColumn(text) }), wanted: Infinity }
}

const toCell = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const cell = times(request) - 1
  const text = lines.at(position.line)
  const furthest = request.visual ? text.length : lastColumn(text)
  const column = Math.min(columnAtCell(text, cell, request.options.tabstop), furthest)
  return { ...exclusive({ line: position.line, column }), wanted: cell }
}

const rowOf = (starts: ReadonlyArray<number>, column: number): number =>
  Math.max(
    0,
    starts.findLastIndex((start) => start <= column)
  )

const toRowStart = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const starts = request.rowStarts(lines.at(position.line))
  return exclusive({ line: position.line, column: starts[rowOf(starts, position.column)] ?? 0 })
}

/** The first character of a row that is not a blank. */
const toRowText = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const text = lines.at(position.line)
  const { column: start } = toRowStart(lines, position, request).position
  const column = start + indentEnd(text.slice(start))
  return exclusive({ line: position.line, column: Math.min(column, lastColumn(text)) })
}

/** A place by its cell, as far as the line goes. */
const atCell = (lines: Lines, line: number, rule: { readonly cell: number; readonly request: MotionRequest }): Target => {
  const text = lines.at(line)
  const furthest = rule.request.visual ? text.length : lastColumn(text)
  return exclusive({ line, column: Math.min(columnAtCell(text, rule.cell, rule.request.options.tabstop), furthest) })
}

const toRowMiddle = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const start = toRowStart(lines, position, request).position
  const { start: cell } = cellsOf(lines.at(start.line), start.column, request.options.tabstop)
  return atCell(lines, position.line, { cell: cell + Math.floor(request.width / 2), request })
}

/** The middle of the whole line; a count up to 100 asks for another part of it, in percent. */
const toLineMiddle = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const asked = times(request)
  const percent = request.count === undefined || asked > 100 ? 50 : asked
  const width = displayWidth(lines.at(position.line), request.options.tabstop)
  return atCell(lines, position.line, { cell: Math.floor((width * percent) / 100), request })
}

/** Vertical motion over visual rows, keeping the place within the row. */
const byRows =
  (direction: 1 | -1) =>
  (lines: Lines, position: Position, request: MotionRequest): Target => {
    const { tabstop } = request.options
    let line = position.line
    let text = lines.at(line)
    let starts = request.rowStarts(text)
    let row = rowOf(starts, position.column)
    const cellOf = (column: number): number => cellsOf(text, column, tabstop).start
    const within = Math.max(0, request.wanted - cellOf(starts[row] ?? 0))
    let short = false
    for (let left = times(request); left > 0 && !short; left--) {
      row += direction
      if (row >= 0 && row < starts.length) continue
      short = direction > 0 ? line + 1 >= lines.count : line === 0
      if (!short) line += direction
      text = lines.at(line)
      starts = request.rowStarts(text)
      row = direction > 0 !== short ? 0 : starts.length - 1
    }
    const end = starts[row + 1]
    const last = end === undefined ? (request.visual ? text.length : lastColumn(text)) : previousColumn(text, end)
    const column = Math.min(columnAtCell(text, cellOf(starts[row] ?? 0) + within, tabstop), last)
    const wanted = request.wanted === Infinity ? Infinity : cellOf(starts[row] ?? 0) + within
    const extent = request.wanted === Infinity ? "inclusive" : "exclusive"
    return { position: { line, column }, extent, wanted, ...(short && { short: true }) }
  }

const toRowEnd = (lines: Lines, position: Position, request: MotionRequest): Target => {
  const down = times(request) - 1
  const below = { ...request, count: down, wanted: Infinity }
  const moved = down === 0 ? exclusive(position) : byRows(1)(lines, position, below)
  const { line, column: from } = moved.position
  const text = lines.at(line)
  const starts = request.rowStarts(text)
  const end = starts[rowOf(starts, from) + 1]
  const column = end === undefined ? (request.visual ? text.length : lastColumn(text)) : previousColumn(text, end)
  const target = { ...inclusive({ line, column }), ...(down > 0 && { wanted: Infinity }) }
  return moved.short === true ? { ...target, short: true } : target
}

const within =
  (column: (text: string) => number) =>
  (lines: Lines, position: Position): Target =>
    exclusive({ line: position.line, column: column(lines.at(position.line)) })

export const lineMotions: MotionTable = {
  h: { run: left(false) },
  "<Left>": { run: left(false) },
  "<BS>": { run: left(true) },
  "<C-h>": { run: left(true) },
  l: { run: right(false) },
  "<Right>": { run: right(false) },
  " ": { run: right(true) },
  "0": { run: within(() => 0) },
  "<Home>": { run: within(() => 0) },
  "^": { run: within(firstNonBlank) },
  $: { run: toEnd },
  "<End>": { run: toEnd },
  g_: { run: toLastNonBlank },
  "|": { run: toCell },
  g0: { run: toRowStart },
  "g<Home>": { run: toRowStart },
  "g^": { run: toRowText },
  gm: { run: toRowMiddle },
  gM: { run: toLineMiddle },
  "g<End>": { run: toRowEnd },
  "g<Down>": { run: byRows(1) },
  "g<Up>": { run: byRows(-1) },
  g$: { run: toRowEnd },
  gj: { run: byRows(1) },
  gk: { run: byRows(-1) },
  f: { run: finder("f"), takes: "char" },
  F: { run: finder("F"), takes: "char" },
  t: { run: finder("t"), takes: "char" },
  T: { run: finder("T"), takes: "char" },
  ";": { run: findAgain(false) },
  ",": { run: findAgain(true) }
}
