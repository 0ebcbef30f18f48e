import { isUncertain, widthByRule, widthOfUnit } from "./cluster-width.ts"
import { CONSERVATIVE_PROFILE, type WidthProfile } from "./width-profile.ts"

/**
 * Grapheme clusters and their widths: the only code that says how many columns a text takes. Text without anything
 * that could join its neighbour is walked unit by unit; only the rest pays for the segmenter.
 */
export interface Widths {
  readonly profile: WidthProfile
  readonly clusterWidth: (cluster: string) => number
  readonly textWidth: (text: string) => number
  /** The width of a code unit that is a cluster on its own whatever stands beside it; 0 for every other. */
  readonly simpleWidth: (unit: number) => number
}

/** Ranges of the basic plane where no character joins another: letters, symbols, ideographs, syllables, private use. */
const ALONE: ReadonlyArray<readonly [number, number]> = [
  [0x20, 0x7e],
  [0xa0, 0xac],
  [0xae, 0x2ff],
  [0x370, 0x482],
  [0x48a, 0x590],
  [0x1e00, 0x1fff],
  [0x2010, 0x2027],
  [0x2030, 0x205f],
  [0x2070, 0x20cf],
  [0x2100, 0x2bff],
  [0x3000, 0x3029],
  [0x3030, 0x303e],
  [0x3041, 0x3096],
  [0x309b, 0x30ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xe000, 0xfaff],
  [0xff01, 0xff9d]
]

const NEEDS_SEGMENTER = 3
const MOST_CACHED = 65_536

let segmenter: Intl.Segmenter | undefined

/** Made when the first text needs it: its tables take longer to load than most other things at a start. */
const segments = (text: string): ReadonlyArray<string> => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" })
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}

/** The character is a cluster of its own wherever it stands. */
export const standsAlone = (unit: number): boolean => ALONE.some(([first, last]) => unit >= first && unit <= last)

export const makeWidths = (profile: WidthProfile): Widths => {
  const units = new Uint8Array(0x1_0000)
  const known = new Map<string, number>()

  const classify = (unit: number): number => {
    // Not by the general rule, whose patterns take long to build: plain text must not wait for them.
    const width = standsAlone(unit) ? widthOfUnit(unit, profile) : NEEDS_SEGMENTER
    units[unit] = width
    return width
  }

  const simpleWidth = (unit: number): number => {
    const width = units[unit] || classify(unit)
    return width === NEEDS_SEGMENTER ? 0 : width
  }

  const clusterWidth = (cluster: string): number => {
    const simple = cluster.length === 1 ? simpleWidth(cluster.charCodeAt(0)) : 0
    if (simple > 0) return simple
    const cached = known.get(cluster)
    if (cached !== undefined) return cached
    if (known.size >= MOST_CACHED) known.clear()
    const width = widthByRule(cluster, profile)
    known.set(cluster, width)
    return width
  }

  const textWidth = (text: string): number => {
    let width = 0
    for (let at = 0; at < text.length; at++) {
      const simple = simpleWidth(text.charCodeAt(at))
      if (simple === 0) return clusters(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0)
      width += simple
    }
    return width
  }

  return { profile, clusterWidth, textWidth, simpleWidth }
}

/** The tables of the terminal in use. Chosen once at start, like a locale, and again only when a probe answers. */
let current = makeWidths(CONSERVATIVE_PROFILE)

export const currentWidths = (): Widths => current

/** Every row laid out before is stale after this, and the pools begin a new generation. */
export const useWidthProfile = (profile: WidthProfile): void => {
  current = makeWidths(profile)
}

/** Whether every code unit is a cluster of its own. */
export const isSimple = (text: string): boolean => {
  for (let at = 0; at < text.length; at++) {
    if (current.simpleWidth(text.charCodeAt(at)) === 0) return false
  }
  return true
}

/** The segmenter copies its whole input for every segment, so that it is only given a little at a time. */
const WINDOW_UNITS = 64

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/**
 * Some clusters from a border on, at least one. The last of a window may go on behind it and is left for the next,
 * whose result is the same because a border is all that segmenting has to know of what comes before.
 */
export const nextClusters = (text: string, from: number): ReadonlyArray<string> => {
  for (let units = WINDOW_UNITS; ; units *= 2) {
    const to = from + units + (isHighSurrogate(text.charCodeAt(from + units - 1)) ? 1 : 0)
    const found = segments(text.slice(from, to))
    if (to >= text.length) return found
    if (found.length > 1) return found.slice(0, -1)
  }
}

/** The extended grapheme clusters of a text; joined they are the text. */
export const clusters = (text: string): ReadonlyArray<string> => {
  if (isSimple(text)) return text.split("")
  const found: Array<string> = []
  let at = 0
  while (at < text.length) {
    const isAlone = isSimpleAt(text, at) && (at + 1 === text.length || isSimpleAt(text, at + 1))
    const next = isAlone ? [text.charAt(at)] : nextClusters(text, at)
    for (const cluster of next) {
      found.push(cluster)
      at += cluster.length
    }
  }
  return found
}

const isSimpleAt = (text: string, at: number): boolean => current.simpleWidth(text.charCodeAt(at)) > 0

export const clusterWidth = (cluster: string): number => current.clusterWidth(cluster)

export const textWidth = (text: string): number => current.textWidth(text)

/** Whether the terminal may disagree with us about this cluster. */
export const isUncertainWidth = (cluster: string): boolean => isUncertain(cluster, current.profile)

/** The part of a text between two columns. A wide cluster cut by an edge gives blanks, so that columns stay columns. */
export const sliceColumns = (text: string, from: number, columns: number): string => {
  const end = from + columns
  let column = 0
  let slice = ""
  for (const cluster of clusters(text)) {
    const next = column + clusterWidth(cluster)
    if (column >= from && next <= end) slice += cluster
    else slice += " ".repeat(Math.max(0, Math.min(next, end) - Math.max(column, from)))
    if (next > end) break
    column = next
  }
  return slice
}
