/** `gq gw`: breaking paragraphs at the text width. */
import { sliceLines } from "../../editor/buffer.ts"
import { byteLength } from "../bytes.ts"
import { type Carry, carryMarks } from "../carry-marks.ts"
import { displayWidth } from "../chars.ts"
import type { VimOptions } from "../context.ts"
import { indentWidth, withIndent } from "../indent.ts"
import { joinedByte, type JoinedPiece, joinTexts } from "../join.ts"
import { lineCount, type Region } from "../region.ts"
import type { BytePlace } from "../state.ts"
import { clamp, lineAt, lineStart, moveTo, replaceSpan, setMarks, touch, type Turn } from "../turn.ts"

const DEFAULT_WIDTH = 79
const LEADER = /^[ \t]*(?:\/\/|>+|#(?=[ \t])|%|XCOMM)[ \t]*/

const leaderOf = (text: string): string => LEADER.exec(text)?.[0] ?? ""

interface Place {
  readonly head: string
  readonly rest: string
}

/** Breaks behind the last word that fits; a word that is too long stays whole. */
const breakLine = (text: string, indent: number, rule: { width: number; tabstop: number }): Place | undefined => {
  if (displayWidth(text, rule.tabstop) <= rule.width) return undefined
  let found: Place | undefined
  for (const match of text.matchAll(/[ \t]+/g)) {
    if (match.index < indent || match.index === 0) continue
    const head = text.slice(0, match.index)
    const rest = text.slice(match.index + match[0].length)
    if (rest === "") break
    if (found !== undefined && displayWidth(head, rule.tabstop) > rule.width) break
    found = { head, rest }
  }
  return found
}

interface Wrapped {
  readonly lines: ReadonlyArray<string>
  /** The byte of the whole text at which the text of each line begins. */
  readonly starts: ReadonlyArray<number>
}

const wrap = (text: string, leader: string, options: VimOptions): Wrapped => {
  const rule = { width: options.textwidth > 0 ? options.textwidth : DEFAULT_WIDTH, tabstop: options.tabstop }
  const lines: Array<string> = []
  const starts = [0]
  let rest = text
  let indent = /^[ \t]*/.exec(text)?.[0].length ?? 0
  for (let place = breakLine(rest, Math.max(indent, leader.length), rule); place !== undefined; ) {
    lines.push(place.head)
    const own = byteLength(rest) - (lines.length > 1 ? leader.length : 0)
    starts.push((starts.at(-1) ?? 0) + own - byteLength(place.rest))
    rest = leader + place.rest
    indent = leader.length
    place = breakLine(rest, indent, rule)
  }
  return { lines: [...lines, rest], starts }
}

/** A paragraph of some lines, and the lines it became. */
interface Paragraph extends Wrapped {
  /** Index of its first line among the lines before and after. */
  readonly from: number
  readonly to: number
  readonly pieces: ReadonlyArray<JoinedPiece>
  readonly leader: string
}

const paragraphAt = (lines: ReadonlyArray<string>, from: number, options: VimOptions): Omit<Paragraph, "to"> => {
  const text = lines[from] ?? ""
  const leader = leaderOf(text)
  const pieces: Array<JoinedPiece> = [{ at: 0, lost: 0 }]
  if (text.slice(leader.length).trim() === "") return { from, pieces, leader, lines: [text], starts: [0] }
  let whole = leader === "" ? withIndent(text, indentWidth(text, options.tabstop), options) : text
  for (let at = from + 1; at < lines.length; at++) {
    const next = lines[at] ?? ""
    const own = leaderOf(next)
    if (own.trim() !== leader.trim() || next.slice(own.length).trim() === "") break
    const joined = joinTexts([whole, next.slice(own.length)], { spaces: true, options })
    const { at: byte = 0, lost = 0 } = joined.pieces[1] ?? {}
    pieces.push({ at: byte, lost: lost + own.length })
    whole = joined.text
  }
  return { from, pieces, leader, ...wrap(whole, leader, options) }
}

/** Paragraphs end at blank lines and where the comment sign changes. */
const paragraphsOf = (lines: ReadonlyArray<string>, options: VimOptions): ReadonlyArray<Paragraph> => {
  const found: Array<Paragraph> = []
  let to = 0
  for (let from = 0; from < lines.length; ) {
    const paragraph = paragraphAt(lines, from, options)
    found.push({ ...paragraph, to })
    from += paragraph.pieces.length
    to += paragraph.lines.length
  }
  return found
}

/** Where a place in a paragraph went, counted from the first line of all. */
const placeIn = (paragraph: Paragraph, place: BytePlace): BytePlace | undefined => {
  const piece = paragraph.pieces[place.line - paragraph.from]
  if (piece === undefined) return undefined
  const byte = joinedByte(piece, place.byte)
  const index = Math.max(0, paragraph.starts.findLastIndex((start) => start <= byte))
  const leader = index === 0 ? 0 : paragraph.leader.length
  return { line: paragraph.to + index, byte: byte - (paragraph.starts[index] ?? 0) + leader }
}

/** The line of the last change: where a line was broken last, else below the first of those that were joined. */
const changedLine = (paragraphs: ReadonlyArray<Paragraph>): number | undefined => {
  const last = paragraphs.findLast(({ lines, pieces }) => lines.length > 1 || pieces.length > 1)
  if (last === undefined) return undefined
  return last.to + (last.lines.length > 1 ? last.lines.length - 2 : 1)
}

const formatting = (stays: boolean) => (turn: Turn, region: Region): Turn => {
  const { line } = region.start
  const { cursor } = turn.vim
  const count = lineCount(region)
  const paragraphs = paragraphsOf(sliceLines(turn.vim.buffer, line, region.end.line + 1), turn.vim.options)
  const lines = paragraphs.flatMap((paragraph) => paragraph.lines)
  const isSame = lines.length === count && lines.every((text, index) => text === lineAt(turn, line + index))
  const carry: Carry = (place) => {
    const inside = { ...place, line: place.line - line }
    const found = paragraphs.map((paragraph) => placeIn(paragraph, inside)).find((each) => each !== undefined)
    return found && { ...found, line: found.line + line }
  }
  const replaced = isSame ? touch(turn) : carryMarks(turn, replaceSpan(turn, { line, count }, lines), carry)
  const changedAt = changedLine(paragraphs)
  const change = changedAt === undefined ? {} : { ".": { line: line + changedAt, column: 0 } }
  const changed = setMarks(replaced, change)
  const formatted = line + lines.length - 1
  // A motion that ended at the start of the next line goes on there, so that `.` takes what follows.
  const last = region.adjusted && formatted + 1 < changed.vim.buffer.count ? formatted + 1 : formatted
  const marked = setMarks(changed, { "[": { line, column: 0 }, "]": { line: last, column: 0 } })
  return clamp(moveTo(marked, stays ? cursor : lineStart(marked, last)))
}

export const formatOperator = { run: formatting(false), byLines: true, staysAtCaret: true, double: "q" } as const
export const formatKeeping = { run: formatting(true), byLines: true, staysAtCaret: true, double: "w" } as const
