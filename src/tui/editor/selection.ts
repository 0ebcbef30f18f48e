/** What is selected: two ends and a shape. The head is where the caret stands. */
import { comparePositions, type Position } from "./lines.ts"

export type Shape = "char" | "line" | "block"

export interface Selection {
  readonly shape: Shape
  readonly anchor: Position
  readonly head: Position
}

export const orderPositions = (a: Position, b: Position): readonly [Position, Position] =>
  comparePositions(a, b) <= 0 ? [a, b] : [b, a]
