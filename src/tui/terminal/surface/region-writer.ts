/**
 * Draws inside the live region. The region's place on the screen is not known, only the cursor's place in the region:
 * every move is counted from there, and a step down is a line feed, which makes room at the end of the screen.
 */
import type { Capabilities } from "../render/capabilities.ts"
import type { Palette16 } from "../render/colour.ts"
import type { DrawOp, Put } from "../render/op.ts"
import { makePen } from "../render/pen.ts"
import { CR, CSI, ERASE_TO_END, LF } from "../render/sequence.ts"
import { sgrFor } from "../render/sgr.ts"
import type { Spot } from "../render/move.ts"

export interface Brush {
  readonly move: (to: Spot) => string
  /** Ops of a frame whose first row is so many rows below the top. */
  readonly draw: (ops: ReadonlyArray<DrawOp>, top: number) => string
  /** Default style and no link. */
  readonly settle: () => string
}

const NO_PALETTE: Palette16 = new Map()

const counted = (count: number, letter: string): string => `${CSI}${count === 1 ? "" : count}${letter}`

/** Blanks the screen from this row on. Wiping from the very first cell would make tmux keep a copy, hence the step. */
export const WIPE = `${CR}${ERASE_TO_END}${CSI}C${CSI}J${CR}`

export const upRows = (rows: number): string => (rows > 0 ? counted(rows, "A") : "")

export const makeBrush = (caps: Capabilities, start: Spot): Brush => {
  const pen = makePen(sgrFor(caps, NO_PALETTE), caps)
  let { x, y } = start
  let isColumnKnown = true

  const move = (to: Spot): string => {
    const down = to.y - y
    if (down === 0 && isColumnKnown && x === to.x) return ""
    // A row that scrolls in takes the ground of the moment, so it must be the plain one.
    const style = down > 0 ? pen.settle() : ""
    const vertical = down > 0 ? LF.repeat(down) : down < 0 ? counted(-down, "A") : ""
    x = to.x
    y = to.y
    isColumnKnown = true
    return `${style}${CR}${vertical}${to.x > 0 ? counted(to.x, "C") : ""}`
  }

  const put = (run: Put): string => {
    const plain = { ...run, uncertain: false }
    if (!run.uncertain) {
      const out = pen.put(run)
      x += run.columns
      isColumnKnown = !run.edge
      return out
    }
    // A terminal that takes fewer columns would leave what stood there.
    const from = { x, y }
    const blanks = pen.put({ ...plain, text: " ".repeat(run.columns) })
    isColumnKnown = false
    const out = blanks + move(from) + pen.put(plain)
    isColumnKnown = false
    return out
  }

  const drawOp = (op: DrawOp, top: number): string => {
    if (op.op === "Put") return put(op)
    if (op.op === "Move") return move({ x: op.x, y: op.y + top })
    return op.op === "Erase" ? pen.erase(op) : ""
  }

  return { move, draw: (ops, top) => ops.map((op) => drawOp(op, top)).join(""), settle: () => pen.settle() }
}
