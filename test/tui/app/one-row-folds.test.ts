import { describe, expect, it } from "vitest"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"

/** Blocks that are one row when they are closed are folds like all others. */

const THOUGHT = "first line of a thought\nthe needle is here\nlast line"

const thinkingWorld = (): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 100, rows: 30 } })
  const script = world.open()
  script.begin("first")
  script.respond({ think: THOUGHT, text: "an answer" })
  world.wait(5_000)
  return world
}

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

/** The transcript with its folds as they are by default. */
const visit = (world: TuiWorld): void => {
  world.keys("<C-x><C-w>t")
}

describe("a thought that is closed", () => {
  it.each(["za", "zo", "<CR>"])("opens with %s", async (keys) => {
    const world = thinkingWorld()
    visit(world)
    expect(await screenOf(world)).not.toContain("needle")
    world.keys(`gg]k${keys}`)
    expect(await screenOf(world)).toContain("the needle is here")
    world.keys("zc")
    expect(await screenOf(world)).not.toContain("needle")
  })

  it("opens for a search and closes when the cursor leaves", async () => {
    const world = thinkingWorld()
    visit(world)
    world.keys("gg/needle<CR>")
    expect(await screenOf(world)).toContain("the needle is here")
    world.keys("G")
    expect(await screenOf(world)).not.toContain("the needle is here")
  })

  it("opens with a click", async () => {
    const world = thinkingWorld()
    const row = (await shownBy(world.screen())).text().findIndex((line) => line.includes("thinking"))
    world.mouse("press", "left", { column: 4, row })
    world.mouse("release", "left", { column: 4, row })
    expect(await screenOf(world)).toContain("the needle is here")
  })
})
