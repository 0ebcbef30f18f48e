import { describe, expect, it } from "vitest"
import { shownBy, type TuiWorld } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

const shown = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("a notice", () => {
  it.each([[120, 40], [80, 24], [40, 12]])("is seen at %i columns and %i rows, and then leaves", async (columns, rows) => {
    const { world } = paneWorld(columns, rows)
    world.tell({ _tag: "Told", notice: { key: "copy", text: "copied 3 lines", priority: "low" } })
    expect(await shown(world)).toContain("copied 3 lines")
    world.wait(60_000)
    expect(await shown(world)).not.toContain("copied 3 lines")
  })
})
