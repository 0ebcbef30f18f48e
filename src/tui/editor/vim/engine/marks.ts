/** Marks: named places that move with the lines they stand on. Their columns are bytes, as in vim. */
import type { Change } from "../../change.ts"
import type { Position } from "../../lines.ts"
import { columnAtByte } from "../text/bytes.ts"
import { paragraphBorder, sentenceBorder } from "../motions/blocks.ts"
import { type BytePlace, type ChangeList, NO_PLACE, type VimState } from "../state/state.ts"

export type Marks = ReadonlyMap<string, BytePlace>

/** These follow commands rather than text: they stay where they are. */
export const FIXED_MARKS = "[]"

/**
 * Where an end of a selection goes when lines change. From lines that were deleted it goes to where they were, even
 * behind the text's end; on lines that became fewer it goes to the last of them.
 */
export const shiftEnd = (end: BytePlace, { line, removed, inserted }: Change): BytePlace => {
  const by = inserted.length - removed.length
  if (by === 0 || end.line < line) return end
  if (end.line >= line + removed.length) return { ...end, line: end.line + by }
  const last = Math.max(line, line + inserted.length - 1)
  return { ...end, line: Math.min(end.line, last) }
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

/** Where the place of a past change goes: from lines that went away to the line before them. */
const shiftPastChange = (place: BytePlace, { line, removed, inserted }: Change): BytePlace => {
  if (place.line < line + inserted.length) return place
  if (place.line >= line + removed.length) return { ...place, line: place.line + inserted.length - removed.length }
  return { ...place, line: Math.max(0, line + inserted.length - 1) }
}

export const shiftChanges = (list: ChangeList, change: Change): ChangeList =>
  change.removed.length === change.inserted.length || list.places.length === 0
    ? list
    : { ...list, places: list.places.map((place) => shiftPastChange(place, change)) }

export const positionOf = ({ buffer }: VimState, { line, byte }: BytePlace): Position => ({
  line,
  column: columnAtByte(buffer.at(line), byte)
})

/** A mark by name; `<` and `>` are the ends of the last selection, brackets the borders around the caret. */
export const findMark = (vim: VimState, name: string): Position | undefined => {
  const { visual } = vim.memory
  if (name === "(" || name === ")") return sentenceBorder(vim.buffer, vim.cursor, name === ")")
  if (name === "{" || name === "}") return paragraphBorder(vim.buffer, vim.cursor, name === "}")
  if (name !== "<" && name !== ">") {
    const mark = vim.marks.get(name === "`" ? "'" : name)
    return mark && positionOf(vim, mark)
  }
  if (visual === undefined) return undefined
  const [first, last] = [visual.anchor, visual.head].toSorted((a, b) => a.line - b.line || a.byte - b.byte)
  const wanted = name === "<" ? first : last
  // Where only one end is set it is both.
  const mark = wanted?.line === NO_PLACE.line ? last : wanted
  if (mark === undefined || mark.line === NO_PLACE.line) return undefined
  if (visual.shape !== "line") return positionOf(vim, mark)
  return name === "<" ? { line: mark.line, column: 0 } : { line: mark.line, column: vim.buffer.at(mark.line).length }
}
