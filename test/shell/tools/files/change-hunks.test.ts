import { Effect } from "effect"
import { applyPatch } from "diff"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textWindow } from "../../../../src/core/tools/files/change-windows.ts"
import { hunksOf, WINDOW_CONTEXT_LINES } from "../../../../src/shell/tools/files/change-hunks.ts"

const hunks = (before: string, after: string) =>
  Effect.runPromise(hunksOf([textWindow(before, after, WINDOW_CONTEXT_LINES)]))

const apply = async (before: string, after: string): Promise<string | false> => {
  const found = await hunks(before, after)
  const own = found.map((hunk) => ({ ...hunk, lines: [...hunk.lines] }))
  const names = { oldFileName: "", newFileName: "", oldHeader: undefined, newHeader: undefined }
  return applyPatch(before, { ...names, hunks: own })
}

describe("hunks", () => {
  it("turn the old text into the new one", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        expect(await apply(before, after)).toBe(after)
      }),
      { numRuns: 200 }
    )
  })

  it("give up searching for common lines in time, and on showing what is too large", async () => {
    const lines = (seed: number): string =>
      Array.from({ length: 30_000 }, (_, index) => `${Math.imul(index + seed, 2_654_435_761) >>> 8}\n`).join("")
    const found = await hunks(lines(1), lines(77_777))
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ oldLines: 30_000, newLines: 30_000 })
    expect(await hunks("", "x".repeat(5_000_000))).toEqual([])
  })
})
