/**
 * Output of programs: keeps their colours, drops every other sequence, lets the last line be overwritten. Text may
 * arrive in any pieces. The plain text is what search, selection and yank see; lines point into it.
 */
import { EMPTY_LINE, eraseIn, type Ink, moveTo, type OpenLine, type Run, textOf, writeText } from "./ansi-line.ts"
import { targetOf } from "../links.ts"
import { TEXT } from "../../screen/style/look.ts"
import type { Look, Row, Span } from "../../screen/style/row.ts"
import { type LineLayout, rowsOfLine } from "../rows.ts"
import { sanitize } from "../sanitize.ts"
import { applySgr, type Graphics, lookOfGraphics, PLAIN_GRAPHICS } from "./sgr.ts"

export interface AnsiLine {
  /** Where it begins in the plain text. */
  readonly at: number
  readonly text: string
  readonly runs: ReadonlyArray<Run>
}

export interface AnsiText {
  readonly base: Look
  /** Whether links (OSC 8) are kept. */
  readonly links: boolean
  readonly graphics: Graphics
  readonly ink: Ink
  /** The beginning of a sequence whose rest has not come. */
  readonly pending: string
  readonly open: OpenLine
  /** Versions share it; the first `count` lines belong to this one. */
  readonly lines: Array<AnsiLine>
  readonly count: number
  /** Characters of plain text in those lines, line feeds included. */
  readonly length: number
}

export const startAnsi = ({
  base = TEXT,
  links = false
}: { readonly base?: Look; readonly links?: boolean } = {}): AnsiText => ({
  base,
  links,
  graphics: PLAIN_GRAPHICS,
  ink: { look: base },
  pending: "",
  open: EMPTY_LINE,
  lines: [],
  count: 0,
  length: 0
})

type Work = { -readonly [Key in keyof AnsiText]: AnsiText[Key] }

/** CSI, then strings (OSC, DCS, SOS, PM, APC), then the short ones. */
const SEQUENCE =
  /(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])([^\n\u0007\u001b\u009c]*)(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-OQ-WYZ\\`-~]/y
const UNFINISHED =
  /(?:(?:\u001b\[|\u009b)[0-?]*[ -/]*|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\n\u0007\u001b\u009c]*\u001b?|\u001b[ -/]*)$/y
const CONTROL = /[\u0008\n\r\u001b\u0090\u0098\u009b\u009d-\u009f]/g
/** A string that never ends must not swallow the output. */
const LONGEST_STRING = 65_536
const HALF_PAIR = /[\ud800-\udbff]$/
const LINK = /^8;[^;]*;(.*)$/s

const endLine = (work: Work): void => {
  const text = textOf(work.open)
  work.lines.push({ at: work.length, text, runs: work.open.runs })
  work.count++
  work.length += text.length + 1
  work.open = EMPTY_LINE
}

const obey = (work: Work, [, parameters = "", final, string]: RegExpExecArray): void => {
  if (final === "m" && /^[\d;:]*$/.test(parameters)) {
    work.graphics = applySgr(work.graphics, parameters)
    const look = lookOfGraphics(work.graphics, work.base)
    work.ink = work.ink.link === undefined ? { look } : { look, link: work.ink.link }
  } else if (final === "K") work.open = eraseIn(work.open, parameters)
  else if (final === "G") work.open = moveTo(work.open, (Number(parameters) || 1) - 1)
  else if (work.links && string !== undefined) {
    const target = LINK.exec(string)?.[1]
    const link = target === undefined ? undefined : targetOf(target, "", "").link
    if (target !== undefined) work.ink = link === undefined ? { look: work.ink.look } : { look: work.ink.look, link }
  }
}

/** Reads the sequence at a place. Returns where the text goes on, or undefined if its rest has not come. */
const readSequence = (work: Work, text: string, at: number): number | undefined => {
  SEQUENCE.lastIndex = at
  const match = SEQUENCE.exec(text)
  if (match !== null) {
    obey(work, match)
    return at + match[0].length
  }
  UNFINISHED.lastIndex = at
  if (UNFINISHED.test(text) && text.length - at <= LONGEST_STRING) return undefined
  return at + 1
}

const control = (work: Work, text: string, at: number): number | undefined => {
  const character = text[at]
  if (character === "\n") endLine(work)
  else if (character === "\r") work.open = moveTo(work.open, 0)
  else if (character === "\b") work.open = moveTo(work.open, work.open.column - 1)
  else return readSequence(work, text, at)
  return at + 1
}

export const feedAnsi = (before: AnsiText, chunk: string): AnsiText => {
  const mine = before.lines.length === before.count
  const work: Work = { ...before, lines: mine ? before.lines : before.lines.slice(0, before.count) }
  const given = before.pending + chunk
  // Half a surrogate pair would count as a character of its own when a line is overwritten.
  const text = HALF_PAIR.test(given) ? given.slice(0, -1) : given
  let at = 0
  while (at < text.length) {
    CONTROL.lastIndex = at
    const found = CONTROL.exec(text)?.index ?? text.length
    work.open = writeText(work.open, text.slice(at, found), work.ink)
    if (found === text.length) break
    const next = control(work, text, found)
    if (next === undefined) return { ...work, pending: given.slice(found) }
    at = next
  }
  return { ...work, pending: given.slice(text.length) }
}

/** All lines so far, the one being written included if anything stands in it. */
export const ansiLines = ({ lines, count, open, length }: AnsiText): ReadonlyArray<AnsiLine> => {
  const whole = lines.length === count ? lines : lines.slice(0, count)
  return open.runs.length === 0 ? whole : [...whole, { at: length, text: textOf(open), runs: open.runs }]
}

export const ansiPlain = ({ lines, count, open }: AnsiText): string =>
  lines
    .slice(0, count)
    .map((line) => `${line.text}\n`)
    .join("") + textOf(open)

const ANY_CONTROL = /[\u0000-\u0008\u000b-\u001f\u0080-\u009f]/

/** Text without sequences, as it stands when all overwriting is done. */
export const plain = (text: string): string => (ANY_CONTROL.test(text) ? ansiPlain(feedAnsi(startAnsi(), text)) : text)

const ansiPieces = (line: AnsiLine, base = 0): ReadonlyArray<Span> => {
  let at = base + line.at
  return line.runs.flatMap(({ text, ink }) => {
    const pieces = sanitize(text, "output", { ...ink, at })
    at += text.length
    return pieces
  })
}

/** A line as it is drawn where nothing points into its source. */
export const ansiSpans = (line: AnsiLine): ReadonlyArray<Span> => ansiPieces(line)

/** Rows of lines; `at` is where their plain text begins in the source of the block. */
export const ansiRows = (
  lines: ReadonlyArray<AnsiLine>,
  layout: LineLayout & { readonly at?: number }
): ReadonlyArray<Row> =>
  lines.flatMap((line, index) => {
    const start = (layout.at ?? 0) + line.at
    const end = lines[index + 1] === undefined ? start + line.text.length : start + line.text.length + 1
    return rowsOfLine(ansiPieces(line, layout.at), { start, end }, layout)
  })
