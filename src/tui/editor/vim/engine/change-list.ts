/** The places of past changes, for `g;` and `g,`. */
import { positionOf } from "./marks.ts"
import type { BytePlace, VimState } from "../state/state.ts"
import { clamp, fail, moveTo, type Turn, update } from "./running-command.ts"

const MOST_CHANGES = 100
/** Changes of a line that are nearer than this are one, where no text width says otherwise. */
const NEAR_BYTES = 79

const isFar = (vim: VimState, a: BytePlace, b: BytePlace): boolean =>
  a.line !== b.line || Math.abs(a.byte - b.byte) > (vim.options.textwidth || NEAR_BYTES)

/** Where a command changed the text is the newest place; of one undo step only the last is kept. */
export const noteChange = (before: Turn, after: Turn): Turn => {
  const { vim } = after
  const isNew = vim.changes.isNew || (vim.open !== undefined && before.vim.open === undefined)
  const changed = vim.marks.get(".")
  if (changed === undefined || changed === before.vim.marks.get(".")) {
    return isNew === vim.changes.isNew ? after : update(after, { changes: { ...vim.changes, isNew } })
  }
  const { places } = vim.changes
  const last = places.at(-1)
  const adds = last === undefined || (isNew && isFar(vim, last, changed))
  const kept = adds ? places.slice(1 - MOST_CHANGES) : places.slice(0, -1)
  const noted = [...kept, changed]
  return update(after, { changes: { places: noted, at: noted.length, isNew: isNew && !adds } })
}

/** Goes so many changes back or ahead, as far as there are any. */
export const goToChange = (turn: Turn, by: number): Turn => {
  const { places, at } = turn.vim.changes
  if (places.length === 0) return fail(turn, "E664: Changelist is empty")
  const wanted = Math.max(0, Math.min(at + by, places.length - 1))
  const place = places[wanted]
  if (place === undefined || (at + by !== wanted && wanted === at)) {
    return fail(turn, by < 0 ? "E662: At start of changelist" : "E663: At end of changelist")
  }
  const moved = update(turn, { changes: { ...turn.vim.changes, at: wanted } })
  if (place.line >= turn.vim.buffer.count) return fail(moved, "E19: Mark has invalid line number")
  return clamp(moveTo(moved, positionOf(turn.vim, place)))
}
