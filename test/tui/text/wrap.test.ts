import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cutLine } from "../../../src/tui/text/cut.ts"
import { plainRows } from "../../../src/tui/text/rows.ts"
import type { Span } from "../../../src/tui/screen/style/row.ts"
import { sanitize } from "../../../src/tui/text/sanitize.ts"
import { wrapInStretches } from "../../../src/tui/text/wrap.ts"
import { coveredBy, expectLawful, hostileLine, hostileText, screen, widths } from "./laws.ts"

const wrapped = (text: string, width: number): ReadonlyArray<string> => screen(plainRows(text, { kind: "prose", width }))

const LETTERS = ["a", "bc", "-", "/", " ", "   ", "\t", "中", "「", "。", "e\u0301", "\u200b", "👩‍👩‍👧", "🇩🇪", "word".repeat(9)]

describe("wrapping an endless line in stretches", () => {
  const letters = fc.array(fc.constantFrom(...LETTERS), { maxLength: 120 })
  const unit = fc.record({ text: letters.map((all) => all.join("")), isUnit: fc.boolean() })
  const sameRows = fc.property(
    fc.array(unit, { minLength: 1, maxLength: 4 }),
    fc.integer({ min: 1, max: 30 }),
    fc.integer({ min: 1, max: 200 }),
    (units, width, stretch) => {
      let at = 0
      const pieces = units.map(({ text, isUnit }): Span => {
        const span = { text, look: { role: "text" } as const, at, ...(isUnit ? { covers: 3 } : {}) }
        at += isUnit ? 3 : text.length
        return span
      })
      const options = { width, rest: width + 2, tab: 4 }
      expect(wrapInStretches(pieces, options, stretch)).toEqual(wrapInStretches(pieces, options, Infinity))
    }
  )

  it("gives the rows that all of it at once gives, whatever the stretches are", () => {
    fc.assert(sameRows, { numRuns: 400 })
  })

  // A stretch that begins in the middle of a word took a slash for the beginning of the next one.
  it("knows whether a stretch begins in the middle of a word", () => {
    fc.assert(sameRows, { numRuns: 400, seed: -512619502 })
    const long = [{ text: "word/word/word word", look: { role: "text" } as const, at: 0 }]
    const options = { width: 5, tab: 4 }
    expect(wrapInStretches(long, options, 4)).toEqual(wrapInStretches(long, options, Infinity))
  })
})

describe("wrapping", () => {
  it("makes rows of a line however long it is", () => {
    const words = "word ".repeat(200_000)
    const rows = plainRows(words, { kind: "prose", width: 4 })
    expect(rows.length).toBe(200_000)
    expect(rows.at(-1)).toMatchObject({ end: words.length })
  })

  it("breaks at spaces and leaves no blank at the start of a row", () => {
    expect(wrapped("the quick brown fox jumps", 10)).toEqual(["the quick", "brown fox", "jumps"])
    expect(wrapped("aaaa     bbbb", 5)).toEqual(["aaaa", "bbbb"])
  })

  it("breaks long paths behind - and /, short words never", () => {
    expect(wrapped("see /usr/local/share/some-thing/else", 16)).toEqual(["see /usr/local/", "share/some-", "thing/else"])
    expect(wrapped("a well-known thing", 8)).toEqual(["a well-", "known", "thing"])
    expect(wrapped("the well-known thing", 12)).toEqual(["the", "well-known", "thing"])
  })

  it("leaves no slash or dash alone at the end of a row that begins the next word", () => {
    expect(wrapped("a long path: /home/somebody/projects", 15)).toEqual(["a long path:", "/home/somebody/", "projects"])
    expect(wrapped("try this --dry-run-everything-now", 12)).toEqual(["try this", "--dry-run-", "everything-", "now"])
  })

  it("breaks words without any break at cluster borders", () => {
    expect(wrapped("abcdefgh", 3)).toEqual(["abc", "def", "gh"])
    expect(wrapped("e\u0301e\u0301e\u0301", 2)).toEqual(["e\u0301e\u0301", "e\u0301"])
  })

  it("breaks East Asian text anywhere but before closing and after opening marks", () => {
    expect(wrapped("中文中文，中文", 8)).toEqual(["中文中", "文，中文"])
    expect(wrapped("中文中「文」", 8)).toEqual(["中文中", "「文」"])
  })

  it("expands tabs from the start of the text", () => {
    const rows = plainRows("a\tb", { kind: "code", width: 20, tab: 4 })
    expect(screen(rows)).toEqual(["a   b"])
    expect(rows[0]?.spans[1]).toMatchObject({ text: "   ", at: 1, covers: 1 })
  })

  it("indents further rows by their margin", () => {
    const mark = { text: "- ", look: { role: "text" } } as const
    const blank = { text: "  ", look: { role: "text" } } as const
    expect(
      screen(plainRows("one two three", { kind: "prose", width: 8, margin: { first: [mark], rest: [blank] } }))
    ).toEqual(["- one", "  two", "  three"])
  })

  it("leaves a blank where a wide glyph has no room", () => {
    expect(screen(plainRows("中", { kind: "prose", width: 1 }))).toEqual([""])
  })

  it("never makes a row too wide, and the rows together are the source", () => {
    fc.assert(
      fc.property(hostileText, widths, fc.option(fc.nat(20), { nil: undefined }), (text, width, scroll) => {
        const layout = { kind: "code", width, tab: 4, ...(scroll === undefined ? {} : { scroll }) } as const
        const rows = plainRows(text, layout)
        expectLawful(rows, text, width)
        expect(coveredBy(rows, text)).toBe(text)
      }),
      { numRuns: 300 }
    )
  })

  it("loses no character but the blanks at breaks", () => {
    fc.assert(
      fc.property(hostileLine, fc.integer({ min: 9, max: 60 }), (text, width) => {
        const shown = plainRows(text, { kind: "prose", width }).flatMap((row) => row.spans)
        const lost = text.split("")
        for (const { at = 0, covers, text: drawn } of shown) lost.fill("", at, at + (covers ?? drawn.length))
        expect(lost.join("").trim()).toBe("")
      }),
      { numRuns: 200 }
    )
  })
})

describe("cutting", () => {
  const cut = (text: string, scroll: number, width: number): string =>
    cutLine(sanitize(text, "code", { at: 0 }), { width, scroll, tab: 4 })
      .spans.map((span) => span.text)
      .join("")

  it("shows a window of the columns", () => {
    expect(cut("abcdefgh", 0, 4)).toBe("abcd")
    expect(cut("abcdefgh", 3, 4)).toBe("defg")
    expect(cut("abc", 5, 4)).toBe("")
  })

  it("leaves blanks for glyphs and tabs that lie across an edge", () => {
    expect(cut("中文中", 1, 4)).toBe(" 文 ")
    expect(cut("\tx", 2, 4)).toBe("  x")
  })
})
