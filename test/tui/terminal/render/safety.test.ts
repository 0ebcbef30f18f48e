import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeCanvas } from "../../../../src/tui/screen/cell/canvas.ts"
import { makeFrame } from "../../../../src/tui/screen/cell/frame.ts"
import { makePools } from "../../../../src/tui/screen/cell/pools.ts"
import { rect } from "../../../../src/tui/screen/cell/rect.ts"
import { diff } from "../../../../src/tui/terminal/render/diff.ts"
import { encode } from "../../../../src/tui/terminal/render/encode.ts"
import type { DrawOp } from "../../../../src/tui/terminal/render/op.ts"
import type { Screen } from "../../../../src/tui/terminal/render/screen.ts"
import { plainTheme } from "../../../../src/tui/screen/style/theme.ts"
import { RICH_CAPABILITIES } from "./generate.ts"
import { straysIn } from "./sequence-parser.ts"

/** Nothing outside the table of sequences is ever written, whatever the text is. */

const HOSTILE = [
  "\u001B[2J",
  "\u001B]0;owned\u0007",
  "\u001B]52;c;?\u001B\\",
  "\u009B31m",
  "\u0090q\u009C",
  "\u0007",
  "\b\b",
  "\r\n",
  "\u001BP+q\u001B\\",
  "\u202Eabc",
  "\u2066",
  "\u200B",
  "\uFEFF",
  "\u2028",
  "\uD800",
  "\uDC00x",
  "\u0000",
  "\u007F",
  "\u0085",
  "\u{E0041}",
  `e${"\u0301".repeat(500)}`,
  "漢",
  "👨‍👩‍👧",
  "a",
  " ",
  "https://x.example/\u001B]8;;\u0007",
  "4;3;",
  "9;4;1",
  ";",
  "tmux;"
]

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(""))

const screenWith = (text: string): Screen => {
  const frame = makeFrame(makePools(), 40, 4)
  const canvas = makeCanvas(frame, plainTheme)
  canvas.text(0, 0, text, { role: "text" })
  canvas.row(2, 1, { spans: [{ text, look: { role: "link", bold: true }, link: text }], width: 0, start: 0, end: 0 })
  canvas.row(2, 2, { spans: [{ text, look: { role: "link" }, link: `https://${text}` }], width: 0, start: 0, end: 0 })
  canvas.fill(rect(0, 3, 9, 1), { role: "text" }, text)
  return {
    frame,
    modes: {
      altScreen: true,
      clusterWidths: true,
      paste: true,
      focus: true,
      mouse: "hover",
      colourScheme: true,
      keyboard: "kitty",
      title: true
    },
    cursor: { x: 0, y: 0, visible: true, shape: "bar" },
    title: text,
    progress: { state: "share", percent: 30 }
  }
}

const outOfBand = (text: string): ReadonlyArray<DrawOp> => [
  { op: "Bell" },
  { op: "Title", text },
  { op: "Clipboard", text },
  { op: "Notify", title: text, body: text },
  { op: "Progress", progress: { state: "waiting" } }
]

describe("the bytes of hostile text", () => {
  it("hold no sequence outside the table", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const bytes = encode(diff(undefined, screenWith(text), RICH_CAPABILITIES), RICH_CAPABILITIES)
        expect(straysIn(bytes)).toEqual([])
      }),
      { numRuns: 1_000 }
    )
  })

  it("hold none beside the cells either, in any multiplexer and channel", () => {
    const multiplexer = fc.constantFrom("none" as const, "tmux" as const, "screen" as const)
    const notifications = fc.constantFrom(...(["none", "bell", "osc9", "osc99", "osc777"] as const))
    fc.assert(
      fc.property(hostileText, multiplexer, notifications, (text, multiplexer, notifications) => {
        const caps = { ...RICH_CAPABILITIES, multiplexer, notifications }
        expect(straysIn(encode(outOfBand(text), caps))).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  it("would be noticed", () => {
    const strays = [
      "\u001B[2J",
      "\u001B[3J",
      "\u001B]0;x\u0007",
      "\u001Bc",
      "\u009B1m",
      "\u0000",
      "\u001B[?7h",
      "\u001B]8;id=a;javascript:x\u001B\\"
    ]
    for (const stray of strays) {
      expect(straysIn(`ok${stray}ok`)).not.toEqual([])
    }
  })
})
