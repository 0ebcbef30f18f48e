import { describe, expect, it } from "vitest"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const answered = (cache_read_input_tokens: number): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
  const script = world.open(undefined, { config: { model: "claude-opus-4-6" } })
  script.begin("do it")
  script.respond({ text: "done", usage: { input_tokens: 10, cache_read_input_tokens } })
  return world
}

describe("a switch of the model", () => {
  it("asks while the cache is warm, says what it costs, and happens after yes", async () => {
    const world = answered(40_000)
    world.keys("/model sonnet<CR>")
    expect(world.done("SetModel")).toEqual([])
    const shown = (await screenOf(world)).replaceAll(/\s+/g, " ")
    expect(shown).toContain("still holds 40k tokens")
    expect(shown).toMatch(/for about \$0\.\d\d/)
    world.keys("y")
    expect(world.done("SetModel")).toMatchObject([{ session: SESSION, model: "sonnet" }])
  })

  it("does not happen after no", () => {
    const world = answered(40_000)
    world.keys("/model sonnet<CR>n")
    expect(world.done("SetModel")).toEqual([])
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it.each<[string, (world: TuiWorld) => void, number, string]>([
    ["the cache is cold", (world) => world.wait(301_000), 40_000, "sonnet"],
    ["little is kept", () => undefined, 1_000, "sonnet"],
    ["it is the same model", () => undefined, 40_000, "claude-opus-4-6"]
  ])("does not ask when %s", (_name, prepare, tokens, model) => {
    const world = answered(tokens)
    prepare(world)
    world.keys(`/model ${model}<CR>`)
    expect(world.done("SetModel")).toMatchObject([{ model }])
  })
})
