import { clusters, textWidth } from "../screen/cell/width.ts"
import type { Stroke } from "../keymap/stroke.ts"

/** One line of text being typed: filters, comments, the command line. The caret stands between clusters. */
export interface Field {
  readonly text: string
  /** UTF-16 offset. */
  readonly caret: number
}

export const EMPTY_FIELD: Field = { text: "", caret: 0 }

export const fieldOf = (text: string): Field => ({ text, caret: text.length })

const before = ({ text, caret }: Field): string => text.slice(0, caret)
const after = ({ text, caret }: Field): string => text.slice(caret)

export const insertText = (field: Field, added: string): Field => ({
  text: before(field) + added + after(field),
  caret: field.caret + added.length
})

const lastCluster = (text: string): string => clusters(text).at(-1) ?? ""
const firstCluster = (text: string): string => clusters(text)[0] ?? ""

const wordStart = (text: string): number => text.replace(/(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?\s*$/u, "").length
const wordEnd = (text: string): number => text.length - text.replace(/^\s*(?:[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]+)?/u, "").length

const remove = (field: Field, from: number, to: number): Field => ({
  text: field.text.slice(0, from) + field.text.slice(to),
  caret: from
})

const EDITS: ReadonlyMap<Stroke, (field: Field) => Field> = new Map<Stroke, (field: Field) => Field>([
  ["<BS>", (field) => remove(field, field.caret - lastCluster(before(field)).length, field.caret)],
  ["<C-h>", (field) => remove(field, field.caret - lastCluster(before(field)).length, field.caret)],
  ["<Del>", (field) => remove(field, field.caret, field.caret + firstCluster(after(field)).length)],
  ["<C-u>", (field) => remove(field, 0, field.caret)],
  ["<C-k>", (field) => remove(field, field.caret, field.text.length)],
  ["<C-w>", (field) => remove(field, wordStart(before(field)), field.caret)],
  ["<A-BS>", (field) => remove(field, wordStart(before(field)), field.caret)],
  ["<A-d>", (field) => remove(field, field.caret, field.caret + wordEnd(after(field)))],
  ["<Left>", (field) => ({ ...field, caret: field.caret - lastCluster(before(field)).length })],
  ["<C-b>", (field) => ({ ...field, caret: field.caret - lastCluster(before(field)).length })],
  ["<Right>", (field) => ({ ...field, caret: field.caret + firstCluster(after(field)).length })],
  ["<C-f>", (field) => ({ ...field, caret: field.caret + firstCluster(after(field)).length })],
  ["<A-b>", (field) => ({ ...field, caret: wordStart(before(field)) })],
  ["<C-Left>", (field) => ({ ...field, caret: wordStart(before(field)) })],
  ["<A-f>", (field) => ({ ...field, caret: field.caret + wordEnd(after(field)) })],
  ["<C-Right>", (field) => ({ ...field, caret: field.caret + wordEnd(after(field)) })],
  ["<Home>", (field) => ({ ...field, caret: 0 })],
  ["<C-a>", (field) => ({ ...field, caret: 0 })],
  ["<End>", (field) => ({ ...field, caret: field.text.length })],
  ["<C-e>", (field) => ({ ...field, caret: field.text.length })]
])

const isText = (stroke: Stroke): boolean => !(stroke.length > 1 && stroke.startsWith("<") && stroke.endsWith(">"))

/** The field after a stroke; undefined when the stroke edits nothing here. */
export const updateField = (field: Field, stroke: Stroke): Field | undefined => {
  const edit = EDITS.get(stroke)
  if (edit !== undefined) return edit(field)
  return isText(stroke) ? insertText(field, stroke) : undefined
}

/** As much of a paste as one line takes: lists are filtered and lines are drawn with it at every key. */
export const MOST_PASTED = 10_000

/** A paste as one line. */
export const inOneLine = (text: string): string => text.slice(0, MOST_PASTED).replaceAll(/\s*\n\s*/g, " ")

/** What is pasted into one line stays on one line. */
export const pasteInto = (field: Field, text: string): Field => insertText(field, inOneLine(text))

/** The part of the text that fits, and where the caret is in it. */
export const visiblePart = (
  field: Field,
  width: number
): { readonly text: string; readonly column: number; readonly from: number } => {
  const column = textWidth(before(field))
  const from = Math.max(0, column - Math.max(1, width) + 1)
  return { text: field.text, column: column - from, from }
}
