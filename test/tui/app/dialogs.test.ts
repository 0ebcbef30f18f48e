import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { OTHER_SESSION, SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** When a dialog takes the keyboard, and what may answer it. */

const asking = (world: TuiWorld, session = SESSION): void => {
  const script = world.open(session, { seed: session, config: { sessionId: session } })
  script.begin("do it")
  script.respond({ calls: [bash(`call-${session}`, "rm -rf build")] })
  script.prepare(`call-${session}`)
}

const shown = (world: TuiWorld): string | undefined => world.model.overlays.shown

describe("a dialog of the agent", () => {
  it("opens at once when the hands are still, and only when they are", () => {
    const still = new TuiWorld()
    asking(still)
    expect(shown(still)).toContain("call-")
    const typing = new TuiWorld()
    typing.open(OTHER_SESSION)
    typing.keys("yes please")
    asking(typing)
    expect(shown(typing)).toBeUndefined()
    typing.wait(600)
    expect(shown(typing)).toBeUndefined()
    typing.wait(200)
    expect(shown(typing)).toContain("call-")
    expect(typing.done("Answer")).toEqual([])
  })

  it("comes at once when it is called for, also while somebody types", () => {
    const world = new TuiWorld({ options: { editorMode: "normal" } })
    world.open(OTHER_SESSION)
    world.keys("typing")
    asking(world)
    world.keys("<C-x><C-w>Q", 1)
    expect(shown(world)).toContain("call-")
  })

  it("is not answered in its first moment, by a held key, a paste or the wheel", () => {
    const world = new TuiWorld()
    asking(world)
    world.keys("y1n<CR>", 10)
    world.now += 300
    world.tell({ _tag: "Input", event: { _tag: "Key", stroke: "y", kind: "repeat", text: "y" } })
    world.paste("y\n")
    world.mouse("wheel", "wheelDown", { column: 40, row: 12 })
    expect(world.done("Answer")).toEqual([])
    world.keys("y")
    expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual(["allow"])
  })

  it("is not answered by the middle of a sentence, and is again after a pause", () => {
    const world = new TuiWorld()
    asking(world)
    world.wait(1_000)
    world.keys("run this1", 120)
    expect(world.done("Answer")).toEqual([])
    expect(world.model.notices.current?.notice.text).toContain("pause")
    world.now += 400
    world.keys("jky")
    expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual(["allow"])
  })

  it("remembers an Escape of its first moment and applies it after it", () => {
    const world = new TuiWorld()
    asking(world)
    world.keys("<Esc>", 10)
    expect(world.done("Answer")).toEqual([])
    world.wait(200)
    expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual(["deny"])
  })

  it("gives the keyboard back to the pane that had it", () => {
    const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
    world.open(OTHER_SESSION)
    world.keys("<C-x><C-w>d")
    expect(world.model.focus).toBe("changes")
    asking(world)
    expect(world.model.focus).toBe("changes")
    world.now += 300
    world.keys("n")
    expect(shown(world)).toBeUndefined()
    expect(world.model.focus).toBe("changes")
  })

  it("keeps its state while something more important covers it, and the draft is untouched", () => {
    const world = new TuiWorld()
    asking(world)
    world.now += 300
    world.keys("<Tab>not like this")
    asking(world, OTHER_SESSION)
    world.now += 300
    world.keys("<Esc>n")
    const [answer] = world.done("Answer")
    expect(answer?.answer).toMatchObject({ behavior: "deny", message: expect.stringContaining("not like this") })
    expect(textIn(world.session(OTHER_SESSION).prompt.editor)).toBe("")
  })

  it("goes with a word when its question was answered elsewhere", () => {
    const world = new TuiWorld()
    asking(world)
    world.now += 300
    const { state } = world.session()
    world.tell({ _tag: "Session", session: SESSION, news: { _tag: "Withdrawn", callId: `call-${SESSION}`, state } })
    expect(shown(world)).toBeUndefined()
    expect(world.model.notices.current?.notice.text).toContain("no longer open")
    world.keys("y")
    expect(world.done("Answer")).toEqual([])
  })

  it.each([
    ["edits the prompt with other keys than letters", "normal", "text<BS><Left>"],
    ["is in NORMAL of the prompt", "vim", "text<Esc>0dw"],
    ["looks for something in a list while the prompt is in NORMAL", "vim", "<Esc><C-x><C-p>pal"],
    ["yanks in the transcript", "normal", "<C-o>yy"],
    ["types a command", "vim", "<Esc>:se"]
  ] as const)("waits while somebody %s", (_, editorMode, keys) => {
    const world = new TuiWorld({ options: { editorMode }, size: { columns: 120, rows: 40 } })
    asking(world, OTHER_SESSION)
    world.now += 300
    world.keys("n")
    const before = world.done("Answer").length
    const script = world.open(SESSION, { seed: SESSION, config: { sessionId: SESSION } })
    script.begin("do it")
    world.keys(keys)
    script.respond({ calls: [bash("late", "make")] })
    script.prepare("late")
    expect(shown(world)?.startsWith("ask:") ?? false).toBe(false)
    world.keys("y1", 10)
    expect(world.done("Answer").length).toBe(before)
    world.wait(800)
    expect(shown(world)).toContain("late")
  })

  it("is not answered by a key that was held before it, where the terminal tells no repeats", () => {
    const world = new TuiWorld()
    asking(world)
    for (let press = 0; press < 20; press++) world.keys("<CR>", 33)
    expect(world.done("Answer")).toEqual([])
    world.keys("<CR>", 300)
    expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual(["allow"])
  })

  it.each([["<C-x><C-w>n"], ["<C-w>n"], ["<C-x><C-w>y"], ["<C-w>1"], ["<C-x>y"]])(
    "is not answered by a chord: %s",
    (keys) => {
      const world = new TuiWorld()
      asking(world)
      world.now += 300
      world.keys(keys)
      expect(world.done("Answer")).toEqual([])
      expect(shown(world)).toContain("call-")
      world.keys("<Esc>n", 400)
      expect(world.done("Answer")).toHaveLength(1)
    }
  )

  it("comes right after another was answered", () => {
    const world = new TuiWorld()
    asking(world)
    asking(world, OTHER_SESSION)
    world.now += 300
    world.keys("y")
    expect(shown(world)).toContain("ask:")
    world.keys("y", 300)
    expect(world.done("Answer").length).toBe(2)
  })

  it("shows the host that would be reached, however the address is written", async () => {
    const world = new TuiWorld({ size: { columns: 100, rows: 30 } })
    const script = world.open()
    script.begin("fetch it")
    const input = { url: "https://evil.test?@good.test/", prompt: "what is it?" }
    script.respond({ calls: [{ id: "f", name: "WebFetch", input }] })
    script.prepare("f")
    const text = (await shownBy(world.screen())).text().join("\n")
    expect(text).toContain("host: evil.test")
    expect(text).not.toContain("host: good.test")
  })

  it("marks blanks at the end of a command and says how far it is held back", async () => {
    const world = new TuiWorld({ size: { columns: 100, rows: 30 } })
    const script = world.open()
    script.begin("do it")
    script.respond({ calls: [bash("b", "touch 'a\u3164b'  ")] })
    script.prepare("b")
    const text = (await shownBy(world.screen())).text().join("\n")
    expect(text).toContain("touch 'a<U+3164>b'··")
    expect(text).toMatch(/┌ Bash in \/project ─.*─ no sandbox ─┐/)
  })

  it("saves what it has no room to show only after it was read, and its numbers are those of every size", async () => {
    const world = new TuiWorld({ size: { columns: 40, rows: 12 } })
    const script = world.open()
    script.begin("do it")
    const names = ["one", "two", "three", "four"].map((name) => `deploy-${name}-to-production`)
    script.respond({ calls: [bash("b", names.join(" && "))] })
    script.prepare("b")
    world.now += 300
    const text = (await shownBy(world.screen())).text().join("\n")
    expect(text).toContain("1 Yes")
    expect(text).toContain("2 Yes, always")
    expect(text).toContain("3 No")
    world.keys("2")
    expect(world.done("Answer")).toEqual([])
    const whole = (await shownBy(world.screen())).text().join("\n")
    for (const name of names) expect(whole).toContain(`Bash(${name})`)
    world.keys("<Esc>")
    world.now += 300
    world.keys("2")
    expect(world.done("Answer")).toMatchObject([{ answer: { behavior: "allow", updates: [{ type: "addRules" }] } }])
  })

  it("cannot be answered where it cannot be seen", () => {
    const world = new TuiWorld({ size: { columns: 30, rows: 6 } })
    asking(world)
    world.now += 300
    world.keys("y<CR>1")
    expect(world.done("Answer")).toEqual([])
  })
})

describe("leaving while something runs", () => {
  const running = () => {
    const world = new TuiWorld()
    const script = world.open()
    script.begin("do it")
    world.keys("<C-x><C-p>exit<CR>")
    return { world, script }
  }

  it.each([
    ["stays", "1", false, undefined],
    ["stays with Escape", "<Esc>", false, undefined],
    ["stops everything", "2", true, "Exit"],
    ["waits", "3", false, "Exit"],
    ["waits, chosen by moving", "jj<CR>", false, "Exit"]
  ])("%s", (_, keys, quits, opened) => {
    const { world } = running()
    expect(world.model.overlays.opened?._tag).toBe("Exit")
    world.keys(keys)
    expect(world.done("Quit").length > 0).toBe(quits)
    expect(world.model.overlays.opened?._tag).toBe(opened)
  })

  it("lets the work ask while it is waited for, and ends with it", () => {
    const { world, script } = running()
    world.keys("3")
    script.respond({ calls: [bash("b", "make")] })
    script.prepare("b")
    world.wait(900)
    expect(shown(world)).toContain("b")
    world.keys("n", 300)
    expect(world.done("Answer")).toHaveLength(1)
    expect(world.done("Quit")).toEqual([])
  })
})

describe("Escape", () => {
  it("ends a command that the user runs beside the conversation", () => {
    const world = new TuiWorld()
    world.open()
    world.model = { ...world.model, sessions: new Map([[SESSION, { ...world.session(), shells: ["s1"] }]]) }
    world.keys("<Esc>")
    expect(world.done("Interrupt")).toHaveLength(1)
  })
})
