import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ansiLines, ansiPlain, ansiRows, feedAnsi, plain, startAnsi } from "../../../../src/tui/text/ansi/ansi.ts"
import { coveredBy, expectLawful, screen } from "../laws.ts"

const parsed = (text: string) => feedAnsi(startAnsi(), text)
const looks = (text: string) =>
  ansiLines(parsed(text)).flatMap((line) => line.runs.map((run) => [run.text, run.ink.look] as const))

const PIECES = [
  "text",
  "é中",
  "👩‍👩‍👧",
  " ",
  "\n",
  "\r",
  "\r\n",
  "\b",
  "\t",
  "\u001b",
  "[",
  "\u001b[31m",
  "\u001b[1;38;5;200m",
  "\u001b[38;2;1;2;3m",
  "\u001b[48:2::9:8:7m",
  "\u001b[0m",
  "\u001b[m",
  "\u001b[K",
  "\u001b[2K",
  "\u001b[1K",
  "\u001b[5G",
  "\u001b[2J",
  "\u001b[?25l",
  "\u001b]0;title\u0007",
  "\u001b]8;;https://a.example\u001b\\",
  "\u001b]52;c;AAAA",
  "\u001b(B",
  "\u001bM",
  "\u009b32m",
  "\u0007",
  "31m",
  ";",
  "\u001bP1$r\u001b\\",
  "\ud83d"
]
const output = fc.array(fc.constantFrom(...PIECES), { maxLength: 20 }).map((pieces) => pieces.join(""))

describe("shell output", () => {
  it("keeps colours and traits", () => {
    expect(looks("a\u001b[1;31mb\u001b[22;38;5;200mc\u001b[38;2;1;2;3;4md\u001b[me")).toEqual([
      ["a", { role: "text" }],
      ["b", { role: "text", bold: true, foreground: 1 }],
      ["c", { role: "text", foreground: 200 }],
      ["d", { role: "text", foreground: 0x1010203, underline: true }],
      ["e", { role: "text" }]
    ])
    expect(looks("\u001b[97;104;3;7;9mx\u001b[39;49;23;27;29my")).toEqual([
      ["x", { role: "text", foreground: 15, ground: 12, italic: true, inverse: true, strike: true }],
      ["y", { role: "text" }]
    ])
    expect(looks("\u001b[48:2::9:8:7mx")).toEqual([["x", { role: "text", ground: 0x1090807 }]])
  })

  it("shares one look among equal colours", () => {
    const [first, , third] = looks("\u001b[31ma\u001b[0mb\u001b[31mc")
    expect(first?.[1]).toBe(third?.[1])
  })

  it("carries a colour over lines", () => {
    expect(looks("\u001b[32ma\nb")).toEqual([
      ["a", { role: "text", foreground: 2 }],
      ["b", { role: "text", foreground: 2 }]
    ])
  })

  it("drops every other sequence", () => {
    expect(plain("a\u001b[2Jb\u001b]0;t\u0007c\u001b(Bd\u001b[?25le\u001bPx\u001b\\f\u001b[1;1Hg")).toBe("abcdefg")
    expect(plain("x\u001b]52;c;AAAA\u0007y")).toBe("xy")
  })

  it("lets the last line be overwritten", () => {
    expect(plain("10%\r50%\r100%\ndone")).toBe("100%\ndone")
    expect(plain("long text\rab")).toBe("abng text")
    expect(plain("long text\r\u001b[Kab")).toBe("ab")
    expect(plain("abc\b\bX")).toBe("aXc")
    expect(plain("one\r\ntwo\r\n")).toBe("one\ntwo\n")
    expect(plain("abc\u001b[1G\u001b[0Kx")).toBe("x")
  })

  it("keeps links only for those who ask", () => {
    const text = "\u001b]8;;https://a.example\u001b\\label\u001b]8;;\u001b\\ rest"
    expect(ansiLines(parsed(text))[0]?.runs.every((run) => run.ink.link === undefined)).toBe(true)
    const runs = ansiLines(feedAnsi(startAnsi({ links: true }), text))[0]?.runs ?? []
    expect(runs.map((run) => [run.text, run.ink.link])).toEqual([
      ["label", "https://a.example/"],
      [" rest", undefined]
    ])
  })

  it("gives rows that point into the plain text", () => {
    const rows = ansiRows(ansiLines(parsed("\u001b[31mred\u0007 and\n\nmore")), { width: 5 })
    expect(screen(rows)).toEqual(["red^G", "and", "", "more"])
    expect(coveredBy(rows, plain("\u001b[31mred\u0007 and\n\nmore"))).toBe("red\u0007 and\n\nmore")
  })

  it("does not care how the text is split, and keeps the laws of rows", () => {
    fc.assert(
      fc.property(output, fc.array(fc.nat(200), { maxLength: 6 }), fc.integer({ min: 1, max: 20 }), (text, cuts, width) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length]
        const split = places
          .slice(1)
          .reduce((state, place, index) => feedAnsi(state, text.slice(places[index] ?? 0, place)), startAnsi())
        const whole = parsed(text)
        expect(ansiPlain(split)).toBe(ansiPlain(whole))
        const drawn = (state: typeof whole) =>
          ansiLines(state).map((line) => [
            line.at,
            line.runs.flatMap((run) => Array.from(run.text, (one) => [one, run.ink]))
          ])
        expect(drawn(split)).toEqual(drawn(whole))
        const source = ansiPlain(whole)
        expect(source).not.toMatch(/[\u001b\u0008\r\u009b]/)
        expectLawful(ansiRows(ansiLines(whole), { width }), source, width)
      }),
      { numRuns: 400 }
    )
  })

  it("keeps older versions as they were", () => {
    const one = parsed("a\n")
    const left = feedAnsi(one, "b\n")
    const right = feedAnsi(one, "c\n")
    expect([one, left, right].map(ansiPlain)).toEqual(["a\n", "a\nb\n", "a\nc\n"])
  })
})
