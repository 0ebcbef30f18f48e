import { contains, type Rect } from "./rect.ts"
import { BLANK_GLYPH, CONTINUATION_GLYPH } from "./glyph-pool.ts"
import { NO_LINK } from "./link-pool.ts"
import type { Pools } from "./pools.ts"
import type { Style, StyleId } from "../style/style.ts"

/**
 * A grid of cells. The glyph and the style of a cell share one word, so that comparing two frames is comparing numbers;
 * links are beside, and rows without any say so.
 */
export interface Frame {
  readonly pools: Pools
  readonly columns: number
  readonly rows: number
  /** Row by row: glyph id above, style id in the low bits. */
  readonly words: Int32Array
  /** The same memory two words at a time, for comparing. */
  readonly pairs: BigInt64Array
  readonly links: Uint16Array
  /** One for every row that holds a link. */
  readonly linkedRows: Uint8Array
  /** What the mouse can hit, the last drawn on top. */
  readonly hits: Array<Hit>
}

export interface Hit {
  readonly area: Rect
  readonly id: string
}

export interface Cell {
  readonly text: string
  /** 0: the right half of the wide cell before it. */
  readonly width: number
  readonly style: Style
  readonly link: string
}

const STYLE_BITS = 15
const STYLE_MASK = (1 << STYLE_BITS) - 1

export const wordOf = (glyph: number, style: StyleId): number => (glyph << STYLE_BITS) | style
export const glyphOf = (word: number): number => word >>> STYLE_BITS
export const styleIdOf = (word: number): StyleId => word & STYLE_MASK
export const isContinuation = (word: number): boolean => glyphOf(word) === CONTINUATION_GLYPH
export const isBlank = (word: number): boolean => glyphOf(word) === BLANK_GLYPH

export const makeFrame = (pools: Pools, columns: number, rows: number): Frame => {
  const cells = columns * rows
  const pairs = new BigInt64Array(Math.ceil(cells / 2))
  return {
    pools,
    columns,
    rows,
    words: new Int32Array(pairs.buffer, 0, cells),
    pairs,
    links: new Uint16Array(cells),
    linkedRows: new Uint8Array(rows),
    hits: []
  }
}

/** One cell spelled out, for tests and for copying what is drawn. */
export const cellAt = ({ pools, columns, words, links }: Frame, x: number, y: number): Cell => {
  const index = y * columns + x
  const word = words[index] ?? 0
  const glyph = glyphOf(word)
  return {
    text: pools.glyphs.textOf(glyph),
    width: pools.glyphs.widthOf(glyph),
    style: pools.styles.styleOf(styleIdOf(word)),
    link: pools.links.targetOf(links[index] ?? NO_LINK)
  }
}

/** The text of a row as it is drawn. */
export const rowText = (frame: Frame, y: number): string => {
  let text = ""
  for (let x = 0; x < frame.columns; x++) text += cellAt(frame, x, y).text
  return text
}

/** The element drawn last at a place. */
export const elementAt = ({ hits }: Frame, x: number, y: number): string | undefined =>
  hits.findLast(({ area }) => contains(area, x, y))?.id
