/** `gq gw`: breaking paragraphs at the text width. */
import { sliceLines } from "../../editor/buffer.ts"
import { displayWidth } from "../chars.ts"
import type { VimOptions } from "../context.ts"
import { indentWidth, withIndent } from "../indent.ts"
import { joinTexts } from "../join.ts"
import { lineCount, type Region } from "../region.ts"
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

const wrap = (text: string, leader: string, options: VimOptions): ReadonlyArray<string> => {
  const rule = { width: options.textwidth > 0 ? options.textwidth : DEFAULT_WIDTH, tabstop: options.tabstop }
  const lines: Array<string> = []
  let rest = text
  let indent = /^[ \t]*/.exec(text)?.[0].length ?? 0
  for (let place = breakLine(rest, Math.max(indent, leader.length), rule); place !== undefined; ) {
    lines.push(place.head)
    rest = leader + place.rest
    indent = leader.length
    place = breakLine(rest, indent, rule)
  }
  return [...lines, rest]
}

/** Paragraphs end at blank lines and where the comment sign changes. */
export const formatLines = (lines: ReadonlyArray<string>, options: VimOptions): ReadonlyArray<string> => {
  const out: Array<string> = []
  let at = 0
  while (at < lines.length) {
    const text = lines[at] ?? ""
    const leader = leaderOf(text)
    at++
    if (text.slice(leader.length).trim() === "") {
      out.push(text)
      continue
    }
    let paragraph = leader === "" ? withIndent(text, indentWidth(text, options.tabstop), options) : text
    while (at < lines.length) {
      const next = lines[at] ?? ""
      if (leaderOf(next).trim() !== leader.trim() || next.slice(leaderOf(next).length).trim() === "") break
      paragraph = joinTexts([paragraph, next.slice(leaderOf(next).length)], { spaces: true, options }).text
      at++
    }
    out.push(...wrap(paragraph, leader, options))
  }
  return out
}

const formatting = (stays: boolean) => (turn: Turn, region: Region): Turn => {
  const { line } = region.start
  const { cursor } = turn.vim
  const lines = formatLines(sliceLines(turn.vim.buffer, line, region.end.line + 1), turn.vim.options)
  const isSame = lines.length === lineCount(region) && lines.every((text, index) => text === lineAt(turn, line + index))
  const changed = isSame ? touch(turn) : replaceSpan(turn, { line, count: lineCount(region) }, lines)
  const formatted = line + lines.length - 1
  // A motion that ended at the start of the next line goes on there, so that `.` takes what follows.
  const last = region.adjusted && formatted + 1 < changed.vim.buffer.count ? formatted + 1 : formatted
  const marked = setMarks(changed, { "[": { line, column: 0 }, "]": { line: last, column: 0 } })
  return clamp(moveTo(marked, stays ? cursor : lineStart(marked, last)))
}

export const formatOperator = { run: formatting(false), byLines: true, staysAtCaret: true, double: "q" } as const
export const formatKeeping = { run: formatting(true), byLines: true, staysAtCaret: true, double: "w" } as const
