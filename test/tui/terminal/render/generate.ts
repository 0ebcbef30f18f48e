import * as fc from "fast-check"
import { makeCanvas, type Canvas } from "../../../../src/tui/screen/cell/canvas.ts"
import { type Frame, makeFrame } from "../../../../src/tui/screen/cell/frame.ts"
import type { Pools } from "../../../../src/tui/screen/cell/pools.ts"
import { rect } from "../../../../src/tui/screen/cell/rect.ts"
import { BASIC_CAPABILITIES, type Capabilities } from "../../../../src/tui/terminal/render/capabilities.ts"
import { NO_MODES } from "../../../../src/tui/terminal/render/modes.ts"
import type { Cursor, Screen } from "../../../../src/tui/terminal/render/screen.ts"
import type { Look, Row } from "../../../../src/tui/screen/style/row.ts"
import { plainTheme } from "../../../../src/tui/screen/style/theme.ts"

/** Screens by chance: what panes might draw, as a list of strokes that can be drawn on any size. */
export type Stroke = (canvas: Canvas) => void

/** Clusters about whose width the emulator agrees. */
export const SURE = [
  "a",
  "b",
  "Z",
  "0",
  " ",
  " ",
  "~",
  "é",
  "e\u0301",
  "→",
  "…",
  "─",
  "漢",
  "字",
  "한",
  "😀",
  "✨",
  "ｱ",
  "ж"
]
/** Clusters about which it does not, or might not. */
export const DOUBTFUL = ["❤️", "🇩🇪", "👍🏽", "1️⃣", "🪐", "क्ष", "กำ", "🇫", "☰", "䷀", "㉈", "𓀀"]

const flag = fc.constantFrom(true as const, undefined)

const colour = fc.oneof(
  fc.constant(undefined),
  fc.nat(255),
  fc.nat(0xffffff).map((rgb) => 0x1000000 | rgb)
)

const look: fc.Arbitrary<Look> = fc
  .record({
    bold: flag,
    dim: flag,
    italic: flag,
    underline: flag,
    strike: flag,
    inverse: flag,
    foreground: colour,
    ground: colour
  })
  .map((parts) => ({
    role: "text" as const,
    ...(Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Omit<Look, "role">)
  }))

const LOOKS = fc.sample(look, { numRuns: 12, seed: 7 }).concat({ role: "text" })
const someLook = fc.constantFrom(...LOOKS)
const someLink = fc.constantFrom(undefined, undefined, "https://a.example/1", "https://b.example/x?y=z")

const place = fc.record({ x: fc.integer({ min: -4, max: 34 }), y: fc.integer({ min: -1, max: 11 }) })
const area = fc
  .tuple(fc.integer({ min: -3, max: 30 }), fc.integer({ min: -1, max: 10 }), fc.nat(34), fc.nat(8))
  .map(([x, y, width, height]) => rect(x, y, width, height))

const rowOf = (text: string, look: Look, link: string | undefined): Row => ({
  spans: [
    { text, look, ...(link === undefined ? {} : { link }) },
    { text: " tail", look: { role: "text" } }
  ],
  width: 0,
  start: 0,
  end: 0
})

const strokes = (glyphs: ReadonlyArray<string>): fc.Arbitrary<Stroke> => {
  const text = fc.array(fc.constantFrom(...glyphs), { maxLength: 40 }).map((parts) => parts.join(""))
  return fc.oneof(
    fc.tuple(place, text, someLook).map(
      ([{ x, y }, words, look]): Stroke =>
        (canvas) =>
          void canvas.text(x, y, words, look)
    ),
    fc.tuple(place, text, someLook, someLink).map(
      ([{ x, y }, words, look, link]): Stroke =>
        (canvas) =>
          canvas.row(x, y, rowOf(words, look, link))
    ),
    fc.tuple(area, someLook, fc.constantFrom(" ", " ", "x", "漢")).map(
      ([where, look, glyph]): Stroke =>
        (canvas) =>
          canvas.fill(where, look, glyph)
    ),
    fc.tuple(area, someLook).map(
      ([where, look]): Stroke =>
        (canvas) =>
          canvas.box(where, look, "line")
    ),
    fc.tuple(area, fc.constantFrom({ inverse: true as const }, { bold: true as const, underline: true as const })).map(
      ([where, override]): Stroke =>
        (canvas) =>
          canvas.restyle(where, override)
    )
  )
}

export const someSize = fc.record({ columns: fc.integer({ min: 1, max: 32 }), rows: fc.integer({ min: 1, max: 10 }) })

export interface Size {
  readonly columns: number
  readonly rows: number
}

export const draw = (pools: Pools, { columns, rows }: Size, drawn: ReadonlyArray<Stroke>): Frame => {
  const frame = makeFrame(pools, columns, rows)
  const canvas = makeCanvas(frame, plainTheme)
  for (const stroke of drawn) stroke(canvas)
  return frame
}

/** A history of drawings: each begins with the one before, or anew, sometimes moved up or down as a whole. */
export const history = (glyphs: ReadonlyArray<string>) =>
  fc.array(
    fc.record({
      anew: fc.boolean(),
      shift: fc.constantFrom(0, 0, -1, 1, -3),
      strokes: fc.array(strokes(glyphs), { maxLength: 6 })
    }),
    { minLength: 1, maxLength: 6 }
  )

export const cursorIn = ({ columns, rows }: Frame, seed: number): Cursor => ({
  x: seed % columns,
  y: (seed >> 5) % rows,
  visible: seed % 3 !== 0,
  shape: (["block", "bar", "underline"] as const)[seed % 3] ?? "block"
})

export const screenOf = (frame: Frame, cursor: Cursor): Screen => ({ frame, modes: NO_MODES, cursor })

export const RICH_CAPABILITIES: Capabilities = {
  ...BASIC_CAPABILITIES,
  colourDepth: "24bit",
  syncOutput: true,
  hyperlinks: true,
  erasesWithBackground: true,
  scrollRegions: true,
  underlineStyles: true,
  underlineColour: true,
  strike: true,
  cursorShape: true,
  title: true,
  progress: true,
  clipboard: true
}

/** Capabilities that change which bytes are sent and not what is shown. */
export const someCapabilities: fc.Arbitrary<Capabilities> = fc
  .record({
    syncOutput: fc.boolean(),
    hyperlinks: fc.boolean(),
    erasesWithBackground: fc.boolean(),
    scrollRegions: fc.boolean(),
    cursorShape: fc.boolean()
  })
  .map((some) => ({ ...RICH_CAPABILITIES, ...some }))
