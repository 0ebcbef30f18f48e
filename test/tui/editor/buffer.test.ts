import { describe, expect, it } from "vitest"
import { bufferOf, bufferOfLines, sliceLines } from "../../../src/tui/editor/buffer.ts"
import { randomFrom } from "../vim/differential/random.ts"

describe("a text in chunks", () => {
  it("is the same as a list of lines after any changes", () => {
    const random = randomFrom(7)
    let lines: ReadonlyArray<string> = Array.from({ length: 4000 }, (_, index) => `line ${index}`)
    let buffer = bufferOfLines(lines)
    for (let round = 0; round < 300; round++) {
      const line = random.below(lines.length + 1)
      const removed = Math.min(lines.length - line, random.chance(0.1) ? random.below(2000) : random.below(3))
      const inserted = Array.from({ length: random.chance(0.1) ? random.below(1500) : random.below(3) }, () => `new ${round}`)
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
    expect(bufferOf("a").spliced(1, 0, Array.from({ length: 300_000 }, () => "b")).count).toBe(300_001)
  })
})
