import { describe, expect, it } from "vitest"
import { bash } from "../../../core/loop/response-plan.ts"
import { SESSION, TuiWorld } from "../../../support/tui-world.ts"

/** Notifications go to people who look elsewhere. */

const asking = (world: TuiWorld): void => {
  const script = world.open(SESSION)
  script.begin("do it")
  script.respond({ calls: [bash("call", "touch made")] })
  script.prepare("call")
}

const focus = (world: TuiWorld, gained: boolean): void =>
  void world.tell({ _tag: "Input", event: { _tag: "Focus", gained } })

const calls = (world: TuiWorld): number => world.done("Notify").length

describe("a question", () => {
  it("calls somebody whose terminal has not the focus, once", () => {
    const world = new TuiWorld()
    focus(world, false)
    asking(world)
    expect(world.done("Notify")).toMatchObject([{ kind: "needs-you", body: "do it needs your answer" }])
    world.wait(10_000)
    expect(calls(world)).toBe(1)
  })

  it("calls nobody who sees it come", () => {
    const world = new TuiWorld()
    focus(world, true)
    asking(world)
    focus(world, false)
    world.wait(10_000)
    expect(calls(world)).toBe(0)
  })

  it("waits for hands to be still where the terminal does not tell its focus", () => {
    const world = new TuiWorld()
    world.open("other")
    world.keys("typing")
    asking(world)
    world.wait(5_000)
    expect(calls(world)).toBe(0)
    world.wait(1_000)
    expect(calls(world)).toBe(1)
  })

  it("that was answered meanwhile calls nobody", () => {
    const world = new TuiWorld()
    world.open("other")
    world.keys("typing")
    asking(world)
    world.wait(1_000)
    world.wait(200)
    world.keys("y")
    world.wait(10_000)
    expect(calls(world)).toBe(0)
  })
})
