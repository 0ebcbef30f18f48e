/** A row of a frame as ops: always whole, so that what stands on the terminal is known cell by cell. */
import { type Frame, isBlank, styleIdOf } from "../../screen/cell/frame.ts"
import { NO_LINK } from "../../screen/cell/link-pool.ts"
import type { DrawOp } from "../render/op.ts"
import { RunWriter } from "../render/run.ts"

/** The column after the last cell that is written; blanks at the end are erased instead. */
export const writtenEnd = ({ columns, words, links, pools }: Frame, y: number): number => {
  const offset = y * columns
  const last = words[offset + columns - 1] ?? 0
  if (!isBlank(last) || !pools.styles.isErasable(styleIdOf(last))) return columns
  let x = columns
  while (x > 0 && words[offset + x - 1] === last && links[offset + x - 1] === NO_LINK) x--
  return x
}

const groundOf = ({ columns, pools, words }: Frame, y: number) =>
  pools.styles.styleOf(styleIdOf(words[y * columns + columns - 1] ?? 0)).background

/** The column after the last cell that is not as a new row has it: a ground is drawn to the edge. */
export const markedEnd = (frame: Frame, y: number): number =>
  groundOf(frame, y) === undefined ? writtenEnd(frame, y) : frame.columns

export interface RowTask {
  readonly frame: Frame
  readonly y: number
  /** How far the row that stands there reaches. */
  readonly over: number
  readonly erasesWithBackground: boolean
}

/**
 * The ops that draw a row. A row that gets shorter is erased from its first column, because that alone makes terminals
 * forget how long it was: otherwise they would break it again when they get narrower.
 */
export const rowOps = ({ frame, y, over, erasesWithBackground }: RowTask): ReadonlyArray<DrawOp> => {
  const { columns } = frame
  const ground = groundOf(frame, y)
  const end = ground === undefined || erasesWithBackground ? writtenEnd(frame, y) : columns
  const ops: Array<DrawOp> =
    end < over
      ? [
          { op: "Move", x: 0, y },
          { op: "Erase", background: undefined }
        ]
      : []
  const runs = new RunWriter(frame, y, ops)
  runs.write(0, end)
  runs.flush()
  if (ground !== undefined && end < columns) ops.push({ op: "Move", x: end, y }, { op: "Erase", background: ground })
  return ops
}
