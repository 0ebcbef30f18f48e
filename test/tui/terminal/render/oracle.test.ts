import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cellAt, type Frame } from "../../../../src/tui/screen/cell/frame.ts"
import { makePools, type Pools } from "../../../../src/tui/screen/cell/pools.ts"
import { isUncertainWidth } from "../../../../src/tui/screen/cell/width.ts"
import type { Capabilities } from "../../../../src/tui/terminal/render/capabilities.ts"
import { diff } from "../../../../src/tui/terminal/render/diff.ts"
import { encode } from "../../../../src/tui/terminal/render/encode.ts"
import type { Screen } from "../../../../src/tui/terminal/render/screen.ts"
import { inSoak } from "../../../support/seeds.ts"
import { makeVirtualTerminal, type VirtualTerminal } from "../../../support/virtual-terminal.ts"
import {
  cursorIn,
  DOUBTFUL,
  draw,
  history,
  screenOf,
  type Size,
  someCapabilities,
  someSize,
  type Stroke,
  SURE
} from "./generate.ts"

/** What the terminal shows after the bytes is what the frame says, whatever it showed before. */

const expectedRow = (frame: Frame, y: number, hyperlinks: boolean) =>
  Array.from({ length: frame.columns }, (_, x) => {
    const { text, width, style, link } = cellAt(frame, x, y)
    return {
      text,
      width,
      foreground: style.foreground,
      background: style.background,
      bold: style.bold === true,
      dim: style.dim === true,
      italic: style.italic === true,
      // The emulator tells of a link only by its underline.
      underline: style.underline !== undefined || (hyperlinks && link !== ""),
      inverse: style.inverse === true,
      strike: style.strike === true
    }
  })

const shownRow = (terminal: VirtualTerminal, columns: number, y: number) =>
  Array.from({ length: columns }, (_, x) => terminal.cell(x, y))

/** Cells of clusters whose width is a guess may look wrong; no other. */
const isGuess = (frame: Frame, x: number, y: number): boolean => {
  const { text, width } = cellAt(frame, x, y)
  return isUncertainWidth(width === 0 ? cellAt(frame, x - 1, y).text : text)
}

const expectShown = (terminal: VirtualTerminal, { frame, cursor }: Screen, { hyperlinks }: Capabilities): void => {
  for (let y = 0; y < frame.rows; y++) {
    const expected = expectedRow(frame, y, hyperlinks)
    const shown = shownRow(terminal, frame.columns, y).map((cell, x) => (isGuess(frame, x, y) ? expected[x] : cell))
    expect(shown).toEqual(expected)
  }
  expect(terminal.cursor()).toEqual({ x: cursor.x, y: cursor.y })
}

const moved =
  (frame: Frame, shift: number): Stroke =>
  (canvas) => {
    for (let y = 0; y < frame.rows; y++) {
      let x = 0
      for (; x < frame.columns; x++) canvas.text(x, y + shift, cellAt(frame, x, y).text, { role: "text" })
    }
  }

/** Numbered rows between a head and a foot that stay. */
const list =
  (first: number, top: number, bottom: number): Stroke =>
  (canvas) => {
    for (let y = 0; y < canvas.area.height; y++) {
      const isFixed = y < top || y >= canvas.area.height - bottom
      const words = isFixed ? `fixed ${y}` : `${String.fromCharCode(65 + ((first + y) % 50)).repeat(9)} 漢字 ${first + y}`
      canvas.text(0, y, words, { role: "text", foreground: isFixed ? 3 : (first + y) % 8 })
    }
  }

type Step = { readonly anew: boolean; readonly shift: number; readonly strokes: ReadonlyArray<Stroke> }

/** The frames of a history; those not begun anew show the one before, moved. */
const framesOf = (pools: Pools, size: Size, steps: ReadonlyArray<Step>): ReadonlyArray<Frame> =>
  steps.reduce<ReadonlyArray<Frame>>((frames, { anew, shift, strokes }) => {
    const last = frames.at(-1)
    const before = last === undefined || anew ? [] : [moved(last, shift)]
    return [...frames, draw(pools, size, [...before, ...strokes])]
  }, [])

const replay = async (glyphs: ReadonlyArray<string>, numRuns: number) => {
  const anyRun = fc.record({ size: someSize, steps: history(glyphs), caps: someCapabilities, seed: fc.nat(10_000) })
  await fc.assert(
    fc.asyncProperty(anyRun, async ({ size, steps, caps, seed }) => {
      const terminal = makeVirtualTerminal(size.columns, size.rows)
      let shown: Screen | undefined
      for (const [at, frame] of framesOf(makePools(), size, steps).entries()) {
        const screen = screenOf(frame, cursorIn(frame, seed + at * 37))
        await terminal.write(encode(diff(shown, screen, caps), caps))
        expectShown(terminal, screen, caps)
        shown = screen
      }
    }),
    { numRuns }
  )
}

describe("a terminal fed with the difference", () => {
  it("shows exactly the next screen", () => replay(SURE, inSoak(120, 2_000)))

  it("confines a wrong guess about a width to the cells of that cluster", () =>
    replay([...SURE, ...DOUBTFUL], inSoak(120, 2_000)))

  it("shows lists that were scrolled", async () => {
    const moves = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 1, maxLength: 5 })
    const anyList = fc.record({ top: fc.nat(2), bottom: fc.nat(2), moves, caps: someCapabilities })
    let scrolls = 0
    await fc.assert(
      fc.asyncProperty(anyList, async ({ top, bottom, moves, caps }) => {
        const size = { columns: 30, rows: 12 }
        const pools = makePools()
        const terminal = makeVirtualTerminal(size.columns, size.rows)
        let shown: Screen | undefined
        let first = 50
        for (const move of moves) {
          first += move
          const from = first
          const frame = draw(pools, size, [list(from, top, bottom)])
          const screen = screenOf(frame, { x: 0, y: 0, visible: false, shape: "block" })
          const ops = diff(shown, screen, caps)
          scrolls += ops.filter(({ op }) => op === "Scroll").length
          await terminal.write(encode(ops, caps))
          expectShown(terminal, screen, caps)
          shown = screen
        }
      }),
      { numRuns: 60 }
    )
    expect(scrolls).toBeGreaterThan(20)
  })

  it("shows the screen after a resize", async () => {
    const steps = history(SURE)
    const anyResize = fc.record({ from: someSize, to: someSize, steps, caps: someCapabilities, seed: fc.nat(10_000) })
    await fc.assert(
      fc.asyncProperty(anyResize, async ({ from, to, steps, caps, seed }) => {
        const terminal = makeVirtualTerminal(from.columns, from.rows)
        const pools = makePools()
        const strokes = steps.flatMap((step) => step.strokes)
        const [before, after] = [draw(pools, from, strokes), draw(pools, to, strokes)]
        const first = screenOf(before, cursorIn(before, seed))
        const second = screenOf(after, cursorIn(after, seed))
        await terminal.write(encode(diff(undefined, first, caps), caps))
        terminal.resize(to.columns, to.rows)
        await terminal.write(encode(diff(first, second, caps), caps))
        expectShown(terminal, second, caps)
      }),
      { numRuns: 60 }
    )
  })
})
