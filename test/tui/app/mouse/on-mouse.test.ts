import { describe, expect, it } from "vitest"
import { planOf } from "../../../../src/tui/model/windows/layout-and-focus.ts"
import type { MouseEvent } from "../../../../src/tui/terminal/input/event.ts"
import { caretIn, textIn } from "../../../../src/tui/prompt/editor.ts"
import { leafId } from "../../../../src/tui/screen/layout/tree.ts"
import { shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { askIn, paneWorld, withChanges } from "../pane-world.ts"

const mouse = (world: TuiWorld, column: number, row: number, more: Partial<MouseEvent> = {}) =>
  world.tell({
    _tag: "Input",
    event: { _tag: "Mouse", action: "press", button: "left", column, row, shift: false, alt: false, ctrl: false, ...more }
  })

const contentOf = ({ model }: TuiWorld, id: string) => {
  const pane = planOf(model).panes.find(({ leaf }) => leafId(leaf) === id)
  if (pane === undefined) throw new Error(`no pane ${id}`)
  return pane.content
}

/** Where a text stands on the screen. */
const find = async (world: TuiWorld, text: string): Promise<{ readonly x: number; readonly y: number }> => {
  const rows = (await shownBy(world.screen())).text()
  const y = rows.findIndex((row) => row.includes(text))
  return { x: rows[y]?.indexOf(text) ?? -1, y }
}

describe("the mouse", () => {
  it("focuses the pane that is clicked, by its title too, and the wheel never moves the focus", () => {
    const { world } = paneWorld()
    const { x, y } = contentOf(world, "changes")
    mouse(world, x + 2, y + 2)
    expect(world.model.focus).toBe("changes")
    const tasks = contentOf(world, "tasks")
    mouse(world, tasks.x + 2, tasks.y - 1)
    expect(world.model.focus).toBe("tasks")
    mouse(world, 5, 5, { action: "wheel", button: "wheelUp" })
    expect(world.model.focus).toBe("tasks")
  })

  it("places the caret in the prompt", () => {
    const { world } = paneWorld()
    world.keys("hello world")
    const { x, y } = contentOf(world, "prompt")
    mouse(world, x + 3 + 6, y)
    expect(caretIn(world.session().prompt.editor)).toEqual({ line: 0, column: 6 })
    mouse(world, x + 60, y)
    expect(caretIn(world.session().prompt.editor)).toEqual({ line: 0, column: 11 })
  })

  it("places the caret of a vim prompt and leaves it in its state", () => {
    const { world } = paneWorld(120, 40, { options: { editorMode: "vim" } })
    world.keys("hello world")
    const { x, y } = contentOf(world, "prompt")
    mouse(world, x + 3 + 6, y)
    world.keys("X")
    expect(caretIn(world.session().prompt.editor)).toEqual({ line: 0, column: 7 })
  })

  it("selects a word with two clicks and the line with three, and copies on release", async () => {
    const { world } = paneWorld()
    const { x, y } = await find(world, "src/lines.ts")
    mouse(world, x + 2, y)
    mouse(world, x + 2, y)
    expect(mouse(world, x + 2, y, { action: "release" })).toMatchObject([{ _tag: "Copy", text: "src/lines.ts:12" }])
    mouse(world, x + 2, y)
    expect(mouse(world, x + 2, y, { action: "release" })).toMatchObject([
      { _tag: "Copy", text: expect.stringMatching(/^see src.*needle$/) }
    ])
  })

  it("opens a path with Ctrl", async () => {
    const { world } = paneWorld()
    const { x, y } = await find(world, "src/lines.ts")
    expect(mouse(world, x + 2, y, { ctrl: true })).toMatchObject([{ _tag: "OpenFile", line: 12 }])
  })

  it("opens an item with the second click", async () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>d<Left>")
    withChanges(world)
    const { x, y } = await find(world, "line five")
    expect(mouse(world, x, y)).toEqual([])
    expect(world.session().lists.changes?.cursor).toBe("hunk:0:5:0:b.txt")
    expect(mouse(world, x, y)).toMatchObject([{ _tag: "OpenFile", line: 5 }])
  })

  it("opens and closes the fold of the head that is clicked, once for a double click", async () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>d<Left>")
    withChanges(world)
    const { x, y } = await find(world, "b.txt")
    const isFolded = () => world.session().lists.changes?.folded.has("file:b.txt")
    mouse(world, x, y)
    expect([world.session().lists.changes?.cursor, isFolded()]).toEqual(["file:b.txt", true])
    mouse(world, x, y)
    expect(isFolded()).toBe(true)
    world.wait(1_000)
    mouse(world, x, y)
    expect(isFolded()).toBe(false)
  })

  it("goes to the end by the badge about new messages", async () => {
    const { world, script } = paneWorld(80, 24)
    world.keys("<C-x><C-w>tgg")
    script.begin("more")
    script.respond({ text: "news" })
    const { x, y } = await find(world, "new (G)")
    mouse(world, x, y)
    expect(world.session().list.viewport.following).toBe(true)
  })

  it("opens what a field of the status row is about", async () => {
    const { world } = paneWorld()
    const { x, y } = await find(world, "context")
    mouse(world, x, y)
    expect(world.model.focus).toBe("context")
    const mode = await find(world, "ask ·")
    expect(mouse(world, mode.x, mode.y)).toMatchObject([{ _tag: "SetMode" }])
  })

  it("takes a suggestion with one click", async () => {
    const { world } = paneWorld()
    world.keys("/ren")
    const { x, y } = await find(world, "rename")
    mouse(world, x, y)
    expect(world.session().prompt.completion.menu).toBeUndefined()
    expect(caretIn(world.session().prompt.editor).column).toBeGreaterThanOrEqual("/rename".length)
  })

  it("chooses in a picker and never reaches past it", async () => {
    const { world } = paneWorld()
    world.keys("/theme<CR>")
    const { x, y } = await find(world, "dark")
    mouse(world, x, y)
    expect(world.model.overlays.opened).toBeUndefined()
    expect(world.done("SaveOption").at(-1)).toMatchObject({ name: "theme" })
  })

  it("answers a question only by two clicks on one option, and never in its first moment", async () => {
    const { world, script } = paneWorld()
    askIn(script, "b1", "rm -rf x")
    const { x, y } = await find(world, "Yes")
    mouse(world, x, y)
    mouse(world, x, y)
    expect(world.done("Answer")).toEqual([])
    world.wait(1_000)
    mouse(world, x, y)
    expect(world.done("Answer")).toEqual([])
    mouse(world, x, y)
    expect(world.done("Answer")).toMatchObject([{ answer: { behavior: "allow" } }])
    mouse(world, 2, 2, { action: "wheel", button: "wheelDown" })
    expect(world.done("Answer")).toHaveLength(1)
  })
})

describe("the other buttons", () => {
  it("paste what was selected last with the middle one, wherever it is pressed", () => {
    const { world } = paneWorld()
    world.model = { ...world.model, yanked: "selected here" }
    expect(mouse(world, 5, 5, { button: "middle" })).toEqual([{ _tag: "PastePrimary", otherwise: "selected here" }])
    world.paste("two\nlines")
    expect(textIn(world.session().prompt.editor)).toBe("two\nlines")
    expect(world.done("Submit")).toEqual([])
  })

  it("mean nothing while only the wheel is wanted", () => {
    const { world } = paneWorld(120, 40, { options: { mouseClicks: false, scrollSpeed: 2 } })
    const { x, y } = contentOf(world, "changes")
    mouse(world, x + 2, y + 2)
    mouse(world, x + 2, y + 2, { button: "middle" })
    expect(world.model.focus).toBe("prompt")
    expect(world.done("PastePrimary")).toEqual([])
    mouse(world, 5, 5, { action: "wheel", button: "wheelUp" })
    expect(world.session().list.viewport.following).toBe(false)
  })
})

describe("a selection", () => {
  it("grows with shift and an arrow after the mouse began it", async () => {
    const { world } = paneWorld()
    const { x, y } = await find(world, "src/lines.ts")
    mouse(world, x, y)
    mouse(world, x + 2, y, { action: "drag" })
    expect(mouse(world, x + 2, y, { action: "release" })).toMatchObject([{ _tag: "Copy", text: "src" }])
    world.keys("i<S-Right>")
    expect(world.keys("<C-c>")).toMatchObject([{ _tag: "Copy", text: "src/" }])
  })

  it("is one of the prompt where the transcript has none", () => {
    const { world } = paneWorld()
    world.keys("hello<S-Left><S-Left>X")
    expect(textIn(world.session().prompt.editor)).toBe("helX")
  })

  it("is copied once: a click elsewhere does not copy it again", async () => {
    const { world } = paneWorld()
    const { x, y } = await find(world, "src/lines.ts")
    mouse(world, x, y)
    mouse(world, x + 2, y, { action: "drag" })
    mouse(world, x + 2, y, { action: "release" })
    const { x: column, y: row } = contentOf(world, "changes")
    mouse(world, column + 2, row + 2)
    expect(mouse(world, column + 2, row + 2, { action: "release" })).toEqual([])
  })
})
