import { describe, expect, it } from "vitest"
import {
  globalLinesOf,
  nextGlobalLine,
  shiftGlobalLines,
  withoutNext
} from "../../../../../src/tui/editor/vim/state/global-lines.ts"
import { randomFrom } from "../differential/random.ts"

const all = (start: ReturnType<typeof globalLinesOf>): ReadonlyArray<number> => {
  const lines: Array<number> = []
  for (
    let left = start, line = nextGlobalLine(left);
    line !== undefined;
    left = withoutNext(left), line = nextGlobalLine(left)
  ) {
    lines.push(line)
  }
  return lines
}

describe("the lines that :g has still to go to", () => {
  it("follow the text: lines that went away are left out, those behind them move", () => {
    const random = randomFrom(3)
    for (let round = 0; round < 400; round++) {
      const lines = Array.from({ length: 12 }, (_, line) => line).filter(() => random.chance(0.6))
      const skipped = Math.min(lines.length, random.below(4))
      const texts = (count: number): ReadonlyArray<string> => Array.from({ length: count }, () => "")
      const change = { line: random.below(12), removed: texts(random.below(4)), inserted: texts(random.below(4)) }
      let left = globalLinesOf(lines)
      for (let step = 0; step < skipped; step++) left = withoutNext(left)
      const by = change.inserted.length - change.removed.length
      const end = change.line + change.removed.length
      const stays = (line: number): boolean => line < end && (by >= 0 || line < change.line + change.inserted.length)
      const expected = lines
        .slice(skipped)
        .filter((line) => stays(line) || line >= end)
        .map((line) => (line >= end ? line + by : line))
      expect(all(shiftGlobalLines(left, change)), JSON.stringify({ lines, skipped, change })).toEqual(
        by === 0 ? lines.slice(skipped) : expected
      )
    }
  })
})
