import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sanitize, type TextKind, visibleText } from "../../../src/tui/text/sanitize.ts"
import { hostileText } from "./laws.ts"

const KINDS: ReadonlyArray<TextKind> = ["prose", "code", "command", "output"]
const FORBIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/u

describe("sanitize", () => {
  it("gives clean text back as one span", () => {
    expect(sanitize("hello é 中", "prose", { at: 5 })).toEqual([{ text: "hello é 中", look: { role: "text" }, at: 5 }])
    expect(sanitize("", "prose")).toEqual([])
  })

  it("shows what must not be drawn as escapes that stand for their source", () => {
    expect(sanitize("a\u001b[31m\u202eb", "output", { at: 10 })).toEqual([
      { text: "a", look: { role: "text" }, at: 10 },
      { text: "^[", look: { role: "control" }, at: 11, covers: 1 },
      { text: "[31m", look: { role: "text" }, at: 12 },
      { text: "<U+202E>", look: { role: "control" }, at: 16, covers: 1 },
      { text: "b", look: { role: "text" }, at: 17 }
    ])
    expect(visibleText("\u007f\u009b\ud800\u{e0041}\u2028", "prose")).toBe("^?<U+009B><U+D800><U+E0041><U+2028>")
  })

  it("keeps tabs and line feeds, and takes the carriage return of a line break away", () => {
    expect(visibleText("a\tb\nc\r\nd\re", "output")).toBe("a\tb\nc\nd^Me")
  })

  it("keeps joiners where they join: in emoji, and in prose between letters that need them", () => {
    const family = "👩‍👩‍👧"
    const persian = "می\u200cخواهم"
    expect(visibleText(family, "prose")).toBe(family)
    expect(visibleText(family, "code")).toBe(family)
    expect(visibleText(persian, "prose")).toBe(persian)
    expect(visibleText(persian, "code")).toBe("می<U+200C>خواهم")
    expect(visibleText(family, "command")).toContain("<U+200D>")
    expect(visibleText("rm\u200d -rf", "prose")).toBe("rm<U+200D> -rf")
    expect(visibleText("م\u200b\u200dک", "prose")).toBe("م<U+200B><U+200D>ک")
  })

  it("shows in commands what has no shape and what only looks like a blank; a picture may stay one", () => {
    const unseen = [
      "\u00a0",
      "\u00ad",
      "\u034f",
      "\u115f",
      "\u1680",
      "\u180e",
      "\u2003",
      "\u202f",
      "\u205f",
      "\u3000",
      "\u3164",
      "\ufe01",
      "\uffa0",
      "\u{e0100}"
    ]
    for (const character of unseen) {
      const name = `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}>`
      expect(visibleText(`rm${character}x`, "command"), name).toBe(`rm${name}x`)
      expect(visibleText(`rm${character}x`, "prose"), name).toBe(`rm${character}x`)
    }
    expect(visibleText("⚙\ufe0f", "command")).toBe("⚙\ufe0f")
    expect(visibleText("a\ufe0f", "command")).toBe("a<U+FE0F>")
  })

  it("never lets a dangerous character through, and loses nothing", () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.string({ unit: "binary" })), fc.constantFrom(...KINDS), (text, kind) => {
        const spans = sanitize(text, kind, { at: 0 })
        expect(spans.filter((span) => FORBIDDEN.test(span.text))).toEqual([])
        expect(spans.map(({ at = 0, covers, text: shown }) => text.slice(at, at + (covers ?? shown.length))).join("")).toBe(
          text
        )
      }),
      { numRuns: 200 }
    )
  })
})
