import { describe, expect, it } from "vitest"
import { toArray } from "../../../src/core/domain/append-list.ts"
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

  it.each([
    ["/compact undo<CR>", "AboutCompaction", [{ _tag: "AboutCompaction", session: SESSION, wish: { _tag: "Undo" } }]],
    ["/compact redo<CR>", "AboutCompaction", [{ _tag: "AboutCompaction", session: SESSION, wish: { _tag: "Redo" } }]],
    ["/compact undo the mess<CR>", "Compact", [{ _tag: "Compact", session: SESSION, focus: "undo the mess" }]],
    ["/snip 3<CR>", "Snip", [{ _tag: "Snip", session: SESSION, rounds: 3 }]],
    ["/snip<CR>", "Snip", [{ _tag: "Snip", session: SESSION, rounds: 1 }]],
    ["/snip all<CR>", "Snip", []]
  ] as const)("%s", (keys, tag, cmds) => {
    const { world } = paneWorld()
    world.keys(keys)
    expect(world.done(tag)).toEqual(cmds)
  })

  it("is looked at before it happens, and afterwards", async () => {
    const { world, script } = paneWorld()
    world.keys("/compact show<CR>")
    expect(await screenOf(world)).toContain("Nothing of this conversation has been summarised")
    world.keys("/compact preview<CR>")
    expect(await screenOf(world)).toMatch(/Would become a summary: \d+ messages/)
    world.keys("<Esc>", 200)
    script.feed({ _tag: "CompactionRequested", focus: "" })
    script.compacted()
    expect(await screenOf(world)).toContain("/compact show, edit or undo")
    world.keys("/compact show<CR>")
    expect(await screenOf(world)).toContain("what happened so far")
    world.keys("<Esc>", 200)
    world.keys("/compact edit<CR>")
    expect(world.done("EditSummary")).toMatchObject([{ text: expect.stringContaining("what happened so far") as string }])
  })

  it("stands for one side of a prompt that is chosen", () => {
    const { world } = paneWorld()
    world.keys("/rewind<CR>")
    world.keys("<CR>")
    world.keys("c", 200)
    expect(world.done("Compact")).toMatchObject([{ part: { _tag: "UpTo" } }])
    world.keys("/rewind<CR>")
    world.keys("<CR>")
    world.keys("C", 200)
    expect(world.done("Compact")).toMatchObject([{ part: { _tag: "UpTo" } }, { part: { _tag: "From" } }])
    const [, from] = world.done("Compact")
    const uuid = from?.part?._tag === "From" ? from.part.uuid : undefined
    const { messages } = world.session().state.conversation
    expect(toArray(messages).some((message) => message.uuid === uuid)).toBe(true)
  })

  it("is undone with u on its boundary, and done again there", () => {
    const { world, script } = paneWorld()
    script.feed({ _tag: "CompactionRequested", focus: "" })
    script.compacted()
    world.keys("<C-o>gg]su")
    expect(world.done("AboutCompaction")).toMatchObject([{ wish: { _tag: "Undo" } }])
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
