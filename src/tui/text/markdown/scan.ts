/**
 * Finds the blocks of a Markdown text line by line. A line is decided by the lines before it alone, so a text that
 * grows is never scanned twice, and no block grows without bound: long paragraphs and tables are given out in parts.
 */
import type { SourceLine } from "../source-lines.ts"
import type { Leaf } from "./frame.ts"
import { dropColumns, indentOf, matchFrames } from "./indent.ts"
import { startsLeaf, takeLeafStart, takeSetext, takeTableHead } from "./leaf-start.ts"
import { BLANK, DEFINITION } from "./marks.ts"
import { newFrames } from "./new-frames.ts"
import {
  addTableRow,
  addToParagraph,
  closeOpen,
  type Cursor,
  emit,
  type ScanState,
  trimBlanks,
  type Work
} from "./open-leaf.ts"
import { takeVerbatim } from "./verbatim.ts"

const takeBlank = (work: Work, line: SourceLine, matched: number): void => {
  closeOpen(work)
  const quote = work.frames.findIndex((frame, index) => index >= matched && frame.kind === "quote")
  if (quote >= 0) work.frames = work.frames.slice(0, quote)
  const frames = work.frames.slice(0, matched)
  work.blank = { start: work.blank?.start ?? line.start, end: line.end, frames: work.blank?.frames ?? frames }
}

const takeText = (work: Work, cursor: Cursor, fresh: number): void => {
  const { rest, at, line } = cursor
  const place = { fresh, start: line.start, end: line.end }
  const { open } = work
  if (open?.kind === "table") return addTableRow(work, open, { text: rest, at, end: line.end })
  if (open?.kind === "paragraph") return addToParagraph(work, trimBlanks(rest, at, line.end), line.start)
  if (BLANK.test(rest)) return emit(work, { kind: "empty", ...place })
  if (indentOf(rest) >= 4) {
    const dropped = dropColumns(rest, 4)
    return emit(work, {
      kind: "code",
      fenced: false,
      line: { text: rest.slice(dropped), at: at + dropped, end: line.end },
      ...place
    })
  }
  const definition = DEFINITION.exec(rest)
  if (definition?.[1] !== undefined && definition[2] !== undefined) {
    const body = { label: definition[1], href: definition[2], line: trimBlanks(rest, at, line.end) }
    return emit(work, { kind: "definition", ...body, ...place })
  }
  work.open = { kind: "paragraph", lines: [], fresh, start: line.start, size: 0 }
  addToParagraph(work, trimBlanks(rest, at, line.end), line.start)
}

const takeContent = (work: Work, cursor: Cursor, matched: number): void => {
  const whole = matched === work.frames.length
  const inParagraph = work.open?.kind === "paragraph"
  if (whole && (takeTableHead(work, cursor) || takeSetext(work, cursor))) return
  const added = newFrames(cursor, inParagraph && whole)
  const lazy = inParagraph && !whole && added.length === 0 && !startsLeaf(cursor.rest)
  if (!lazy && (!whole || added.length > 0)) {
    closeOpen(work)
    work.frames = [...work.frames.slice(0, matched), ...added]
  }
  const fresh = lazy || added.length === 0 ? work.frames.length : matched
  if (lazy || !takeLeafStart(work, cursor, fresh)) takeText(work, cursor, fresh)
}

export interface Scanned {
  readonly state: ScanState
  readonly leaves: ReadonlyArray<Leaf>
}

const done = ({ frames, open, blank, started, leaves }: Work): Scanned => ({
  state: { frames, open, blank, started },
  leaves
})

/** Takes in one line. A line that was cut goes on as text where the cut left off. */
export const scanLine = (state: ScanState, line: SourceLine, continuesLine: boolean): Scanned => {
  const work: Work = { ...state, leaves: [] }
  if (continuesLine && state.open?.kind !== "fence" && state.open?.kind !== "html") {
    if (state.open?.kind !== "paragraph") closeOpen(work)
    addToParagraph(work, { text: line.text, at: line.start, end: line.end }, line.start)
    return done(work)
  }
  const cursor: Cursor = { rest: line.text, at: line.start, line }
  const { matched, dropped } = matchFrames(state.frames, line.text)
  cursor.rest = line.text.slice(dropped)
  cursor.at += dropped
  if (takeVerbatim(work, cursor, matched)) return done(work)
  if (BLANK.test(cursor.rest)) takeBlank(work, line, matched)
  else takeContent(work, cursor, matched)
  return done(work)
}

/** What is still open when no more will come. */
export const scanEnd = (state: ScanState): Scanned => {
  const work: Work = { ...state, leaves: [] }
  closeOpen(work)
  return done(work)
}
