import type { Canvas } from "../../screen/cell/canvas.ts"
import { textWidth } from "../../screen/cell/width.ts"
import type { Rect } from "../../screen/cell/rect.ts"
import { lineRow } from "../../text/line-rows.ts"
import type { Look, Span } from "../../screen/style/row.ts"
import { visibleLine } from "../../text/sanitize.ts"
import type { Offer } from "../commands/ex-complete.ts"

/** What Tab goes through on the command line: one row above it, with the word that stands on the line marked. */

const PLAIN: Look = { role: "subtle", background: "userMessageBackground" }
const CHOSEN: Look = { role: "claude", bold: true, background: "userMessageBackground" }
const GAP = "  "

/** The first word to show, so that the chosen one has room. */
const firstShown = (texts: ReadonlyArray<string>, at: number, width: number): number => {
  let first = at
  let room = width - textWidth(texts[at] ?? "")
  while (first > 0) {
    room -= textWidth(texts[first - 1] ?? "") + GAP.length
    if (room < 0) break
    first -= 1
  }
  return first
}

export const drawOffer = (canvas: Canvas, area: Rect, { words, at }: Offer): void => {
  const texts = words.map((word) => visibleLine(word, "command"))
  const width = Math.max(1, area.width - 2)
  const first = firstShown(texts, at, width - GAP.length)
  const spans = texts
    .slice(first)
    .flatMap((text, index): ReadonlyArray<Span> => [
      ...(index === 0 ? [] : [{ text: GAP, look: PLAIN }]),
      { text, look: first + index === at ? CHOSEN : PLAIN }
    ])
  canvas.fill(area, PLAIN)
  canvas.row(area.x + 1, area.y, lineRow(spans, width), "userMessageBackground")
}
