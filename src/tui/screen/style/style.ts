import type { Colour } from "./row.ts"

/**
 * What the pen is set to while a cell is drawn. An absent colour is the terminal's own. Styles are interned in a pool;
 * two styles of one pool are equal when their ids are.
 */
export interface Style {
  readonly foreground?: Colour
  readonly background?: Colour
  readonly underlineColour?: Colour
  readonly underline?: UnderlineKind
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly inverse?: true
  readonly strike?: true
}

export type UnderlineKind = "single" | "double" | "curly" | "dotted"

export type StyleId = number

export const DEFAULT_STYLE: Style = {}

export const DEFAULT_STYLE_ID: StyleId = 0

/** The part of a style that shows on a blank: everything else would only make equal blanks differ. */
export const blankOf = (style: Style): Style => {
  const { background, foreground, underlineColour, underline, inverse, strike } = style
  const drawsOnBlank = underline !== undefined || strike === true || inverse === true
  return {
    ...(background === undefined ? {} : { background }),
    ...(drawsOnBlank && foreground !== undefined ? { foreground } : {}),
    ...(underline === undefined ? {} : { underline }),
    ...(underline === undefined || underlineColour === undefined ? {} : { underlineColour }),
    ...(inverse === undefined ? {} : { inverse }),
    ...(strike === undefined ? {} : { strike })
  }
}

/** Whether erasing under the background alone gives a blank of this style. */
export const isErasable = (style: Style): boolean =>
  Object.entries(style).every(([name, value]) => name === "background" || value === undefined)
