import { type Frame, glyphOf, isContinuation, styleIdOf } from "../../screen/cell/frame.ts"
import type { Doubt, GlyphTables } from "../../screen/cell/glyph-pool.ts"
import { NO_LINK } from "../../screen/cell/link-pool.ts"
import type { StyleId } from "../../screen/style/style.ts"
import type { DrawOp } from "./op.ts"

/** Collects neighbouring cells of one style and link into runs, and moves where cells are left out. */
export interface RunWriter {
  /** Draws the cells between two columns and returns the column up to which cells may be damaged. */
  readonly write: (from: number, to: number) => number
  /** Whether these cells would go on with the run as it is. */
  readonly continues: (from: number, to: number) => boolean
  readonly flush: () => void
}

const NOWHERE = -1

/** The text of some cells. Most glyphs are one code unit, and four of those become a string at once. */
const spell = (words: Int32Array, from: number, to: number, { texts, units }: GlyphTables): string => {
  let text = ""
  let at = from
  while (at < to) {
    if (at + 3 < to) {
      const a = units[glyphOf(words[at] ?? 0)] ?? 0
      const b = units[glyphOf(words[at + 1] ?? 0)] ?? 0
      const c = units[glyphOf(words[at + 2] ?? 0)] ?? 0
      const d = units[glyphOf(words[at + 3] ?? 0)] ?? 0
      if (a !== 0 && b !== 0 && c !== 0 && d !== 0) {
        text += String.fromCharCode(a, b, c, d)
        at += 4
        continue
      }
    }
    text += texts[glyphOf(words[at] ?? 0)] ?? " "
    at += 1
  }
  return text
}

/** The cell where the style changes. */
const styleEnd = (words: Int32Array, from: number, to: number): number => {
  const style = styleIdOf(words[from] ?? 0)
  let at = from + 1
  while (at < to && styleIdOf(words[at] ?? 0) === style) at++
  return at
}

/** The cell where the link changes. */
const linkEnd = (links: Uint16Array, from: number, to: number): number => {
  const link = links[from]
  let at = from + 1
  while (at < to && links[at] === link) at++
  return at
}

/** The first cell whose glyph is in doubt. */
const doubtStart = ({ words, pools }: Frame, from: number, to: number): number => {
  const { doubtful } = pools.glyphs.tables
  let at = from
  while (at < to && doubtful[glyphOf(words[at] ?? 0)] === 0) at++
  return at
}

export const makeRunWriter = (frame: Frame, y: number, ops: Array<DrawOp>): RunWriter => {
  const { pools, columns, words, links } = frame
  const { glyphs, styles } = pools
  const { tables } = glyphs
  const offset = y * columns
  const linked = frame.linkedRows[y] === 1
  let text = ""
  let start = 0
  let end = NOWHERE
  let style: StyleId = NOWHERE
  let link = NO_LINK

  const linkAt = (x: number): number => (linked ? (links[offset + x] ?? NO_LINK) : NO_LINK)
  const mayDoubt = glyphs.hasDoubts()

  const push = (run: string, uncertain: boolean): void => {
    ops.push({
      op: "Put",
      text: run,
      columns: end - start,
      style: styles.styleOf(style),
      link: pools.links.targetOf(link),
      uncertain,
      edge: end >= columns
    })
  }

  const flush = (): void => {
    if (text !== "") push(text, false)
    text = ""
    start = end
  }

  const begin = (x: number, nextStyle: StyleId, nextLink: number): void => {
    flush()
    if (x !== end) ops.push({ op: "Move", x, y })
    start = x
    style = nextStyle
    link = nextLink
  }

  const continues = (from: number, to: number): boolean => {
    for (let x = from; x < to; x++) {
      if (styleIdOf(words[offset + x] ?? 0) !== style || linkAt(x) !== link) return false
    }
    return text !== ""
  }

  /** Draws a glyph that terminals measure differently, and returns the column up to which it may have drawn. */
  const writeDoubtful = (x: number, { widest, instead }: Doubt): number => {
    const glyph = glyphOf(words[offset + x] ?? 0)
    end = x + glyphs.widthOf(glyph)
    const fits = x + widest <= columns
    push(fits ? glyphs.textOf(glyph) : instead, fits)
    start = end
    if (!fits) return end
    end = NOWHERE
    return x + widest
  }

  /** The column where the style or the link changes, or a glyph is in doubt. */
  const runEnd = (from: number, to: number): number => {
    const sameStyle = styleEnd(words, offset + from, offset + to)
    const sameLink = linked ? linkEnd(links, offset + from, sameStyle) : sameStyle
    return (mayDoubt ? doubtStart(frame, offset + from, sameLink) : sameLink) - offset
  }

  const write = (from: number, to: number): number => {
    let damagedTo = to
    let x = from
    while (x < to) {
      const word = words[offset + x] ?? 0
      if (isContinuation(word)) {
        x += 1
        continue
      }
      const doubt = mayDoubt ? glyphs.doubtOf(glyphOf(word)) : undefined
      if (x !== end || styleIdOf(word) !== style || linkAt(x) !== link || doubt !== undefined) {
        begin(x, styleIdOf(word), linkAt(x))
      }
      if (doubt !== undefined) {
        damagedTo = Math.max(damagedTo, writeDoubtful(x, doubt))
        x += 1
        continue
      }
      const stop = runEnd(x, to)
      text += spell(words, offset + x, offset + stop, tables)
      // The right half of the last glyph may be unchanged and so outside.
      end = stop < columns && isContinuation(words[offset + stop] ?? 0) ? stop + 1 : stop
      x = stop
    }
    return damagedTo
  }

  return { write, continues, flush }
}
