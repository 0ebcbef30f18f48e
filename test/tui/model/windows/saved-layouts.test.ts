import { describe, expect, it } from "vitest"
import { planOf } from "../../../../src/tui/model/windows/layout-and-focus.ts"
import { layoutsLoaded } from "../../../../src/tui/model/windows/saved-layouts.ts"
import type { Trees } from "../../../../src/tui/screen/layout/layout-file.ts"
import { column, leaf, leafId, leavesOf, row } from "../../../../src/tui/screen/layout/tree.ts"
import { OTHER_SESSION, SESSION, shownBy, TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld, twoSessions } from "../../app/pane-world.ts"

const MAIN = column(800, leaf("transcript"), leaf("prompt"))
const panes = ({ model }: TuiWorld): ReadonlyArray<string> => planOf(model).panes.map(({ leaf: each }) => leafId(each))
const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text
const run = (world: TuiWorld, line: string): void => void world.keys(`:${line}<CR>`)
const atTranscript = (columns = 120, rows = 40): TuiWorld => {
  const { world } = paneWorld(columns, rows)
  world.keys("<C-x><C-w>t")
  return world
}

/** What the last change leaves on disk, by class. */
const kept = (world: TuiWorld): ReadonlyArray<readonly [string, ReadonlyArray<string> | undefined]> =>
  [...(world.done("KeepLayout").at(-1)?.change.classes ?? [])].map(([name, tree]) => [
    name,
    tree && leavesOf(tree).map(leafId)
  ])

describe(":layout", () => {
  it.each([
    ["focus", 120, 40, ["transcript", "prompt"]],
    ["review", 120, 40, ["changes", "transcript", "prompt"]],
    ["review", 40, 12, ["changes", "transcript", "prompt"]],
    ["watch", 120, 40, ["transcript", "prompt", "sessions", "approvals", "activity"]],
    ["watch", 80, 24, ["transcript", "prompt", "sessions", "approvals", "activity"]],
    ["watch", 50, 16, ["sessions", "approvals", "transcript", "prompt"]],
    ["default", 120, 40, ["transcript", "prompt", "changes", "tasks"]]
  ])("%s on %dx%d", (name, columns, rows, shown) => {
    const world = atTranscript(columns, rows)
    run(world, `layout ${name}`)
    expect(panes(world)).toEqual(shown)
    expect(world.model.focus).toBe("transcript")
  })

  it("sets panes off from each other on the smallest screens, too", async () => {
    const world = atTranscript(40, 12)
    run(world, "layout review")
    const rows = (await shownBy(world.screen())).text()
    expect(rows[0]).toMatch(/^─ changes/)
    expect(rows.findIndex((row) => row.startsWith("▸ ") && row.includes("━"))).toBeGreaterThan(3)
    run(world, "layout default")
    expect((await shownBy(world.screen())).text().join("\n")).not.toMatch(/━|──/)
  })

  it("gives changes 60 % in review", () => {
    const world = atTranscript(201, 60)
    run(world, "layout review")
    expect(planOf(world.model).panes.map(({ content }) => content.width)).toEqual([120, 80, 80])
  })

  it("saves under a name, brings it back and forgets it", () => {
    const world = atTranscript()
    world.keys("<C-w>f<C-w>t")
    run(world, "layout save mine")
    expect(world.done("KeepLayout").at(-1)?.change.named.get("mine")).toHaveProperty("normal")
    run(world, "layout default")
    expect(panes(world)).not.toContain("files")
    run(world, "layout mine")
    expect(panes(world)).toContain("files")
    run(world, "layout delete mine")
    expect([...(world.done("KeepLayout").at(-1)?.change.named ?? [])]).toEqual([["mine", undefined]])
    run(world, "layout mine")
    expect(noticeOf(world)).toBe("there is no layout mine; there are default, focus, review, watch")
  })

  it("says when a name has nothing for this size, and adds to it", () => {
    const world = atTranscript()
    run(world, "layout save mine")
    world.resize(80, 24)
    run(world, "layout mine")
    expect(noticeOf(world)).toContain(":layout save mine adds it")
    run(world, "layout save mine")
    expect(Object.keys(world.model.namedLayouts.get("mine") ?? {})).toEqual(["normal", "medium"])
  })

  it.each([
    ["layout", "layouts: default, focus, review, watch"],
    ["layout constructor", "there is no layout constructor"],
    ["layout save", "say how to call it"],
    ["layout save a/b", "say how to call it"],
    ["layout save focus", "everybody has"],
    ["layout delete focus", "there is no layout focus of yours"],
    ["layout save a b", "E488"],
    ["layout focus now", "E488"]
  ])(":%s says %s and changes nothing", (line, words) => {
    const world = atTranscript()
    const before = world.model.layout
    run(world, line)
    expect(noticeOf(world)).toContain(words)
    expect(world.model.layout).toEqual(before)
    expect(world.done("KeepLayout")).toEqual([])
  })

  it("completes the names", () => {
    const world = atTranscript()
    run(world, "layout save mine")
    world.keys(":layout m<Tab>")
    expect(world.model.line?.text).toBe("layout mine")
  })
})

describe("what is kept of the arrangement", () => {
  it("is a pane that was opened, by size class", () => {
    const world = atTranscript()
    world.keys("<C-w>a")
    expect(kept(world)).toEqual([["normal", ["transcript", "prompt", "changes", "tasks", "activity"]]])
  })

  it("is nothing after the default was taken again", () => {
    const world = atTranscript()
    world.keys("<C-w>a")
    run(world, "layout default")
    expect(kept(world)).toEqual([["normal", undefined]])
  })

  it("is what a pane that is alone for a moment hides", () => {
    const world = atTranscript()
    world.keys("<C-w>a<C-w>t<C-w>o")
    expect(panes(world)).toEqual(["transcript", "prompt"])
    expect(kept(world)).toEqual([["normal", ["transcript", "prompt", "changes", "tasks", "activity"]]])
  })

  it("is neither a half-made split nor a zoom nor a turn to another size", () => {
    const world = atTranscript()
    world.keys("<C-w>v")
    expect(panes(world)).toContain("chooser")
    world.keys("q<C-x><C-w>t<C-w>z")
    world.resize(80, 24)
    world.keys("jk")
    world.keys("<C-w>t:g/needle/<CR>")
    expect(world.done("KeepLayout")).toEqual([])
  })

  it("is not the arrangement of another tab page that is turned to", () => {
    const world = atTranscript()
    world.keys("<C-w>a")
    const count = world.done("KeepLayout").length
    run(world, "tabnew")
    world.open(OTHER_SESSION)
    run(world, "tabprevious")
    expect(world.done("KeepLayout")).toHaveLength(count)
  })

  it("is nothing inline, where there is one arrangement", () => {
    const { world } = paneWorld(120, 40, { options: { interface: "inline" } })
    world.keys("<C-x><C-w>t<C-w>a")
    expect(world.done("KeepLayout")).toEqual([])
  })
})

describe("an arrangement from the disk", () => {
  const startedWith = (classes: Trees): TuiWorld => {
    const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
    world.model = layoutsLoaded(world.model, { classes, named: new Map() })
    return world
  }

  it("is there before a session is", () => {
    const world = startedWith({ normal: row(500, MAIN, leaf("context")) })
    expect(panes(world)).toEqual(["transcript", "prompt", "context"])
    world.open()
    expect(panes(world)).toEqual(["transcript", "prompt", "context"])
  })

  it("shows the session in use where it showed those of another day", () => {
    const both = column(500, leaf("transcript", "gone-a"), leaf("transcript", "gone-b"))
    const world = startedWith({ normal: row(600, column(800, both, leaf("prompt")), leaf("tasks")) })
    world.open()
    expect(panes(world)).toEqual(["transcript", "prompt", "tasks"])
  })

  it("shows sessions that are open, each in its place", () => {
    const { world } = twoSessions(160, 45)
    const both = row(500, leaf("transcript", SESSION), leaf("transcript", OTHER_SESSION))
    world.model = { ...world.model, namedLayouts: new Map([["pair", { wide: column(800, both, leaf("prompt")) }]]) }
    world.keys("<C-x><C-w>t")
    run(world, "layout pair")
    expect(panes(world)).toEqual([`transcript:${SESSION}`, `transcript:${OTHER_SESSION}`, "prompt"])
  })
})
