import { describe, expect, it } from "vitest"
import { LABEL } from "../../../src/adapters/offline/answer.ts"
import { CHAPTER_COUNT, chapterOf } from "../../../src/adapters/offline/guided-tour.ts"
import type { ApiMessage, ToolDefinition } from "../../../src/core/model/request/model-request.ts"
import { converse, OPTIONS, type World } from "./world.ts"

const PANES = { ...OPTIONS, hasPanes: true }

/** The whole tour: what was called and said in each part. */
const take = (world?: World, tools?: ReadonlyArray<ToolDefinition>) => {
  let before: ReadonlyArray<ApiMessage> = []
  return Array.from({ length: CHAPTER_COUNT }, (_, index) => {
    const parts = { options: PANES, before, ...(tools === undefined ? {} : { tools }) }
    const said = converse(index === 0 ? "tour" : "next", world, parts)
    before = said.messages
    return said
  })
}

describe("the tour with panes", () => {
  it("goes on with every next, and each part ends with keys to try", () => {
    const parts = take()
    expect(parts.map(({ calls }) => calls.map(({ name }) => name))).toEqual([
      ["TodoWrite"],
      ["TodoWrite", "Write", "Write", "Edit"],
      ["TodoWrite", "Bash"],
      ["TodoWrite", "Grep"],
      ["TodoWrite"]
    ])
    const keys = ["`ctrl+x o`", "`]c`", "`ctrl+o`", "`yic`", "`/vim`"]
    for (const [index, { responses, final }] of parts.entries()) {
      expect(responses[0]?.text.split("\n")[0]).toBe(LABEL)
      expect(final).toContain(keys[index])
      expect(final.includes("Type `next`")).toBe(index + 1 < CHAPTER_COUNT)
    }
  })

  it("keeps the list of tasks", () => {
    const done = take().map(({ calls }) => JSON.stringify(calls[0]?.input).match(/"completed"/g)?.length ?? 0)
    expect(done).toEqual([0, 1, 2, 3, 5])
  })

  it("works in its own folder only", () => {
    const inputs = JSON.stringify(take().flatMap(({ calls }) => calls.map(({ input }) => input)))
    const paths = Array.from(inputs.matchAll(/"(?:file_)?path":"([^"]+)"/g), (match) => match[1] ?? "")
    expect(paths.length).toBeGreaterThan(3)
    expect(paths.every((path) => path.includes("/nacre-tour"))).toBe(true)
  })

  it("does without tools that are not offered, and after a refusal", () => {
    expect(take(undefined, []).map(({ final }) => final.split("\n")[0])).toEqual(Array(CHAPTER_COUNT).fill(LABEL))
    const refusing: World = () => ({ content: "Permission was denied.", isError: true })
    expect(take(refusing)[1]?.calls.map(({ name }) => name)).toEqual(["TodoWrite", "Write", "Write"])
  })

  it("finds its part from the prompts", () => {
    expect(chapterOf(["tour"])).toBe(1)
    expect(chapterOf(["tour", "next", "read a.txt", "next"])).toBe(3)
    expect(chapterOf(["tour 4", "next"])).toBe(5)
    expect(chapterOf(["tour 9"])).toBe(CHAPTER_COUNT)
    expect(chapterOf(["next"])).toBeUndefined()
    expect(chapterOf(["tour 5", "next"])).toBeUndefined()
    expect(chapterOf(["tour", "list files"])).toBeUndefined()
  })

  it("is not for print mode", () => {
    expect(converse("tour").responses.length).toBeGreaterThan(5)
    expect(converse("tour 2").final).not.toContain("Part 2")
  })
})
