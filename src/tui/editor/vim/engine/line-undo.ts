/** `U`: the line that was changed last becomes again what it was before the caret came to change it. */
import { bytesBefore, columnAtByte } from "../text/bytes.ts"
import { clamp, fail, lineAt, moveTo, setLine, type Turn, update } from "./running-command.ts"

export const undoLine = (turn: Turn): Turn => {
  const { buffer, cursor, lineUndo } = turn.vim
  if (lineUndo === undefined || lineUndo.line >= buffer.count) return fail(turn)
  const { line, text } = lineUndo
  const old = lineAt(turn, line)
  const byte = cursor.line === line ? bytesBefore(old, cursor.column) : lineUndo.byte
  const restored = update(setLine(turn, line, text, 0), { lineUndo: { line, text: old, byte } })
  return clamp(moveTo(restored, { line, column: columnAtByte(text, lineUndo.byte) }))
}
