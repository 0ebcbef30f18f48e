import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { numberedSnippet } from "../../../../src/core/tools/files/snippet.ts"
import { findSpans, replaceSpans } from "../../../../src/core/tools/files/replace.ts"
import { type ChangeWindow, changeWindows, textWindow } from "../../../../src/core/tools/files/change-windows.ts"

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Replacing {
  readonly old: string
  readonly fresh: string
}

const windowsOf = (text: string, { old, fresh }: Replacing, context: number): ReadonlyArray<ChangeWindow> => {
  const before = bytes(text)
  const replacement = bytes(fresh)
  const spans = findSpans(before, bytes(old))
  const after = replaceSpans(before, spans, replacement)
  return changeWindows({ before, after, spans, replacement, encoding: "utf8" }, context)
}

/** Puts the new text of each window in the place of its old text. */
const apply = (before: string, windows: ReadonlyArray<ChangeWindow>): string => {
  const lines = before.split("\n")
  let done = ""
  let at = 0
  for (const window of windows) {
    const start = lines.slice(0, window.oldStartLine - 1).reduce((sum, line) => sum + line.length + 1, 0)
    expect(before.slice(start, start + window.oldText.length)).toBe(window.oldText)
    done += before.slice(at, start) + window.newText
    at = start + window.oldText.length
  }
  return done + before.slice(at)
}

const OLD_TO_NEW: Replacing = { old: "old", fresh: "new" }

describe("windows around changes", () => {
  const unit = fc.constantFrom("x", "y", "\n", "z")
  const text = fc.string({ unit, maxLength: 60 })
  const needle = fc.string({ unit, minLength: 1, maxLength: 3 })

  it("hold all of the change and stand where they say", () => {
    fc.assert(
      fc.property(text, needle, needle, fc.nat(2), (before, old, fresh, context) => {
        const windows = windowsOf(before, { old, fresh }, context)
        const after = before.split(old).join(fresh)
        expect(apply(before, windows)).toBe(after)
        for (const window of windows) {
          const lines = after
            .split("\n")
            .slice(window.newStartLine - 1)
            .join("\n")
          expect(lines.startsWith(window.newText)).toBe(true)
        }
      }),
      { numRuns: 1_500 }
    )
  })

  it("of two whole texts are one window without the common ends", () => {
    fc.assert(
      fc.property(text, text, fc.nat(2), (before, after, context) => {
        expect(apply(before, [textWindow(before, after, context)])).toBe(after)
      }),
      { numRuns: 1_000 }
    )
    const lines = (middle: string): string => [...Array(50).keys(), middle, ...Array(50).keys()].join("\n")
    const window = textWindow(lines("old"), lines("new"), 2)
    expect(window).toMatchObject({ oldStartLine: 49, oldText: "48\n49\nold\n0\n1\n" })
    expect(window).toMatchObject({ newStartLine: 49, newText: "48\n49\nnew\n0\n1\n" })
  })

  it("become a numbered snippet of bounded size", () => {
    const line = (index: number): string => (index % 20 === 10 ? "old" : `line ${index + 1}`)
    const before = Array.from({ length: 40 }, (_, index) => line(index)).join("\n")
    expect(numberedSnippet(windowsOf(before, OLD_TO_NEW, 1))).toBe(
      "10\tline 10\n11\tnew\n12\tline 12\n...\n30\tline 30\n31\tnew\n32\tline 32"
    )
    const many = numberedSnippet(windowsOf(`${"filler\n".repeat(20)}old\n`.repeat(2_000), OLD_TO_NEW, 1))
    expect(many.length).toBeLessThan(8_200)
    expect(many).toMatch(/more places changed\)$/)
    const huge = numberedSnippet([textWindow("", "x".repeat(50_000), 1)])
    expect(huge.length).toBeLessThan(8_200)
  })
})
