/** Marks that go along with characters when lines are joined and broken. */
import { FIXED_MARKS } from "./marks.ts"
import type { BytePlace } from "../state/state.ts"
import { type Turn, update } from "./running-command.ts"

/** Where a place went; undefined when it is not among the lines that changed. */
export type Carry = (place: BytePlace) => BytePlace | undefined

/** The ends of the last selection may go elsewhere than marks do. */
export interface Carries {
  readonly marks: Carry
  readonly ends: Carry
}

export const carryMarks = (before: Turn, after: Turn, rule: Carry | Carries): Turn => {
  const { marks: carry, ends } = typeof rule === "function" ? { marks: rule, ends: rule } : rule
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
  const anchor = ends(area.anchor) ?? moved.anchor
  const head = ends(area.head) ?? moved.head
  return update(after, { marks, jumpedOver, memory: { ...vim.memory, visual: { ...moved, anchor, head } } })
}
