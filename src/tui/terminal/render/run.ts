import { type Frame, glyphOf, isContinuation, styleIdOf } from "../../screen/cell/frame.ts"
import type { Doubt, GlyphTables } from "../../screen/cell/glyph-pool.ts"
import { NO_LINK } from "../../screen/cell/link-pool.ts"
import type { StyleId } from "../../screen/style/style.ts"
import type { DrawOp } from "./op.ts"

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

/** Collects neighbouring cells of one style and link into runs, and moves where cells are left out. */
export class RunWriter {
  readonly #frame: Frame
  readonly #y: number
  readonly #ops: Array<DrawOp>
  readonly #offset: number
  readonly #isLinked: boolean
  readonly #mayDoubt: boolean
  #text = ""
  #start = 0
  #end = NOWHERE
  #style: StyleId = NOWHERE
  #link = NO_LINK

  constructor(frame: Frame, y: number, ops: Array<DrawOp>) {
    this.#frame = frame
    this.#y = y
    this.#ops = ops
    this.#offset = y * frame.columns
    this.#isLinked = frame.linkedRows[y] === 1
    this.#mayDoubt = frame.pools.glyphs.hasDoubts()
  }

  /** Draws the cells between two columns and returns the column up to which cells may be damaged. */
  write(from: number, to: number): number {
    const { columns, pools, words } = this.#frame
    const offset = this.#offset
    let damagedTo = to
    let x = from
    while (x < to) {
      const word = words[offset + x] ?? 0
      if (isContinuation(word)) {
        x += 1
        continue
      }
      const doubt = this.#mayDoubt ? pools.glyphs.doubtOf(glyphOf(word)) : undefined
      if (x !== this.#end || styleIdOf(word) !== this.#style || this.#linkAt(x) !== this.#link || doubt !== undefined) {
        this.#begin(x, styleIdOf(word))
      }
      if (doubt !== undefined) {
        damagedTo = Math.max(damagedTo, this.#writeDoubtful(x, doubt))
        x += 1
        continue
      }
      const stop = this.#runEnd(x, to)
      this.#text += spell(words, offset + x, offset + stop, pools.glyphs.tables)
      // The right half of the last glyph may be unchanged and so outside.
      this.#end = stop < columns && isContinuation(words[offset + stop] ?? 0) ? stop + 1 : stop
      x = stop
    }
    return damagedTo
  }

  /** Whether these cells would go on with the run as it is. */
  continues(from: number, to: number): boolean {
    const { words } = this.#frame
    for (let x = from; x < to; x++) {
      if (styleIdOf(words[this.#offset + x] ?? 0) !== this.#style || this.#linkAt(x) !== this.#link) return false
    }
    return this.#text !== ""
  }

  flush(): void {
    if (this.#text !== "") this.#push(this.#text, false)
    this.#text = ""
    this.#start = this.#end
  }

  #linkAt(x: number): number {
    return this.#isLinked ? (this.#frame.links[this.#offset + x] ?? NO_LINK) : NO_LINK
  }

  #push(text: string, uncertain: boolean): void {
    const { pools, columns } = this.#frame
    this.#ops.push({
      op: "Put",
      text,
      columns: this.#end - this.#start,
      style: pools.styles.styleOf(this.#style),
      link: pools.links.targetOf(this.#link),
      uncertain,
      edge: this.#end >= columns
    })
  }

  #begin(x: number, style: StyleId): void {
    this.flush()
    if (x !== this.#end) this.#ops.push({ op: "Move", x, y: this.#y })
    this.#start = x
    this.#style = style
    this.#link = this.#linkAt(x)
  }

  /** Draws a glyph that terminals measure differently, and returns the column up to which it may have drawn. */
  #writeDoubtful(x: number, { widest, instead }: Doubt): number {
    const { columns, pools, words } = this.#frame
    const glyph = glyphOf(words[this.#offset + x] ?? 0)
    this.#end = x + pools.glyphs.widthOf(glyph)
    const fits = x + widest <= columns
    this.#push(fits ? pools.glyphs.textOf(glyph) : instead, fits)
    this.#start = this.#end
    if (!fits) return this.#end
    this.#end = NOWHERE
    return x + widest
  }

  /** The column where the style or the link changes, or a glyph is in doubt. */
  #runEnd(from: number, to: number): number {
    const { words, links } = this.#frame
    const offset = this.#offset
    const sameStyle = styleEnd(words, offset + from, offset + to)
    const sameLink = this.#isLinked ? linkEnd(links, offset + from, sameStyle) : sameStyle
    return (this.#mayDoubt ? doubtStart(this.#frame, offset + from, sameLink) : sameLink) - offset
  }
}
