/** Marks: named places that move with the lines they stand on. */
import type { Change } from "../editor/change.ts"
import type { Position } from "../editor/lines.ts"
import type { VimState } from "./state.ts"

export type Marks = ReadonlyMap<string, Position>

/** These follow commands rather than text and are never lost with a line. */
const STICKY = "[]'"

/**
 * Where an end of a selection goes when lines change. On lines that were deleted it stays, even behind the text's end;
 * on lines that became fewer it goes to the last of them.
 */
export const shiftPosition = (position: Position, { line, removed, inserted }: Change): Position => {
  const by = inserted.length - removed.length
  if (by === 0 || position.line < line) return position
  if (position.line >= line + removed.length) return { ...position, line: position.line + by }
  return inserted.length === 0 ? position : { ...position, line: Math.min(position.line, line + inserted.length - 1) }
}

/** Marks on lines that went away go with them; those below move up or down. */
export const shiftMarks = (marks: Marks, change: Change): Marks => {
  const removed = change.removed.length
  const inserted = change.inserted.length
  if (removed === inserted || marks.size === 0) return marks
  const kept = change.line + Math.min(removed, inserted)
  const below = change.line + removed
  const moved = new Map<string, Position>()
  for (const [name, mark] of marks) {
    if (mark.line >= below) moved.set(name, { ...mark, line: mark.line + inserted - removed })
    else if (mark.line < kept) moved.set(name, mark)
    else if (STICKY.includes(name)) moved.set(name, { ...mark, line: Math.max(0, Math.min(mark.line, change.line)) })
  }
  return moved
}

/** A mark by name; `<` and `>` are the ends of the last selection. */
export const findMark = (vim: VimState, name: string): Position | undefined => {
  const { visual } = vim.memory
  if (name === "`") return vim.marks.get("'") ?? { line: 0, column: 0 }
  if (name === "'") return vim.marks.get("'") ?? { line: 0, column: 0 }
  if (name !== "<" && name !== ">") return vim.marks.get(name)
  if (visual === undefined) return undefined
  const [first, last] = [visual.anchor, visual.head].toSorted((a, b) => a.line - b.line || a.column - b.column)
  const mark = name === "<" ? first : last
  if (mark === undefined || visual.shape !== "line") return mark
  return name === "<" ? { line: mark.line, column: 0 } : { line: mark.line, column: vim.buffer.at(mark.line).length }
}
