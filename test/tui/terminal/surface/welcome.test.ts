import { describe, expect, it } from "vitest"
import { welcomeLines } from "../../../../src/tui/panes/chrome/welcome.ts"
import { SESSION, TuiWorld } from "../../../support/tui-world.ts"

const keysTold = (shown: "inline" | "fullscreen"): string => {
  const world = new TuiWorld({ options: { interface: shown } })
  world.open(SESSION)
  return welcomeLines(world.model, world.session()).join("\n")
}

describe("the first words", () => {
  it("name no key for other panes where there is one", () => {
    expect(keysTold("fullscreen")).toContain("next pane")
    expect(keysTold("inline")).not.toContain("next pane")
    expect(keysTold("inline")).toContain("palette")
  })
})
