import type { Style } from "../../screen/style/style.ts"
import type { Colour } from "../../screen/style/row.ts"
import type { ModeChange } from "./modes.ts"
import type { Cursor, Progress } from "./screen.ts"

/** One thing to do to the terminal. Coordinates start at zero. */
export type DrawOp = Move | Put | Erase | Scroll | CursorState | Modes | OutOfBand

export interface Move {
  readonly op: "Move"
  readonly x: number
  readonly y: number
}

/** A run of clusters in one style and link, beginning at the place moved to. */
export interface Put {
  readonly op: "Put"
  readonly text: string
  readonly columns: number
  readonly style: Style
  /** Empty for none. */
  readonly link: string
  /** The terminal may take another number of columns: the place is unknown afterwards. */
  readonly uncertain: boolean
  /** It ends in the last column, where the terminal may or may not wrap: the place is unknown as well. */
  readonly edge: boolean
}

/** From the place moved to until the end of the row. */
export interface Erase {
  readonly op: "Erase"
  readonly background: Colour | undefined
}

/** Moves the rows from top to bottom, both included, up by a count, or down when it is negative. */
export interface Scroll {
  readonly op: "Scroll"
  readonly top: number
  readonly bottom: number
  readonly count: number
}

export interface CursorState {
  readonly op: "CursorState"
  readonly cursor: Cursor
  /** What it was; absent when unknown. */
  readonly before: Cursor | undefined
}

export interface Modes extends ModeChange {
  readonly op: "Modes"
}

/** What does not touch the cells. */
export type OutOfBand =
  | { readonly op: "Title"; readonly text: string }
  | { readonly op: "Progress"; readonly progress: Progress | undefined }
  | { readonly op: "Bell" }
  | { readonly op: "Clipboard"; readonly text: string }
  | { readonly op: "Notify"; readonly title: string; readonly body: string }
