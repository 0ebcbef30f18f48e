import { type Frame, isBlank, styleIdOf } from "../../screen/cell/frame.ts"
import { NO_LINK } from "../../screen/cell/link-pool.ts"
import type { Capabilities } from "./capabilities.ts"
import type { DrawOp } from "./op.ts"
import { nextChange, nextSame, rowOf, type ShownRow } from "./rows.ts"
import { RunWriter } from "./run.ts"

/** Turns the changed cells of one row into ops. */

/** Unchanged cells up to this many cost less to write again than to jump over. */
const MOST_REWRITTEN_GAP = 3
/** Blanks at the end of a row up to this many are written rather than erased. */
const MOST_WRITTEN_BLANKS = 4

export interface RowTask {
  readonly frame: Frame
  readonly y: number
  readonly shown: ShownRow
  readonly caps: Capabilities
  /** From this column on only changed cells may be written: the terminal draws unfinished input there. */
  readonly keepFrom: number
}

/** Where the blanks of one erasable background begin that end the row. */
const blankTail = ({ words, links, offset }: ShownRow, frame: Frame, caps: Capabilities): number => {
  const { columns, pools } = frame
  const last = words[offset + columns - 1] ?? 0
  const style = styleIdOf(last)
  const canErase = caps.erasesWithBackground || pools.styles.styleOf(style).background === undefined
  if (!isBlank(last) || !canErase || !pools.styles.isErasable(style)) return columns
  let x = columns
  while (x > 0 && words[offset + x - 1] === last && links[offset + x - 1] === NO_LINK) x--
  return x
}

/** The column from which the row is erased, or the number of columns for not at all. */
const eraseStart = ({ frame, shown, caps, keepFrom }: RowTask, row: ShownRow): number => {
  const { columns } = frame
  const start = nextChange(row, shown, blankTail(row, frame, caps), columns)
  if (columns - start <= MOST_WRITTEN_BLANKS) return columns
  for (let x = Math.max(start, keepFrom); x < columns; x++) {
    if (nextChange(row, shown, x, x + 1) !== x) return columns
  }
  return start
}

export const diffRow = (task: RowTask, ops: Array<DrawOp>): void => {
  const { frame, y, shown, keepFrom } = task
  const { columns } = frame
  const row = rowOf(frame, y)
  let x = nextChange(row, shown, 0, columns)
  if (x === columns) return
  const erase = eraseStart(task, row)
  const runs = new RunWriter(frame, y, ops)
  let drawTo = nextSame(row, shown, x, erase)
  while (x < erase) {
    const damagedTo = runs.write(x, drawTo)
    x = drawTo
    drawTo = Math.min(erase, damagedTo)
    if (x < drawTo) continue
    const change = nextChange(row, shown, x, erase)
    const isShort = change < erase && change - x <= MOST_REWRITTEN_GAP && change <= keepFrom
    if (!isShort || !runs.continues(x, change)) x = change
    drawTo = nextSame(row, shown, change, erase)
  }
  runs.flush()
  if (erase < columns) pushErase(frame, erase, y, ops)
}

const pushErase = ({ pools, words, columns }: Frame, x: number, y: number, ops: Array<DrawOp>): void => {
  const { background } = pools.styles.styleOf(styleIdOf(words[y * columns + x] ?? 0))
  ops.push({ op: "Move", x, y }, { op: "Erase", background })
}
