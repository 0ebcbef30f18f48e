import { describe, expect, it } from "vitest"
import { readKeybindings } from "../../../src/tui/keymap/keybindings.ts"
import { defaultKeymap, withUserBindings } from "../../../src/tui/keymap/keymap.ts"
import { keybindingsTemplate } from "../../../src/tui/keymap/template.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** Keys of dialogs and lists as keybindings.json has them. */

type Bindings = Readonly<Record<string, string | null>>

const rebound = (context: string, bindings: Bindings): TuiWorld => {
  const defaults = defaultKeymap()
  const text = JSON.stringify({ bindings: [{ context, bindings }] })
  const { blocks = [], warnings } = readKeybindings(text, { defaults, keyboard: "extended" })
  expect(warnings).toEqual([])
  const world = new TuiWorld({ size: { columns: 120, rows: 40 }, options: { editorMode: "normal" } })
  world.tell({ _tag: "KeymapLoaded", keymap: withUserBindings(defaults, blocks) })
  return world
}

const asking = (bindings: Bindings): TuiWorld => {
  const world = rebound("Confirmation", bindings)
  const script = world.open(SESSION)
  script.begin("do it")
  script.respond({ calls: [bash("call", "touch made")] })
  script.prepare("call")
  world.wait(1_000)
  return world
}

const answers = (world: TuiWorld): ReadonlyArray<string> => world.done("Answer").map(({ answer }) => answer.behavior)

const seen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("a dialog with keys of the user", () => {
  it("is answered by them, and names them", async () => {
    const world = asking({ "ctrl+y": "confirm:yes", y: null, f2: "confirm:toggleExplanation" })
    expect(await seen(world)).toContain("ctrl+y yes · n no")
    expect(await seen(world)).toContain("f2 explain")
    world.keys("y", 300)
    expect(answers(world)).toEqual([])
    world.keys("<C-y>")
    expect(answers(world)).toEqual(["allow"])
  })

  it("names the key that shows all of it where it says how much is missing", async () => {
    const world = rebound("Confirmation", { d: null, f3: "confirm:zoomDiff" })
    const script = world.open(SESSION)
    script.begin("do it")
    const content = Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n")
    script.respond({ calls: [{ id: "call", name: "Write", input: { file_path: "/project/a.txt", content } }] })
    script.prepare("call")
    world.wait(1_000)
    expect(await seen(world)).toMatch(/… \d+ more \(f3\)/)
    world.keys("d", 300)
    expect(await seen(world)).toContain("┌ Write a.txt")
    world.now += 1_000
    world.keys("<F3>", 300)
    expect(await seen(world)).toContain("▾ Write a.txt")
    expect(answers(world)).toEqual([])
  })

  it("is not answered by keys that were taken away, Enter and Escape too, and does not name them", async () => {
    const world = asking({ enter: null, escape: null, n: null })
    expect(await seen(world)).not.toMatch(/\bn no\b/)
    world.keys("<CR><Esc>n", 300)
    expect(answers(world)).toEqual([])
    // A letter that means nothing any more may be of a sentence: what follows at once answers nothing either.
    world.keys("1")
    expect(answers(world)).toEqual([])
    world.wait(400)
    world.keys("1")
    expect(answers(world)).toEqual(["allow"])
  })

  it("knows chords; a key that goes on with none of them answers nothing", () => {
    const world = asking({ "g y": "confirm:yes" })
    world.keys("gn", 200)
    expect(answers(world)).toEqual([])
    world.keys("gy", 200)
    expect(answers(world)).toEqual(["allow"])
  })

  it("leaves a chord that nobody finished after a while", () => {
    const world = asking({ "g y": "confirm:yes" })
    world.keys("g", 200)
    world.wait(1_100)
    world.keys("y")
    expect(answers(world)).toEqual(["allow"])
  })

  it("takes letters as text where a comment is typed", () => {
    const world = asking({ a: "confirm:yes", "ctrl+y": "confirm:yes" })
    world.keys("<Tab>a<C-y>b", 200)
    expect(answers(world)).toEqual([])
    world.keys("<CR>")
    expect(answers(world)).toEqual(["allow"])
    expect(world.done("Submit")).toMatchObject([{ text: "ab" }])
  })

  it("reaches what has no key by itself", async () => {
    const world = asking({ "ctrl+x d": "permission:toggleDebug" })
    const before = await seen(world)
    world.keys("<C-x>d", 200)
    expect(await seen(world)).not.toBe(before)
    expect(answers(world)).toEqual([])
  })

  it("does not let another key stand for what only y or a digit may allow", () => {
    const world = rebound("Confirmation", { "ctrl+y": "confirm:yes" })
    const script = world.open(SESSION)
    script.begin("do it")
    script.respond({ calls: [bash("call", "rm -rf build")] })
    script.prepare("call")
    world.wait(1_000)
    world.keys("k<CR>", 200)
    expect(answers(world).filter((behavior) => behavior === "allow")).toEqual([])
  })
})

describe("a list with keys of the user", () => {
  it("moves and closes by them, also while its filter is typed into", () => {
    const world = rebound("Palette", { "alt+j": "palette:next", "alt+q": "palette:dismiss", escape: null })
    world.open(SESSION)
    world.keys("<C-x><C-p><A-j>", 200)
    expect(world.model.overlays.opened).toMatchObject({ _tag: "Picker", picker: { selected: 1 } })
    world.keys("<Esc>")
    expect(world.model.overlays.opened).toBeDefined()
    world.keys("<A-q>")
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it("names them in its hint", async () => {
    const world = rebound("ModelPicker", { "ctrl+s": "modelPicker:thisSessionOnly", s: null })
    world.open(SESSION)
    world.keys("/model<CR>", 200)
    expect(await seen(world)).toContain("ctrl+s this session only")
  })
})

describe("the template of all defaults", () => {
  const withTemplate = (): TuiWorld => {
    const defaults = defaultKeymap()
    const { blocks = [] } = readKeybindings(keybindingsTemplate(defaults), { defaults, keyboard: "extended" })
    const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
    world.tell({ _tag: "KeymapLoaded", keymap: withUserBindings(defaults, blocks) })
    return world
  }

  it("changes nothing: chords of lists, Enter on a dangerous call, hints", async () => {
    const plain = new TuiWorld({ size: { columns: 120, rows: 40 } })
    const worlds = [plain, withTemplate()]
    const screens = await Promise.all(
      worlds.map(async (world) => {
        const script = world.open(SESSION)
        world.keys("/resume<CR>:f", 200)
        const list = await seen(world)
        world.keys("<Esc><Esc>", 200)
        script.begin("do it")
        script.respond({ calls: [bash("call", "rm -rf build")] })
        script.prepare("call")
        world.wait(1_000)
        world.keys("k<CR>", 200)
        const dialog = await seen(world)
        world.keys("<C-e>1", 200)
        return [list, dialog, answers(world)]
      })
    )
    expect(screens[1]).toEqual(screens[0])
    expect(screens[1]?.[0]).toContain("search in the text of all sessions:")
  })
})
