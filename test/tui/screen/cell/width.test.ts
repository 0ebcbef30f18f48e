import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { isUncertain, widthByRule, widthOfUnit } from "../../../../src/tui/screen/cell/cluster-width.ts"
import {
  clusters,
  clusterWidth,
  isSimple,
  makeWidths,
  nextClusters,
  sliceColumns,
  standsAlone,
  textWidth
} from "../../../../src/tui/screen/cell/width.ts"
import { CONSERVATIVE_PROFILE } from "../../../../src/tui/screen/cell/width-profile.ts"

const FAMILY = "👨‍👩‍👧"

const CLUSTERS = ["a", "é", "e\u0301", "漢", "한", "한", FAMILY, "🇩🇪", "❤️", "👍🏽", "1️⃣", "क्ष", "\u200B", " "]

const anyText = fc
  .array(fc.oneof(fc.constantFrom(...CLUSTERS), fc.string({ unit: "binary", maxLength: 3 })), { maxLength: 12 })
  .map((parts) => parts.join(""))

describe("the width of a cluster", () => {
  it.each([
    ["a letter", "a", 1],
    ["a letter with a mark", "e\u0301", 1],
    ["a flag", "🇩🇪", 2],
    ["half a flag", "🇩", 1],
    ["a family that the terminal does not join", FAMILY, 6],
    ["a keycap in colour", "1\uFE0F\u20E3", 2],
    ["a keycap in text", "1\u20E3", 1],
    ["an emoji forced to text", "⌚\uFE0E", 1],
    ["an emoji by default", "⌚", 2],
    ["a symbol forced to emoji", "❤\uFE0F", 2],
    ["a symbol left alone", "❤", 1],
    ["a hand with a skin tone", "👍🏽", 2],
    ["an ideograph", "漢", 2],
    ["a fullwidth letter", "Ａ", 2],
    ["a halfwidth kana", "ｱ", 1],
    ["a syllable of three jamo", "\u1112\u1161\u11AB", 2],
    ["an ambiguous letter", "→", 1],
    ["a zero-width space", "\u200B", 0],
    ["a mark alone, drawn on a circle", "\u0301", 1]
  ])("%s", (_, cluster, width) => expect(clusterWidth(cluster)).toBe(width))

  it("follows what the terminal was found to do", () => {
    const found = { joinsZwj: true, wideRegionalIndicator: true, widePresentation: false, ambiguousWide: true }
    const profile = { ...found, measured: true }
    const { clusterWidth: width } = makeWidths(profile)
    expect([FAMILY, "🇩", "❤\uFE0F", "→", "│"].map(width)).toEqual([2, 2, 1, 2, 2])
    expect(isUncertain(FAMILY, profile)).toBe(false)
  })
})

describe("doubt about a width", () => {
  it("covers what terminals measure differently", () => {
    for (const cluster of ["❤\uFE0F", "🇩🇪", "👍🏽", "1\uFE0F\u20E3", "🪐", "क्ष", "กำ", "☰", "䷀", "㉈", "〰", "𓀀", "🮕"]) {
      expect([cluster, isUncertain(cluster, CONSERVATIVE_PROFILE)]).toEqual([cluster, true])
    }
  })

  it("spares what they agree about", () => {
    for (const cluster of [
      "a",
      "é",
      "e\u0301",
      "漢",
      "한",
      "😀",
      "│",
      "█",
      "⚠",
      "☂",
      "①",
      "𝒜",
      "𠀀",
      "\u1112\u1161\u11AB"
    ]) {
      expect([cluster, isUncertain(cluster, CONSERVATIVE_PROFILE)]).toEqual([cluster, false])
    }
  })
})

describe("clusters of a text", () => {
  it("join to the text, whichever way they were found", () => {
    const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" })
    const longText = fc.array(anyText, { maxLength: 8 }).map((parts) => parts.join(""))
    fc.assert(
      fc.property(longText, (text) => {
        expect(clusters(text)).toEqual(Array.from(segmenter.segment(text), ({ segment }) => segment))
      })
    )
  })

  it("are found in time that grows with the text and no faster", () => {
    const text = "नमस्ते 👨‍👩‍👧 漢字 ".repeat(20_000)
    const found = clusters(text)
    expect(found.join("")).toBe(text)
  })

  it("has no unit counted as simple that joins its neighbour", () => {
    const units = Array.from({ length: 0x1_0000 }, (_, unit) => String.fromCharCode(unit)).filter(isSimple)
    expect(units.length).toBeGreaterThan(40_000)
    const joined: Array<string> = []
    for (let at = 0; at < units.length; at += 20) {
      const text = units
        .slice(at, at + 20)
        .map((unit) => unit + unit)
        .join("")
      joined.push(...nextClusters(text, 0).filter((cluster) => cluster.length > 1))
    }
    expect(joined).toEqual([])
  })

  it("add up to the width of the text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(textWidth(text)).toBe(clusters(text).reduce((sum, cluster) => sum + clusterWidth(cluster), 0))
      })
    )
  })
})

describe("a slice by columns", () => {
  it("is as wide as what was asked for and there", () => {
    fc.assert(
      fc.property(anyText, fc.nat(20), fc.nat(20), (text, from, columns) => {
        const slice = sliceColumns(text.replaceAll(/[\p{M}\p{Cf}]/gu, ""), from, columns)
        const whole = textWidth(text.replaceAll(/[\p{M}\p{Cf}]/gu, ""))
        expect(textWidth(slice)).toBe(Math.max(0, Math.min(whole, from + columns) - from))
      })
    )
  })

  it("has blanks for halves", () => {
    expect(sliceColumns("a漢b", 2, 2)).toBe(" b")
    expect(sliceColumns("a漢b", 0, 2)).toBe("a ")
    expect(sliceColumns("hello", 1, 3)).toBe("ell")
  })
})

describe("characters that stand alone", () => {
  it("have the width that the general rule gives them", () => {
    for (const ambiguousWide of [false, true]) {
      const profile = { ...CONSERVATIVE_PROFILE, ambiguousWide }
      const wrong = Array.from({ length: 0x1_0000 }, (_, unit) => unit)
        .filter(standsAlone)
        .filter((unit) => widthOfUnit(unit, profile) !== widthByRule(String.fromCharCode(unit), profile))
      expect(wrong).toEqual([])
    }
  })
})
