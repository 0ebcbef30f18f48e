import { applyPatch, structuredPatch } from "diff"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { unifiedSource } from "../../../../src/tui/text/diff/diff-source.ts"
import { hunksBetween } from "../../../../src/tui/text/diff/line-diff.ts"

const patched = (before: string, after: string): string | false =>
  applyPatch(before, unifiedSource([{ path: "a", hunks: hunksBetween(before, after) }]).source)

const line = fc.constantFrom("a", "b", "c", "  d", "", "unique 1", "unique 2", "unique 3", "x\r")
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.boolean())
  .map(([lines, feed]) => lines.join("\n") + (feed && lines.length > 0 ? "\n" : ""))

describe("the difference of long texts", () => {
  it("leads from the one to the other, whatever they are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        if (before !== after) expect(patched(before, after)).toBe(after)
      }),
      { numRuns: 500 }
    )
  })

  it("counts the lines of its hunks as they are", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        for (const { oldLines, newLines, lines } of hunksBetween(before, after)) {
          const count = (signs: string): number => lines.filter((each) => signs.includes(each[0] ?? "?")).length
          expect([oldLines, newLines]).toEqual([count(" -"), count(" +")])
        }
      })
    )
  })

  it("is the smallest one where lines tell where they belong", () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index}\n`)
    const changed = lines
      .map((each, index) => (index % 40 === 7 ? `changed ${index}\n` : each))
      .toSpliced(100, 3)
      .toSpliced(200, 0, "new\n", "new\n")
    const [before, after] = [lines.join(""), changed.join("")]
    expect(hunksBetween(before, after)).toEqual(
      structuredPatch("a", "a", before, after, undefined, undefined, { context: 3 }).hunks
    )
  })

  it("does not take long for texts that have little or everything in common", () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`)
    const half = lines.map((each, index) => (index % 2 === 0 ? each : `other ${index}\n`))
    expect(hunksBetween(lines.join(""), half.join("")).reduce((sum, { oldLines }) => sum + oldLines, 0)).toBe(20_000)
    expect(hunksBetween(lines.join(""), lines.map(() => "same\n").join(""))).toHaveLength(1)
  })
})
