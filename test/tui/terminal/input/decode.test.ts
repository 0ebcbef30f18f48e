import { describe, expect, it } from "vitest"
import { deadline, decode, flush } from "../../../../src/tui/terminal/input/decode.ts"
import type { InputEvent, Reply } from "../../../../src/tui/terminal/input/event.ts"
import { initialDecodeState, withOptions, type DecodeOptions } from "../../../../src/tui/terminal/input/state.ts"
import { bytesOf, SAMPLES } from "./sequences.ts"

/** Everything a text comes to after all deadlines have passed. */
const eventsOf = (text: string, options: Partial<DecodeOptions> = {}): ReadonlyArray<InputEvent> => {
  const first = decode(bytesOf(text), initialDecodeState(options), 0)
  return [...first.events, ...flush(first.state, 10_000).events]
}

const strokesOf = (text: string, options: Partial<DecodeOptions> = {}): ReadonlyArray<string> =>
  eventsOf(text, options).map((event) => (event._tag === "Key" ? event.stroke : event._tag))

describe("keys", () => {
  it.each(SAMPLES)("$terminal: $key", ({ sent, stroke, text }) => {
    const expected = { _tag: "Key", stroke, kind: "press", ...(text === undefined ? {} : { text }) }
    expect(eventsOf(sent)).toEqual([expected])
    expect(eventsOf(sent, { bracketsPastes: true })).toEqual([expected])
  })

  it("says press, repeat and release", () => {
    const kinds = eventsOf("\\e[97;5u\\e[97;5:2u\\e[97;5:3u\\e[1;1:3A\\e[3;1:2~").map((event) =>
      event._tag === "Key" ? [event.stroke, event.kind] : []
    )
    expect(kinds).toEqual([
      ["<C-a>", "press"],
      ["<C-a>", "repeat"],
      ["<C-a>", "release"],
      ["<Up>", "release"],
      ["<Del>", "repeat"]
    ])
  })

  it("gives no text to insert for a release", () => {
    expect(eventsOf("\\e[97;1:3u")).toEqual([{ _tag: "Key", stroke: "a", kind: "release" }])
  })

  it("takes 0x08 for Ctrl+Backspace where that was chosen", () => {
    expect(strokesOf("\b\u007f", { bsIsCtrlBackspace: true })).toEqual(["<C-BS>", "<BS>"])
  })

  it("keeps the code points of one cluster together", () => {
    const family = "👩‍👩‍👧"
    expect(strokesOf(`${family}x`)).toEqual([family, "x"])
    expect(strokesOf(`${family}x`, { bracketsPastes: true })).toEqual([family, "x"])
  })

  it("turns bytes that are not UTF-8 into U+FFFD", () => {
    const { events, state } = decode(Uint8Array.of(0xff, 0xc3, 0x28), initialDecodeState(), 0)
    const strokes = [...events, ...flush(state, 10_000).events].map((event) => event._tag === "Key" && event.stroke)
    expect(strokes).toEqual(["\ufffd", "\ufffd", "("])
  })

  it("reads two keys from CR LF", () => {
    expect(strokesOf("\r\n")).toEqual(["<CR>", "<C-j>"])
  })
})

describe("time", () => {
  it("waits escDelayMs for what follows ESC", () => {
    const { events, state } = decode(bytesOf("\\e"), initialDecodeState({ escDelayMs: 75 }), 1000)
    expect(events).toEqual([])
    expect(deadline(state)).toBe(1075)
    expect(flush(state, 1074).events).toEqual([])
    expect(flush(state, 1075)).toMatchObject({ events: [{ stroke: "<Esc>" }], state: { phase: { _tag: "Ground" } } })
    const bracketing = withOptions(state, { bracketsPastes: true })
    expect(decode(bytesOf("x"), bracketing, 1074).events).toMatchObject([{ stroke: "<A-x>" }])
    expect(decode(bytesOf("x"), bracketing, 1075).events).toMatchObject([{ stroke: "<Esc>" }, { stroke: "x" }])
  })

  it.each([
    ["\\e[200~x\\e[201~", "Paste"],
    ["\\e[<64;3;4M", "Mouse"],
    ["\\e[I", "Focus"],
    ["\\e[?2026;2$y", "Reply"]
  ])("loses no Escape right before %s", (sent, tag) => {
    expect(strokesOf(`\\e${sent}`)).toEqual(["<Esc>", tag])
  })

  it("tells two presses of Escape from Alt", () => {
    expect(strokesOf("\\e\\e")).toEqual(["<Esc>", "<Esc>"])
    expect(strokesOf("\\e\\e\\ex")).toEqual(["<Esc>", "<Esc>", "<A-x>"])
  })

  it("gives up on a sequence that never ends", () => {
    const { state } = decode(bytesOf("\\e[12;"), initialDecodeState(), 0)
    expect(deadline(state)).toBe(1000)
    expect(flush(state, 1000).events).toEqual([{ _tag: "Unknown", bytes: bytesOf("\\e[12;") }])
  })

  it("gives up on a string that never ends, however much is typed behind it", () => {
    let state = decode(bytesOf("\\e]11;rgb:00"), initialDecodeState({ bracketsPastes: true }), 0).state
    for (const at of [300, 600, 900]) state = decode(bytesOf("x"), state, at).state
    expect(deadline(state)).toBe(1000)
    expect(decode(bytesOf("y"), state, 1000).events).toMatchObject([{ _tag: "Unknown" }, { stroke: "y" }])
  })

  it.each(["\r", "\t", "\u007f", "\u0003"])("lets %j out of a string that never ends at once", (key) => {
    const { state } = decode(bytesOf("\\eP1+r52"), initialDecodeState({ bracketsPastes: true }), 0)
    expect(decode(bytesOf(key), state, 10).events).toMatchObject([{ _tag: "Unknown" }, { _tag: "Key" }])
  })

  it("has nothing to wait for after a finished key", () => {
    expect(deadline(decode(bytesOf("\\e[A"), initialDecodeState(), 5).state)).toBeUndefined()
    expect(deadline(decode(bytesOf("a"), initialDecodeState({ bracketsPastes: true }), 5).state)).toBeUndefined()
  })
})

describe("mouse and focus", () => {
  const mouse = { _tag: "Mouse", column: 4, row: 9, shift: false, alt: false, ctrl: false }

  it.each([
    ["\\e[<0;5;10M", { action: "press", button: "left" }],
    ["\\e[<0;5;10m", { action: "release", button: "left" }],
    ["\\e[<32;5;10M", { action: "drag", button: "left" }],
    ["\\e[<35;5;10M", { action: "move", button: "none" }],
    ["\\e[<64;5;10M", { action: "wheel", button: "wheelUp" }],
    ["\\e[<65;5;10M", { action: "wheel", button: "wheelDown" }],
    ["\\e[<1;5;10M", { action: "press", button: "middle" }],
    ["\\e[<128;5;10M", { action: "press", button: "back" }],
    ["\\e[<22;5;10M", { action: "press", button: "right", shift: true, ctrl: true }],
    ["\\e[<72;5;10M", { action: "wheel", button: "wheelUp", alt: true }],
    ["\\e[M %*", { action: "press", button: "left" }],
    ["\\e[M#%*", { action: "release", button: "none" }],
    ["\\e[M`%*", { action: "wheel", button: "wheelUp" }]
  ])("reads %s", (sent, expected) => {
    expect(eventsOf(sent)).toEqual([{ ...mouse, ...expected }])
  })

  it("reads focus", () => {
    expect(eventsOf("\\e[I\\e[O")).toEqual([
      { _tag: "Focus", gained: true },
      { _tag: "Focus", gained: false }
    ])
  })
})

describe("replies", () => {
  const cases: ReadonlyArray<readonly [string, Reply]> = [
    ["\\e[?62;4;22c", { _tag: "PrimaryAttributes", attributes: [62, 4, 22] }],
    ["\\e[>41;388;0c", { _tag: "SecondaryAttributes", attributes: [41, 388, 0] }],
    ["\\eP>|XTerm(388)\\e\\", { _tag: "TerminalVersion", text: "XTerm(388)" }],
    ["\\e[24;80R", { _tag: "CursorPosition", row: 23, column: 79 }],
    ["\\e[?1;3R", { _tag: "CursorPosition", row: 0, column: 2 }],
    ["\\e[?2026;2$y", { _tag: "ModeReport", mode: 2026, isPrivate: true, value: 2 }],
    ["\\e[20;1$y", { _tag: "ModeReport", mode: 20, isPrivate: false, value: 1 }],
    ["\\e[?3u", { _tag: "KeyboardFlags", flags: 3 }],
    ["\\e]11;rgb:1e1e/2a2a/ffff\u0007", { _tag: "Colour", which: "background", rgb: [30, 42, 255] }],
    ["\\e]10;rgb:f/80/0\\e\\", { _tag: "Colour", which: "foreground", rgb: [255, 128, 0] }],
    ["\\e]11;#102030\\e\\", { _tag: "Colour", which: "background", rgb: [16, 32, 48] }],
    ["\\eP1+r524742=38\\e\\", { _tag: "Capability", name: "RGB", value: "8" }],
    ["\\eP0+r524742\\e\\", { _tag: "Capability", name: "RGB" }],
    ["\\e[?997;1n", { _tag: "ColourScheme", scheme: "dark" }],
    ["\\e[?997;2n", { _tag: "ColourScheme", scheme: "light" }],
    ["\\e[8;40;120t", { _tag: "Size", of: "screenCells", height: 40, width: 120 }]
  ]

  it.each(cases)("reads %s", (sent, reply) => {
    expect(eventsOf(sent)).toEqual([{ _tag: "Reply", reply }])
  })

  it("takes CSI 1;2 R for a position only when one was asked for", () => {
    expect(strokesOf("\\e[1;2R")).toEqual(["<S-F3>"])
    expect(eventsOf("\\e[1;2R", { expectsCursorReport: true })).toEqual([
      { _tag: "Reply", reply: { _tag: "CursorPosition", row: 0, column: 1 } }
    ])
  })
})

describe("what is not understood", () => {
  it.each([
    "\\e[99;5;3;2x",
    "\\e[?12h",
    "\\e]52;c;c2VjcmV0\u0007",
    "\\e_Gi=1;OK\\e\\",
    "\\eP!|00000000\\e\\",
    "\\e[<1;2M",
    "\\e[55555;99~",
    "\\e[4294967295u",
    "\\e[55296u",
    "\\e[57358u",
    "\\e[1;1;1;1z",
    "\\e[201~",
    "\\e[~"
  ])("swallows %s", (sent) => {
    expect(eventsOf(`${sent}z`).map((event) => event._tag)).toEqual(["Unknown", "Key"])
  })

  it("lets Ctrl+C out of a string that never ends", () => {
    expect(strokesOf("\\e]0;never\u0003")).toEqual(["Unknown", "<C-c>"])
  })

  it("starts again when a sequence is cut off by another", () => {
    expect(strokesOf("\\e[12\\e[A")).toEqual(["Unknown", "<Up>"])
    expect(strokesOf("\\e]11;rgb\\e[A")).toEqual(["Unknown", "<Up>"])
  })
})
