import { describe, expect, it } from "vitest"
import { spinnerTips, spinnerVerbs } from "../../../src/shell/interactive/options/spinner-options.ts"
import type { UiOptions } from "../../../src/tui/model/ui-options.ts"
import { nextWake } from "../../../src/tui/app/wake.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

const seen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const running = (options: Partial<UiOptions>): TuiWorld => {
  const world = new TuiWorld({ options })
  const script = world.open(SESSION)
  script.begin("do it")
  script.respond({ calls: [bash("call", "sleep 9")] })
  return world
}

describe("the row of a running turn", () => {
  it("puts a word of the user before the state, which keeps its own", async () => {
    const world = running({ spinnerVerbs: ["Baking \u001b[31m"] })
    const text = await seen(world)
    expect(text).toMatch(/Baking .* · (?:thinking|running|waiting|writing)/)
    expect(text).not.toContain("\u001b")
  })

  it("names the key that interrupts here", async () => {
    const world = running({ editorMode: "vim" })
    world.keys("<Esc>")
    const plain = running({})
    expect(await seen(plain)).toContain("esc to interrupt")
    const typing = running({ editorMode: "vim" })
    typing.keys("i")
    expect(await seen(typing)).toContain("ctrl+c to interrupt")
  })
})

describe("a question that waits for its answer", () => {
  it("wakes the interface once a second, not for each step of a spinner that nobody sees move", () => {
    const world = new TuiWorld()
    const script = world.open(SESSION)
    script.begin("do it")
    expect(nextWake(world.model)).toBe(world.model.now + 100)
    script.respond({ calls: [bash("call", "touch made")] })
    script.prepare("call")
    world.wait(5_000)
    expect(world.session().asks.length).toBe(1)
    expect((nextWake(world.model) ?? 0) - world.model.now).toBeGreaterThan(500)
  })
})

describe("tips", () => {
  it("come with turns that take a while, and the same one for the whole turn", async () => {
    const world = running({ tips: { own: ["drink some water"], showsOurs: false } })
    expect(await seen(world)).not.toContain("Tip:")
    world.wait(5_000)
    expect(await seen(world)).toContain("Tip: drink some water")
    world.wait(60_000)
    expect(await seen(world)).toContain("Tip: drink some water")
  })

  it("are switched off, and give way to a narrow window", async () => {
    const off = running({ tips: { own: [], showsOurs: false } })
    off.wait(5_000)
    expect(await seen(off)).not.toContain("Tip:")
    const long = running({ tips: { own: ["x".repeat(90)], showsOurs: false } })
    long.wait(5_000)
    expect(await seen(long)).not.toContain("Tip:")
  })
})

describe("the settings about them", () => {
  it("take a list or an object, and leave out what is not text", () => {
    expect(spinnerVerbs(["A", 3, " "])).toEqual(["A"])
    expect(spinnerVerbs({ mode: "replace", verbs: ["B"] })).toEqual(["B"])
    expect(spinnerVerbs(undefined)).toEqual([])
    expect(spinnerTips(undefined, undefined)).toEqual({ own: [], showsOurs: true })
    expect(spinnerTips(true, { tips: ["T"], excludeDefault: true })).toEqual({ own: ["T"], showsOurs: false })
    expect(spinnerTips(false, { tips: ["T"] })).toEqual({ own: [], showsOurs: false })
  })
})
