import { describe, expect, it } from "vitest"
import { PICKERS } from "../../../src/tui/overlays/pickers/pickers.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { returned, write } from "../../core/loop/response-plan.ts"
import { paneWorld } from "./pane-world.ts"

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const purposeOf = ({ model }: TuiWorld): string | undefined => {
  const { opened } = model.overlays
  return opened?._tag === "Picker" ? opened.purpose : undefined
}

describe("the message selector", () => {
  const selecting = () => {
    const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
    const script = world.open(SESSION, { permission: permissions({ mode: "bypassPermissions" }) })
    for (const prompt of ["first needle", "second prompt"]) {
      script.begin(prompt)
      script.respond({ text: "done" })
    }
    script.begin("write it down")
    script.respond({ calls: [write("w1")] })
    script.prepare("w1")
    script.settle("w1", returned("written", { data: { type: "create", filePath: "/project/w1.txt", content: "x\n" } }))
    script.respond({ text: "written" })
    world.wait(2_000)
    world.keys("<Esc><Esc>")
    return world
  }

  it("makes its list once for a session that did not change, however many keys are pressed", () => {
    const world = selecting()
    const itemsOf = ({ model }: TuiWorld) => {
      const { opened } = model.overlays
      return opened?._tag === "Picker" ? PICKERS[opened.purpose].items(model, opened) : undefined
    }
    const before = itemsOf(world)
    world.keys("k")
    expect(before?.length).toBe(3)
    expect(itemsOf(world)).toBe(before)
  })

  it("lists the prompts, newest last and chosen, with how many files each changed", async () => {
    const world = selecting()
    const text = await screenOf(world)
    expect(text).toMatch(/first needle +#1 /)
    expect(text).toMatch(/▸ write it down +#3 · 1 file/)
  })

  it.each([
    ["K", "first needle"],
    ["KJ", "write it down"],
    ["<C-Up>", "first needle"],
    ["k", "second prompt"]
  ])("%s goes to %s", async (keys, prompt) => {
    const world = selecting()
    world.keys(keys)
    expect(await screenOf(world)).toContain(`▸ ${prompt}`)
  })

  it("goes back before a prompt, whose text returns to the editor", () => {
    const world = selecting()
    world.keys("k<CR>")
    expect(purposeOf(world)).toBe("rewind")
    const cmds = world.keys("<CR>")
    expect(cmds).toMatchObject([
      { _tag: "OpenSession", which: { _tag: "Fork", sessionId: SESSION } },
      { _tag: "DraftNext", text: "second prompt" }
    ])
  })

  it.each([
    ["f", "fork"],
    ["t", "jump"],
    ["n", "nothing"]
  ])("%s does the %s", (key, what) => {
    const world = selecting()
    world.keys("K<CR>")
    const cmds = world.keys(key)
    expect(cmds.map(({ _tag }) => _tag)).toEqual(what === "fork" ? ["OpenSession"] : [])
    expect(world.model.focus).toBe(what === "jump" ? "transcript" : "prompt")
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it("offers the session before /clear first", async () => {
    const { world } = paneWorld()
    world.keys("/clear<CR>")
    const { state } = world.open("session-n")
    const facts = {
      sessionId: "session-c",
      cwd: "/project",
      branch: "main",
      title: undefined,
      state,
      draft: undefined,
      earlierPages: 0
    }
    world.tell({ _tag: "SessionOpened", facts, replaces: SESSION })
    world.keys("<Esc><Esc>")
    expect(await screenOf(world)).toContain("before /clear: first needle")
    expect(world.keys("K<CR>")).toMatchObject([{ _tag: "OpenSession", which: { _tag: "Resume", sessionId: SESSION } }])
  })
})

const MODELS = [
  { name: "offline", id: "offline" },
  { name: "opus", id: "claude-opus-4-7" },
  { name: "haiku", id: "claude-haiku-4-5", unavailable: "there is no credential" }
]

describe("the model picker", () => {
  const choosing = (): TuiWorld => {
    const { world } = paneWorld(120, 40, { options: { models: MODELS } })
    world.keys("draft<A-p>")
    return world
  }

  it("shows window, price, the current one and why one cannot be used", async () => {
    const text = await screenOf(choosing())
    expect(text).toMatch(/▸ offline {2}scripted, not an LLM/)
    expect(text).toMatch(/opus {2}Claude Opus 4\.7 .*window · \$\d/)
    expect(text).toMatch(/haiku {2}there is no credential/)
    expect(text).toContain("this model has no effort to choose")
  })

  it("makes it the default with Enter, and keeps the draft", () => {
    const world = choosing()
    expect(world.keys("j<CR>")).toEqual([
      { _tag: "SetModel", session: SESSION, model: "opus" },
      { _tag: "SaveOption", name: "model", value: "opus" }
    ])
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it("takes it for this session only with s, with another effort by the arrows", async () => {
    const world = choosing()
    world.keys("j<Left>")
    expect(await screenOf(world)).toContain("[medium]")
    world.keys("<Left><Left><Left>")
    expect(await screenOf(world)).toContain("[low]")
    expect(world.keys("<Right>s")).toEqual([{ _tag: "SetModel", session: SESSION, model: "opus", effort: "medium" }])
  })

  it("does not take one that cannot be used", () => {
    const world = choosing()
    expect(world.keys("jjs<CR>")).toEqual([])
    expect(purposeOf(world)).toBe("model")
  })
})

describe("the theme picker", () => {
  it("shows a diff in the theme under the cursor, and switches the colours of code", async () => {
    const { world } = paneWorld()
    world.keys("/theme<CR>j")
    const text = await screenOf(world)
    expect(text).toContain("greet.ts")
    expect(text).toMatch(/\+.*Hello, \$\{name\}/)
    world.keys("<C-t>")
    expect(world.model.options.highlight).toBe(false)
    expect(purposeOf(world)).toBe("theme")
  })
})

describe("small screens", () => {
  it("opens at the theme in force, so that Enter keeps it", async () => {
    const world = new TuiWorld({ options: { theme: "light-ansi" } })
    world.open()
    world.keys("/theme<CR>")
    expect((await shownBy(world.screen())).text().join("\n")).toContain("▸ light-ansi")
    world.keys("<CR>")
    expect(world.model.options.theme).toBe("light-ansi")
  })

  it.each([
    ["/theme<CR>", "▸ auto"],
    ["/model<CR>", "▸ offline"]
  ])("%s shows its list first", async (keys, item) => {
    const { world } = paneWorld(40, 12)
    world.keys(keys)
    expect(await screenOf(world)).toContain(item)
  })
})

describe("the palette", () => {
  it.each([
    ["changes", "<CR>", "changes"],
    ["codewrap", "<CR>", "prompt"]
  ])("finds %s", (words, keys, focus) => {
    const { world } = paneWorld()
    world.keys("<C-x><C-p>")
    world.keys(words)
    world.keys(keys)
    expect(world.model.focus).toBe(focus)
  })

  it("runs options and opens files of the session", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-p>:set codewrap<CR>")
    expect(world.model.options.codeWrap).toBe(true)
    world.keys("<C-x><C-p>r1.txt")
    expect(world.keys("<CR>")).toMatchObject([{ _tag: "ShowFile" }])
  })

  it("shows the key of what it lists", async () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-p>files")
    expect(await screenOf(world)).toMatch(/files +ctrl\+x ctrl\+w f/)
  })
})

describe("what it cost", () => {
  it("is shown in all and by model", async () => {
    const { world } = paneWorld()
    world.keys("/cost<CR>")
    const text = await screenOf(world)
    expect(text).toContain("in all")
    expect(text).toMatch(/offline: .*\d+ in \(\d+% cached\), \d+ out/)
  })
})
