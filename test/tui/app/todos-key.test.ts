import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"

describe("ctrl+t in the prompt", () => {
  it.each([
    [120, 40],
    [80, 24],
    [40, 12]
  ])("shows and hides the tasks at %ix%i, and typing goes on", async (columns, rows) => {
    const world = new TuiWorld({ size: { columns, rows } })
    world.open()
    const isShown = async (): Promise<boolean> => (await shownBy(world.screen())).text().join("\n").includes("Todos and")
    const before = await isShown()
    world.keys("a<C-t>b")
    expect(await isShown()).toBe(!before)
    world.keys("<C-t>c")
    expect(await isShown()).toBe(before)
    expect(textIn(world.session().prompt.editor)).toBe("abc")
  })
})
