import type { Capabilities } from "./capabilities.ts"
import type { Palette16 } from "./colour.ts"
import type { CursorState, DrawOp, Modes } from "./op.ts"
import { encodeOutOfBand } from "./out-of-band.ts"
import { makePen, type Pen } from "./pen.ts"
import type { CursorShape } from "./screen.ts"
import { CSI, CURSOR_HIDE, CURSOR_SHOW, SYNC_BEGIN, SYNC_END } from "./sequence.ts"
import { sgrFor } from "./sgr.ts"

/** Writes ops as bytes for one terminal. The result is one frame for one write. */
const NO_PALETTE: Palette16 = new Map()

export const CURSOR_SHAPES: Readonly<Record<CursorShape, string>> = {
  block: `${CSI}2 q`,
  underline: `${CSI}4 q`,
  bar: `${CSI}6 q`
}

export const encode = (ops: ReadonlyArray<DrawOp>, caps: Capabilities, palette16: Palette16 = NO_PALETTE): string => {
  const paints = ops.some(({ op }) => op === "Put" || op === "Erase" || op === "Scroll")
  const hides = paints && !caps.syncOutput
  const pen = makePen(sgrFor(caps, palette16), caps)
  let out = paints ? (caps.syncOutput ? SYNC_BEGIN : CURSOR_HIDE) : ""
  for (const op of ops) out += encodeOp(op, { pen, caps, hides })
  out += pen.settle()
  return paints && caps.syncOutput ? out + SYNC_END : out
}

interface Context {
  readonly pen: Pen
  readonly caps: Capabilities
  /** The cursor was hidden while painting. */
  readonly hides: boolean
}

const encodeOp = (op: DrawOp, context: Context): string => {
  const { pen, caps } = context
  switch (op.op) {
    case "Put":
      return pen.put(op)
    case "Move":
      return pen.move(op)
    case "Erase":
      return pen.erase(op)
    case "Scroll":
      return pen.scroll(op)
    case "CursorState":
      return encodeCursor(op, context)
    case "Modes":
      return encodeModes(op)
    default:
      return encodeOutOfBand(op, caps)
  }
}

const encodeModes = ({ reset, set }: Modes): string =>
  reset.map(({ leave }) => leave).join("") + set.map(({ enter }) => enter).join("")

const encodeCursor = ({ cursor, before }: CursorState, { pen, caps, hides }: Context): string => {
  const place = pen.settle() + pen.move(cursor)
  const shape = caps.cursorShape && cursor.shape !== before?.shape ? CURSOR_SHAPES[cursor.shape] : ""
  const wasVisible = hides ? false : before?.visible
  if (cursor.visible === wasVisible) return place + shape
  return place + shape + (cursor.visible ? CURSOR_SHOW : CURSOR_HIDE)
}
