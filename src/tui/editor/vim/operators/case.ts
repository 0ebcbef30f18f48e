/** `g~ gu gU g?`: changing letters one by one. */
import { clusters } from "../../../screen/cell/width.ts"
import { sliceLines } from "../../buffer.ts"
import type { Position } from "../../lines.ts"
import { blockPart } from "../text/block.ts"
import { columnAtByte } from "../text/bytes.ts"
import { nextColumn, previousColumn } from "../../clusters.ts"
import { isEmptyRegion, lineCount, type Region } from "../engine/region.ts"
import {
  bytePlace,
  clamp,
  lineAt,
  moveTo,
  replaceSpan,
  setMarks,
  touch,
  type Turn,
  update
} from "../engine/running-command.ts"

export type Letter = (char: string) => string

/** A mapping that would change the length of the text is left out. */
const keepLength =
  (map: Letter): Letter =>
  (char) => {
    const mapped = map(char)
    return mapped.length === char.length ? mapped : char
  }

/** Only the operator makes two letters of a sharp s. */
export const upper: Letter = (char) => (char === "\u00df" ? "SS" : keepLength((each) => each.toUpperCase())(char))
export const lower = keepLength((char) => char.toLowerCase())
export const swap = keepLength((char) => (char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase()))

const rotate: Letter = (char) => {
  if (!/^[a-zA-Z]/.test(char)) return char
  const base = char.charAt(0) <= "Z" ? 65 : 97
  return String.fromCharCode(((char.charCodeAt(0) - base + 13) % 26) + base) + char.slice(1)
}

/**
 * Over nothing at the start of a line vim works on the rest of the line, on the first line on one character; it takes
 * the line before for the end.
 */
const widened = (turn: Turn, region: Region): Region => {
  const { line, column } = region.start
  if (column > 0) return region
  const text = lineAt(turn, line)
  return { ...region, end: { line, column: line === 0 ? nextColumn(text, 0) : text.length } }
}

/** The last character of a region; the line break when it ends with one, and of a block its corner. */
const lastOf = (turn: Turn, { shape, start, end }: Region): Position => {
  if (shape === "block") return end
  const text = lineAt(turn, end.line)
  if (shape === "char" && end.column === 0 && end.line > start.line) {
    return endOfLine(turn, end.line - 1)
  }
  return { line: end.line, column: previousColumn(text, shape === "line" ? text.length : end.column) }
}

const endOfLine = (turn: Turn, line: number): Position => ({ line, column: lineAt(turn, line).length })

/** The marks around text of which single characters were changed: the bytes at which they were before. */
export const markMapped = (before: Turn, after: Turn, region: Region): Turn => {
  const { shape, start } = region
  const { buffer } = before.vim
  const first = bytePlace(buffer, shape === "line" ? { line: start.line, column: 0 } : start)
  const last = bytePlace(buffer, lastOf(before, region))
  return update(after, { marks: new Map([...after.vim.marks, ["[", first], ["]", last]]) })
}

/** A region with every one of its characters mapped. */
export const mapRegion = (turn: Turn, asked: Region, map: Letter, countsWhenSame = false): Turn => {
  const region = isEmptyRegion(asked) && !asked.visual ? widened(turn, asked) : asked
  const { start, end, shape, columns } = region
  const mapText = (text: string): string => clusters(text).map(map).join("")
  const last = lineCount(region) - 1
  const lines = sliceLines(turn.vim.buffer, start.line, end.line + 1).map((text, index) => {
    if (shape === "line") return mapText(text)
    if (shape === "block") {
      const part = blockPart(text, columns, turn.vim.options.tabstop)
      return text.slice(0, part.start) + mapText(text.slice(part.start, part.end)) + text.slice(part.end)
    }
    const from = index === 0 ? start.column : 0
    const to = index === last ? end.column : text.length
    return text.slice(0, from) + mapText(text.slice(from, to)) + text.slice(to)
  })
  const isSame = !countsWhenSame && lines.every((text, index) => text === lineAt(turn, start.line + index))
  const mapped = isSame
    ? touch(turn, { line: start.line, count: last + 1 })
    : replaceSpan(turn, { line: start.line, count: last + 1 }, lines, shape === "line" ? 0 : start.column)
  const isBack = region !== asked && start.column === 0 && start.line > 0
  const marked = markMapped(turn, mapped, region)
  return clamp(isBack ? setMarks(marked, { "]": endOfLine(marked, start.line - 1) }) : marked)
}

/** Where letters before the caret became longer or shorter, it stays as many bytes into its line. */
const mapping =
  (map: Letter) =>
  (turn: Turn, region: Region): Turn => {
    const mapped = mapRegion(turn, region, map)
    if (region.shape !== "line") return mapped
    const { buffer, cursor } = turn.vim
    const column = columnAtByte(lineAt(mapped, cursor.line), bytePlace(buffer, cursor).byte)
    return clamp(moveTo(mapped, { line: cursor.line, column }, mapped.vim.wanted))
  }

export const swapOperator = { run: mapping(swap), double: "~" }
export const lowerOperator = { run: mapping(lower), double: "u" }
export const upperOperator = { run: mapping(upper), double: "U" }
export const rotateOperator = { run: mapping(rotate), double: "?" }
