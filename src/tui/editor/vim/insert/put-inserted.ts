/** Putting the register `.`: what was typed last is typed again, so it is an insertion and no put. */
import { nextColumn } from "../../clusters.ts"
import { clamp, fail, lineAt, moveTo, setMarks, type Turn } from "../engine/running-command.ts"

interface Typing {
  readonly after: boolean
  readonly count: number
  /** The caret goes one further. */
  readonly leap: boolean
}

export const typeAgain = (asked: Turn, { after, count, leap }: Typing): Turn => {
  const { cursor, memory } = asked.vim
  const turn = setMarks(asked, { "[": cursor, "]": cursor })
  if (memory.typed === undefined) return fail(turn, "E29: No inserted text yet")
  const strokes = Array.from({ length: count }, () => memory.typed ?? []).flat()
  const begun = turn.perform(turn, { name: after ? "a" : "i", register: undefined, count: undefined, argument: "" })
  const typed = begun.play(begun, [...strokes, "<Esc>"])
  if (!leap || lineAt(asked, cursor.line) === "") return typed
  const { line, column } = typed.vim.cursor
  return clamp(moveTo(typed, { line, column: nextColumn(lineAt(typed, line), column) }))
}
