import { describe, expect, it } from "vitest"
import { bash } from "../../core/loop/response-plan.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

const statusLine = { command: "mine", padding: 2 }

const seen = async (world: TuiWorld): Promise<ReadonlyArray<string>> => (await shownBy(world.screen())).text()

describe("rows of the user's command", () => {
  it("stand over our own row, in colour, without any other sequence, and cut at the edge", async () => {
    const world = new TuiWorld({ options: { statusLine } })
    world.open(SESSION)
    world.tell({
      _tag: "StatusLineSaid",
      text: `\u001b[32mone\u001b[0m\u001b[2J \u001b]0;title\u0007\n${"x".repeat(200)}\n3\n4\n`
    })
    const rows = await seen(world)
    expect(rows.slice(-4).map((row) => row.trimEnd())).toEqual([
      "   one",
      `   ${"x".repeat(76)}`,
      "   3",
      expect.stringContaining("ask")
    ])
    expect(rows.join("\n")).not.toContain("4\n")
  })

  it("have one row before the command has said anything, and one on a tiny screen", async () => {
    const world = new TuiWorld({ options: { statusLine } })
    world.open(SESSION)
    const before = await seen(world)
    expect(before.at(-2)?.trim()).toBe("")
    const tiny = new TuiWorld({ size: { columns: 40, rows: 12 }, options: { statusLine } })
    tiny.open(SESSION)
    tiny.tell({ _tag: "StatusLineSaid", text: "1\n2\n3" })
    expect(
      (await seen(tiny))
        .slice(-3)
        .map((row) => row.trim())
        .slice(1)
    ).toEqual(["1", expect.stringContaining("ask")])
  })

  it("are asked for when something changes that they are told, and not otherwise", () => {
    const world = new TuiWorld({ options: { statusLine, editorMode: "vim" } })
    const script = world.open(SESSION)
    expect(world.done("RunStatusLine")).toMatchObject([{ session: SESSION, vim: "INSERT" }])
    world.keys("h")
    world.wait(1_000)
    expect(world.done("RunStatusLine")).toHaveLength(1)
    world.keys("<Esc>")
    expect(world.done("RunStatusLine").at(-1)).toMatchObject({ vim: "NORMAL" })
    const before = world.done("RunStatusLine").length
    script.begin("do it")
    script.respond({ calls: [bash("call", "ls")] })
    expect(world.done("RunStatusLine").length).toBeGreaterThan(before)
  })

  it("are not asked for where there is no command", () => {
    const world = new TuiWorld()
    world.open(SESSION)
    expect(world.done("RunStatusLine")).toEqual([])
  })
})
