import { describe, expect, it } from "vitest"
import type { MemoryLook, UndoableChange } from "../../../src/core/context/memory/look.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** `/memory` and what `#` leaves to undo. */
const LOOK: MemoryLook = {
  place: { _tag: "On", path: "/home/u/.claude/projects/-project/memory" },
  files: [
    {
      path: "/project/CLAUDE.md",
      group: "instructions",
      label: "CLAUDE.md",
      detail: "this project's, shared",
      tokens: 12,
      isLoaded: true,
      why: ""
    },
    {
      path: "/home/u/.claude/projects/-project/memory/tabs.md",
      group: "memory",
      label: "Tabs",
      detail: "the user wants tabs",
      tokens: 30,
      isLoaded: false,
      why: "the agent opens it when it matters",
      name: "tabs.md"
    }
  ]
}

const CHANGE: UndoableChange = { _tag: "Noted", path: "/project/CLAUDE.md", text: "tabs", isNew: false }

const opened = (): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 120, rows: 40 }, options: { editorMode: "normal" } })
  world.open(SESSION, {})
  world.keys("/memory<CR>")
  expect(world.done("LookAtMemory")).toEqual([{ _tag: "LookAtMemory", session: SESSION, opens: true }])
  world.tell({ _tag: "MemorySeen", look: LOOK, opens: true })
  return world
}

describe("/memory", () => {
  it("shows what is known, what of it was loaded and why", async () => {
    const text = (await shownBy(opened().screen())).text().join("\n")
    for (const part of ["CLAUDE.md", "12 tokens · loaded", "Tabs", "not loaded · the agent opens it", "memory is on, in"]) {
      expect(text).toContain(part)
    }
  })

  it("opens a file in the editor", () => {
    expect(opened().keys("<CR>")).toContainEqual({ _tag: "OpenFile", path: "/project/CLAUDE.md", line: 1 })
  })

  it("deletes memories, never instruction files", () => {
    const world = opened()
    world.keys("D")
    expect(world.done("DeleteMemory")).toEqual([])
    world.keys("<Down>D")
    expect(world.done("DeleteMemory")).toEqual([{ _tag: "DeleteMemory", session: SESSION, name: "tabs.md" }])
  })

  it("undoes each change once, the last one first", () => {
    const world = opened()
    const deleted: UndoableChange = { _tag: "Deleted", directory: "/m", name: "tabs.md", id: "1", entries: [] }
    world.tell({ _tag: "MemoryChanged", change: CHANGE })
    world.tell({ _tag: "MemoryChanged", change: deleted })
    world.keys("u")
    world.keys("<Esc>/memory undo<CR>")
    world.keys("/memory undo<CR>")
    expect(world.done("UndoMemory").map(({ change }) => change)).toEqual([deleted, CHANGE])
  })

  it("is read again when the user says so", () => {
    const world = opened()
    world.keys("<Esc>/memory reload<CR>")
    expect(world.done("ReloadInstructions")).toEqual([{ _tag: "ReloadInstructions", session: SESSION }])
  })

  it("is turned off and on", () => {
    const world = opened()
    world.keys("t")
    world.keys("<Esc>/memory on<CR>")
    expect(world.done("SwitchMemory").map(({ isOn }) => isOn)).toEqual([false, true])
  })
})
