import { describe, expect, it } from "vitest"
import type { RiskWords } from "../../../src/tui/model/session-model.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

const asking = (size = { columns: 100, rows: 40 }): TuiWorld => {
  const world = new TuiWorld({ size })
  const script = world.open(SESSION, { seed: SESSION, config: { sessionId: SESSION } })
  script.begin("do it")
  script.respond({ calls: [bash("call", "npm install left-pad")] })
  script.prepare("call")
  world.now += 300
  return world
}

const seen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const explained = (world: TuiWorld, risk: RiskWords): void =>
  void world.tell({ _tag: "Session", session: SESSION, news: { _tag: "Explained", callId: "call", risk } })

describe("ctrl+e in a permission dialog", () => {
  it("asks the model, and only then is anything sent", async () => {
    const world = asking()
    expect(world.done("ExplainCall")).toEqual([])
    world.keys("<C-e>")
    expect(world.done("ExplainCall")).toMatchObject([
      { session: SESSION, callId: "call", tool: "Bash", input: { command: "npm install left-pad" }, sandbox: false }
    ])
    expect(await seen(world)).toContain("Asking the model")
    explained(world, { _tag: "Said", text: "Risk: low\nIt installs \u001b[31mone package." })
    expect(await seen(world)).toContain("│ Risk: low")
    expect(await seen(world)).toContain("may be wrong")
    expect(await seen(world)).not.toContain("\u001b")
  })

  it("shows and hides what was said without asking again", async () => {
    const world = asking()
    world.keys("<C-e>")
    explained(world, { _tag: "Said", text: "Risk: low" })
    world.keys("<C-e>")
    expect(await seen(world)).not.toContain("Risk: low")
    world.keys("<C-e>")
    expect(await seen(world)).toContain("Risk: low")
    expect(world.done("ExplainCall")).toHaveLength(1)
  })

  it("tells why there is no explanation, and can be pressed again", async () => {
    const world = asking()
    world.keys("<C-e>")
    explained(world, { _tag: "Failed", why: "the network is down" })
    expect(await seen(world)).toContain("No explanation: the network is down")
    world.keys("<C-e><C-e>")
    expect(world.done("ExplainCall")).toHaveLength(2)
    world.keys("y")
    expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual(["allow"])
  })

  it("is in sight on the smallest screen, and d shows all of it and leads back to the question", async () => {
    const world = asking({ columns: 40, rows: 12 })
    world.keys("<C-e>")
    explained(world, { _tag: "Said", text: "Risk: high\nIt is dangerous.\nIt cannot be undone.\nReally not." })
    expect(await seen(world)).toContain("│ Risk: high")
    world.keys("d")
    expect(await seen(world)).toContain("│ Really not.")
    world.keys("<Esc>")
    expect(world.done("Answer")).toEqual([])
    world.now += 300
    world.keys("<C-e>K")
    expect(await seen(world)).not.toContain("│ Risk: high")
  })
})
