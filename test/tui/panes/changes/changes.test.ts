import { describe, expect, it, vi } from "vitest"
import { sameFiles } from "../../../../src/tui/panes/changes/keep-unchanged-files.ts"
import { changeItems, viewsOfTree } from "../../../../src/tui/panes/changes/changes.ts"
import * as DiffRows from "../../../../src/tui/text/diff/diff-rows.ts"
import { planOf } from "../../../../src/tui/model/windows/layout-and-focus.ts"
import { makePaneContext } from "../../../../src/tui/model/windows/make-pane-context.ts"
import type { WorkingFile } from "../../../../src/tui/model/msg.ts"
import { PROJECT_DIR } from "../../../support/loop-fixture.ts"
import { SESSION, shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld } from "../../app/pane-world.ts"

vi.mock(import("../../../../src/tui/text/diff/diff-rows.ts"), async (original) => {
  const real = await original()
  return { ...real, rowsOfHunk: vi.fn(real.rowsOfHunk) }
})

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const onTree = (files: ReadonlyArray<Omit<WorkingFile, "path"> & { readonly name: string }>, keys = ""): TuiWorld => {
  const { world } = paneWorld(160, 45)
  world.keys("<C-x><C-w>d<Left>")
  world.tell({
    _tag: "DiffLoaded",
    session: SESSION,
    files: files.map(({ name, oldPath, ...file }) => ({
      ...file,
      path: `${PROJECT_DIR}/${name}`,
      ...(oldPath === undefined ? {} : { oldPath: `${PROJECT_DIR}/${oldPath}` })
    }))
  })
  world.keys(keys)
  return world
}

const LINES = Array.from({ length: 300 }, (_, index) => `const line${index + 1} = ${index}\n`).join("")
const NEW = { state: "?", before: undefined, after: LINES } as const

describe("the changes pane", () => {
  it("lays out the hunks in view, once, however many files there are", () => {
    const world = onTree(Array.from({ length: 60 }, (_, index) => ({ ...NEW, name: `f${index}.ts` })))
    world.screen()
    const laid = vi.mocked(DiffRows.rowsOfHunk).mock.calls.length
    expect(laid).toBeLessThan(3)
    for (let frame = 0; frame < 20; frame++) {
      world.keys(frame % 2 === 0 ? "j" : "k")
      world.screen()
    }
    expect(vi.mocked(DiffRows.rowsOfHunk).mock.calls.length).toBe(laid)
  })

  it("makes only what changed anew when the tree is read again", () => {
    const named = (name: string, after: string): WorkingFile => ({ ...NEW, path: `${PROJECT_DIR}/${name}`, after })
    const first = [named("a.ts", LINES), named("b.ts", LINES)]
    const again = sameFiles(first, [named("a.ts", LINES), named("b.ts", "x\n"), named("c.ts", "y\n")])
    expect(again.map((file) => first.includes(file))).toEqual([true, false, false])
    const [view] = viewsOfTree(first, PROJECT_DIR)
    expect(viewsOfTree(again, PROJECT_DIR)[0]).toBe(view)
    expect(
      sameFiles(
        first,
        first.map((file) => ({ ...file }))
      )
    ).toBe(first)
  })

  it("keeps the items of what was changed while a conversation goes on", () => {
    const { world, script } = paneWorld(160, 45)
    const [pane] = planOf(world.model).panes.filter(({ leaf }) => leaf.pane === "changes")
    const items = () => (pane === undefined ? [] : changeItems(makePaneContext(world.model, world.session(), pane)))
    const before = items()
    script.begin("more")
    script.respond({ text: "words" })
    expect(items()).toEqual(before)
  })

  it("comes to every line of a hunk that is taller than the pane", async () => {
    const world = onTree([{ ...NEW, name: "new.ts" }], "gg")
    expect(await screenOf(world)).toContain("+const line1 = 0")
    world.keys("150j")
    expect(await screenOf(world)).toContain("+const line149 = 148")
    world.keys("G")
    expect(await screenOf(world)).toContain("+const line300 = 299")
    world.keys("3<C-b>")
    expect(await screenOf(world)).not.toContain("+const line300 = 299")
  })

  it.each<readonly [string, ReadonlyArray<string>, Omit<WorkingFile, "path"> & { readonly name: string }]>([
    [
      "a renamed file",
      ["R old name -> new name  +0 −0"],
      { name: "new name", oldPath: "old name", state: "R", before: "x\n", after: "x\n" }
    ],
    [
      "another mode",
      ["M run.sh  +0 −0", "mode 100644 -> 100755"],
      { name: "run.sh", state: "M", before: "x\n", after: "x\n", modes: { before: "100644", after: "100755" } }
    ],
    [
      "a binary file",
      ["M logo.png", "binary file"],
      { name: "logo.png", state: "M", before: undefined, after: undefined, unseen: "binary" }
    ],
    [
      "a large file",
      ["? dump.sql", "too large to show"],
      { name: "dump.sql", state: "?", before: undefined, after: undefined, unseen: "large" }
    ],
    ["a name with a tab", ["M a^Ib.txt  +1 −1"], { name: "a\tb.txt", state: "M", before: "x\n", after: "y\n" }],
    [
      "line ends of Windows",
      ["1   -x", "  1 +y", "2 2  z"],
      { name: "crlf.txt", state: "M", before: "x\r\nz\r\n", after: "y\r\nz\r\n" }
    ],
    ["line ends that changed", ["1   -x", "  1 +x^M"], { name: "mixed.txt", state: "M", before: "x\n", after: "x\r\n" }]
  ])("shows %s", async (_name, rows, file) => {
    const shown = await screenOf(onTree([file]))
    for (const row of rows) expect(shown).toMatch(new RegExp(`│ [▾ ]*${row.replace(/[+^.?]/g, "\\$&")}\\s*\n`))
  })

  it("shows old and new beside each other where there is room, with the same keys", async () => {
    const world = onTree(
      [{ name: "a.txt", state: "M", before: "one\ntwo\nthree\n", after: "one\n2\nthree\n" }],
      ":set diff=split<CR>"
    )
    expect(await screenOf(world)).not.toContain("2 -two  ")
    world.keys("<C-w>z")
    expect(await screenOf(world)).toMatch(/2 -two +│ 2 \+2/)
    world.keys("]cjj")
    expect(world.keys("gf")).toEqual([{ _tag: "OpenFile", path: `${PROJECT_DIR}/a.txt`, line: 2 }])
    expect(world.keys("yh")).toMatchObject([{ _tag: "Copy", text: expect.stringContaining("-two\n+2\n") }])
  })
})
