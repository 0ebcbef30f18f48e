import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { planOf, treeOf } from "../../../src/tui/model/windows/layout-and-focus.ts"
import { nextWake } from "../../../src/tui/app/wake.ts"
import type { MouseEvent } from "../../../src/tui/terminal/input/event.ts"
import { outerOf } from "../../../src/tui/screen/layout/neighbour.ts"
import { leafId, leavesOf } from "../../../src/tui/screen/layout/tree.ts"
import { selectedText } from "../../../src/tui/transcript/list/commands/selection.ts"
import { transcriptContextOf } from "../../../src/tui/model/conversation/transcript-context.ts"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

const mouse = (world: TuiWorld, action: MouseEvent["action"], column: number, row: number): void =>
  world.mouse(action, "left", { column, row })

const paneOf = ({ model }: TuiWorld, id: string) => {
  const pane = planOf(model).panes.find(({ leaf }) => leafId(leaf) === id)
  if (pane === undefined) throw new Error(`no pane ${id}`)
  return outerOf(pane)
}

const panes = ({ model }: TuiWorld): ReadonlyArray<string> => planOf(model).panes.map(({ leaf }) => leafId(leaf))

describe("dragging a border", () => {
  it("moves the one between columns under the pointer", () => {
    const { world } = paneWorld()
    const { width } = paneOf(world, "transcript")
    mouse(world, "press", width, 9)
    mouse(world, "drag", width - 20, 12)
    expect(paneOf(world, "transcript").width).toBe(width - 20)
    expect(paneOf(world, "changes").x).toBe(width - 19)
    mouse(world, "release", width - 20, 12)
    mouse(world, "drag", 5, 5)
    expect(paneOf(world, "transcript").width).toBe(width - 20)
    expect(world.model.focus).toBe("prompt")
    expect(world.done("KeepLayout")).not.toEqual([])
  })

  it("moves the one between panes one above the other by its line", () => {
    const { world } = paneWorld()
    const { x, y, width } = paneOf(world, "tasks")
    mouse(world, "press", x + width - 2, y)
    mouse(world, "drag", x + 3, y - 7)
    mouse(world, "release", x + 3, y - 7)
    expect(paneOf(world, "tasks").y).toBe(y - 7)
    expect(paneOf(world, "changes").height).toBe(y - 7)
  })

  it("never takes the room that a pane needs, wherever the pointer goes", () => {
    const { world } = paneWorld()
    const { width } = paneOf(world, "transcript")
    const all = panes(world)
    mouse(world, "press", width, 9)
    fc.assert(
      fc.property(fc.nat(130), fc.nat(45), (column, row) => {
        mouse(world, "drag", column, row)
        expect(panes(world)).toEqual(all)
        expect(paneOf(world, "transcript").width).toBeGreaterThanOrEqual(20)
        expect(paneOf(world, "changes").width).toBeGreaterThanOrEqual(16)
      })
    )
  })

  it("leaves the line over the prompt alone: its height follows its text", () => {
    const { world } = paneWorld()
    const { y } = paneOf(world, "prompt")
    const tree = treeOf(world.model)
    mouse(world, "press", 60, y)
    mouse(world, "drag", 60, y - 5)
    mouse(world, "release", 60, y - 5)
    expect(treeOf(world.model)).toBe(tree)
  })
})

describe("dragging a title onto another pane", () => {
  const drop = (from: string, to: string): TuiWorld => {
    const { world } = paneWorld()
    const [start, end] = [paneOf(world, from), paneOf(world, to)]
    mouse(world, "press", start.x + 3, start.y)
    mouse(world, "drag", end.x + 5, end.y + 1)
    mouse(world, "release", end.x + 5, end.y + 1)
    return world
  }

  it("exchanges the two", () => {
    const world = drop("tasks", "changes")
    expect(panes(world)).toEqual(["transcript", "prompt", "tasks", "changes"])
    expect(world.model.focus).toBe("tasks")
  })

  it("also with the transcript", () => {
    expect(panes(drop("changes", "transcript"))).toEqual(["changes", "prompt", "transcript", "tasks"])
  })

  it("does nothing over itself, and says that the prompt stays", () => {
    expect(panes(drop("tasks", "tasks"))).toEqual(["transcript", "prompt", "changes", "tasks"])
    const world = drop("tasks", "prompt")
    expect(panes(world)).toEqual(["transcript", "prompt", "changes", "tasks"])
    expect(world.model.notices.current?.notice.text).toContain("prompt stays")
  })

  it("loses no pane, whatever is dropped where", () => {
    const before = leavesOf(treeOf(paneWorld().world.model)).map(leafId).toSorted()
    for (const from of before) {
      for (const to of before)
        expect(
          leavesOf(treeOf(drop(from, to).model))
            .map(leafId)
            .toSorted()
        ).toEqual(before)
    }
  })
})

describe("a selection beyond the edge", () => {
  const LINES = Array.from({ length: 200 }, (_, at) => `line ${at + 1} of the answer`)

  const longWorld = (columns = 80, rows = 24): TuiWorld => {
    const world = new TuiWorld({ size: { columns, rows } })
    const script = world.open()
    script.begin("show them")
    script.respond({ text: LINES.join("\n\n") })
    world.wait(60_000)
    return world
  }

  const selected = (world: TuiWorld): string => {
    const session = world.session()
    const { selection } = session.list
    return selection === undefined ? "" : selectedText(session.list, selection, transcriptContextOf(world.model, session))
  }

  const top = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().slice(0, 3).join("|")

  it.each([
    [80, 24],
    [40, 12]
  ])("goes on while the pointer rests there, at %ix%i", async (columns, rows) => {
    const world = longWorld(columns, rows)
    mouse(world, "press", 10, 6)
    mouse(world, "drag", 10, 0)
    const first = await top(world)
    const wake = nextWake(world.model)
    expect(wake).toBe(world.now + 50)
    for (let step = 0; step < 10; step++) world.wait(50)
    expect(await top(world)).not.toBe(first)
    const length = selected(world).length
    world.wait(50)
    expect(selected(world).length).toBeGreaterThan(length)
    mouse(world, "release", 10, 0)
    expect(nextWake(world.model)).toBeUndefined()
    const still = await top(world)
    world.wait(500)
    expect(await top(world)).toBe(still)
  })

  it("goes down as well, and ends where there is no more", () => {
    const world = longWorld()
    world.keys("<C-x><C-w>tgg")
    mouse(world, "press", 4, 4)
    mouse(world, "drag", 4, 22)
    for (let step = 0; step < 400 && nextWake(world.model) !== undefined; step++) world.wait(50)
    expect(nextWake(world.model)).toBeUndefined()
    expect(selected(world)).toContain("line 199 of the answer")
  })

  it("ends at the beginning, too", () => {
    const world = longWorld()
    mouse(world, "press", 10, 6)
    mouse(world, "drag", 10, 0)
    for (let step = 0; step < 800 && nextWake(world.model) !== undefined; step++) world.wait(50)
    expect(nextWake(world.model)).toBeUndefined()
    expect(selected(world)).toContain("line 1 of the answer")
  })
})
