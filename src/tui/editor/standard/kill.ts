/** The kill ring: what kills took, and putting it back. */
import type { Position } from "../lines.ts"
import { orderPositions } from "../selection.ts"
import { OTHER, replaceRange, selectionOf, type StandardEditor, textBetween } from "./state.ts"

const MOST_KILLS = 60

/** Takes the text between the caret and another place. Kills in a row make one entry of the ring. */
export const killTo = (editor: StandardEditor, target: Position, now: number): StandardEditor => {
  const [from, to] = orderPositions(editor.caret, target)
  const text = textBetween(editor.buffer, { from, to })
  if (text === "") return { ...editor, last: editor.last._tag === "Kill" ? editor.last : OTHER }
  const [newest = "", ...older] = editor.last._tag === "Kill" ? editor.kills : ["", ...editor.kills]
  const kill = from === editor.caret ? newest + text : text + newest
  const edited = replaceRange(editor, { range: { from, to }, text: "", now, last: { _tag: "Kill" } })
  return { ...edited, kills: [kill, ...older].slice(0, MOST_KILLS) }
}

export const yank = (editor: StandardEditor, now: number): StandardEditor => {
  const text = editor.kills[0]
  if (text === undefined) return { ...editor, last: OTHER }
  const range = selectionOf(editor) ?? { from: editor.caret, to: editor.caret }
  return replaceRange(editor, { range, text, now, last: { _tag: "Yank", from: range.from, index: 0 } })
}

/** Replaces what was just yanked by the next older kill; nothing when the key before was not a yank. */
export const yankPop = (editor: StandardEditor, now: number): StandardEditor => {
  if (editor.last._tag !== "Yank") return editor
  const { from } = editor.last
  const index = (editor.last.index + 1) % editor.kills.length
  return replaceRange(editor, {
    range: { from, to: editor.caret },
    text: editor.kills[index] ?? "",
    now,
    last: { _tag: "Yank", from, index }
  })
}
