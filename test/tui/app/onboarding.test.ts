import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { SESSION, shownBy, TuiWorld, type WorldOptions } from "../../support/tui-world.ts"

/** The questions of the first start: answered, skipped, and never in the way. */

const STEPS = ["theme", "keys"] as const

const firstRun = (size: WorldOptions["size"] = { columns: 100, rows: 40 }): TuiWorld => {
  const world = new TuiWorld({ size })
  world.open()
  world.tell({ _tag: "FirstRun", steps: STEPS })
  world.now += 300
  return world
}

const screen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")
const saved = (world: TuiWorld): ReadonlyArray<readonly [string, unknown]> =>
  world.done("SaveOption").map(({ name, value }) => [name, value] as const)
const text = (world: TuiWorld): string => textIn(world.session().prompt.editor)

describe("the first start", () => {
  it("shows each theme as it is marked and saves what is taken; vim is marked first", () => {
    const world = firstRun()
    world.keys("<Down><Down>")
    expect(world.model.options.theme).toBe("light")
    world.keys("<CR>")
    expect(world.model.overlays.opened).toMatchObject({ _tag: "Onboarding", steps: ["keys"], selected: 0 })
    world.keys("<CR>")
    expect(saved(world)).toEqual([
      ["theme", "light"],
      ["editorMode", "vim"]
    ])
    expect(world.session().prompt.editor._tag).toBe("Vim")
    expect(world.done("FinishOnboarding")).toHaveLength(1)
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it("leaves what Escape skips as it was", () => {
    const world = firstRun()
    world.keys("<Down><Esc>")
    expect(world.model.options.theme).toBe("auto")
    world.keys("<Esc>")
    expect([saved(world), world.model.options.editorMode, world.done("FinishOnboarding").length]).toEqual([[], "normal", 1])
  })

  it("takes the choice whose number is typed, and leaves other digits to the prompt", () => {
    const world = firstRun()
    world.keys("3")
    expect(world.model.options.theme).toBe("light")
    world.now += 300
    world.keys("0")
    expect([saved(world), text(world)]).toEqual([[["theme", "light"]], "0"])
  })

  it.each([["j"], ["k"], ["0"], ["/"], ["é"]])("is left by typing %j, which goes to the prompt", (key) => {
    const world = firstRun()
    world.keys(`<Down>${key}`)
    expect(text(world)).toBe(key)
    expect(world.model.options.theme).toBe("auto")
    expect(world.done("FinishOnboarding")).toHaveLength(1)
    expect(saved(world)).toEqual([])
  })

  it("is left by a paste and by keys that came before it could be read", () => {
    const pasted = firstRun()
    pasted.paste("hello")
    expect([text(pasted), pasted.model.overlays.opened]).toEqual(["hello", undefined])
    const early = new TuiWorld()
    early.open()
    early.tell({ _tag: "FirstRun", steps: STEPS })
    early.keys("<Down>", 20)
    expect(early.model.overlays.opened).toBeUndefined()
  })

  it("asks nobody who has begun, has something open, or was asked before", () => {
    for (const begin of ["h", "<Left>", "<C-x><C-p>"]) {
      const world = new TuiWorld()
      world.open()
      world.keys(begin)
      world.tell({ _tag: "FirstRun", steps: STEPS })
      expect(world.model.overlays.opened?._tag, begin).not.toBe("Onboarding")
    }
    const world = new TuiWorld()
    world.open()
    world.tell({ _tag: "FirstRun", steps: [] })
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it("waits behind what the agent asks", () => {
    const world = new TuiWorld()
    const script = world.open()
    world.tell({ _tag: "FirstRun", steps: STEPS })
    script.begin("do it")
    script.respond({ calls: [bash("b1", "make")] })
    script.prepare("b1")
    expect(world.model.overlays.shown).toContain("b1")
    world.keys("y", 300)
    expect(world.done("Answer")).toHaveLength(1)
    expect([world.model.overlays.opened?._tag, text(world)]).toEqual(["Onboarding", ""])
  })

  it("leaves small screens to the prompt", () => {
    for (const [columns, rows] of [
      [40, 12],
      [60, 20],
      [30, 8]
    ] as const) {
      expect(firstRun({ columns, rows }).model.overlays.opened, `${columns}x${rows}`).toBeUndefined()
    }
  })

  it.each([
    [80, 24],
    [120, 40],
    [200, 60]
  ])("shows the marked theme at %ix%i", async (columns, rows) => {
    const world = firstRun({ columns, rows })
    for (const name of ["auto", "dark", "light", "dark-daltonized"]) {
      expect(await screen(world)).toMatch(new RegExp(`▸ +\\d+ ${name}`))
      world.keys("<Down>")
    }
  })

  it("keeps the session that it was asked over", () => {
    const world = firstRun()
    world.keys("<CR><CR>")
    expect([...world.model.sessions.keys()]).toEqual([SESSION])
  })
})
