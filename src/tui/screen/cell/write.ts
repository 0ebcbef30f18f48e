import { isEmpty, type Rect } from "./rect.ts"
import { picturesOf } from "./cluster-width.ts"
import { type Frame, glyphOf, isContinuation, styleIdOf, wordOf } from "./frame.ts"
import { BLANK_GLYPH, CONTINUATION_GLYPH } from "./glyph-pool.ts"
import { NO_LINK } from "./link-pool.ts"
import type { StyleId } from "../style/style.ts"
import { nextClusters } from "./width.ts"

/**
 * Puts glyphs into a frame. Everything is clipped to a rectangle, and the halves of a wide glyph never come apart:
 * whoever overwrites one half leaves a blank of its own background in the other.
 */
export interface Ink {
  readonly style: StyleId
  readonly link: number
}

export interface Place {
  readonly clip: Rect
  readonly x: number
  readonly y: number
}

const blankHalf = (frame: Frame, index: number, style: StyleId): void => {
  frame.words[index] = wordOf(BLANK_GLYPH, frame.pools.styles.blankOf(style))
  frame.links[index] = NO_LINK
}

/** Blanks the other half of a wide glyph that is about to lose this cell. */
const separate = (frame: Frame, index: number, style: StyleId): void => {
  const word = frame.words[index] ?? 0
  if (isContinuation(word)) blankHalf(frame, index - 1, style)
  else if (frame.pools.glyphs.widthOf(glyphOf(word)) === 2) blankHalf(frame, index + 1, style)
}

const setCell = (frame: Frame, index: number, word: number, link: number): void => {
  if (frame.words[index] !== 0) separate(frame, index, styleIdOf(word))
  frame.words[index] = word
  frame.links[index] = link
}

/** Writes along one row from a column; everything outside the clip is counted and not drawn. */
const rowWriter = (frame: Frame, { clip, y }: Place, { style, link }: Ink) => {
  const left = clip.x
  const right = clip.x + clip.width
  const row = y * frame.columns
  if (link !== NO_LINK) frame.linkedRows[y] = 1

  const narrow = (column: number, glyph: number): void => {
    if (column >= left && column < right) setCell(frame, row + column, wordOf(glyph, style), link)
  }
  const wide = (column: number, glyph: number): void => {
    if (column < left || column + 1 >= right) {
      narrow(column, BLANK_GLYPH)
      narrow(column + 1, BLANK_GLYPH)
      return
    }
    setCell(frame, row + column, wordOf(glyph, style), link)
    setCell(frame, row + column + 1, wordOf(CONTINUATION_GLYPH, style), link)
  }
  return (column: number, glyph: number, width: number): void => {
    if (width === 2) wide(column, glyph)
    else narrow(column, glyph)
  }
}

/** Writes a text in one row and says how many columns it took, counted up to the right edge of the clip. */
export const writeText = (frame: Frame, place: Place, text: string, ink: Ink): number => {
  const { clip, x, y } = place
  if (y < clip.y || y >= clip.y + clip.height) return frame.pools.widths.textWidth(text)
  const write = rowWriter(frame, place, ink)
  const { widths, glyphs } = frame.pools
  const right = clip.x + clip.width
  let column = x
  for (let at = 0; at < text.length; at++) {
    if (column >= right) return column - x
    const unit = text.charCodeAt(at)
    const width = widths.simpleWidth(unit)
    if (width === 0 || (at + 1 < text.length && widths.simpleWidth(text.charCodeAt(at + 1)) === 0)) {
      return writeClusters(frame, { column, right, write }, text, at) - x
    }
    write(column, glyphs.internUnit(unit), width)
    column += width
  }
  return column - x
}

type Along = { readonly column: number; readonly right: number; readonly write: ReturnType<typeof rowWriter> }

/** The same for text with clusters of several units, and returns the column reached. */
const writeClusters = (frame: Frame, { column, right, write }: Along, text: string, from: number): number => {
  const { widths, glyphs } = frame.pools
  let x = column
  let at = from
  while (at < text.length && x < right) {
    for (const cluster of nextClusters(text, at)) {
      at += cluster.length
      const parts = widths.clusterWidth(cluster) > 2 ? picturesOf(cluster) : [cluster]
      for (const part of parts) {
        const width = widths.clusterWidth(part)
        if (width > 0) write(x, glyphs.intern(part), width)
        x += width
      }
    }
  }
  return x
}

/** Fills an area with one glyph; a wide glyph leaves a blank where only half of it fits. */
export const fillArea = (frame: Frame, area: Rect, glyph: number, ink: Ink): void => {
  const width = frame.pools.glyphs.widthOf(glyph)
  for (let y = area.y; y < area.y + area.height; y++) {
    const write = rowWriter(frame, { clip: area, x: area.x, y }, ink)
    for (let x = area.x; x < area.x + area.width; x += width) write(x, glyph, width)
  }
}

/** Changes the style of every cell of an area, whole glyphs at a time, and leaves the text. */
export const restyleArea = (frame: Frame, area: Rect, change: (style: StyleId) => StyleId): void => {
  const { words, columns } = frame
  if (isEmpty(area)) return
  for (let y = area.y; y < area.y + area.height; y++) {
    const row = y * columns
    let first = row + area.x
    let end = first + area.width
    if (isContinuation(words[first] ?? 0)) first -= 1
    if (end < row + columns && isContinuation(words[end] ?? 0)) end += 1
    for (let index = first; index < end; index++) {
      const word = words[index] ?? 0
      words[index] = wordOf(glyphOf(word), change(styleIdOf(word)))
    }
  }
}
