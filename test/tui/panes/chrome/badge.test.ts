import { describe, expect, it } from "vitest"
import { planOf } from "../../../../src/tui/model/windows/layout-and-focus.ts"
import { OTHER_SESSION, SESSION, shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { askIn, paneWorld } from "../../app/pane-world.ts"

const SIZES = [
  [200, 60],
  [120, 40],
  [80, 24],
  [60, 20],
  [40, 12]
] as const

const more = "a paragraph that fills a row of every screen from its left end to its right one, and then some. ".repeat(80)

/** Somebody reads at the top of a long conversation while an answer arrives. */
const readingAbove = (columns: number, rows: number, options: Parameters<typeof paneWorld>[2] = {}) => {
  const { world, script } = paneWorld(columns, rows, options)
  script.begin("long")
  script.respond({ text: more })
  world.keys("<C-x><C-w>tgg")
  const before = { plan: planOf(world.model), screen: world.screen() }
  script.begin("again")
  script.respond({ text: "news" })
  return { world, script, before }
}

const rowsOf = async (world: TuiWorld): Promise<ReadonlyArray<string>> => (await shownBy(world.screen())).text()

const transcriptRows = (rows: ReadonlyArray<string>, { model }: TuiWorld): ReadonlyArray<string> => {
  const content = planOf(model).panes.find(({ leaf }) => leaf.pane === "transcript")?.content
  if (content === undefined) throw new Error("no transcript")
  return rows.slice(content.y, content.y + content.height).map((row) => row.slice(content.x, content.x + content.width))
}

describe("the badge about new messages", () => {
  it.each(SIZES)("covers no text of the transcript at %ix%i, and is somewhere", async (columns, rows) => {
    const { world, before } = readingAbove(columns, rows)
    const shown = await rowsOf(world)
    const calm = (await shownBy(before.screen)).text()
    expect(transcriptRows(shown, world)).toEqual(transcriptRows(calm, world))
    expect(shown.filter((row) => /↓ \d+ new \(G\)/.test(row))).toHaveLength(1)
  })

  it("stands on the border below the transcript", async () => {
    const { world } = readingAbove(80, 24)
    const rows = await rowsOf(world)
    const at = rows.findIndex((row) => row.includes("new (G)"))
    expect(at).toBe(planOf(world.model).panes.find(({ leaf }) => leaf.pane === "prompt")?.title?.y)
    expect(rows[at]).toMatch(/─ ↓ 3 new \(G\) ─$/)
  })

  it("counts a message that goes on below what is read", async () => {
    const { world, script } = paneWorld(80, 24)
    script.begin("long")
    script.startResponse({})
    script.say({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } })
    script.say({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: more } })
    world.wait(1_000)
    world.keys("<C-x><C-w>t<C-u>")
    expect((await rowsOf(world)).some((row) => row.includes("new (G)"))).toBe(false)
    script.say({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: more } })
    world.wait(1_000)
    expect((await rowsOf(world)).some((row) => row.includes("↓ 1 new (G)"))).toBe(true)
    world.keys("G")
    expect((await rowsOf(world)).some((row) => row.includes("new (G)"))).toBe(false)
  })

  it("names the key that works where the keyboard is", async () => {
    const { world } = readingAbove(80, 24)
    world.keys("i")
    expect((await rowsOf(world)).some((row) => row.includes("3 new (ctrl+end)"))).toBe(true)
  })

  it("leaves the hint of the border its place", async () => {
    const { world, script } = readingAbove(120, 40)
    world.keys("itext")
    askIn(script, "b1", "make")
    const rows = await rowsOf(world)
    expect(rows.some((row) => /1 waiting \(ctrl\+x ctrl\+w Q\) ━+ ↓ \d+ new/.test(row))).toBe(true)
  })

  it.each([
    ["zoomed", "<C-w>z", {}],
    ["without borders", "", { options: { borders: "none" } }]
  ] as const)("goes to the status row when the transcript is %s", async (_name, keys, options) => {
    const { world } = readingAbove(80, 24, options)
    world.keys(keys)
    expect((await rowsOf(world)).at(-1)).toContain("↓ 3 new (G)")
    const column = (await rowsOf(world)).at(-1)?.indexOf("new") ?? 0
    world.mouse("press", "left", { column, row: 23 })
    expect(world.session().list.viewport.following).toBe(true)
  })

  it("belongs to the transcript above it, and a click follows that one", async () => {
    const { world, script } = paneWorld(200, 60)
    script.begin("long")
    script.respond({ text: more })
    world.keys("<C-x><C-w>tgg<C-w>n")
    world.open(OTHER_SESSION)
    world.keys("<C-w>i")
    script.begin("again")
    script.respond({ text: "news" })
    const rows = await rowsOf(world)
    const row = rows.findIndex((each) => each.includes("3 new"))
    const column = rows[row]?.indexOf("3 new") ?? 0
    const [left, right] = planOf(world.model).panes.filter(({ leaf }) => leaf.pane === "transcript")
    expect(column).toBeLessThan(right?.content.x ?? 0)
    expect(column).toBeGreaterThan((left?.content.width ?? 0) - 30)
    world.mouse("press", "left", { column, row })
    expect(world.session(SESSION).list.viewport.following).toBe(true)
    expect(world.model.focus).toBe("prompt")
  })
})
