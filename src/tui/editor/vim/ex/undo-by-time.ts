/** `:undo :redo :earlier :later`: to a numbered change, or so many changes or so much time away. */
import { fail, type Turn } from "../engine/running-command.ts"
import { closeStep, runEarlier, runTravel, runUndo } from "../engine/undo.ts"
import type { Addresses } from "./range.ts"

/** A number behind or before `:u` is that of a change. */
export const undoBy = (turn: Turn, argument: string, { count, range }: Addresses): Turn => {
  if (/\d/.test(argument)) return runTravel(turn, Number(argument))
  return count === 1 && range !== undefined ? runTravel(turn, range.last + 1) : runUndo(turn, 1)
}

const MS_OF: ReadonlyMap<string, number> = new Map([
  ["s", 1000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000]
])

/** The last change that was made by then; 0 is the text at the beginning. */
const changeAt = (turn: Turn, byMs: number): number => {
  const { steps, clock } = turn.vim.history
  const from = steps.get(clock)?.time ?? turn.context.now
  return Math.max(0, ...[...steps.values()].filter(({ time }) => time <= from + byMs).map(({ id }) => id))
}

export const travelBy = (asked: Turn, argument: string, sign: 1 | -1): Turn => {
  const match = /^\s*(?:(\d+)([smhdf]?))?\s*$/.exec(argument)
  if (match === null) return fail(asked, `E475: Invalid argument: ${argument.trim()}`)
  const [, digits = "1", unit] = match
  const size = sign * Number(digits)
  if (unit === undefined || unit === "") return runEarlier(asked, size)
  const turn = closeStep(asked)
  // A prompt is never written to a file: before that is its beginning, after it the newest text.
  if (unit === "f") return runTravel(turn, sign < 0 ? 0 : turn.vim.history.newest)
  return runTravel(turn, changeAt(turn, size * (MS_OF.get(unit) ?? 0)))
}
