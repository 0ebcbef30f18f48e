import { isControl, isLoneMark, isUncertain, baseOfCluster, widestWidth } from "./cluster-width.ts"
import type { Widths } from "./width.ts"

/** Interned grapheme clusters, each with its width. Ids are small numbers that fit beside a style in one cell word. */
export interface GlyphPool {
  readonly size: () => number
  /** The glyph of a cluster at most two columns wide. */
  readonly intern: (cluster: string) => number
  /** The same for a code unit that is a cluster on its own. */
  readonly internUnit: (unit: number) => number
  readonly textOf: (glyph: number) => string
  readonly widthOf: (glyph: number) => number
  readonly doubtOf: (glyph: number) => Doubt | undefined
  /** Whether there is any such glyph at all. */
  readonly hasDoubts: () => boolean
  readonly tables: GlyphTables
}

/** What loops over cells read, by glyph id. */
export interface GlyphTables {
  readonly texts: ReadonlyArray<string>
  /** The one code unit of a glyph; 0 for a glyph of several. */
  readonly units: ReadonlyArray<number>
  /** One where terminals may disagree about the width. */
  readonly doubtful: ReadonlyArray<number>
}

/** How terminals may disagree about a glyph. */
export interface Doubt {
  /** The most columns that some terminal takes. */
  readonly widest: number
  /** What is drawn where so many columns are not left, in exactly the columns of the glyph. */
  readonly instead: string
}

/** Zeroed memory is an empty screen. */
export const BLANK_GLYPH = 0
/** The right half of the wide glyph before it. */
export const CONTINUATION_GLYPH = 1
const UNPRINTABLE_GLYPH = 2

/** Past this the word of a cell has no room; the generation is renewed long before. */
export const MOST_GLYPHS = 1 << 17

const DOTTED_CIRCLE = "\u25CC"

/** Marks can be heaped on a letter without end; nobody can read more, and every redraw would send them. */
const MOST_CODE_POINTS = 32

const shortened = (cluster: string): string =>
  cluster.length <= MOST_CODE_POINTS ? cluster : Array.from(cluster).slice(0, MOST_CODE_POINTS).join("")

export const makeGlyphPool = (widths: Widths): GlyphPool => {
  const texts = [" ", "", "\uFFFD"]
  const columns = [1, 0, 1]
  const units = [0x20, 0, 0xfffd]
  const doubtful = [0, 0, 0]
  const doubts = new Map<number, Doubt>()
  const byText = new Map<string, number>([[" ", BLANK_GLYPH]])
  const byUnit = new Uint32Array(0x1_0000)

  const add = (cluster: string): number => {
    if (isControl(cluster) || texts.length >= MOST_GLYPHS) return UNPRINTABLE_GLYPH
    const width = widths.clusterWidth(cluster)
    if (width < 1 || width > 2) return UNPRINTABLE_GLYPH
    const text = (isLoneMark(cluster) ? DOTTED_CIRCLE : "") + shortened(cluster)
    const glyph = texts.push(text) - 1
    columns.push(width)
    units.push(text.length === 1 ? text.charCodeAt(0) : 0)
    const isDoubtful = isUncertain(cluster, widths.profile)
    doubtful.push(isDoubtful ? 1 : 0)
    if (isDoubtful) doubts.set(glyph, doubt(cluster, width))
    byText.set(cluster, glyph)
    return glyph
  }

  const doubt = (cluster: string, width: number): Doubt => {
    const base = baseOfCluster(cluster, widths.profile)
    const columnsLeft = width - widths.clusterWidth(base)
    const fits = columnsLeft >= 0
    return {
      widest: Math.max(width, widestWidth(cluster, widths.profile)),
      instead: fits ? base + " ".repeat(columnsLeft) : " ".repeat(width)
    }
  }

  const intern = (cluster: string): number => byText.get(cluster) ?? add(cluster)

  const internUnit = (unit: number): number => {
    if (unit === 0x20) return BLANK_GLYPH
    const known = byUnit[unit]
    if (known !== undefined && known !== 0) return known
    const glyph = intern(String.fromCharCode(unit))
    byUnit[unit] = glyph
    return glyph
  }

  return {
    size: () => texts.length,
    intern,
    internUnit,
    textOf: (glyph) => texts[glyph] ?? " ",
    widthOf: (glyph) => columns[glyph] ?? 1,
    doubtOf: (glyph) => doubts.get(glyph),
    hasDoubts: () => doubts.size > 0,
    tables: { texts, units, doubtful }
  }
}
