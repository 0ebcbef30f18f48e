/** A complete command as typed: what to do, how often, with which register and on what. */
import type { Shape } from "../../selection.ts"

/** What an operator works on, or where a caret goes. */
export type Operand =
  | { readonly kind: "motion"; readonly name: string; readonly argument: string }
  | { readonly kind: "object"; readonly name: string }
  /** `gn gN`: a match of the last search. */
  | { readonly kind: "match"; readonly backward: boolean }
  /** The doubled operator: whole lines. */
  | { readonly kind: "lines" }

export interface VisualSize {
  readonly shape: Shape
  readonly lines: number
  /** Display columns of a block or of a part of one line; else the display column where the last line ends. */
  readonly columns: number
}

export interface Invocation {
  readonly name: string
  readonly register: string | undefined
  readonly count: number | undefined
  /** The character that `r`, `m`, `@` and the like wait for, or the line typed after `/`. */
  readonly argument: string
  readonly operand?: Operand
  /** `v`, `V` or `<C-v>` between operator and motion. */
  readonly force?: Shape
  /** Set for a change made in visual mode: the size to work on when repeated. */
  readonly visual?: VisualSize
}
