import type { Style } from "./style.ts"
import type { Colour, Look } from "./row.ts"

/** Turns meanings into styles. A theme is a constant: caches are kept by its identity. */
export interface Theme {
  readonly name: string
  readonly styleOf: (look: Look) => Style
  /** The palette entry (0-15) that stands for each 24-bit colour of the theme on terminals with sixteen colours. */
  readonly palette16: ReadonlyMap<Colour, number>
}

/** The attributes of a look without the colour of its role. Every theme begins with this. */
export const attributesOf = (look: Look): Style => ({
  ...(look.foreground === undefined ? {} : { foreground: look.foreground }),
  ...(look.ground === undefined ? {} : { background: look.ground }),
  ...(look.bold === undefined ? {} : { bold: look.bold }),
  ...(look.dim === undefined ? {} : { dim: look.dim }),
  ...(look.italic === undefined ? {} : { italic: look.italic }),
  ...(look.underline === undefined ? {} : { underline: "single" }),
  ...(look.strike === undefined ? {} : { strike: look.strike }),
  ...(look.inverse === undefined ? {} : { inverse: look.inverse })
})

/** A theme with no colours of its own. */
export const plainTheme: Theme = { name: "plain", styleOf: attributesOf, palette16: new Map() }

export type ColourDepth = "none" | "16" | "256" | "24bit"
