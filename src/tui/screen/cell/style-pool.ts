import { blankOf, DEFAULT_STYLE, DEFAULT_STYLE_ID, isErasable, type Style, type StyleId } from "../style/style.ts"

/** Interned styles: equal styles have one id and one object. */
export interface StylePool {
  readonly size: () => number
  readonly intern: (style: Style) => StyleId
  readonly styleOf: (id: StyleId) => Style
  /** The style of a blank drawn in this one. */
  readonly blankOf: (id: StyleId) => StyleId
  /** Whether erasing gives a blank of this style. */
  readonly isErasable: (id: StyleId) => boolean
}

/** Past this the word of a cell has no room; the generation is renewed long before. */
export const MOST_STYLES = 1 << 15

const keyOf = ({ bold, dim, italic, inverse, strike, underline, ...colours }: Style): string => {
  const flags = (bold ? 1 : 0) | (dim ? 2 : 0) | (italic ? 4 : 0) | (inverse ? 8 : 0) | (strike ? 16 : 0)
  const { foreground, background, underlineColour } = colours
  return `${flags},${underline ?? ""},${foreground ?? ""},${background ?? ""},${underlineColour ?? ""}`
}

export const makeStylePool = (): StylePool => {
  const styles: Array<Style> = [DEFAULT_STYLE]
  const erasable = [true]
  const blanks = [DEFAULT_STYLE_ID]
  const byKey = new Map<string, StyleId>([[keyOf(DEFAULT_STYLE), DEFAULT_STYLE_ID]])

  const intern = (style: Style): StyleId => {
    const key = keyOf(style)
    const known = byKey.get(key)
    if (known !== undefined) return known
    if (styles.length >= MOST_STYLES) return DEFAULT_STYLE_ID
    const id = styles.push(style) - 1
    erasable.push(isErasable(style))
    byKey.set(key, id)
    return id
  }

  const blank = (id: StyleId): StyleId => {
    const known = blanks[id]
    if (known !== undefined) return known
    const made = intern(blankOf(styles[id] ?? DEFAULT_STYLE))
    blanks[id] = made
    return made
  }

  return {
    size: () => styles.length,
    intern,
    styleOf: (id) => styles[id] ?? DEFAULT_STYLE,
    blankOf: blank,
    isErasable: (id) => erasable[id] === true
  }
}
