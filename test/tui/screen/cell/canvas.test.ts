import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeCanvas } from "../../../../src/tui/screen/cell/canvas.ts"
import { cellAt, elementAt, type Frame, makeFrame, rowText } from "../../../../src/tui/screen/cell/frame.ts"
import { makePools } from "../../../../src/tui/screen/cell/pools.ts"
import { rect } from "../../../../src/tui/screen/cell/rect.ts"
import type { Look, Row } from "../../../../src/tui/screen/style/row.ts"
import { plainTheme, type Theme } from "../../../../src/tui/screen/style/theme.ts"
import { DOUBTFUL, draw, history, SURE } from "../../terminal/render/generate.ts"

const TEXT: Look = { role: "text" }
const RED: Look = { role: "text", ground: 1 }

const blank = (columns: number, rows: number, theme: Theme = plainTheme) => {
  const frame = makeFrame(makePools(), columns, rows)
  return { frame, canvas: makeCanvas(frame, theme) }
}

const rowsOf = (frame: Frame): ReadonlyArray<string> => Array.from({ length: frame.rows }, (_, y) => rowText(frame, y))

const rowOf = (text: string, extra: Partial<Row> = {}): Row => ({
  spans: [{ text, look: TEXT }],
  width: 0,
  start: 0,
  end: 0,
  ...extra
})

/** A theme whose grounds can be told apart. */
const grounded: Theme = {
  ...plainTheme,
  styleOf: (look) => ({
    ...plainTheme.styleOf(look),
    ...(look.background === "cursorLine" ? { background: 7 } : {}),
    ...(look.background === "selectionBg" ? { background: 4 } : {})
  })
}

describe("text on a canvas", () => {
  it("is clipped on every side and never wraps", () => {
    const { frame, canvas } = blank(6, 3)
    const inner = canvas.within(rect(1, 1, 4, 1))
    expect(inner.area).toEqual(rect(0, 0, 4, 1))
    expect(inner.text(-2, 0, "abcdefghij", TEXT)).toBe(6)
    inner.text(0, -1, "x", TEXT)
    inner.text(0, 1, "x", TEXT)
    expect(rowsOf(frame)).toEqual(["      ", " cdef ", "      "])
  })

  it("says how many columns it took", () => {
    const { canvas } = blank(20, 1)
    expect(canvas.text(0, 0, "a漢e\u0301", TEXT)).toBe(4)
  })

  it("draws a wide glyph as a blank where only half of it fits", () => {
    const { frame, canvas } = blank(4, 1)
    canvas.text(0, 0, "xxxx", TEXT)
    canvas.text(-1, 0, "漢漢漢", TEXT)
    expect(rowText(frame, 0)).toBe(" 漢 ")
    const narrow = blank(5, 1)
    narrow.canvas.text(0, 0, "xxxxx", TEXT)
    narrow.canvas.within(rect(1, 0, 3, 1)).text(0, 0, "漢漢", TEXT)
    expect(rowText(narrow.frame, 0)).toBe("x漢 x")
  })

  it("blanks the other half of a wide glyph in the new background", () => {
    for (const [x, expected] of [
      [0, "a 字"],
      [1, " a字"],
      [2, "漢a "]
    ] as const) {
      const { frame, canvas } = blank(4, 1)
      canvas.text(0, 0, "漢字", TEXT)
      canvas.text(x, 0, "a", RED)
      expect(rowText(frame, 0)).toBe(expected)
      const other = expected.indexOf(" ") === -1 ? 0 : x === 1 ? 0 : x + 1
      expect(cellAt(frame, other, 0).style).toEqual({ background: 1 })
    }
  })

  it("takes apart a sequence that the terminal does not join", () => {
    const { frame, canvas } = blank(6, 1)
    expect(canvas.text(0, 0, "👨‍👩‍👧", TEXT)).toBe(6)
    expect([0, 2, 4].map((x) => cellAt(frame, x, 0).text)).toEqual(["👨", "👩", "👧"])
  })

  it("shows a mark for what must not be drawn, and a circle under a mark alone", () => {
    const { frame, canvas } = blank(4, 1)
    canvas.text(0, 0, "a\u001Bb", TEXT)
    canvas.text(3, 0, "\u0301", TEXT)
    expect(rowText(frame, 0)).toBe("a\uFFFDb\u25CC\u0301")
  })

  it("keeps every wide glyph whole, whatever is drawn over it", () => {
    fc.assert(
      fc.property(history([...SURE, ...DOUBTFUL]), (steps) => {
        const frame = draw(
          makePools(),
          { columns: 17, rows: 6 },
          steps.flatMap((step) => step.strokes)
        )
        for (let y = 0; y < frame.rows; y++) {
          for (let x = 0; x < frame.columns; x++) {
            const { width, style } = cellAt(frame, x, y)
            const next = x + 1 < frame.columns ? cellAt(frame, x + 1, y) : undefined
            expect(next?.width === 0).toBe(width === 2)
            if (width === 2) expect(next?.style).toEqual(style)
          }
        }
      }),
      { numRuns: 200 }
    )
  })
})

describe("rows", () => {
  it("are filled to the edge with their ground, and a given ground wins", () => {
    const { frame, canvas } = blank(5, 2, grounded)
    canvas.row(0, 0, rowOf("ab", { fill: "selectionBg" }))
    canvas.row(0, 1, rowOf("ab", { fill: "selectionBg" }), "cursorLine")
    expect([0, 1].map((y) => [0, 4].map((x) => cellAt(frame, x, y).style.background))).toEqual([
      [4, 4],
      [7, 7]
    ])
  })

  it("begin their ground where their text names it: what stands before is a margin", () => {
    const { frame, canvas } = blank(5, 1, grounded)
    const spans = [
      { text: "│ ", look: TEXT },
      { text: "+", look: { role: "text", background: "selectionBg" } as const }
    ]
    canvas.row(0, 0, rowOf("", { spans, fill: "selectionBg" }))
    expect([0, 1, 2, 3, 4].map((x) => cellAt(frame, x, 0).style.background)).toEqual([undefined, undefined, 4, 4, 4])
  })

  it("carry links, and only those that may be sent", () => {
    const { frame, canvas } = blank(4, 1)
    const span = (text: string, link: string) => ({ text, look: TEXT, link })
    const spans = [
      span("a", "https://a.example/ü"),
      span("b", "javascript:x"),
      span("c", "file://host/x"),
      span("d", "file:///x")
    ]
    canvas.row(0, 0, rowOf("", { spans }))
    expect([0, 1, 2, 3].map((x) => cellAt(frame, x, 0).link)).toEqual(["https://a.example/%C3%BC", "", "", "file:///x"])
  })

  it("leave no link behind where something else is drawn", () => {
    const { frame, canvas } = blank(4, 1)
    canvas.row(0, 0, rowOf("", { spans: [{ text: "abcd", look: TEXT, link: "https://a.example" }] }))
    canvas.text(1, 0, "x", TEXT)
    expect([0, 1, 2].map((x) => cellAt(frame, x, 0).link !== "")).toEqual([true, false, true])
  })
})

describe("boxes", () => {
  it("join where they meet", () => {
    const { frame, canvas } = blank(7, 5)
    canvas.box(rect(0, 0, 7, 5), TEXT, "line")
    canvas.box(rect(0, 0, 4, 5), TEXT, "line")
    canvas.box(rect(0, 2, 7, 3), TEXT, "line")
    expect(rowsOf(frame)).toEqual(["┌──┬──┐", "│  │  │", "├──┼──┤", "│  │  │", "└──┴──┘"])
  })

  it("join in ASCII, and dialogs stand alone", () => {
    const { frame, canvas } = blank(5, 3)
    canvas.box(rect(0, 0, 5, 3), TEXT, "ascii")
    canvas.box(rect(0, 0, 3, 3), TEXT, "ascii")
    expect(rowsOf(frame)).toEqual(["+-+-+", "| | |", "+-+-+"])
    canvas.fill(rect(1, 0, 3, 3), TEXT)
    canvas.box(rect(1, 0, 3, 3), TEXT, "dialog")
    expect(rowsOf(frame)).toEqual(["+╔═╗+", "|║ ║|", "+╚═╝+"])
    canvas.box(rect(0, 0, 5, 3), TEXT, "none")
    expect(rowText(frame, 1)).toBe("|║ ║|")
  })
})

describe("restyling and hits", () => {
  it("changes the style of whole glyphs and leaves the text", () => {
    const { frame, canvas } = blank(4, 1, grounded)
    canvas.text(0, 0, "a漢b", { role: "text", bold: true })
    canvas.restyle(rect(2, 0, 1, 1), { background: "selectionBg", inverse: true })
    expect(rowText(frame, 0)).toBe("a漢b")
    expect([0, 1, 2, 3].map((x) => cellAt(frame, x, 0).style.inverse ?? false)).toEqual([false, true, true, false])
    expect(cellAt(frame, 1, 0).style).toEqual({ bold: true, background: 4, inverse: true })
  })

  it("finds the element drawn last, inside its clip only", () => {
    const { frame, canvas } = blank(10, 4)
    canvas.hit(canvas.area, "pane")
    canvas.within(rect(2, 1, 3, 2)).hit(rect(0, 0, 50, 50), "button")
    canvas.hit(rect(30, 0, 4, 4), "nowhere")
    const found = [
      [0, 0],
      [2, 1],
      [4, 2],
      [5, 2],
      [99, 99]
    ].map(([x = 0, y = 0]) => elementAt(frame, x, y))
    expect(found).toEqual(["pane", "button", "button", "pane", undefined])
    expect(frame.hits).toHaveLength(2)
  })
})
