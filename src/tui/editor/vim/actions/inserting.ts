/** Ways into insert and replace mode. */
import { bytesBefore } from "../text/bytes.ts"
import { indentEnd, nextColumn, snap } from "../../clusters.ts"
import { beginInsert, openLine } from "../insert/insert-session.ts"
import type { Invocation } from "../state/invocation.ts"
import { findMark } from "../engine/marks.ts"
import { lineAt, moveTo, remember, type Turn } from "../engine/running-command.ts"
import type { Action, ActionTable } from "./action.ts"

const startAt = (column: (text: string, caret: number) => number): Action => ({
  repeats: true,
  run: (turn, { count }) => {
    const { line, column: caret } = turn.vim.cursor
    const placed = moveTo(turn, { line, column: column(lineAt(turn, line), caret) })
    return beginInsert(placed, { kind: "insert", count: count ?? 1 })
  }
})

const open = (offset: 0 | 1): Action => ({
  repeats: true,
  run: (turn, { count }) =>
    beginInsert(openLine(turn, turn.vim.cursor.line + offset), { kind: "insert", count: count ?? 1, opens: true })
})

/** Where insert mode was last left. */
const again = (turn: Turn, { count }: Invocation): Turn => {
  const mark = findMark(turn.vim, "^") ?? turn.vim.cursor
  const line = Math.min(mark.line, turn.vim.buffer.count - 1)
  const invocation = { name: "i", register: undefined, count, argument: "" }
  // What is repeated is an insertion at the caret.
  const known = remember(turn, { repeat: { invocation, strokes: [] } })
  const text = lineAt(turn, line)
  const column = snap(text, mark.column)
  // The mark is a byte: inside of a character it means the place behind that character.
  const isInside = mark.column < text.length && bytesBefore(text, column) < (turn.vim.marks.get("^")?.byte ?? 0)
  const placed = moveTo(known, { line, column: isInside ? nextColumn(text, column) : column })
  return beginInsert(placed, { kind: "insert", count: count ?? 1 })
}

const replace = (turn: Turn, { count }: Invocation): Turn => beginInsert(turn, { kind: "replace", count: count ?? 1 })

export const insertActions: ActionTable = {
  i: startAt((_text, caret) => caret),
  "<Insert>": startAt((_text, caret) => caret),
  a: startAt((text, caret) => nextColumn(text, caret)),
  I: startAt((text) => indentEnd(text)),
  gI: startAt(() => 0),
  A: startAt((text) => text.length),
  o: open(1),
  O: open(0),
  gi: { run: again, repeats: true },
  R: { run: replace, repeats: true }
}
