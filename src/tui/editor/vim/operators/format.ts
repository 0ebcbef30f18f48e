/** `gq gw`: breaking paragraphs at the text width. */
import { sliceLines } from "../../buffer.ts"
import type { Position } from "../../lines.ts"
import { byteLength, columnAtByte } from "../text/bytes.ts"
import { type Carry, carryMarks } from "../engine/carry-marks.ts"
import { displayWidth, indentEnd } from "../../clusters.ts"
import type { VimOptions } from "../state/context.ts"
import { indentWidth, withIndent } from "../text/indent.ts"
import { isBlockStart } from "../motions/block-starts.ts"
import { joinedByte, type JoinedPiece, joinTexts } from "../engine/join.ts"
import { lineCount, type Region } from "../engine/region.ts"
import type { BytePlace } from "../state/state.ts"
import {
  bytePlace,
  clamp,
  lineAt,
  lineStart,
  moveTo,
  replaceSpan,
  setMarks,
  touch,
  type Turn
} from "../engine/running-command.ts"

const DEFAULT_WIDTH = 79
/** Signs that begin comments and lists, as vim's option `comments` has them; some only before a blank. */
const LEADER = /^[ \t]*(?:\/\/|>+|[#*-](?=[ \t]|$)|%|XCOMM)[ \t]*/

const isListSign = (leader: string): boolean => leader.trim() === "-"

/** What a line of a paragraph begins with, by its number: a dash only the first, and only the second is as far in. */
const leaderOn = (leader: string, index: number): string => {
  if (!isListSign(leader)) return leader
  return index === 1 ? leader.replace(/[^ \t]/g, " ") : ""
}

/** Whether a line with a leader goes on with the line below and its leader. */
const goesOn = (leader: string, below: string): boolean =>
  isListSign(leader) ? below === "" : below.trim() === leader.trim()

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
  for (let place = breakLine(rest, Math.max(indent, leader.length), rule); place !== undefined;) {
    lines.push(place.head)
    const own = byteLength(rest) - (lines.length > 1 ? leaderOn(leader, lines.length - 1).length : 0)
    starts.push((starts.at(-1) ?? 0) + own - byteLength(place.rest))
    const below = leaderOn(leader, lines.length)
    rest = below + place.rest
    indent = below.length
    place = breakLine(rest, indent, rule)
  }
  return { lines: [...lines, rest], starts }
}

/** A line that was joined, with the bytes of the leader that it lost before. */
interface LedPiece extends JoinedPiece {
  readonly led: number
}

/** A paragraph of some lines, and the lines it became. */
interface Paragraph extends Wrapped {
  /** Index of its first line among the lines before and after. */
  readonly from: number
  readonly to: number
  readonly pieces: ReadonlyArray<LedPiece>
  readonly leader: string
  /** Its indent is written in another way than before: its length then and now. */
  readonly indent: { readonly before: number; readonly after: number } | undefined
}

/** Nothing behind the leader, or a request of a text formatter: such lines stay as they are. */
const isNoParagraph = (text: string, leader: string): boolean =>
  text.slice(leader.length).trim() === "" || isBlockStart(text)

const paragraphAt = (lines: ReadonlyArray<string>, from: number, options: VimOptions): Omit<Paragraph, "to"> => {
  const text = lines[from] ?? ""
  const leader = leaderOf(text)
  const pieces: Array<LedPiece> = [{ at: 0, seam: 0, lost: 0, led: 0 }]
  if (isNoParagraph(text, leader)) {
    return { from, pieces, leader, lines: [text], starts: [0], indent: undefined }
  }
  let whole = withIndent(text, indentWidth(text, options.tabstop), options)
  const indent = whole === text ? undefined : { before: indentEnd(text), after: indentEnd(whole) }
  for (let at = from + 1; at < lines.length; at++) {
    const next = lines[at] ?? ""
    const own = leaderOf(next)
    if (!goesOn(leader, own) || isNoParagraph(next, own)) break
    const joined = joinTexts([whole, next.slice(own.length)], { spaces: true, options })
    const piece = joined.pieces[1]
    if (piece !== undefined) pieces.push({ ...piece, led: own.length })
    whole = joined.text
  }
  return { from, pieces, leader, indent, ...wrap(whole, leader, options) }
}

/** Paragraphs end at blank lines and where the comment sign changes. */
const paragraphsOf = (lines: ReadonlyArray<string>, options: VimOptions): ReadonlyArray<Paragraph> => {
  const found: Array<Paragraph> = []
  let to = 0
  for (let from = 0; from < lines.length;) {
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
  const byte = joinedByte(piece, Math.max(0, place.byte - piece.led))
  const index = Math.max(
    0,
    paragraph.starts.findLastIndex((start) => start <= byte)
  )
  const leader = index === 0 ? 0 : leaderOn(paragraph.leader, index).length
  return { line: paragraph.to + index, byte: byte - (paragraph.starts[index] ?? 0) + leader }
}

/** The line of the last change: lines are joined, then the first gets its indent, then lines are broken. */
const changedLine = (paragraphs: ReadonlyArray<Paragraph>): number | undefined => {
  const last = paragraphs.findLast((each) => each.lines.length > 1 || each.pieces.length > 1 || each.indent !== undefined)
  if (last === undefined) return undefined
  if (last.lines.length > 1) return last.to + last.lines.length - 2
  return last.indent !== undefined ? last.to : last.to + 1
}

/** Where a byte of a line went when the line's indent was written in another way. */
const reindented = ({ indent }: Paragraph, byte: number): number => {
  if (indent === undefined) return byte
  return byte >= indent.before ? byte + indent.after - indent.before : Math.min(byte, indent.after)
}

/** Where the caret's character went; unlike a mark it also goes along with an indent. */
const carried = (before: Turn, after: Turn, rule: { carry: Carry; paragraph: Paragraph | undefined }): Position => {
  const { buffer, cursor } = before.vim
  const { line, byte } = bytePlace(buffer, cursor)
  const { carry, paragraph } = rule
  const place = carry({ line, byte: paragraph === undefined ? byte : reindented(paragraph, byte) })
  return place === undefined ? cursor : { line: place.line, column: columnAtByte(lineAt(after, place.line), place.byte) }
}

const formatting =
  (stays: boolean) =>
  (turn: Turn, region: Region): Turn => {
    const { line } = region.start
    const count = lineCount(region)
    const paragraphs = paragraphsOf(sliceLines(turn.vim.buffer, line, region.end.line + 1), turn.vim.options)
    const lines = paragraphs.flatMap((paragraph) => paragraph.lines)
    const isSame = lines.length === count && lines.every((text, index) => text === lineAt(turn, line + index))
    const carry: Carry = (place) => {
      const inside = { ...place, line: place.line - line }
      const found = paragraphs.map((paragraph) => placeIn(paragraph, inside)).find((each) => each !== undefined)
      return found && { ...found, line: found.line + line }
    }
    const replaced = isSame
      ? touch(turn, { line, count })
      : carryMarks(turn, replaceSpan(turn, { line, count }, lines), carry)
    const changedAt = changedLine(paragraphs)
    const change = changedAt === undefined ? {} : { ".": { line: line + changedAt, column: 0 } }
    const changed = setMarks(replaced, change)
    const formatted = line + lines.length - 1
    // A motion that ended at the start of the next line goes on there, so that `.` takes what follows.
    const last = region.adjusted && formatted + 1 < changed.vim.buffer.count ? formatted + 1 : formatted
    const end = lineStart(changed, last)
    const paragraph = paragraphs.find(({ from }) => from === turn.vim.cursor.line - line)
    const marked = setMarks(changed, { "[": region.start, "]": end })
    return clamp(moveTo(marked, stays ? carried(turn, marked, { carry, paragraph }) : end))
  }

export const formatOperator = { run: formatting(false), byLines: true, staysAtCaret: true, double: "q" } as const
export const formatKeeping = { run: formatting(true), byLines: true, staysAtCaret: true } as const
