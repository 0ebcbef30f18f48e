import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { bufferOf, bufferOfLines, sliceLines, textOf } from "../../../src/tui/editor/buffer.ts"
import { applyChange, applyChanges, replaceLines } from "../../../src/tui/editor/change.ts"
import { randomFrom } from "./vim/differential/random.ts"

describe("a text in chunks", () => {
  it("is the same as a list of lines after any changes", () => {
    const random = randomFrom(7)
    let lines: ReadonlyArray<string> = Array.from({ length: 4000 }, (_, index) => `line ${index}`)
    let buffer = bufferOfLines(lines)
    for (let round = 0; round < 300; round++) {
      const line = random.below(lines.length + 1)
      const removed = Math.min(lines.length - line, random.chance(0.1) ? random.below(2000) : random.below(3))
      const inserted = Array.from(
        { length: random.chance(0.1) ? random.below(1500) : random.below(3) },
        () => `new ${round}`
      )
      lines = [...lines.slice(0, line), ...inserted, ...lines.slice(line + removed)]
      if (lines.length === 0) lines = [""]
      buffer = buffer.spliced(line, removed, inserted)
      expect(buffer.count).toBe(lines.length)
      const at = random.below(lines.length)
      expect(buffer.at(at)).toBe(lines[at])
    }
    expect(buffer.lines).toEqual(lines)
  })

  it("has one empty line when every line is gone, and none beyond its end", () => {
    expect(bufferOf("a\nb").spliced(0, 2, []).lines).toEqual([""])
    expect(bufferOf("a").at(5)).toBe("")
    expect(sliceLines(bufferOf("a\nb"), 1, 9)).toEqual(["b"])
  })

  it("takes more lines at once than a call takes arguments", () => {
    expect(
      bufferOf("a").spliced(
        1,
        0,
        Array.from({ length: 300_000 }, () => "b")
      ).count
    ).toBe(300_001)
  })
})

describe("many changes at once", () => {
  const lines = Array.from({ length: 3000 }, (_, index) => `line ${index}`)
  const change = fc.record({
    line: fc.integer({ min: 0, max: 2500 }),
    count: fc.integer({ min: 0, max: 3 }),
    inserted: fc.array(fc.constantFrom("a", "b", ""), { minLength: 1, maxLength: 3 })
  })

  it("give the text that they give one after the other", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), fc.boolean(), (asked, onlyTexts) => {
        let buffer = bufferOfLines(lines)
        const changes = asked.map(({ line, count, inserted }) => {
          const made = onlyTexts
            ? replaceLines(buffer, { line, count: 1 }, inserted.slice(0, 1))
            : replaceLines(buffer, { line, count }, inserted)
          buffer = applyChange(buffer, made)
          return made
        })
        expect(textOf(applyChanges(bufferOfLines(lines), changes))).toBe(textOf(buffer))
      }),
      { numRuns: 60 }
    )
  })

  it("leave the text they came from as it was", () => {
    const buffer = bufferOfLines(lines)
    expect(
      buffer
        .withLines([
          [0, "x"],
          [2999, "y"]
        ])
        .at(2999)
    ).toBe("y")
    expect(textOf(buffer)).toBe(lines.join("\n"))
  })
})
