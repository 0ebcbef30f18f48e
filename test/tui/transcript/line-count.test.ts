import { describe, expect, it } from "vitest"
import type { Message } from "../../../src/core/domain/message.ts"
import { linesOf } from "../../../src/tui/transcript/line-count.ts"
import { listFilled } from "../../../src/tui/transcript/list/update.ts"
import { openList } from "../../../src/tui/transcript/list/state/transcript-list.ts"
import { fromMessages } from "../../../src/tui/transcript/entries/project.ts"
import * as Vector from "../../../src/tui/transcript/vector.ts"
import { heldBy } from "../../support/live-heap.ts"
import { Maker } from "../../support/session/build.ts"
import { contextOf } from "./list/fixture.ts"

const calls = (count: number, tool: string, result: (call: number) => string): ReadonlyArray<Message> => {
  const maker = new Maker()
  return Array.from({ length: count }, (_, call) => {
    const caller = maker.calls(`m${call}`, `c${call}`, tool)
    return [maker.prompt(`prompt ${call}`), caller, maker.result(caller, `c${call}`, result(call))]
  }).flat()
}

describe("the lines of a call that has its result", () => {
  it.each(["Read", "Bash", "Grep", "Edit", "mcp__files__list", "Unknown"])(
    "are counted as they stand in the source: %s",
    (tool) => {
      for (const text of ["", "one", "one\n", "one\ntwo\n\n", "\n"]) {
        const { entries } = fromMessages(calls(3, tool, () => text))
        for (const { blocks } of Vector.iterate(entries)) {
          for (const block of blocks) expect(linesOf(block)).toBe(block.source.split("\n").length)
        }
      }
    }
  )
})

describe("the index of a session", () => {
  it("does not copy the results of calls", () => {
    const CHARS = 40 * 1024
    const messages = calls(200, "Bash", (call) => `${call}\n`.repeat(CHARS).slice(0, CHARS))
    const { bytes } = heldBy(() => listFilled(openList(fromMessages(messages).entries), messages.length, contextOf(120, 40)))
    expect(bytes).toBeLessThan((messages.length / 3) * CHARS * 0.5)
  })
})
