/** Marks: named places that move with the lines they stand on. Their columns are bytes, as in vim. */
import type { Change } from "../editor/change.ts"
import type { Position } from "../editor/lines.ts"
import { columnAtByte } from "./bytes.ts"
import type { BytePlace, VimState } from "./state.ts"

export type Marks = ReadonlyMap<string, BytePlace>

/** These follow commands rather than text: they stay where they are. */
export const FIXED_MARKS = "[]"

/**
 * Where an end of a selection goes when lines change. From lines that were deleted it goes to where they were, even
 * behind the text's end; on lines that became fewer it goes to the last of them.
 */
export const shiftPosition = (position: Position, { line, removed, inserted }: Change): Position => {
  const by = inserted.length - removed.length
  if (by === 0 || position.line < line) return position
  if (position.line >= line + removed.length) return { ...position, line: position.line + by }
  const last = Math.max(line, line + inserted.length - 1)
  return { ...position, line: Math.min(position.line, last) }
}

/** Where a mark goes when lines change; undefined when its line went away. */
export const shiftMark = (mark: BytePlace, { line, removed, inserted }: Change): BytePlace | undefined => {
  if (removed.length === inserted.length || mark.line < line) return mark
  if (mark.line >= line + removed.length) return { ...mark, line: mark.line + inserted.length - removed.length }
  return mark.line < line + inserted.length ? mark : undefined
}

export const shiftMarks = (marks: Marks, change: Change): Marks => {
  if (change.removed.length === change.inserted.length || marks.size === 0) return marks
  const moved = new Map<string, BytePlace>()
  for (const [name, mark] of marks) {
    const shifted = FIXED_MARKS.includes(name) ? mark : shiftMark(mark, change)
    if (shifted !== undefined) moved.set(name, shifted)
  }
  return moved
}

const placeOfMark = (vim: VimState, name: string): Position | undefined => {
  const mark = vim.marks.get(name)
  return mark && { line: mark.line, column: columnAtByte(vim.buffer.at(mark.line), mark.byte) }
}

/** A mark by name; `<` and `>` are the ends of the last selection. */
export const findMark = (vim: VimState, name: string): Position | undefined => {
  const { visual } = vim.memory
  if (name !== "<" && name !== ">") return placeOfMark(vim, name === "`" ? "'" : name)
  if (visual === undefined) return undefined
  const [first, last] = [visual.anchor, visual.head].toSorted((a, b) => a.line - b.line || a.column - b.column)
  const mark = name === "<" ? first : last
  if (mark === undefined || visual.shape !== "line") return mark
  return name === "<" ? { line: mark.line, column: 0 } : { line: mark.line, column: vim.buffer.at(mark.line).length }
}
