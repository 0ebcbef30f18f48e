/** Pastes and chips in the buffer: putting them in, opening them and folding them again. */
import { bufferOf } from "../editor/buffer.ts"
import type { Position } from "../editor/lines.ts"
import { clusterAt } from "../editor/clusters.ts"
import { type Chip, chipCharacter, isLargePaste, withoutChipCharacters } from "./chip.ts"
import { bufferIn, caretIn, insertLiteral, isEmptyEditor, replaceText, textIn } from "./editor.ts"
import { droppedImages } from "./dropped-images.ts"
import type { PromptModel } from "./model.ts"
import type { PromptStep } from "./recall.ts"

const insertChip = (prompt: PromptModel, chip: Chip, now: number): PromptModel => {
  const character = chipCharacter(chip.number)
  return {
    ...prompt,
    editor: insertLiteral(prompt.editor, character, now),
    chips: new Map(prompt.chips).set(character, chip),
    nextChip: chip.number + 1
  }
}

/** A pasted command line starts shell mode as a typed one does; a pasted heading is only a heading. */
const startsShell = (prompt: PromptModel, text: string): boolean =>
  prompt.mode === "prompt" && isEmptyEditor(prompt.editor) && text.startsWith("!")

/** Text goes in literally; a large one as a chip whose text is to be stored. */
export const pasteText = (prompt: PromptModel, pasted: string, now: number): PromptStep => {
  const text = pasted.replace(/\r\n?/g, "\n")
  if (text === "") return { prompt, commands: [] }
  const images = prompt.mode === "prompt" ? droppedImages(text) : undefined
  if (images !== undefined) return { prompt, commands: [{ _tag: "TakeImages", paths: images, text }] }
  if (startsShell(prompt, text)) return pasteText({ ...prompt, mode: "shell" }, text.slice(1), now)
  if (!isLargePaste(text)) {
    const editor = insertLiteral(prompt.editor, withoutChipCharacters(text), now)
    return { prompt: { ...prompt, editor }, commands: [] }
  }
  const number = prompt.nextChip
  return {
    prompt: insertChip(prompt, { _tag: "Paste", number, text }, now),
    commands: [{ _tag: "StorePaste", number, text }]
  }
}

/** An image whose bytes are already in the cache under this reference. */
export const pasteImage = (prompt: PromptModel, reference: string, now: number): PromptModel =>
  insertChip(prompt, { _tag: "Image", number: prompt.nextChip, reference }, now)

const offsetOf = (lines: ReadonlyArray<string>, { line, column }: Position): number =>
  lines.slice(0, line).reduce((sum, text) => sum + text.length + 1, 0) + column

const positionAt = (text: string, offset: number): Position => {
  const before = text.slice(0, offset).split("\n")
  return { line: before.length - 1, column: before.at(-1)?.length ?? 0 }
}

export const chipAtCaret = ({ editor, chips }: PromptModel): Chip | undefined => {
  const { line, column } = caretIn(editor)
  return chips.get(clusterAt(bufferIn(editor).at(line), column))
}

/** Shows the text of the paste under the caret in place; undefined when there is none. */
export const openChip = (prompt: PromptModel, now: number): PromptModel | undefined => {
  const chip = chipAtCaret(prompt)
  if (chip?._tag !== "Paste" || chip.text === undefined) return undefined
  const caret = caretIn(prompt.editor)
  const text = textIn(prompt.editor)
  const at = offsetOf(bufferIn(prompt.editor).lines, caret)
  const rest = text.slice(at + chipCharacter(chip.number).length)
  const opened = text.slice(0, at) + withoutChipCharacters(chip.text) + rest
  return { ...prompt, editor: replaceText(prompt.editor, opened, { caret, now }) }
}

/** Makes a chip again of an opened paste that the caret stands in. */
export const foldChip = (prompt: PromptModel, now: number): PromptModel | undefined => {
  const text = textIn(prompt.editor)
  const at = offsetOf(bufferOf(text).lines, caretIn(prompt.editor))
  for (const [character, chip] of prompt.chips) {
    const paste = chip._tag === "Paste" ? withoutChipCharacters(chip.text ?? "") : ""
    const start = paste === "" ? -1 : text.lastIndexOf(paste, at)
    if (start < 0 || at >= start + paste.length) continue
    const folded = text.slice(0, start) + character + text.slice(start + paste.length)
    return { ...prompt, editor: replaceText(prompt.editor, folded, { caret: positionAt(folded, start), now }) }
  }
  return undefined
}
