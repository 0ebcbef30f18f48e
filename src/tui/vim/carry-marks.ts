/** Marks that go along with characters when lines are joined and broken. */
import type { Position } from "../editor/lines.ts"
import { bytesBefore, columnAtByte } from "./bytes.ts"
import { FIXED_MARKS } from "./marks.ts"
import type { BytePlace, VimState } from "./state.ts"
import { type Turn, update } from "./turn.ts"

/** Where a place went; undefined when it is not among the lines that changed. */
export type Carry = (place: BytePlace) => BytePlace | undefined

interface CarriedEnd {
  readonly end: Position
  readonly moved: Position
  readonly carry: Carry
}

const carryEnd = (before: VimState, after: VimState, rule: CarriedEnd): Position => {
  const { line, column } = rule.end
  const place = rule.carry({ line, byte: bytesBefore(before.buffer.at(line), column) })
  return place === undefined
    ? rule.moved
    : { line: place.line, column: columnAtByte(after.buffer.at(place.line), place.byte) }
}

export const carryMarks = (before: Turn, after: Turn, carry: Carry): Turn => {
  const { vim: old } = before
  const { vim } = after
  const marks = new Map(vim.marks)
  for (const [name, mark] of old.marks) {
    const place = FIXED_MARKS.includes(name) ? undefined : carry(mark)
    if (place !== undefined) marks.set(name, place)
  }
  const jumpedOver = (old.jumpedOver && carry(old.jumpedOver)) ?? vim.jumpedOver
  const area = old.memory.visual
  const moved = vim.memory.visual
  if (area === undefined || moved === undefined) return update(after, { marks, jumpedOver })
  const anchor = carryEnd(old, vim, { end: area.anchor, moved: moved.anchor, carry })
  const head = carryEnd(old, vim, { end: area.head, moved: moved.head, carry })
  return update(after, { marks, jumpedOver, memory: { ...vim.memory, visual: { ...moved, anchor, head } } })
}
