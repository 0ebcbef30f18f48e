/** The block that further lines may belong to, and how leaves are given out. */
import type { SourceLine } from "../source-lines.ts"
import type { Alignment, Fragment, Frame, Leaf } from "./frame.ts"

export type OpenLeaf =
  | {
      readonly kind: "paragraph"
      readonly lines: ReadonlyArray<Fragment>
      readonly fresh: number
      readonly start: number
      readonly size: number
    }
  | {
      readonly kind: "table"
      readonly align: ReadonlyArray<Alignment>
      readonly lines: ReadonlyArray<Fragment>
      readonly fresh: number
      readonly start: number
      readonly continued: boolean
    }
  | { readonly kind: "fence"; readonly mark: string; readonly indent: number; readonly depth: number }
  | { readonly kind: "html"; readonly end: RegExp; readonly depth: number }

export interface ScanState {
  readonly frames: ReadonlyArray<Frame>
  readonly open: OpenLeaf | undefined
  /** Blank lines that become a row when something follows. */
  readonly blank: { readonly start: number; readonly end: number; readonly frames: ReadonlyArray<Frame> } | undefined
  readonly started: boolean
}

export const SCAN_START: ScanState = { frames: [], open: undefined, blank: undefined, started: false }

/** Characters and lines after which an open block is given out as it is. */
const PARAGRAPH_LIMIT = 2_048
const TABLE_LIMIT = 100

/** The state while a line is taken in. */
export interface Work {
  frames: ReadonlyArray<Frame>
  open: OpenLeaf | undefined
  blank: ScanState["blank"]
  started: boolean
  readonly leaves: Array<Leaf>
}

type LeafBody<L = Leaf> = L extends Leaf ? Omit<L, "frames"> : never

export const emit = (work: Work, body: LeafBody): void => {
  const start = work.blank !== undefined && !work.started ? work.blank.start : body.start
  if (work.blank !== undefined && work.started) {
    const { start, end, frames } = work.blank
    work.leaves.push({ kind: "blank", frames, fresh: frames.length, start, end })
  }
  work.blank = undefined
  work.started = true
  work.leaves.push({ ...body, start, frames: work.frames })
}

export const endOf = (lines: ReadonlyArray<Fragment>, fallback: number): number => lines.at(-1)?.end ?? fallback

export const closeOpen = (work: Work): void => {
  const { open } = work
  work.open = undefined
  if (open?.kind === "paragraph" && open.lines.length > 0) {
    const { lines, fresh, start } = open
    emit(work, { kind: "paragraph", lines, fresh, start, end: endOf(lines, start) })
  } else if (open?.kind === "table" && open.lines.length > 0) {
    emit(work, { ...open, end: endOf(open.lines, open.start) })
  }
}

export const addToParagraph = (work: Work, line: Fragment, start: number): void => {
  const open: OpenLeaf =
    work.open?.kind === "paragraph" ? work.open : { kind: "paragraph", lines: [], fresh: work.frames.length, start, size: 0 }
  const size = open.size + (line.end - line.at)
  work.open = { ...open, start: open.lines.length === 0 ? start : open.start, lines: [...open.lines, line], size }
  if (size > PARAGRAPH_LIMIT) {
    closeOpen(work)
    work.open = { kind: "paragraph", lines: [], fresh: work.frames.length, start: line.end, size: 0 }
  }
}

export const addTableRow = (work: Work, open: OpenLeaf & { kind: "table" }, line: Fragment): void => {
  const lines = [...open.lines, line]
  work.open = { ...open, lines, start: open.lines.length === 0 ? line.at : open.start }
  if (lines.length < TABLE_LIMIT) return
  closeOpen(work)
  work.open = { ...open, lines: [], fresh: work.frames.length, start: line.end, continued: true }
}

/** Text without the blanks around it, which Markdown does not show. */
export const trimBlanks = (text: string, at: number, end: number): Fragment => {
  const lead = text.length - text.trimStart().length
  return { text: text.trim(), at: at + lead, end }
}

/** What is left of a line behind the marks that were read. */
export interface Cursor {
  rest: string
  at: number
  readonly line: SourceLine
}
