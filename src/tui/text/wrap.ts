/**
 * Breaks a logical line into rows: at spaces, around East Asian letters, behind `-` and `/` of words that fit no row,
 * at cluster borders otherwise. Every row is as wide as it may be or narrower. Linear in the line.
 */
import { textWidth } from "../screen/cell/width.ts"
import {
  type Atoms,
  atomsOf,
  CLOSING,
  OPENING,
  partOf,
  PATH,
  slice,
  type Slice,
  sourceOf,
  SPACE,
  WIDE,
  widthAt
} from "./atoms.ts"
import type { Span } from "../screen/style/row.ts"

export interface Wrapping {
  readonly width: number
  /** Width of the rows after the first, where that is another. */
  readonly rest?: number
  readonly tab?: number
}

/** A row's worth of a line. */
export interface Line extends Slice {
  /** Source offset of its first character; absent when it shows no source. */
  readonly start?: number
}

export const PROSE_TAB = 8

const has = (atoms: Atoms, index: number, flag: number): boolean => ((atoms.flags[index] ?? 0) & flag) !== 0

/** Whether East Asian rules allow a break before the atom. */
const breaksBefore = (atoms: Atoms, index: number): boolean =>
  (has(atoms, index, WIDE) || has(atoms, index - 1, WIDE)) &&
  !has(atoms, index, CLOSING) &&
  !has(atoms, index - 1, OPENING) &&
  (atoms.widths[index] ?? 0) > 0

/** Looks no further than a row, so that one endless word costs no more than its length. */
const isLongWord = (atoms: Atoms, start: number, width: number): boolean => {
  let columns = 0
  for (let index = start; index < atoms.count && !has(atoms, index, SPACE); index++) {
    if (index > start && breaksBefore(atoms, index)) return false
    columns += atoms.widths[index] ?? 0
    if (columns > width) return true
  }
  return false
}

const skipSpaces = (atoms: Atoms, from: number): number => {
  let index = from
  while (index < atoms.count && has(atoms, index, SPACE)) index++
  return index
}

interface Room {
  readonly width: number
  readonly rest: number
  readonly tab: number
}

/** Where the row that begins at `start` ends, and where the next begins: spaces between may be left out. */
const rowFrom = (
  atoms: Atoms,
  { start, isInWord }: { readonly start: number; readonly isInWord: boolean },
  room: Room
): readonly [end: number, next: number] => {
  let column = 0
  let afterSpace = -1
  let afterPath = -1
  let inWord = false
  // A slash or a dash that begins a word belongs to what follows.
  let isBegun = isInWord
  for (let index = start; index < atoms.count; index++) {
    const columns = widthAt(atoms, index, { column, tab: room.tab })
    if (has(atoms, index, SPACE)) {
      if (column + columns > room.width) return [Math.max(index, start), skipSpaces(atoms, index)]
      if (inWord) afterSpace = index + 1
      isBegun = false
    } else {
      if (inWord && breaksBefore(atoms, index)) afterSpace = index
      if (column + columns > room.width) {
        if (index === start) return [index + 1, index + 1]
        const end = breakPlace(atoms, { afterSpace, afterPath, index }, room.rest)
        return [end, end]
      }
      inWord = true
      if (!has(atoms, index, PATH)) isBegun = true
      else if (isBegun) afterPath = index + 1
    }
    column += columns
  }
  return [atoms.count, atoms.count]
}

const breakPlace = (
  atoms: Atoms,
  { afterSpace, afterPath, index }: { readonly afterSpace: number; readonly afterPath: number; readonly index: number },
  width: number
): number => {
  if (afterSpace < 0) return afterPath > 0 ? afterPath : index
  return afterPath > afterSpace && isLongWord(atoms, afterSpace, width) ? afterPath : afterSpace
}

const firstSource = (pieces: ReadonlyArray<Span>): number | undefined => pieces.find((piece) => piece.at !== undefined)?.at

export const locateLine = (slice: Slice, start: number | undefined): Line =>
  start === undefined ? slice : { ...slice, start }

export const columnsOf = (pieces: ReadonlyArray<Span>): number =>
  pieces.reduce((sum, piece) => sum + textWidth(piece.text), 0)

/** The line as it is, if it has no tabs and fits. */
export const wholeLine = (pieces: ReadonlyArray<Span>, room: number): Line | undefined => {
  let width = 0
  for (const { text } of pieces) {
    if (text.includes("\t")) return undefined
    width += textWidth(text)
    if (width > room) return undefined
  }
  return locateLine({ spans: pieces, width }, firstSource(pieces))
}

/** A line without its first characters, and without what lies further than so many behind them. */
const stretchOf = (pieces: ReadonlyArray<Span>, from: number, length: number): ReadonlyArray<Span> => {
  const stretch: Array<Span> = []
  let at = 0
  for (const piece of pieces) {
    const start = Math.max(0, from - at)
    const end = Math.min(piece.text.length, from + length - at)
    if (start < end) stretch.push(partOf(piece, start, end))
    at += piece.text.length
    if (at >= from + length) break
  }
  return stretch
}

/** Characters of a line before an atom. */
const charsBefore = (atoms: Atoms, index: number): number => {
  const piece = atoms.piece[index] ?? 0
  return atoms.pieces.slice(0, piece).reduce((sum, { text }) => sum + text.length, atoms.from[index] ?? 0)
}

/** A line has fourteen bytes of atoms for each character, so an endless one is taken in stretches. */
const STRETCH_CHARS = 64 * 1024
/** Nearer than so many rows to the end of a stretch it is not sure where a row ends: that depends on what follows. */
const UNSURE_ROWS = 4

const sureUntil = (atoms: Atoms, width: number): number => {
  let columns = 0
  let index = atoms.count
  while (index > 0 && columns < UNSURE_ROWS * width) columns += atoms.widths[--index] ?? 0
  return index
}

interface Stretch {
  readonly pieces: ReadonlyArray<Span>
  readonly room: Room
  /** The line ends with the stretch. */
  readonly isLast: boolean
  /** It begins in the middle of a word. */
  readonly isInWord: boolean
}

/** How many characters of a stretch its rows take, and whether they end in the middle of a word. */
interface Taken {
  readonly chars: number
  readonly isInWord: boolean
}

/** Puts the rows of a stretch that are sure behind those before. */
const wrapStretch = ({ pieces, room, isLast, isInWord }: Stretch, lines: Array<Line>): Taken => {
  const atoms = atomsOf(pieces)
  const sure = isLast ? atoms.count : sureUntil(atoms, Math.max(room.width, room.rest))
  let start = 0
  do {
    const here = lines.length === 0 ? room : { ...room, width: room.rest }
    const isInside = start === 0 ? isInWord : !has(atoms, start - 1, SPACE)
    const [end, next] = rowFrom(atoms, { start, isInWord: isInside }, here)
    if (next > sure) return { chars: charsBefore(atoms, start), isInWord: isInside }
    lines.push(locateLine(slice(atoms, { start, end }, { room: here.width, tab: room.tab }), sourceOf(atoms, start)))
    start = next
  } while (start < atoms.count)
  return { chars: pieces.reduce((sum, { text }) => sum + text.length, 0), isInWord: false }
}

/** Rows of a line, of which no more than so many characters are looked at at once. They do not depend on how many. */
export const wrapInStretches = (
  pieces: ReadonlyArray<Span>,
  options: Wrapping,
  stretchChars: number
): ReadonlyArray<Line> => {
  const room: Room = {
    width: Math.max(1, options.width),
    rest: Math.max(1, options.rest ?? options.width),
    tab: options.tab ?? PROSE_TAB
  }
  const whole = wholeLine(pieces, room.width)
  if (whole !== undefined) return [whole]
  const chars = pieces.reduce((sum, { text }) => sum + text.length, 0)
  const lines: Array<Line> = []
  let from = 0
  let length = stretchChars
  let isInWord = false
  do {
    const isLast = from + length >= chars
    const stretch = isLast && from === 0 ? pieces : stretchOf(pieces, from, length)
    const taken = wrapStretch({ pieces: stretch, room, isLast, isInWord }, lines)
    // One row may be longer than a stretch, where marks without width are piled up or blanks are.
    if (taken.chars === 0) length *= 2
    from += taken.chars
    isInWord = taken.isInWord
  } while (from < chars)
  return lines
}

/** Rows of a line without line feeds: at least one, even if it is empty. */
export const wrapLine = (pieces: ReadonlyArray<Span>, options: Wrapping): ReadonlyArray<Line> =>
  wrapInStretches(pieces, options, STRETCH_CHARS)
