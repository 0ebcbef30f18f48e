import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type Canvas, makeCanvas } from "../../../../src/tui/screen/cell/canvas.ts"
import { cellAt, makeFrame } from "../../../../src/tui/screen/cell/frame.ts"
import { makePools } from "../../../../src/tui/screen/cell/pools.ts"
import { rect } from "../../../../src/tui/screen/cell/rect.ts"
import { diff, isFullRedraw } from "../../../../src/tui/terminal/render/diff.ts"
import { encode } from "../../../../src/tui/terminal/render/encode.ts"
import { NO_MODES } from "../../../../src/tui/terminal/render/modes.ts"
import type { DrawOp } from "../../../../src/tui/terminal/render/op.ts"
import { damageScreen, type Screen } from "../../../../src/tui/terminal/render/screen.ts"
import type { Look } from "../../../../src/tui/screen/style/row.ts"
import { plainTheme } from "../../../../src/tui/screen/style/theme.ts"
import {
  cursorIn,
  DOUBTFUL,
  draw,
  history,
  RICH_CAPABILITIES,
  screenOf,
  someCapabilities,
  someSize,
  SURE
} from "./generate.ts"

const TEXT: Look = { role: "text" }
const BOLD: Look = { role: "text", bold: true }
const GREEN: Look = { role: "text", ground: 2 }
const HIDDEN = { x: 0, y: 0, visible: false, shape: "block" } as const
const pools = makePools()

const screen = (paint: (canvas: Canvas) => void, extra: Partial<Screen> = {}, rows = 3): Screen => {
  const frame = makeFrame(pools, 40, rows)
  paint(makeCanvas(frame, plainTheme))
  return { frame, modes: NO_MODES, cursor: HIDDEN, ...extra }
}

const changes = (before: Screen, after: Screen, caps = RICH_CAPABILITIES): ReadonlyArray<DrawOp> =>
  diff(before, after, caps).filter(({ op }) => op !== "CursorState")

const told = (ops: ReadonlyArray<DrawOp>): ReadonlyArray<string> =>
  ops.map((op) => {
    if (op.op === "Move") return `move ${op.x},${op.y}`
    return op.op === "Put" ? `put ${op.text}` : op.op.toLowerCase()
  })

const words = (text: string, look = TEXT) => screen((canvas) => void canvas.text(0, 1, text, look))

describe("the difference of two screens", () => {
  it("is nothing for the same, not one byte", () => {
    fc.assert(
      fc.property(someSize, history([...SURE, ...DOUBTFUL]), someCapabilities, (size, steps, caps) => {
        const strokes = steps.flatMap((step) => step.strokes)
        const shared = makePools()
        const [a, b] = [draw(shared, size, strokes), draw(shared, size, strokes)]
        const ops = diff(screenOf(a, cursorIn(a, 5)), screenOf(b, cursorIn(b, 5)), caps)
        expect(ops).toEqual([])
        expect(encode(ops, caps)).toBe("")
      }),
      { numRuns: 60 }
    )
  })

  it("takes hardly more bytes than drawing everything", () => {
    const constant = 64
    fc.assert(
      fc.property(someSize, history(SURE), history(SURE), someCapabilities, (size, before, after, caps) => {
        const shared = makePools()
        const frames = [before, after].map((steps) =>
          draw(
            shared,
            size,
            steps.flatMap((step) => step.strokes)
          )
        )
        const [a, b] = frames.map((frame) => screenOf(frame, cursorIn(frame, 3)))
        if (a === undefined || b === undefined) throw new Error("two frames were drawn")
        const bytes = (from: Screen | undefined) => Buffer.byteLength(encode(diff(from, b, caps), caps))
        expect(bytes(a)).toBeLessThanOrEqual(bytes(undefined) + constant)
      }),
      { numRuns: 200 }
    )
  })

  it("never begins at the right half of a glyph", () => {
    fc.assert(
      fc.property(someSize, history([...SURE, ...DOUBTFUL]), history(SURE), (size, before, after) => {
        const shared = makePools()
        const a = draw(
          shared,
          size,
          before.flatMap((step) => step.strokes)
        )
        const b = draw(
          shared,
          size,
          after.flatMap((step) => step.strokes)
        )
        const moves = diff(screenOf(a, HIDDEN), screenOf(b, HIDDEN), RICH_CAPABILITIES).filter((op) => op.op === "Move")
        for (const { x, y } of moves) expect(cellAt(b, x, y).width).not.toBe(0)
      }),
      { numRuns: 100 }
    )
  })

  it("writes short gaps again and jumps over long ones", () => {
    expect(told(changes(words("abcdefgh"), words("Xbcdefgh")))).toEqual(["move 0,1", "put X"])
    expect(told(changes(words("abcdefgh"), words("XbcdYfgh")))).toEqual(["move 0,1", "put XbcdY"])
    expect(told(changes(words("abcdefgh"), words("XbcdeYgh")))).toEqual(["move 0,1", "put X", "move 5,1", "put Y"])
  })

  it("does not write a gap of another style", () => {
    const mixed = (text: string) =>
      screen((canvas) => {
        canvas.text(0, 1, text, TEXT)
        canvas.text(1, 1, "bc", BOLD)
      })
    expect(told(changes(mixed("abcd"), mixed("XbcY")))).toEqual(["move 0,1", "put X", "move 3,1", "put Y"])
  })

  it("counts both columns of a wide glyph whose right half stays", () => {
    const [, put, move] = changes(words("漢bcdefgh"), words("字bcdefgX"))
    expect([put, move]).toMatchObject([
      { op: "Put", text: "字", columns: 2 },
      { op: "Move", x: 8, y: 1 }
    ])
  })

  it("sees a change of nothing but a link", () => {
    const linked = (link: string) =>
      screen((canvas) => canvas.row(0, 1, { spans: [{ text: "ab", look: TEXT, link }], width: 2, start: 0, end: 2 }))
    const [, put] = changes(linked("https://a.example"), linked("https://b.example"))
    expect(put).toMatchObject({ op: "Put", text: "ab", link: "https://b.example" })
  })

  it("erases more than four blanks at the end of a row and writes fewer", () => {
    expect(told(changes(words("hello world"), words("hello")))).toEqual(["move 6,1", "erase"])
    const filled = (columns: number) => words("x".repeat(columns))
    expect(told(changes(filled(40), filled(36)))).toEqual(["move 36,1", "put     "])
    expect(told(changes(filled(40), filled(35)))).toEqual(["move 35,1", "erase"])
  })

  it("erases under a background only where the terminal can", () => {
    const green = screen((canvas) => canvas.fill(rect(0, 1, 40, 1), GREEN))
    expect(changes(words(""), green)).toEqual([
      { op: "Move", x: 0, y: 1 },
      { op: "Erase", background: 2 }
    ])
    const caps = { ...RICH_CAPABILITIES, erasesWithBackground: false }
    expect(told(changes(words(""), green, caps))).toEqual(["move 0,1", `put ${" ".repeat(40)}`])
  })

  it("touches nothing unchanged to the right of a visible caret", () => {
    const caret = { x: 6, y: 1, visible: true, shape: "bar" } as const
    const at = (text: string) => screen((canvas) => void canvas.text(0, 1, text, TEXT), { cursor: caret })
    expect(told(changes(at("abcdefghijk"), at("abcdefXhiYk")))).toEqual(["move 6,1", "put X", "move 9,1", "put Y"])
    expect(told(changes(at("hello world"), at("hello")))).toEqual(["move 6,1", "put      "])
  })

  it("scrolls rows that moved", () => {
    const list = (first: number) =>
      screen(
        (canvas) => {
          const words = (number: number) => `${String.fromCharCode(97 + number).repeat(8)} ${number}`
          for (let y = 0; y < 10; y++) canvas.text(0, y, words(first + y), TEXT)
        },
        {},
        12
      )
    const [scroll, ...rest] = changes(list(0), list(1))
    expect(scroll).toEqual({ op: "Scroll", top: 0, bottom: 9, count: 1 })
    expect(told(rest)).toEqual(["move 0,9", "put kkkkkkkk 10"])
    expect(changes(list(4), list(2))[0]).toEqual({ op: "Scroll", top: 0, bottom: 9, count: -2 })
    expect(told(changes(list(0), list(1), { ...RICH_CAPABILITIES, scrollRegions: false }))).not.toContain("scroll")
  })

  it("draws in full after a change of size, pools or screen, and after damage", () => {
    const shown = words("hello")
    const other = screenOf(draw(makePools(), { columns: 40, rows: 3 }, []), HIDDEN)
    const inner = { ...shown, modes: { ...NO_MODES, altScreen: true } }
    const before = [undefined, damageScreen(shown), other, inner, shown]
    expect(before.map((each) => isFullRedraw(each, shown))).toEqual([true, true, true, true, false])
    expect(told(changes(words("hello"), other))).toContain("erase")
    expect(told(diff(damageScreen(shown), shown, RICH_CAPABILITIES))).toContain("put hello")
  })

  it("keeps the modes through damage and compares them like cells", () => {
    const modes = { ...NO_MODES, paste: true, keyboard: "kitty" as const, mouse: "drag" as const }
    const shown = screen(() => {}, { modes })
    expect(told(diff(damageScreen(shown), shown, RICH_CAPABILITIES))).not.toContain("modes")
    const hovering = { ...shown, modes: { ...modes, mouse: "hover" as const } }
    const change = { op: "Modes", reset: [{ mode: "mouse:drag" }], set: [{ mode: "mouse:hover" }] }
    expect(changes(shown, hovering)).toMatchObject([change])
  })

  it("tells title, progress and cursor when they change", () => {
    const before = screen(() => {}, { title: "a", progress: { state: "share", percent: 10 } })
    const after = { ...before, title: "b", progress: { state: "share", percent: 20 } as const }
    expect(told(diff(before, after, RICH_CAPABILITIES))).toEqual(["title", "progress"])
    expect(told(diff(before, { ...before, title: "b" }, { ...RICH_CAPABILITIES, title: false }))).toEqual([])
    expect(told(diff(before, { ...before, cursor: { ...HIDDEN, x: 3 } }, RICH_CAPABILITIES))).toEqual(["cursorstate"])
  })
})
