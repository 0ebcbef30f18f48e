/** Motions from line to line. */
import type { Lines, Position } from "../../lines.ts"
import { byteLength, columnAtByte } from "../text/bytes.ts"
import { columnAtCell, firstNonBlank, lastColumn, snap } from "../../clusters.ts"
import { exclusive, linewise, type MotionRequest, type MotionTable, type Target, times } from "./motion.ts"

const startOf = (lines: Lines, line: number): Target => linewise({ line, column: firstNonBlank(lines.at(line)) })

/** Goes up or down as far as there are lines; fails only when there is none at all. */
const vertical = (lines: Lines, from: number, by: number): number | undefined => {
  if (by === 0) return from
  if (by > 0 ? from >= lines.count - 1 : from <= 0) return undefined
  return Math.max(0, Math.min(from + by, lines.count - 1))
}

const keepColumn =
  (direction: 1 | -1) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const line = vertical(lines, position.line, direction * times(request))
    if (line === undefined) return undefined
    const text = lines.at(line)
    const furthest = request.visual ? text.length : lastColumn(text)
    const cell = request.wanted === Infinity ? furthest : columnAtCell(text, request.wanted, request.options.tabstop)
    return { ...linewise({ line, column: Math.min(cell, furthest) }), wanted: request.wanted }
  }

const toStart =
  (by: (count: number) => number) =>
  (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
    const line = vertical(lines, position.line, by(times(request)))
    return line === undefined ? undefined : startOf(lines, line)
  }

/** `_`: like doubled operator keys, it leaves the column alone for a yank. */
const toLines = (lines: Lines, position: Position, request: MotionRequest): Target | undefined => {
  const target = toStart((count) => count - 1)(lines, position, request)
  if (target === undefined || request.operator !== "y") return target
  const text = lines.at(target.position.line)
  const column = Math.min(columnAtCell(text, request.wanted, request.options.tabstop), lastColumn(text))
  return linewise({ line: target.position.line, column })
}

const toLine =
  (otherwise: (lines: Lines) => number) =>
  (lines: Lines, _position: Position, request: MotionRequest): Target => {
    const asked = request.count === undefined ? otherwise(lines) : request.count - 1
    return startOf(lines, Math.max(0, Math.min(asked, lines.count - 1)))
  }

/** `go`: a byte of the text, counted from 1; line breaks count as one. */
const toByte = (lines: Lines, _position: Position, request: MotionRequest): Target => {
  let left = times(request) - 1
  for (let line = 0; line < lines.count; line++) {
    const text = lines.at(line)
    const size = byteLength(text) + 1
    if (left < size) {
      const furthest = request.visual ? text.length : lastColumn(text)
      return exclusive({ line, column: Math.min(snap(text, columnAtByte(text, left)), furthest) })
    }
    left -= size
  }
  const last = lines.count - 1
  const text = lines.at(last)
  return { ...exclusive({ line: last, column: request.visual ? text.length : lastColumn(text) }), wanted: Infinity }
}

const inView =
  (pick: (top: number, bottom: number, count: number) => number) =>
  (lines: Lines, _position: Position, request: MotionRequest): Target => {
    const bottom = Math.min(request.view.bottom, lines.count - 1)
    const top = Math.min(request.view.top, bottom)
    return startOf(lines, Math.max(top, Math.min(pick(top, bottom, times(request) - 1), bottom)))
  }

const down = { run: keepColumn(1) }
const up = { run: keepColumn(-1) }
const nextStart = { run: toStart((count) => count) }
const toLast = { run: toLine((lines) => lines.count - 1), jump: true } as const
const toFirst = { run: toLine(() => 0), jump: true } as const

export const verticalMotions: MotionTable = {
  j: down,
  "<Down>": down,
  "<C-j>": down,
  "<C-n>": down,
  k: up,
  "<Up>": up,
  "<C-p>": up,
  "+": nextStart,
  "<CR>": nextStart,
  "-": { run: toStart((count) => -count) },
  _: { run: toLines },
  G: toLast,
  gg: toFirst,
  go: { run: toByte, jump: true },
  H: { run: inView((top, _bottom, count) => top + count), jump: true },
  M: { run: inView((top, bottom) => Math.floor((top + bottom) / 2)), jump: true },
  L: { run: inView((_top, bottom, count) => bottom - count), jump: true }
}
