/** What a text object is: a function from a text and a caret, or a selection that should grow, to a piece of it. */
import type { Lines, Position } from "../../lines.ts"
import type { Shape } from "../../selection.ts"
import type { Extent } from "../motions/motion.ts"

export interface ObjectRequest {
  readonly count: number
  /** The `a` form: with what surrounds it. */
  readonly around: boolean
  /** The other end of the selection in visual mode; undefined when an operator asks. */
  readonly anchor: Position | undefined
  readonly shape?: Shape
}

/** In visual mode `start` is the new anchor and `end` the new caret, which may be the earlier of the two. */
export interface Selected {
  readonly start: Position
  readonly end: Position
  readonly extent: Extent
  /** An exclusive end at the start of a line stays there. */
  readonly exact?: true
  /** What becomes of the selection's shape; unset, whole lines become characters and a block stays one. */
  readonly shape?: "char" | "keep"
  /** Places from which it jumped on its way. */
  readonly jumps?: ReadonlyArray<Position>
  /** It could not grow; the caret goes to `end` all the same. */
  readonly short?: true
}

export type TextObject = (lines: Lines, position: Position, request: ObjectRequest) => Selected | undefined
