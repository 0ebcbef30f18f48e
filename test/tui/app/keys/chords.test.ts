import { describe, expect, it } from "vitest"
import { nextWake } from "../../../../src/tui/app/wake.ts"
import { textIn } from "../../../../src/tui/prompt/editor.ts"
import { shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { askIn, paneWorld } from "../pane-world.ts"

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("window keys over a list that the user opened", () => {
  it.each([
    ["/theme<CR>", "<C-w>d", "changes"],
    ["/theme<CR>", "<C-w>t", "transcript"],
    ["/model<CR>", "<C-x><C-w>g", "tasks"],
    ["/resume<CR>", "<C-w>k", "transcript"],
    ["<F1>", "<C-x><C-w>S", "sessions"],
    ["<C-r>", "<C-x><C-w>t", "transcript"]
  ])("%s then %s goes to %s and puts the list away", (open, keys, pane) => {
    const { world } = paneWorld()
    world.keys(open)
    expect(world.model.overlays.opened).toBeDefined()
    world.keys(keys)
    expect(world.model.overlays.opened).toBeUndefined()
    expect(world.model.focus).toBe(pane)
  })

  it.each(["<C-w>q", "<C-w>c"])("%s closes the list and no pane", (keys) => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>d")
    world.keys(":set<CR>:marks<CR>")
    expect(world.model.overlays.opened?._tag).toBe("Listing")
    world.keys(keys)
    expect(world.model.overlays.opened).toBeUndefined()
    expect(world.model.focus).toBe("changes")
  })

  it("puts a theme back that was only tried", () => {
    const { world } = paneWorld()
    const { theme } = world.model.options
    world.keys("/theme<CR>jj<C-w>d")
    expect(world.model.options.theme).toBe(theme)
  })

  it("deletes a word of a filter instead, and takes a count", () => {
    const { world } = paneWorld()
    world.keys("<F1>two words<C-w>")
    const { opened } = world.model.overlays
    expect(opened?._tag === "Picker" ? opened.picker.filter.text : "").toBe("two ")
    world.keys("<Esc>/theme<CR><C-w>2w")
    expect(world.model.overlays.opened).toBeUndefined()
    expect(world.model.focus).toBe("changes")
  })

  it("shows the question that waits, and the list is there again afterwards", () => {
    const { world, script } = paneWorld()
    world.keys("/theme<CR>")
    world.model = { ...world.model, keys: { ...world.model.keys, lastTypedAt: world.now } }
    askIn(script, "b1", "make")
    expect(world.model.overlays.shown).toBe("opened")
    world.model = { ...world.model, keys: { ...world.model.keys, lastTypedAt: world.now } }
    world.keys("<C-w>Q", 1)
    expect(world.model.overlays.shown).toContain("b1")
    world.keys("n", 300)
    expect(world.model.overlays.shown).toBe("opened")
  })

  it("is given up by Escape, which leaves the list open", () => {
    const { world } = paneWorld(120, 40, { options: { editorMode: "vim" } })
    world.keys("/theme<CR><C-w><Esc>")
    expect(world.model.keys.pending).toEqual([])
    expect(world.model.overlays.opened).toBeDefined()
  })
})

describe("the list of what waits", () => {
  it("gets the keyboard, and nothing opens by itself while somebody chooses from it", () => {
    const { world, script } = paneWorld()
    world.keys("<C-x><C-w>Q", 1)
    expect(world.model.focus).toBe("approvals")
    askIn(script, "b1", "make")
    world.wait(5_000)
    expect(world.model.overlays.shown).toBeUndefined()
    expect(nextWake(world.model) ?? Number.POSITIVE_INFINITY).toBeGreaterThan(world.now)
    world.keys("<CR>")
    expect(world.model.overlays.shown).toContain("b1")
    world.keys("y", 300)
    expect(world.done("Answer")).toHaveLength(1)
    expect(world.model.focus).toBe("approvals")
  })

  it("lets the question open when it is left", () => {
    const { world, script } = paneWorld()
    world.keys("<C-x><C-w>Q", 1)
    askIn(script, "b1", "make")
    world.keys("q", 1_000)
    expect(world.model.overlays.shown).toContain("b1")
  })
})

describe("a prefix that waits", () => {
  it.each([
    [200, 60],
    [120, 40],
    [80, 24],
    [60, 20],
    [40, 12]
  ] as const)("shows what may follow after a while at %ix%i, and takes the key then", async (columns, rows) => {
    const { world } = paneWorld(columns, rows)
    world.keys("<C-x><C-w>t<C-w>")
    expect(await screenOf(world)).not.toContain("go to the pane")
    world.wait(650)
    expect(await screenOf(world)).toContain("go to the pane")
    world.wait(3_000)
    expect(await screenOf(world)).toContain("go to the pane")
    world.keys("i")
    expect(world.model.focus).toBe("prompt")
    expect(await screenOf(world)).not.toContain("go to the pane")
  })

  it("goes with Escape, and the prompt notices nothing of it", async () => {
    const { world } = paneWorld(120, 40, { options: { editorMode: "vim" } })
    world.keys("hello<C-x>")
    world.wait(700)
    expect(await screenOf(world)).toContain("open the pal")
    world.keys("<Esc>X")
    expect(textIn(world.session().prompt.editor)).toBe("helloX")
  })

  it("is given up after a second where nothing is to be shown", () => {
    const { world } = paneWorld(120, 40, { options: { whichKeyMs: 0 } })
    world.keys("<C-x>")
    world.wait(1_100)
    expect(world.model.keys.pending).toEqual([])
  })

  it("does not wake for what has passed", () => {
    const { world } = paneWorld()
    world.keys("<C-x>")
    world.wait(2_000)
    expect(nextWake({ ...world.model, now: world.now })).toBeUndefined()
  })
})
