/** What quotes and list items draw left of their text. */
import { textWidth } from "../../screen/cell/width.ts"
import { lookOf, TEXT } from "../../screen/style/look.ts"
import type { Span } from "../../screen/style/row.ts"
import type { Margin } from "../rows.ts"
import type { MarkdownOptions } from "./context.ts"
import type { Frame, ItemFrame, Leaf } from "./frame.ts"

const QUOTE_LOOK = lookOf("quote")
const MARK_LOOK = lookOf("inactive")

const BULLET = { unicode: "•", ascii: "-" } as const
const BAR = { unicode: "│ ", ascii: "| " } as const
const BOX = { unicode: { done: "☑", open: "☐" }, ascii: { done: "[x]", open: "[ ]" } } as const

const isBullet = (mark: string): boolean => /^[-*+]$/.test(mark)

type Glyphs = MarkdownOptions["glyphs"]

const markSpans = (frame: ItemFrame, glyphs: Glyphs): ReadonlyArray<Span> => {
  const { mark, start, task } = frame
  if (task !== undefined) {
    const text = BOX[glyphs][task.done ? "done" : "open"]
    return [
      { text, look: MARK_LOOK, at: start, covers: task.at + 3 - start },
      { text: " ", look: TEXT }
    ]
  }
  const shown = isBullet(mark) && glyphs === "unicode" ? { text: BULLET.unicode, covers: mark.length } : { text: mark }
  return [
    { ...shown, look: MARK_LOOK, at: start },
    { text: " ", look: TEXT }
  ]
}

const indentFor = (frame: ItemFrame, glyphs: Glyphs): number =>
  markSpans(frame, glyphs).reduce((sum, span) => sum + textWidth(span.text), 0)

const restSpans = (frame: Frame, glyphs: Glyphs): Span =>
  frame.kind === "quote"
    ? { text: BAR[glyphs], look: QUOTE_LOOK }
    : { text: " ".repeat(indentFor(frame, glyphs)), look: TEXT }

export const marginOf = ({ frames, fresh }: Pick<Leaf, "frames" | "fresh">, glyphs: Glyphs): Margin => {
  if (frames.length === 0) return { first: [], rest: [] }
  const rest = frames.map((frame) => restSpans(frame, glyphs))
  const first = frames.flatMap((frame, index) =>
    frame.kind === "item" && index >= fresh ? markSpans(frame, glyphs) : [rest[index] ?? { text: "", look: TEXT }]
  )
  return { first, rest }
}

export const isQuoted = (frames: ReadonlyArray<Frame>): boolean => frames.some((frame) => frame.kind === "quote")
