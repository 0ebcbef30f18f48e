/** What the transcript must know about a tool: how its call reads, and what it looks like at each stage. */
import type { Row, Span } from "../../screen/style/row.ts"
import type { LayoutOptions, Part, ToolBlock } from "../block.ts"
import type { Range } from "../rows/compose.ts"
import type { FoldShape } from "../rows/fold.ts"

/** The text of a call as search and yank see it: what was asked, and what came of it. */
export interface CallText {
  readonly call: string
  readonly result: string
  /** Ranges inside the result, counted from its first character. */
  readonly parts?: ReadonlyArray<Part>
}

/** A block with what its rows are counted from. */
export interface ToolView {
  readonly block: ToolBlock
  readonly options: LayoutOptions
  /** Columns right of the gutter. */
  readonly width: number
  readonly call: Range
  readonly result: Range
}

/** The row with the tool's name. */
export interface Head {
  /** Main argument; shortened in the middle when there is no room for all of it. */
  readonly argument: ReadonlyArray<Span>
  /** Behind it, dim: counts and marks. They go before the argument does. */
  readonly marks: ReadonlyArray<Span>
  /** What of the call did not fit into one row. */
  readonly rows?: ReadonlyArray<Row>
}

/** Rows below the head, and how they fold when there are too many. */
export interface Body {
  readonly rows: ReadonlyArray<Row>
  readonly fold: FoldShape
  /** Rows that stand behind a heavier gutter. */
  readonly isError?: (row: Row) => boolean
}

export interface ToolRenderer {
  readonly head: (view: ToolView) => Head
  /** Below the head while it runs. */
  readonly running: (view: ToolView) => Body
  /** Below the head once it has settled. */
  readonly result: (view: ToolView) => Body
  /** One line in plain words: activity rows, notices, screen readers. */
  readonly plain: (block: ToolBlock) => string
  readonly source: (block: ToolBlock) => CallText
}
