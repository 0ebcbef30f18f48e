/** Putting over a selection: what was selected is deleted, and the register takes its place. */
import { bytesBefore } from "../text/bytes.ts"
import type { Invocation } from "../state/invocation.ts"
import { deleteOperator } from "./delete.ts"
import { putText } from "../engine/put.ts"
import { typeAgain } from "../insert/put-inserted.ts"
import { readNamed } from "../engine/register-read.ts"
import { type Region, sizeOf, visualRegion } from "../engine/region.ts"
import { NORMAL } from "../state/state.ts"
import {
  clamp,
  enterMode,
  fail,
  moveTo,
  remember,
  replaceSpan,
  setMarks,
  type Turn,
  update
} from "../engine/running-command.ts"
import { keepSelection } from "../engine/visual.ts"

/** Whether the caret could not stay where the text was taken out, so that the new text goes behind it. */
const wasPushedBack = (turn: Turn, region: Region): boolean => {
  const { buffer, cursor, marks } = turn.vim
  const start = marks.get("[")
  if (start === undefined) return false
  if (region.shape === "line") return cursor.line < start.line
  return bytesBefore(buffer.at(cursor.line), cursor.column) < start.byte
}

const finish = (turn: Turn, wasEverything: boolean): Turn => {
  const { buffer } = turn.vim
  const last = buffer.count - 1
  if (!wasEverything || last === 0 || buffer.at(last) !== "") return turn
  return clamp(replaceSpan(turn, { line: last, count: 1 }, []))
}

/** `gv` then selects what was put. */
const reselectPut = (turn: Turn): Turn => {
  const { marks, memory } = turn.vim
  const [anchor, head] = [marks.get("["), marks.get("]")]
  if (anchor === undefined || head === undefined || memory.visual === undefined) return turn
  return remember(turn, { visual: { ...memory.visual, anchor, head } })
}

export const putSelection =
  (keepsDeleted: boolean) =>
  (turn: Turn, invocation: Invocation): Turn => {
    const { mode } = turn.vim
    const text = readNamed(turn, invocation.register)
    if (mode.name !== "visual") return fail(turn)
    const region = visualRegion(turn.vim, mode.anchor, { shape: mode.shape, byLines: false })
    const visual = sizeOf(turn.vim, region, mode.shape)
    const register = keepsDeleted ? undefined : "_"
    const deletion: Invocation = { name: "d", register, count: undefined, argument: "", visual }
    const left = moveTo(enterMode(keepSelection(turn), NORMAL), region.start)
    const deleted = deleteOperator.run(left, region, deletion)
    const known = remember(deleted, { repeat: { invocation: deletion, strokes: [] }, selected: visual })
    const { cursor } = known.vim
    if (invocation.register === ".") {
      const after = wasPushedBack(known, region)
      const marked = reselectPut(setMarks(known, { "[": cursor, "]": cursor }))
      return typeAgain(marked, { after, count: invocation.count ?? 1, leap: false })
    }
    if (text === undefined) return fail(reselectPut(setMarks(known, { "[": cursor, "]": cursor })))
    const isLines = region.shape === "line"
    const content = isLines ? { ...text, type: "line" as const } : text
    const below = keepsDeleted && region.shape === "block" && text.type === "line"
    const ready = below ? update(known, { cursor: { line: turn.vim.cursor.line, column: 0 } }) : known
    const put = putText(ready, content, {
      count: invocation.count ?? 1,
      after: below || wasPushedBack(known, region),
      leap: false,
      ...(region.shape === "char" && text.type === "line" && { split: true }),
      ...(region.shape === "block" && { through: region.end.line })
    })
    return finish(reselectPut(put), deleted.vim.emptied)
  }
