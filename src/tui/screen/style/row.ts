import type { Role } from "./roles.ts"

/** How a piece of text looks, in meanings. Looks are constants shared by many spans: make them once, not per span. */
export interface Look {
  readonly role: Role
  readonly background?: Role
  readonly bold?: true
  readonly dim?: true
  readonly italic?: true
  readonly underline?: true
  readonly strike?: true
  readonly inverse?: true
  /** A colour that a program printed itself, as SGR said it; it wins over the role. */
  readonly foreground?: Colour
  readonly ground?: Colour
}

/** Palette number 0-255 as such, or 0x1rrggbb for a 24-bit colour. */
export type Colour = number

/** A run of sanitised text in one look: no control characters, tabs already expanded. */
export interface Span {
  readonly text: string
  readonly look: Look
  readonly link?: string
  /** Where in the source of the block the text begins; absent for what only drawing added (gutters, borders, marks). */
  readonly at?: number
  /** How many source characters the span stands for when that is not the length of its text: it is then one unit. */
  readonly covers?: number
}

/** One screen row of a block, before it is placed. */
export interface Row {
  readonly spans: ReadonlyArray<Span>
  /** Columns the spans take. */
  readonly width: number
  /** First source offset that this row shows or follows. */
  readonly start: number
  /** Source offset after the last one shown; equal to start for pure decoration. */
  readonly end: number
  /** The ground is drawn to the edge of the pane, from the first span on that names it. */
  readonly fill?: Role
  /** It stands for rows that a fold hides. */
  readonly hides?: true
}
