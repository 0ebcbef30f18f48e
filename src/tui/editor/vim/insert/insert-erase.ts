/** Erasing in insert and replace mode: `<BS> <C-w> <C-u> <Del>`. */
import { isEmpty } from "../../buffer.ts"
import { bytesBefore, byteLength } from "../text/bytes.ts"
import { charClass } from "../text/char-class.ts"
import { clusterAt, nextColumn, previousColumn } from "../../clusters.ts"
import { beginEdit, sessionOf, withSession } from "./insert-session.ts"
import type { InsertSession } from "../state/state.ts"
import { emit, lineAt, moveTo, replaceSpan, setLine, setMarks, type Turn } from "../engine/running-command.ts"

/** A key that can do nothing here; unlike a failed command it does not stop a macro. */
export const beep = (turn: Turn): Turn => emit(turn, { _tag: "Bell" })

/** Whether nothing may be erased: at the start of the text, or before what was typed where the options forbid it. */
const isBound = (turn: Turn, { moved, origin, guarded }: InsertSession): boolean => {
  const { buffer, cursor, options } = turn.vim
  const { line, column } = cursor
  if (isEmpty(buffer) || (line === 0 && column === 0)) return true
  if (options.backspace === "all") return false
  const byte = bytesBefore(buffer.at(line), column)
  return moved || byte <= guarded || (line === origin.line && byte <= origin.byte)
}

const removeBefore = (turn: Turn, from: number): Turn => {
  const { line, column } = turn.vim.cursor
  const text = lineAt(turn, line)
  return moveTo(setLine(turn, line, text.slice(0, from) + text.slice(column), from), { line, column: from })
}

/** In REPLACE the character before the caret becomes again what it was; before the insertion the caret only moves. */
const putBack = (turn: Turn, session: InsertSession, from: number): Turn => {
  const { line, column } = turn.vim.cursor
  const moved = moveTo(turn, { line, column: from })
  if (session.replaced.length === 0) return moved
  const text = lineAt(turn, line)
  const old = session.replaced.at(-1) ?? ""
  const restored = setLine(moved, line, text.slice(0, from) + old + text.slice(column))
  return withSession(restored, { replaced: session.replaced.slice(0, -1) })
}

const joinLine = (turn: Turn): Turn => {
  const { line } = turn.vim.cursor
  const before = lineAt(turn, line - 1)
  const joined = replaceSpan(turn, { line: line - 1, count: 2 }, [before + lineAt(turn, line)])
  return moveTo(setMarks(joined, { ".": { line, column: 0 } }), { line: line - 1, column: before.length })
}

/** At the start of a line the line break goes; REPLACE keeps those that were there before it. */
const eraseBreak = (turn: Turn, session: InsertSession): Turn => {
  const { line } = turn.vim.cursor
  const before = lineAt(turn, line - 1)
  const { start } = session
  const bound = start.line === line ? { start: { line: line - 1, byte: byteLength(before) } } : {}
  const popped = withSession(turn, { ...bound, replaced: session.replaced.slice(0, -1) })
  if (session.replace && line <= start.line) return moveTo(popped, { line: line - 1, column: before.length })
  return joinLine(popped)
}

type Reach = "character" | "word" | "line"

/** Erases one character after the other up to the start of a word or of the line, or to where the typing began. */
const eraseWithin = (turn: Turn, reach: Reach): Turn => {
  let at = turn
  let kind: number | undefined
  for (let session = sessionOf(at); session !== undefined; session = sessionOf(at)) {
    const { line, column } = at.vim.cursor
    const text = lineAt(at, line)
    const from = previousColumn(text, column)
    const under = charClass(clusterAt(text, from), false)
    if (kind !== undefined && under !== kind) break
    if (reach === "word" && under !== 0) kind = under
    at = session.replace ? putBack(at, session, from) : removeBefore(at, from)
    const { origin } = session
    const isOrigin = line === origin.line && bytesBefore(lineAt(at, line), from) === origin.byte
    if (reach === "character" || from === 0 || isOrigin) break
  }
  return at
}

/** What was erased before the start of the typing moves that start. */
const pullOrigin = (turn: Turn): Turn => {
  const { line, column } = turn.vim.cursor
  const origin = sessionOf(turn)?.origin
  const byte = bytesBefore(lineAt(turn, line), column)
  return origin?.line === line && byte < origin.byte ? withSession(turn, { origin: { line, byte } }) : turn
}

/** Undefined when the key is refused. */
export const erase =
  (reach: Reach) =>
  (turn: Turn, session: InsertSession): Turn | undefined => {
    if (isBound(turn, session)) return undefined
    const ready = beginEdit(turn)
    const begun = sessionOf(ready) ?? session
    return pullOrigin(ready.vim.cursor.column === 0 ? eraseBreak(ready, begun) : eraseWithin(ready, reach))
  }

export const deleteAhead = (turn: Turn): Turn => {
  const ready = beginEdit(turn)
  const { line, column } = ready.vim.cursor
  const text = lineAt(ready, line)
  if (column < text.length) return setLine(ready, line, text.slice(0, column) + text.slice(nextColumn(text, column)))
  if (line + 1 >= ready.vim.buffer.count || ready.vim.options.backspace === "none") return beep(ready)
  const joined = replaceSpan(ready, { line, count: 2 }, [text + lineAt(ready, line + 1)])
  return setMarks(joined, { ".": { line: line + 1, column: 0 } })
}
