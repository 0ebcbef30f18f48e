import { describe, expect, it } from "vitest"
import { DEFAULT_STYLE, type Style } from "../../../../src/tui/screen/style/style.ts"
import { BASIC_CAPABILITIES, type Capabilities } from "../../../../src/tui/terminal/render/capabilities.ts"
import { encode } from "../../../../src/tui/terminal/render/encode.ts"
import { moveTo } from "../../../../src/tui/terminal/render/move.ts"
import type { DrawOp, Put } from "../../../../src/tui/terminal/render/op.ts"
import { fitsClipboard } from "../../../../src/tui/terminal/render/out-of-band.ts"
import { RICH_CAPABILITIES } from "./generate.ts"

const put = (text: string, style: Style = DEFAULT_STYLE, extra: Partial<Put> = {}): Put => ({
  op: "Put",
  text,
  columns: text.length,
  style,
  link: "",
  uncertain: false,
  edge: false,
  ...extra
})
const move = (x: number, y: number): DrawOp => ({ op: "Move", x, y })
const QUIET: Capabilities = { ...RICH_CAPABILITIES, syncOutput: false }

/** The bytes with the escape character readable, and without the hiding of the cursor at the start. */
const written = (ops: ReadonlyArray<DrawOp>, caps = QUIET): string =>
  encode(ops, caps)
    .replaceAll("\u001B", "^")
    .replaceAll("\u0007", "!")
    .replace(/^\^\[\?25l/, "")

describe("moves", () => {
  it.each([
    ["from nowhere", undefined, { x: 4, y: 2 }, "^[3;5H"],
    ["home", undefined, { x: 0, y: 0 }, "^[H"],
    ["to a row", undefined, { x: 0, y: 11 }, "^[12H"],
    ["nowhere", { x: 4, y: 2 }, { x: 4, y: 2 }, ""],
    ["one right", { x: 4, y: 2 }, { x: 5, y: 2 }, "^[C"],
    ["far right", { x: 4, y: 2 }, { x: 120, y: 2 }, "^[116C"],
    ["a little left", { x: 4, y: 2 }, { x: 2, y: 2 }, "\b\b"],
    ["far left", { x: 90, y: 2 }, { x: 20, y: 2 }, "^[70D"],
    ["far left to a low column", { x: 120, y: 2 }, { x: 3, y: 2 }, "^[4G"],
    ["to the start", { x: 90, y: 2 }, { x: 0, y: 2 }, "\r"],
    ["to the next row", { x: 90, y: 2 }, { x: 0, y: 3 }, "\r\n"],
    ["up", { x: 9, y: 7 }, { x: 9, y: 6 }, "^[A"],
    ["straight down", { x: 9, y: 2 }, { x: 9, y: 8 }, "^[6B"]
  ])("%s", (_, from, to, bytes) => expect(moveTo(from, to).replaceAll("\u001B", "^")).toBe(bytes))

  it("are absolute after the last column and after a doubtful glyph", () => {
    expect(written([move(0, 0), put("x", DEFAULT_STYLE, { edge: true }), move(0, 1), put("y")])).toBe("^[Hx^[2Hy")
    const doubtful = put("é", DEFAULT_STYLE, { uncertain: true, columns: 2 })
    expect(written([move(0, 0), doubtful, move(2, 0), put("y")])).toBe("^[H  ^[Hé^[1;3Hy")
  })
})

describe("styles", () => {
  const BOLD: Style = { bold: true }
  const BOTH: Style = { bold: true, dim: true }
  const RED: Style = { bold: true, foreground: 1 }
  const RGB: Style = { foreground: 0x1102030, background: 0x1ffffff }

  it("go the shorter way from one to the next, and end in the default", () => {
    const there = [move(0, 0), put("a", BOLD), put("b", RED), put("c", BOLD), put("d")]
    expect(written(there)).toBe("^[H^[1ma^[31mb^[39mc^[md")
    expect(written([move(0, 0), put("a", BOTH), put("b", BOLD)])).toBe("^[H^[1;2ma^[0;1mb^[m")
    const anew = [move(0, 0), put("a", { ...RED, italic: true, strike: true }), put("b", { underline: "curly" })]
    expect(written(anew)).toBe("^[H^[1;3;9;31ma^[0;4:3mb^[m")
  })

  it("are told in the depth of the terminal", () => {
    const ops = [move(0, 0), put("a", RGB)]
    expect(written(ops)).toBe("^[H^[38;2;16;32;48;48;2;255;255;255ma^[m")
    expect(written(ops, { ...QUIET, colourDepth: "256" })).toBe("^[H^[38;5;234;48;5;231ma^[m")
    expect(written(ops, { ...QUIET, colourDepth: "16" })).toBe("^[H^[30;107ma^[m")
    expect(written(ops, { ...QUIET, colourDepth: "none" })).toBe("^[Ha")
    const palette = new Map([[0x1102030, 12]])
    expect(encode(ops, { ...QUIET, colourDepth: "16" }, palette)).toContain("\u001B[94;107m")
  })

  it("fall back where the terminal cannot", () => {
    const fancy: Style = { underline: "curly", underlineColour: 1, strike: true }
    expect(written([move(0, 0), put("a", fancy)])).toBe("^[H^[4:3;9;58:5:1ma^[m")
    expect(written([move(0, 0), put("a", fancy)], BASIC_CAPABILITIES)).toBe("^[H^[2;4ma^[m")
  })

  it("close a link before the frame ends, with one id per target", () => {
    const link = "https://a.example"
    const bytes = written([move(0, 0), put("a", DEFAULT_STYLE, { link }), put("b"), put("c", DEFAULT_STYLE, { link })])
    const [, id = ""] = /id=(\w+)/.exec(bytes) ?? []
    const open = `^]8;id=${id};https://a.example^\\`
    expect(bytes).toBe(`^[H${open}a^]8;;^\\b${open}c^]8;;^\\`)
    expect(written([move(0, 0), put("a", DEFAULT_STYLE, { link })], { ...QUIET, hyperlinks: false })).toBe("^[Ha")
  })
})

describe("a frame", () => {
  const caret = { x: 1, y: 0, visible: true, shape: "bar" } as const
  const ops: ReadonlyArray<DrawOp> = [move(0, 0), put("a"), { op: "CursorState", cursor: caret, before: caret }]

  it("is shown at once where the terminal can, else with the cursor hidden", () => {
    expect(encode(ops, RICH_CAPABILITIES)).toBe("\u001B[?2026h\u001B[Ha\u001B[?2026l")
    expect(encode(ops, QUIET)).toBe("\u001B[?25l\u001B[Ha\u001B[?25h")
  })

  it("has no frame around a mere move of the cursor", () => {
    const before = { ...caret, visible: false, shape: "block" } as const
    expect(written([{ op: "CursorState", cursor: caret, before }], RICH_CAPABILITIES)).toBe("^[1;2H^[6 q^[?25h")
  })

  it("resets the scroll region at once, in the default style", () => {
    const scroll: DrawOp = { op: "Scroll", top: 1, bottom: 5, count: 2 }
    const scrolling = [move(0, 0), put("a", { bold: true }), scroll, move(0, 1), put("b")]
    expect(written(scrolling)).toBe("^[H^[1ma^[m^[2;6r^[2S^[r^[2Hb")
    expect(written([{ ...scroll, count: -1 }])).toBe("^[2;6r^[T^[r")
  })
})

const NOTICE: DrawOp = { op: "Notify", title: "session", body: "needs you" }

describe("what goes beside the cells", () => {
  const inTmux = { ...RICH_CAPABILITIES, multiplexer: "tmux" as const }
  const inScreen = { ...RICH_CAPABILITIES, multiplexer: "screen" as const }

  it("wraps what must reach the terminal outside", () => {
    expect(written([{ op: "Clipboard", text: "é" }], RICH_CAPABILITIES)).toBe("^]52;c;w6k=^\\")
    expect(written([{ op: "Clipboard", text: "é" }], inTmux)).toBe("^Ptmux;^^]52;c;w6k=!^\\")
    const chunks = encode([{ op: "Clipboard", text: "x".repeat(2_000) }], inScreen)
      .split("\u001BP")
      .slice(1)
    expect(chunks.length).toBeGreaterThan(5)
    for (const chunk of chunks) expect(Buffer.byteLength(`\u001BP${chunk}`)).toBeLessThanOrEqual(512)
    expect(chunks.map((chunk) => chunk.slice(0, -2)).join("")).toMatch(/^\u001B\]52;c;[A-Za-z0-9+/=]+\u0007$/)
  })

  it("keeps title and bell inside", () => {
    expect(written([{ op: "Title", text: "a\u001Bb" }, { op: "Bell" }], inTmux)).toBe("^]2;a b^\\!")
  })

  it("refuses a clipboard past the limit", () => {
    const big = "x".repeat(80_000)
    expect(fitsClipboard(big)).toBe(false)
    expect(encode([{ op: "Clipboard", text: big }], RICH_CAPABILITIES)).toBe("")
  })

  it.each([
    ["bell", "!"],
    ["osc9", "^]9;session: needs you^\\"],
    ["osc99", "^]99;i=nacre:d=0:p=title;session^\\^]99;i=nacre:d=1:p=body;needs you^\\"],
    ["osc777", "^]777;notify;session;needs you^\\"],
    ["none", ""]
  ] as const)("notifies by %s", (notifications, bytes) =>
    expect(written([NOTICE], { ...RICH_CAPABILITIES, notifications })).toBe(bytes)
  )

  it("tells progress", () => {
    const share = { state: "share", percent: 41.6 } as const
    const states = [undefined, { state: "busy" }, share, { state: "waiting" }, { state: "failed" }] as const
    const bytes = states.map((progress) => written([{ op: "Progress", progress }], RICH_CAPABILITIES))
    expect(bytes).toEqual(["^]9;4;0^\\", "^]9;4;3^\\", "^]9;4;1;42^\\", "^]9;4;4^\\", "^]9;4;2^\\"])
  })
})
