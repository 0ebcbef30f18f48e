/** Commands about other commands: repeat, undo, macros, marks. */
import { goToChange } from "../engine/change-list.ts"
import { executeEx } from "../ex/execute.ts"
import type { Invocation } from "../state/invocation.ts"
import { undoLine } from "../engine/line-undo.ts"
import { decodeMacro, encodeMacro } from "../engine/macro.ts"
import { readNamed } from "../engine/register-read.ts"
import { writeRegister } from "../state/register.ts"
import { NO_PLACE } from "../state/state.ts"
import { bytePlace, fail, remember, setMarks, type Turn, update } from "../engine/running-command.ts"
import { runEarlier, runRedo, runUndo } from "../engine/undo.ts"
import type { ActionTable } from "./action.ts"

/** Putting from `"1` again takes the next older deletion. */
const nextRegister = (register: string | undefined): string | undefined =>
  register !== undefined && /^[1-8]$/.test(register) ? String(Number(register) + 1) : register

/** Behind a register the count is read twice: before the repeat and again before the command. */
const repeatCount = ({ count, register }: Invocation): number | undefined =>
  count === undefined || register === undefined ? count : count * count

const repeat = (turn: Turn, asked: Invocation): Turn => {
  const last = turn.vim.memory.repeat
  if (last === undefined) return fail(update(turn, { numbersNext: false }))
  const { visual, count } = last.invocation
  const invocation = {
    ...last.invocation,
    register: nextRegister(last.invocation.register) ?? asked.register,
    count: visual === undefined ? (repeatCount(asked) ?? count) : count
  }
  const done = turn.perform(turn, invocation)
  // A command that could not delete types all the same, but nothing is typed for it.
  return done.vim.mode.name === "insert" && !done.failed ? done.play(done, [...last.strokes, "<Esc>"]) : done
}

const record = (turn: Turn, { argument }: Invocation): Turn => {
  const { recording, registers } = turn.vim
  if (recording !== undefined) {
    const text = encodeMacro(recording.strokes.slice(0, -1))
    const kept = writeRegister(registers, recording.register, text)
    return update(turn, { recording: undefined, registers: { ...kept, unnamed: registers.unnamed } })
  }
  if (!/^[a-zA-Z0-9"]$/.test(argument)) return fail(turn)
  return update(turn, { recording: { register: argument, strokes: [] } })
}

const playEx = (turn: Turn, count: number): Turn => {
  const { ex } = turn.vim.memory
  if (ex === undefined) return fail(turn, "E30: No previous command line")
  let at = turn
  for (let left = count; left > 0 && !at.failed; left--) at = executeEx(at, ex)
  return at
}

const playMacro = (turn: Turn, { argument, count }: Invocation): Turn => {
  const name = argument === "@" ? turn.vim.memory.macro : argument
  if (name === undefined) return fail(turn, "E748: No previously used register")
  const known = remember(turn, { macro: name })
  if (name === ":") return playEx(known, count ?? 1)
  const text = readNamed(turn, name)
  if (text === undefined) return fail(known)
  return { ...known, feed: { strokes: decodeMacro(text), times: count ?? 1 } }
}

/** `m<` and `m>` move an end of the last selection. */
const setEnd = (turn: Turn, end: "anchor" | "head"): Turn => {
  const { buffer, cursor, memory } = turn.vim
  const { visual = { shape: "char", anchor: NO_PLACE, head: NO_PLACE, wanted: undefined } } = memory
  return remember(turn, { visual: { ...visual, [end]: bytePlace(buffer, cursor) } })
}

const setMark = (turn: Turn, { argument }: Invocation): Turn => {
  const name = argument === "`" ? "'" : argument
  if (name === "<" || name === ">") return setEnd(turn, name === "<" ? "anchor" : "head")
  return /^[a-zA-Z'[\]]$/.test(name) ? setMarks(turn, { [name]: turn.vim.cursor }) : fail(turn)
}

export const memoryActions: ActionTable = {
  ".": { run: repeat },
  U: { run: undoLine },
  u: { run: (turn, { count }) => runUndo(turn, count ?? 1) },
  "<C-r>": { run: (turn, { count }) => runRedo(turn, count ?? 1) },
  "g-": { run: (turn, { count }) => runEarlier(turn, -(count ?? 1)) },
  "g+": { run: (turn, { count }) => runEarlier(turn, count ?? 1) }
}

/** These work in visual mode, too. */
export const macroActions: ActionTable = {
  q: { run: record, takes: "char" },
  "@": { run: playMacro, takes: "char" },
  m: { run: setMark, takes: "char" },
  "g;": { run: (turn, { count }) => goToChange(turn, -(count ?? 1)) },
  "g,": { run: (turn, { count }) => goToChange(turn, count ?? 1) }
}
