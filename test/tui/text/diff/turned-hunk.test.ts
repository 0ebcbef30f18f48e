import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fileDiff } from "../../../../src/tui/text/diff/diff-source.ts"
import { turnedHunk } from "../../../../src/tui/text/diff/turned-hunk.ts"

const texts = fc
  .tuple(fc.array(fc.constantFrom("a", "b", "c", "", "long line", "-x", "+y", "\\z"), { maxLength: 30 }), fc.boolean())
  .map(([lines, isEnded]) => lines.join("\n") + (isEnded && lines.length > 0 ? "\n" : ""))

describe("a turned hunk", () => {
  it("turned in all hunks, last first, gives the other side, and back again", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const { hunks } = fileDiff("f", before, after)
        const back = hunks.reduceRight<string | undefined>(
          (text, hunk) => (text === undefined ? undefined : turnedHunk(text, hunk, "old")),
          after
        )
        // Lines that stand at several places cannot be found for sure once something above them has moved.
        if (back !== undefined) expect(back).toBe(before)
        const only = hunks.length === 1 ? hunks[0] : undefined
        if (only !== undefined) {
          expect(turnedHunk(after, only, "old")).toBe(before)
          expect(turnedHunk(before, only, "new")).toBe(after)
        }
      })
    )
  })

  it("is found where lines above it came or went", () => {
    const [hunk] = fileDiff("f", "1\n2\n3\n4\n5\n", "1\n2\nthree\n4\n5\n").hunks
    if (hunk === undefined) throw new Error("no hunk")
    expect(turnedHunk("new\nlines\n1\n2\nthree\n4\n5\n", hunk, "old")).toBe("new\nlines\n1\n2\n3\n4\n5\n")
  })

  it("is refused where its lines changed, or stand twice at other places", () => {
    const [hunk] = fileDiff("f", "x\n", "y\n").hunks
    if (hunk === undefined) throw new Error("no hunk")
    expect(turnedHunk("z\n", hunk, "old")).toBeUndefined()
    expect(turnedHunk("0\ny\ny\n", hunk, "old")).toBeUndefined()
    expect(turnedHunk("x\n", hunk, "old")).toBeUndefined()
  })

  it("fills a file that was emptied, and nothing else", () => {
    const [hunk] = fileDiff("f", "a\nb", "").hunks
    if (hunk === undefined) throw new Error("no hunk")
    expect(turnedHunk("", hunk, "old")).toBe("a\nb")
    expect(turnedHunk("c\n", hunk, "old")).toBeUndefined()
  })
})
