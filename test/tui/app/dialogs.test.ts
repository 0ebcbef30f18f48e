import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { bash } from "../../core/loop/response-plan.ts"
import { OTHER_SESSION, SESSION, TuiWorld } from "../../support/tui-world.ts"

/** When a dialog takes the keyboard, and what may answer it (UI-181 to UI-187). */

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
    world.keys("<C-x><C-w>Q<CR>", 1)
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

  it("cannot be answered where it cannot be seen", () => {
    const world = new TuiWorld({ size: { columns: 30, rows: 6 } })
    asking(world)
    world.now += 300
    world.keys("y<CR>1")
    expect(world.done("Answer")).toEqual([])
  })
})
