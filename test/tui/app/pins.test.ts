import { describe, expect, it } from "vitest"
import { SESSION, shownBy, type TuiWorld } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")
const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

describe("the context pane", () => {
  it("opens a category to its messages, pins one with P, and unpins it", async () => {
    const { world, script } = paneWorld(160, 60)
    world.keys("<C-x><C-w>b/Prompts<CR>")
    expect(await screenOf(world)).toMatch(/▸ P Prompts {2}2/)
    world.keys("P")
    expect(world.done("Pin")).toEqual([])
    expect(noticeOf(world)).toContain("no message is under the cursor")
    world.keys("<CR>")
    expect(await screenOf(world)).toMatch(/▾ P Prompts {2}2/)
    world.keys("jP")
    const [cmd] = world.done("Pin")
    expect(cmd).toMatchObject({ session: SESSION, pinned: true })
    script.feed({ _tag: "PinChanged", uuid: cmd?.uuid ?? "", pinned: true })
    expect(noticeOf(world)).toMatch(/^pinned; pins take \d+ tokens of every summary$/)
    const shown = await screenOf(world)
    expect(shown).toMatch(/◆ +first needle/)
    expect(shown).toMatch(/1 pinned message, \d+ tokens in every summary/)
    world.keys("P")
    expect(world.done("Pin").at(-1)).toMatchObject({ uuid: cmd?.uuid, pinned: false })
    world.keys("za")
    expect(await screenOf(world)).toMatch(/▸ P Prompts {2}2/)
  })

  it("goes from a message to its place in the transcript", () => {
    const { world } = paneWorld(160, 60)
    world.keys("<C-x><C-w>b/Answers<CR><CR>jgd")
    expect(world.model.focus).toBe("transcript")
  })
})

describe("the transcript", () => {
  it("pins the message under the cursor, and K tells it", () => {
    const { world, script } = paneWorld()
    world.keys("<C-x><C-w>tgg\\p")
    const [cmd] = world.done("Pin")
    expect(cmd).toMatchObject({ pinned: true })
    script.feed({ _tag: "PinChanged", uuid: cmd?.uuid ?? "", pinned: true })
    world.keys("ggK")
    expect(world.model.overlays.opened).toMatchObject({ lines: expect.arrayContaining([expect.stringMatching(/^pinned /)]) })
  })
})
