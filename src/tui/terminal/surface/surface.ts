/**
 * What stands on the terminal, and how to bring the next screen there: full screens by their difference, inline screens
 * by writing what is finished into the scrollback and repainting the live region under it.
 */
import { makeCanvas } from "../../screen/cell/canvas.ts"
import { type Frame, makeFrame } from "../../screen/cell/frame.ts"
import type { Capabilities } from "../render/capabilities.ts"
import { diff, diffWindow, isFullRedraw } from "../render/diff.ts"
import { CURSOR_SHAPES, encode } from "../render/encode.ts"
import { enterSteps, leaveSequence, modeChange, NO_MODES } from "../render/modes.ts"
import type { DrawOp, OutOfBand } from "../render/op.ts"
import { changedRows } from "../render/rows.ts"
import { type Cursor, damageScreen, type Screen, type Shown } from "../render/screen.ts"
import { CR, CURSOR_HIDE, CURSOR_SHOW, LF, SYNC_BEGIN, SYNC_END } from "../render/sequence.ts"
import { cellsWritten } from "../render/stats.ts"
import { type Brush, makeBrush, upRows, WIPE } from "./region-writer.ts"
import { type InlineScreen, isInline } from "./inline-screen.ts"
import { rowsAboveCursor } from "./reflow.ts"
import { markedEnd, rowOps } from "./row-ops.ts"
import { EMPTY_SCROLLBACK, type Scrollback, takeUnwritten } from "./scrollback.ts"

/** The live region as it was drawn last. */
interface Region {
  readonly frame: Frame
  readonly cursor: Cursor
  /** Something else may have happened to the terminal, or its size changed. */
  readonly isStale: boolean
}

export interface Surface {
  readonly shown: Shown | undefined
  readonly region: Region | undefined
  readonly scrollback: Scrollback
}

export const NEW_SURFACE: Surface = { shown: undefined, region: undefined, scrollback: EMPTY_SCROLLBACK }

export interface Painted {
  /** Writes it all down; empty when there is nothing to do. */
  readonly encode: () => string
  readonly surface: Surface
  readonly ops: number
  readonly cells: number
  readonly fullRedraw: boolean
}

/** The terminal no longer shows what was drawn. */
export const damagedSurface = ({ shown, region, scrollback }: Surface): Surface => ({
  shown: shown === undefined ? undefined : damageScreen(shown),
  region: region === undefined ? undefined : { ...region, isStale: true },
  scrollback
})

const HISTORY_CHUNK = 512

/** Rows for the scrollback, drawn from the top of the region on; returns the rows taken. */
const drawHistory = (brush: Brush, { inline, frame }: InlineScreen, caps: Capabilities, scrollback: Scrollback) => {
  if (inline.finished === undefined) return { bytes: "", rows: 0, scrollback }
  const unwritten = takeUnwritten(scrollback, inline.finished)
  const rows = inline.rows(unwritten)
  let bytes = ""
  for (let first = 0; first < rows.length; first += HISTORY_CHUNK) {
    const chunk = rows.slice(first, first + HISTORY_CHUNK)
    const page = makeFrame(frame.pools, inline.size.columns, chunk.length)
    const canvas = makeCanvas(page, inline.theme)
    for (const [y, row] of chunk.entries()) canvas.row(0, y, row)
    for (let y = 0; y < chunk.length; y++) {
      const ops = rowOps({ frame: page, y, over: page.columns, erasesWithBackground: caps.erasesWithBackground })
      bytes += brush.move({ x: 0, y: first + y }) + brush.draw(ops, first)
    }
  }
  return { bytes, rows: rows.length, scrollback: unwritten.scrollback }
}

/** From the cursor to the top of the region, with everything below blank. */
const wiped = (region: Region | undefined, { inline }: InlineScreen): string =>
  region === undefined ? WIPE : upRows(rowsAboveCursor(region, inline.size.columns, inline.reflow)) + WIPE

const isKnown = (region: Region | undefined, { frame }: InlineScreen): region is Region =>
  region !== undefined && !region.isStale && region.frame.columns === frame.columns

interface Body {
  readonly bytes: string
  readonly ops: ReadonlyArray<DrawOp>
  readonly scrollback: Scrollback
  /** How far the region moved down. */
  readonly shift: number
  readonly brush: Brush
}

interface RegionTask {
  readonly rows: Iterable<number>
  readonly top: number
  readonly erasesWithBackground: boolean
  /** What stands in these rows, where it is known. */
  readonly over: Frame | undefined
}

/** Rows of the region, all or those that changed. */
const drawRegion = (brush: Brush, { frame }: InlineScreen, { rows, top, erasesWithBackground, over }: RegionTask) => {
  const ops: Array<DrawOp> = []
  let bytes = ""
  for (const y of rows) {
    const reach = over === undefined ? frame.columns : markedEnd(over, y)
    const row = rowOps({ frame, y, over: reach, erasesWithBackground })
    bytes += brush.move({ x: 0, y: top + y }) + brush.draw(row, top)
    ops.push(...row)
  }
  return { bytes, ops }
}

/** Rows that the region no longer has. They are on the screen, so going there makes no new ones. */
const drawGone = (brush: Brush, from: number, to: number): string => {
  let bytes = ""
  const erase: ReadonlyArray<DrawOp> = [{ op: "Erase", background: undefined }]
  for (let y = from; y < to; y++) bytes += brush.move({ x: 0, y }) + brush.draw(erase, 0)
  return bytes
}

const isComparable = (shown: Frame | undefined, next: Frame): boolean =>
  shown !== undefined && shown.rows === next.rows && shown.pools === next.pools

const bodyOf = (surface: Surface, next: InlineScreen, caps: Capabilities): Body => {
  const { region } = surface
  const known = isKnown(region, next) ? region : undefined
  const brush = makeBrush(caps, known?.cursor ?? { x: 0, y: 0 })
  const start = known === undefined ? wiped(region, next) : ""
  const history = drawHistory(brush, next, caps, surface.scrollback)
  const { frame } = next
  const over = history.rows === 0 && isComparable(known?.frame, frame) ? known?.frame : undefined
  const rows = over === undefined ? Array(frame.rows).keys() : changedRows(over, frame)
  const drawn = drawRegion(brush, next, {
    rows,
    top: history.rows,
    erasesWithBackground: caps.erasesWithBackground,
    over
  })
  const gone = drawGone(brush, history.rows + frame.rows, known?.frame.rows ?? 0)
  const bytes = start + history.bytes + drawn.bytes + gone
  return { bytes, ops: drawn.ops, scrollback: history.scrollback, shift: history.rows, brush }
}

const sameCursor = (a: Cursor | undefined, b: Cursor): boolean =>
  a !== undefined && a.x === b.x && a.y === b.y && a.visible === b.visible && a.shape === b.shape

interface CursorTask {
  readonly shift: number
  readonly before: Cursor | undefined
  readonly hidden: boolean
  readonly caps: Capabilities
}

const cursorBytes = (brush: Brush, next: Cursor, at: CursorTask): string => {
  const place = brush.settle() + brush.move({ x: next.x, y: next.y + at.shift })
  const shape = at.caps.cursorShape && next.shape !== at.before?.shape ? CURSOR_SHAPES[next.shape] : ""
  const wasVisible = at.hidden ? false : at.before?.visible
  return place + shape + (next.visible === wasVisible ? "" : next.visible ? CURSOR_SHOW : CURSOR_HIDE)
}

/** Painting is shown at once, or at least without the cursor running about. */
const together = (bytes: string, cursor: string, caps: Capabilities): string => {
  if (bytes === "") return cursor
  return caps.syncOutput ? SYNC_BEGIN + bytes + cursor + SYNC_END : CURSOR_HIDE + bytes + cursor
}

/** The cursor as the terminal has it; another mode or another program may have changed it. */
const cursorBefore = (region: Region | undefined, switches: string): Cursor | undefined =>
  region === undefined || region.isStale || switches !== "" ? undefined : region.cursor

const paintInline = (surface: Surface, next: InlineScreen, caps: Capabilities): Painted => {
  const shown: Shown = surface.shown ?? { modes: NO_MODES }
  const { set, reset } = modeChange(shown.modes, next.modes)
  const switches = reset.map(({ leave }) => leave).join("") + set.map(({ enter }) => enter).join("")
  const body = bodyOf(surface, next, caps)
  const around: Array<DrawOp> = []
  diffWindow(shown, next, caps, around)
  const before = cursorBefore(surface.region, switches)
  const hides = body.bytes !== "" && !caps.syncOutput
  const isQuiet = body.bytes === "" && switches === "" && sameCursor(before, next.cursor)
  const placing = { shift: body.shift, before, hidden: hides, caps }
  const cursor = isQuiet ? "" : cursorBytes(body.brush, next.cursor, placing)
  const drawn = together(body.bytes, cursor, caps)
  const { frame, modes, title, progress } = next
  return {
    encode: () => switches + drawn + encode(around, caps),
    surface: {
      shown: { modes, ...(title === undefined ? {} : { title }), ...(progress === undefined ? {} : { progress }) },
      region: { frame, cursor: next.cursor, isStale: false },
      scrollback: body.scrollback
    },
    ops: body.ops.length + around.length,
    cells: cellsWritten(body.ops),
    fullRedraw: !isKnown(surface.region, next)
  }
}

/** A screen of its own. A live region that nobody will come back to goes first. */
const paintFull = (surface: Surface, next: Screen, caps: Capabilities, keepsRegion: boolean): Painted => {
  const ops = diff(surface.shown, next, caps)
  const { region } = surface
  const wipe = keepsRegion || region === undefined ? "" : upRows(region.cursor.y) + WIPE
  return {
    encode: () => wipe + (ops.length === 0 ? "" : encode(ops, caps)),
    surface: { ...surface, shown: next, region: keepsRegion ? region : undefined },
    ops: ops.length,
    cells: cellsWritten(ops),
    fullRedraw: isFullRedraw(surface.shown, next)
  }
}

/** How to make the terminal show the next screen, and what it shows then. */
export const paint = (surface: Surface, next: Screen | InlineScreen, caps: Capabilities): Painted => {
  if (!isInline(next)) return paintFull(surface, next, caps, false)
  const { cover } = next.inline
  return cover === undefined ? paintInline(surface, next, caps) : paintFull(surface, cover, caps, true)
}

interface Left {
  readonly bytes: string
  readonly surface: Surface
}

/** Gives the terminal back: the region goes, all that is finished stays, and the cursor is under it. */
export const leaveSurface = (surface: Surface, next: Screen | InlineScreen, caps: Capabilities): Left => {
  const { shown, region } = surface
  const modes = shown === undefined ? "" : leaveSequence(enterSteps(shown.modes))
  const left: Surface = { ...surface, shown: undefined, region: undefined }
  if (!isInline(next) || region === undefined) return { bytes: modes, surface: left }
  const brush = makeBrush(caps, { x: 0, y: 0 })
  const start = wiped(region, next)
  const history = drawHistory(brush, next, caps, surface.scrollback)
  const end = history.rows === 0 ? "" : brush.settle() + CR + LF
  const words = start + history.bytes + end
  const isBeside = shown?.modes.altScreen === true
  return { bytes: isBeside ? modes + words : words + modes, surface: { ...left, scrollback: history.scrollback } }
}

/** What goes to the terminal beside the cells. */
export const aside = (ops: ReadonlyArray<OutOfBand>, caps: Capabilities): string =>
  ops.length === 0 ? "" : encode(ops, caps)
