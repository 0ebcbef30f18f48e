/** Undo, redo and travelling in time, with the caret where vim puts it. */
import { isEmpty } from "../../buffer.ts"
import { applyChanges, type Change, changesIn } from "../../change.ts"
import { record, redo, type Travel, travelTo, undo } from "../../history.ts"
import type { Position } from "../../lines.ts"
import { columnAtByte } from "../text/bytes.ts"
import { shiftGlobalLines } from "../state/global-lines.ts"
import { shiftMark, shiftMarks } from "./marks.ts"
import type { BytePlace } from "../state/state.ts"
import { currentCell } from "./motion-request.ts"
import { clamp, fail, lineStart, noteJump, showMessage, type Turn, update } from "./running-command.ts"

/** Closes the changes made so far into one undo step. */
export const closeStep = (turn: Turn): Turn => {
  const { open, cursor, undoMarks } = turn.vim
  if (open === undefined) return turn
  const edit = { changes: changesIn(open.changes), before: open.before, after: cursor, time: turn.context.now }
  const history = record(turn.vim.history, edit)
  const kept = undoMarks.size > history.steps.size ? [...undoMarks].filter(([id]) => history.steps.has(id)) : undoMarks
  return update(turn, { open: undefined, history, undoMarks: new Map(kept).set(history.current, open.marks) })
}

/** The line to show for one change: the caret's own when it is near, else the first line that really differs. */
const lineOfChange = (change: Change, before: Position): { line: number; saved: boolean } | undefined => {
  const { line, removed, inserted } = change
  if (before.line >= line - 1 && before.line <= line + inserted.length) return { line: before.line, saved: true }
  let same = 0
  while (same < removed.length && same < inserted.length && removed[same] === inserted[same]) same++
  if (same < inserted.length) return { line: line + same, saved: false }
  return undefined
}

const caretAfter = (turn: Turn, travel: Travel): Position => {
  const { before } = travel.step
  let top = Infinity
  let line: number | undefined
  for (const [index, change] of travel.changes.entries()) {
    if (change.line - 1 >= top) continue
    const found = lineOfChange(change, before)
    const isOnly = line === undefined && index === travel.changes.length - 1
    if (found !== undefined) line = found.line
    else if (isOnly) line = change.line
    else continue
    top = line - 1
  }
  let at = Math.min(line ?? before.line, turn.vim.buffer.count - 1)
  if (before.line + 1 === at && at > 0) at--
  if (at === before.line) {
    const text = turn.vim.buffer.at(at)
    return { line: at, column: before.byte === undefined ? before.column : columnAtByte(text, before.byte) }
  }
  return lineStart(turn, at)
}

/** The first and last line that a travel changes, for the marks `[` and `]`. */
const linesTouched = (turn: Turn, travel: Travel): { first: number; last: number } => {
  let first = turn.vim.buffer.count - 1
  let last = -1
  for (const { line, removed, inserted } of travel.changes) {
    const by = inserted.length - removed.length
    if (first >= line + removed.length) first += by
    if (last >= line + removed.length) last += by
    first = Math.min(first, line)
    last = Math.max(last, inserted.length === 0 ? line : line + inserted.length - 1)
  }
  return { first, last: Math.max(last, 0) }
}

/** Named marks and the last selection as they were before the step; what they were now is kept for the way back. */
const swapMarks = (turn: Turn, step: number, wasEmptied: boolean): Turn => {
  const { buffer, marks, memory, undoMarks } = turn.vim
  const before = undoMarks.get(step)
  if (before === undefined) return turn
  const named = new Map([...marks].filter(([name]) => /^[a-z]$/.test(name)))
  const visual = before.visual ?? memory.visual
  const kept = { named, visual: before.visual === undefined ? undefined : memory.visual, emptied: wasEmptied }
  return update(turn, {
    emptied: before.emptied && isEmpty(buffer),
    marks: new Map([...marks, ...before.named]),
    memory: visual === undefined ? memory : { ...memory, visual },
    undoMarks: new Map(undoMarks).set(step, kept)
  })
}

const apply = (asked: Turn, travel: Travel): Turn => {
  const turn = noteJump(asked)
  const buffer = applyChanges(turn.vim.buffer, travel.changes)
  let { marks, jumpedOver, globalLines } = turn.vim
  for (const change of travel.changes) {
    // Where the number of lines changes, every mark on them goes; else they stay.
    if (change.removed.length === change.inserted.length) continue
    const cut = [
      { ...change, inserted: [] },
      { ...change, removed: [] }
    ]
    marks = cut.reduce(shiftMarks, marks)
    globalLines = cut.reduce(shiftGlobalLines, globalLines)
    jumpedOver = cut.reduce<BytePlace | undefined>((mark, each) => mark && shiftMark(mark, each), jumpedOver)
  }
  const changed = travel.changes.at(-1)?.line ?? travel.step.before.line
  const { first, last } = linesTouched(turn, travel)
  const starts = { "[": first, "]": last, ".": changed }
  const ends = Object.entries(starts).map(([name, line]) => [name, { line, byte: 0 }] as const)
  const parts = { buffer, jumpedOver, globalLines, emptied: false, marks: new Map([...marks, ...ends]) }
  const applied = swapMarks(update(turn, parts), travel.step.id, turn.vim.emptied)
  return clamp(update(applied, { cursor: caretAfter(applied, travel), wanted: undefined }))
}

const repeated = (turn: Turn, count: number, once: (turn: Turn) => Turn | undefined): Turn => {
  let at = turn
  for (let left = count; left > 0; left--) {
    const next = once(at)
    if (next === undefined) return fail(update(at, { wanted: undefined }))
    at = next
  }
  return at
}

/** In a macro, before the step it began is closed, undo goes back one step whatever the count. */
export const runUndo = (turn: Turn, count: number): Turn =>
  repeated(closeStep(turn), turn.vim.open === undefined ? count : 1, (at) => {
    const back = undo(at.vim.history)
    return back && apply(update(at, { history: back.history }), back.travel)
  })

export const runRedo = (turn: Turn, count: number): Turn =>
  repeated(closeStep(turn), count, (at) => {
    const ahead = redo(at.vim.history)
    return ahead && apply(update(at, { history: ahead.history }), ahead.travel)
  })

/** Goes to the text after a numbered change. */
export const runTravel = (turn: Turn, target: number): Turn => {
  const closed = closeStep(turn)
  const way = travelTo(closed.vim.history, target)
  if (way === undefined) return fail(closed, `E830: Undo number ${target} not found`)
  return way.travels.reduce(apply, update(closed, { history: way.history }))
}

/** `g-` and `g+`: one change earlier or later in time, whatever the branch. */
export const runEarlier = (turn: Turn, by: number): Turn => {
  const { history } = closeStep(turn).vim
  const target = Math.max(0, Math.min(history.clock + by, history.newest))
  if (target === history.clock && history.current === target) {
    return showMessage(closeStep(turn), by < 0 ? "Already at oldest change" : "Already at newest change")
  }
  // Unlike undo this keeps the column for moving up and down, unless the caret goes to the start of a line.
  const wanted = turn.vim.wanted ?? currentCell(turn.vim)
  const travelled = runTravel(turn, target)
  const { before } = history.steps.get(by < 0 ? target + 1 : target) ?? {}
  return before?.line === travelled.vim.cursor.line ? update(travelled, { wanted }) : travelled
}
