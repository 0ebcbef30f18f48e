import { describe, expect, it } from "vitest"
import { SESSION, shownBy, type TuiWorld } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("compaction by hand", () => {
  it.each([
    ["/compact the parser<CR>", "the parser"],
    ["<Esc>", undefined]
  ])("%s", (keys, focus) => {
    const { world } = paneWorld()
    world.keys(keys)
    expect(world.done("Compact")).toEqual(focus === undefined ? [] : [{ _tag: "Compact", session: SESSION, focus }])
  })

  it("comes from the command line too", () => {
    const { world } = paneWorld()
    world.keys("<C-o>:compact<CR>")
    expect(world.done("Compact")).toEqual([{ _tag: "Compact", session: SESSION, focus: "" }])
  })

  it("is asked about in the context pane, with what is used", async () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>b")
    world.keys("c")
    expect(await screenOf(world)).toMatch(/tokens are used/)
    expect(world.keys("<CR>", 200)).toEqual([])
    world.keys("c")
    expect(world.keys("y", 200)).toEqual([{ _tag: "Compact", session: SESSION, focus: "" }])
  })

  it("marks the place with what it freed, and shows the summary", async () => {
    const { world, script } = paneWorld()
    script.feed({ _tag: "CompactionRequested", focus: "" })
    script.compacted()
    expect(await screenOf(world)).toMatch(/── compacted · [\d.]+k? → [\d.]+k? tokens · za shows the summary · u undoes it/)
    world.keys("<C-o>gg]s")
    world.keys("za")
    expect(await screenOf(world)).toContain("what happened so far")
  })
})
