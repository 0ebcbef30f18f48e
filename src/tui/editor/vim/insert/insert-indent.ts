/** `<C-x><C-t>` and `<C-x><C-d>`: the indent of the line while typing. */
import { columnAtCell, displayWidth, indentEnd } from "../../clusters.ts"
import { makeIndent } from "../text/indent.ts"
import { beginEdit, sessionOf, withSession } from "./insert-session.ts"
import { lineAt, moveTo, setLine, type Turn } from "../engine/running-command.ts"

/** The start of the insertion moves with the text; within the indent it goes to the start of the line. */
const moveStart = (turn: Turn, by: number): Turn => {
  const session = sessionOf(turn)
  if (session === undefined) return turn
  const { start } = session
  const guarded = Math.max(0, session.guarded + by)
  if (start.line !== turn.vim.cursor.line || start.byte === 0) return withSession(turn, { guarded })
  return withSession(turn, { guarded, start: { ...start, byte: Math.max(0, start.byte + by) } })
}

/** In REPLACE the blanks of the new indent replaced nothing, and those that went are no longer remembered. */
const keepReplaced = (turn: Turn, from: number): Turn => {
  const session = sessionOf(turn)
  if (session?.replace !== true) return turn
  const grown = turn.vim.cursor.column - from
  const added = Array.from({ length: Math.max(0, grown) }, () => undefined)
  let kept = session.replaced
  for (let left = -grown; left > 0 && kept.length > 0; left--) {
    const top = kept.at(-1)
    kept = top === undefined ? kept.slice(0, -1) : [...kept.slice(0, -2), (kept.at(-2) ?? "") + top]
  }
  return withSession(turn, { replaced: [...kept, ...added] })
}

/** Shifts the line's indent to the next or previous multiple of the shift width; the caret keeps its character. */
export const shiftIndent =
  (direction: 1 | -1) =>
  (turn: Turn): Turn => {
    const ready = beginEdit(turn)
    const { line, column } = ready.vim.cursor
    const { shiftwidth, tabstop } = ready.vim.options
    const text = lineAt(ready, line)
    const end = indentEnd(text)
    const width = displayWidth(text.slice(0, end), tabstop)
    const steps = direction > 0 ? Math.floor(width / shiftwidth) + 1 : Math.ceil(width / shiftwidth) - 1
    const indent = makeIndent(Math.max(0, steps) * shiftwidth, ready.vim.options)
    const made = indent + text.slice(end)
    const changed = setLine(ready, line, made)
    const by = indent.length - end
    if (column > end) return moveStart(moveTo(changed, { line, column: column + by }), by)
    if (column === end) return moveStart(keepReplaced(moveTo(changed, { line, column: column + by }), column), -Infinity)
    const cell = Math.max(0, displayWidth(text.slice(0, column), tabstop) + displayWidth(indent, tabstop) - width)
    const at = columnAtCell(made, cell, tabstop)
    // A tab in the way is moved aside by blanks.
    const missing = Math.max(0, cell - displayWidth(made.slice(0, at), tabstop))
    const spaced = made.slice(0, at) + " ".repeat(missing) + made.slice(at)
    const padded = missing === 0 ? changed : setLine(changed, line, spaced)
    return moveStart(keepReplaced(moveTo(padded, { line, column: at + missing }), column), -Infinity)
  }
