import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { applyHunks } from "../../../../src/tui/panes/changes/apply-hunks.ts"
import { fileDiff } from "../../../../src/tui/text/diff/diff-source.ts"

const texts = fc
  .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 30 })
  .map((lines) => lines.map((line) => `${line}\n`).join(""))

describe("applying hunks", () => {
  it("gives the text that the hunks were made for", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(applyHunks(before, fileDiff("x", before, after).hunks)).toBe(after)
      })
    )
  })

  it("refuses another text", () => {
    expect(applyHunks("other\n", fileDiff("x", "a\n", "b\n").hunks)).toBeUndefined()
  })
})
