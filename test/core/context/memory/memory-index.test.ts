import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { utf8Bytes } from "../../../../src/core/domain/text/bytes.ts"
import {
  cutIndex,
  INDEX_BYTES,
  INDEX_LINES,
  indexFill,
  indexText,
  withEntry,
  withoutEntry
} from "../../../../src/core/context/memory/memory-index.ts"

const lines = (count: number, of = (at: number) => `- line ${at}`): string =>
  Array.from({ length: count }, (_, at) => of(at + 1)).join("\n")

describe("what a conversation takes of the index", () => {
  it("is the whole of it up to 200 lines", () => {
    expect(cutIndex(lines(200))).toEqual({ text: lines(200), cut: undefined })
  })

  it("is the first 200 lines of a longer one, with a note", () => {
    const { text, cut } = cutIndex(lines(300))
    expect(text).toBe(lines(200))
    expect(cut).toContain("has 300 lines; only the first 200 are here")
    expect(indexText(lines(300))).toContain("Make it shorter")
  })

  it("ends at a line where the bytes are the limit", () => {
    const { text, cut } = cutIndex(lines(100, (at) => `- ${at} ${"é".repeat(300)}`))
    expect(utf8Bytes(text)).toBeLessThanOrEqual(INDEX_BYTES)
    expect(text.endsWith("é")).toBe(true)
    expect(cut).toContain("25000 bytes")
  })

  it("leaves out front matter and comments, but not code", () => {
    const raw = "---\nname: x\n---\n- a\n<!-- one -->\n<!--\ntwo\n-->\n- b <!-- stays -->\n```\n<!-- code -->\n```\n"
    expect(indexText(raw)).toBe("- a\n- b <!-- stays -->\n```\n<!-- code -->\n```")
  })

  it("is nothing when there is nothing in it", () => {
    expect(indexText("\n<!-- only a comment -->\n\n")).toBeUndefined()
  })

  it("never has more lines and bytes than the limits, whatever is in the file", () => {
    const piece = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.constantFrom("\n", "\r\n", "---", "<!--", "-->", "```", "\uD800", "x".repeat(30_000), "\n".repeat(150))
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const { text, cut } = cutIndex(pieces.join(""))
        expect(text.split("\n").length).toBeLessThanOrEqual(INDEX_LINES)
        expect(utf8Bytes(text)).toBeLessThanOrEqual(INDEX_BYTES)
        if (cut === undefined) expect(cutIndex(text).cut).toBeUndefined()
      })
    )
  })
})

describe("lines of the index", () => {
  const entry = { file: "tabs.md", title: "Tabs", hook: "the user wants tabs" }

  it("are added at the end", () => {
    expect(withEntry("", entry)).toBe("- [Tabs](tabs.md) — the user wants tabs\n")
    expect(withEntry("# Mine\n\n- [A](a.md)\n\n", entry)).toBe(
      "# Mine\n\n- [A](a.md)\n- [Tabs](tabs.md) — the user wants tabs\n"
    )
  })

  it("are replaced where the topic has one", () => {
    expect(withEntry("- [A](a.md)\n- [Old](./tabs.md) old\n- [B](b.md)\n", entry)).toBe(
      "- [A](a.md)\n- [Tabs](tabs.md) — the user wants tabs\n- [B](b.md)\n"
    )
  })

  it("are one short line, whatever the title and the hook are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.string({ unit: "grapheme" }), (title, hook) => {
        const line = withEntry("", { file: "t.md", title, hook }).slice(0, -1)
        expect(line).not.toContain("\n")
        expect(line.length).toBeLessThanOrEqual(150)
        expect(withoutEntry(withEntry("- [A](a.md)\n", { file: "t.md", title, hook }), "t.md")).toBe("- [A](a.md)\n")
      })
    )
  })

  it("go with their topic, and others stay byte for byte", () => {
    expect(withoutEntry("- [A](a.md)\r\n- [Tabs](tabs.md) x\r\n", "tabs.md")).toBe("- [A](a.md)\r\n")
    expect(withoutEntry("no line\r\n", "tabs.md")).toBe("no line\r\n")
  })

  it("fill the index", () => {
    expect(indexFill("")).toBe(0)
    expect(indexFill(lines(160))).toBe(80)
    expect(indexFill("x".repeat(INDEX_BYTES))).toBe(100)
  })
})
