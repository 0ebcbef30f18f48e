/** A logical line as the smallest parts that rows are made of: grapheme clusters with their columns and habits. */
import { clusters, clusterWidth } from "../screen/cell/width.ts"
import type { Span } from "../screen/style/row.ts"

export const SPACE = 1
export const TAB = 2
/** A row may end behind it when the word is too long for any row. */
export const PATH = 4
/** A row may end on either side of it. */
export const WIDE = 8
export const OPENING = 16
export const CLOSING = 32

export interface Atoms {
  readonly pieces: ReadonlyArray<Span>
  readonly count: number
  /** Parallel lists: columns, habits, piece, and the range in the text of the piece. */
  readonly widths: Uint8Array
  readonly flags: Uint8Array
  readonly piece: Uint32Array
  readonly from: Uint32Array
  readonly to: Uint32Array
}

const OPENERS = new Set("([{\"'（［｛「『【〈《〔〖〘｢“‘")
const CLOSERS = new Set(
  ")]},.!?;:%\"'）］｝」』】〉》〕〗〙｣、。，．！？；：・…ー々ゝゞぁぃぅぇぉっゃゅょァィゥェォッャュョ％”’"
)

const flagsOf = (cluster: string, width: number): number => {
  if (cluster === " " || cluster === "\u3000") return SPACE
  if (cluster === "\t") return SPACE | TAB
  if (cluster === "-" || cluster === "/") return PATH
  const habit = (OPENERS.has(cluster) ? OPENING : 0) | (CLOSERS.has(cluster) ? CLOSING : 0)
  return width >= 2 ? habit | WIDE : habit
}

const asciiFlags = Uint8Array.from({ length: 128 }, (_, code) => flagsOf(String.fromCharCode(code), 1))

const PRINTABLE = /^[\t\u0020-\u007e]*$/

/** Characters without width stand between those with one; more of them than this are a joke. */
const MOST_PER_COLUMN = 8

const capacityFor = (pieces: ReadonlyArray<Span>, limit: number): number => {
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
  return Math.min(length, limit * MOST_PER_COLUMN)
}

type Filling = { -readonly [Key in keyof Atoms]: Atoms[Key] }

const fillPrintable = (atoms: Filling, piece: number, end: number): void => {
  const text = atoms.pieces[piece]?.text ?? ""
  for (let at = 0; at < end; at++) {
    const index = atoms.count++
    atoms.widths[index] = 1
    atoms.flags[index] = asciiFlags[text.charCodeAt(at)] ?? 0
    atoms.piece[index] = piece
    atoms.from[index] = at
    atoms.to[index] = at + 1
  }
}

/** Returns the columns that were filled. */
const fillClusters = (atoms: Filling, piece: number, limit: number): number => {
  let columns = 0
  let at = 0
  for (const cluster of clusters(atoms.pieces[piece]?.text ?? "")) {
    if (columns >= limit || atoms.count >= atoms.widths.length) break
    const width = cluster === "\t" ? 1 : clusterWidth(cluster)
    const index = atoms.count++
    atoms.widths[index] = width
    atoms.flags[index] = flagsOf(cluster, width)
    atoms.piece[index] = piece
    atoms.from[index] = at
    at += cluster.length
    atoms.to[index] = at
    columns += width
  }
  return columns
}

/** Atoms of the line, at most until so many columns are filled. */
export const atomsOf = (pieces: ReadonlyArray<Span>, limit = Number.POSITIVE_INFINITY): Atoms => {
  const capacity = capacityFor(pieces, limit)
  const atoms: Filling = {
    pieces,
    count: 0,
    widths: new Uint8Array(capacity),
    flags: new Uint8Array(capacity),
    piece: new Uint32Array(capacity),
    from: new Uint32Array(capacity),
    to: new Uint32Array(capacity)
  }
  let columns = 0
  for (const [piece, { text }] of pieces.entries()) {
    if (columns >= limit) break
    if (PRINTABLE.test(text)) {
      const end = Math.min(text.length, limit - columns)
      fillPrintable(atoms, piece, end)
      columns += end
    } else columns += fillClusters(atoms, piece, limit - columns)
  }
  return atoms
}

/** Columns of an atom that stands at a column: a tab reaches to the next stop. */
export const widthAt = (atoms: Atoms, index: number, place: { column: number; tab: number }): number =>
  ((atoms.flags[index] ?? 0) & TAB) === 0 ? (atoms.widths[index] ?? 0) : place.tab - (place.column % place.tab)

/** A part of a piece. A piece that is one unit gives its source to its first part. */
export const partOf = (span: Span, from: number, to: number): Span => {
  if (from === 0 && to === span.text.length) return span
  const text = span.text.slice(from, to)
  if (span.at === undefined) return { ...span, text }
  if (span.covers === undefined) return { ...span, text, at: span.at + from }
  return from === 0 ? { ...span, text } : { ...span, text, at: span.at + span.covers, covers: 0 }
}

/** Blanks that stand for an atom: an expanded tab, a glyph without room. */
const blanks = (span: Span, range: { from: number; to: number }, width: number): Span => {
  const part = partOf(span, range.from, range.to)
  return {
    ...part,
    text: " ".repeat(width),
    ...(part.at === undefined ? {} : { covers: part.covers ?? range.to - range.from })
  }
}

export interface Slice {
  readonly spans: ReadonlyArray<Span>
  readonly width: number
}

/** Draws atoms from `start` to `end` into at most `room` columns; the first stands at `column` of its line. */
export const slice = (
  atoms: Atoms,
  range: { readonly start: number; readonly end: number },
  place: { readonly room: number; readonly tab: number; readonly column?: number }
): Slice => {
  const spans: Array<Span> = []
  let column = place.column ?? 0
  let width = 0
  let index = range.start
  while (index < range.end) {
    const piece = atoms.piece[index] ?? 0
    const span = atoms.pieces[piece]
    if (span === undefined) break
    const columns = widthAt(atoms, index, { column, tab: place.tab })
    const from = atoms.from[index] ?? 0
    if (((atoms.flags[index] ?? 0) & TAB) !== 0 || width + columns > place.room) {
      const shown = Math.min(columns, place.room - width)
      spans.push(blanks(span, { from, to: atoms.to[index] ?? from }, shown))
      width += shown
      column += columns
      index++
      continue
    }
    let to = from
    while (index < range.end && atoms.piece[index] === piece && ((atoms.flags[index] ?? 0) & TAB) === 0) {
      const next = atoms.widths[index] ?? 0
      if (width + next > place.room) break
      width += next
      column += next
      to = atoms.to[index] ?? to
      index++
    }
    spans.push(partOf(span, from, to))
  }
  return { spans, width }
}

/** Source offset of an atom; absent when drawing added it. */
export const sourceOf = (atoms: Atoms, index: number): number | undefined => {
  const span = atoms.pieces[atoms.piece[index] ?? -1]
  if (span?.at === undefined) return undefined
  const from = atoms.from[index] ?? 0
  if (span.covers === undefined) return span.at + from
  return from === 0 ? span.at : span.at + span.covers
}
