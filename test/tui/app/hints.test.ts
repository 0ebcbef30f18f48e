import { describe, expect, it } from "vitest"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

const shown = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("a notice", () => {
  it.each([
    [120, 40],
    [80, 24],
    [40, 12]
  ])("is seen at %i columns and %i rows, and then leaves", async (columns, rows) => {
    const { world } = paneWorld(columns, rows)
    world.tell({ _tag: "Told", notice: { key: "copy", text: "copied 3 lines", priority: "low" } })
    expect(await shown(world)).toContain("copied 3 lines")
    world.wait(60_000)
    expect(await shown(world)).not.toContain("copied 3 lines")
  })
})

describe("a banner", () => {
  const RULE = "settings.json:3: Ignored rule 'Bash(rm'"

  it.each([
    [120, 40],
    [80, 24],
    [60, 20]
  ])("stays at %i columns and %i rows, and comes back after a notice", async (columns, rows) => {
    const { world } = paneWorld(columns, rows)
    world.tell({ _tag: "BannersChanged", banners: [RULE, "another"] })
    world.tell({ _tag: "Told", notice: { key: "copy", text: "copied 3 lines", priority: "low" } })
    expect(await shown(world)).toContain("copied 3 lines")
    world.wait(60_000)
    expect(await shown(world)).toContain(`! ${RULE} (+1)`)
    world.tell({ _tag: "BannersChanged", banners: [] })
    expect(await shown(world)).not.toContain("Ignored rule")
  })

  it("is a few words in the status row of a tiny window", async () => {
    const { world } = paneWorld(40, 12)
    world.tell({ _tag: "BannersChanged", banners: [RULE] })
    expect(await shown(world)).toContain("! a rule does not hold")
  })

  it("is listed first among the messages", async () => {
    const { world } = paneWorld(120, 40)
    world.tell({ _tag: "BannersChanged", banners: [RULE] })
    world.keys("<Esc>:messages<CR>")
    expect(await shown(world)).toContain(`! ${RULE}`)
  })
})

describe("the border of the pane with the keyboard", () => {
  it("tells where its keys are told, and a view that is not the usual one", async () => {
    const world = new TuiWorld({ size: { columns: 100, rows: 30 } })
    const script = world.open()
    script.begin("first")
    script.respond({ text: "an answer" })
    const top = async (): Promise<string> => (await shownBy(world.screen())).text()[0] ?? ""
    expect(await top()).not.toContain("keys")
    world.keys("<C-o>")
    expect(await top()).toMatch(/ verbose · g\? keys /)
  })
})

describe("a screen without borders", () => {
  const statusOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().at(-1) ?? ""

  it.each(["t", "d", "g", "a", "f", "b", "S", "Q"])("says first which pane has the keyboard after <C-w>%s", async (key) => {
    const { world, script } = paneWorld(40, 12)
    script.begin("a question that runs")
    world.keys(`<C-x><C-w>${key}`)
    world.wait(60_000)
    expect(await statusOf(world)).toMatch(new RegExp(`^ ▸ ${world.model.focus}`))
    world.keys("i")
    expect(await statusOf(world)).not.toContain("▸")
  })

  it("says so with plain characters where others are not wanted", async () => {
    const { world } = paneWorld(120, 40, { options: { borders: "none", glyphs: "ascii" } })
    world.keys("<C-x><C-w>t")
    expect(await statusOf(world)).toMatch(/^ > transcript/)
  })
})
