import { describe, expect, it } from "vitest"
import { SESSION, shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld, withChanges } from "../../app/pane-world.ts"

const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text
const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const onChanges = (keys: string): TuiWorld => {
  const { world } = paneWorld()
  world.keys("<C-x><C-w>d<Left>")
  withChanges(world)
  world.keys(keys)
  return world
}

/** The shell has carried out the last wish. */
const turn = (world: TuiWorld): void => {
  const cmd = world.done("TurnHunk").at(-1)
  if (cmd === undefined) throw new Error("nothing was asked for")
  const { session, deed, by } = cmd
  world.tell({ _tag: "HunkTurned", session, deed, by })
}

describe("a hunk", () => {
  it("is marked as accepted and not any more", async () => {
    const world = onChanges("]c+")
    expect(await screenOf(world)).toContain("accepted @@ -1,2 +1,2 @@")
    world.keys("+")
    expect(await screenOf(world)).not.toContain("accepted")
  })

  it("keeps its mark when the tree is looked at again and others come", async () => {
    const world = onChanges("2]c+")
    withChanges(world)
    expect(await screenOf(world)).toContain("accepted @@ -2,7 +2,7 @@")
  })

  it("is reverted after a question, taken back with u and reverted again with <C-r>", async () => {
    const world = onChanges("3]c-")
    expect(await screenOf(world)).toContain("Revert this hunk of b.txt?")
    world.wait(1_000)
    world.keys("n")
    expect(world.done("TurnHunk")).toEqual([])
    world.keys("-")
    world.wait(1_000)
    world.keys("y")
    expect(world.done("TurnHunk")).toMatchObject([
      { session: SESSION, by: "do", deed: { path: "b.txt", hunk: { newStart: 28 } } }
    ])
    turn(world)
    expect(await screenOf(world)).toContain("reverted @@ -28,7")
    expect(world.done("LoadDiff").length).toBeGreaterThan(0)
    world.keys("-")
    expect(noticeOf(world)).toContain("reverted already")
    world.keys("u")
    expect(world.done("TurnHunk").at(-1)?.by).toBe("undo")
    turn(world)
    expect(await screenOf(world)).not.toContain("reverted @@")
    world.keys("<C-r>")
    expect(world.done("TurnHunk").at(-1)?.by).toBe("redo")
    turn(world)
    expect(await screenOf(world)).toContain("reverted @@ -28,7")
  })

  it("counts as reverted only when the file could be changed", () => {
    const world = onChanges("]c-")
    world.wait(1_000)
    world.keys("y")
    world.keys("u")
    expect(world.done("TurnHunk")).toHaveLength(1)
    expect(noticeOf(world)).toContain("nothing to undo")
  })

  it("is commented on; all comments go to the agent as one message", async () => {
    const world = onChanges("]cjj")
    world.keys("cwhy not 'two'?<CR>")
    expect(await screenOf(world)).toContain("1 comment")
    world.keys("3]ccplease keep this<CR>")
    world.keys(":comments send<CR>")
    expect(world.done("Submit")).toMatchObject([{ priority: "next" }])
    expect(world.done("Submit")[0]?.text).toBe(
      "Comments on the changes:\n\na.txt:2\n> -two\nwhy not 'two'?\n\nb.txt:31\n> -line 31\nplease keep this"
    )
    expect(world.session().review.comments).toEqual([])
  })

  it("has one comment for a line, which a second one replaces", async () => {
    const world = onChanges("]cjcfirst<CR>csecond<CR>:comments<CR>")
    const screen = await screenOf(world)
    expect(screen).toContain("a.txt:1  second")
    expect(screen).not.toContain("first<")
    expect(world.session().review.comments).toHaveLength(1)
  })

  it.each([
    [":comments send", "there are no comments"],
    [":comments", "there are no comments"],
    [":comment", "E471"]
  ])("%s without one says so", (line, words) => {
    const world = onChanges(`]c${line}<CR>`)
    expect(noticeOf(world)).toContain(words)
    expect(world.done("Submit")).toEqual([])
  })

  it("is nothing elsewhere", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t:comment hello<CR>")
    expect(noticeOf(world)).toContain("c in the changes pane")
  })
})

describe("undo", () => {
  const pinned = (keys: string): TuiWorld => {
    const { world } = paneWorld()
    world.keys(`<C-x><C-w>tgg]a${keys}`)
    return world
  }

  it.each(["u", ":undo<CR>", ":u<CR>"])("%s takes a pin back, and redo pins again", (keys) => {
    const world = pinned(`\\p${keys}`)
    expect(world.done("Pin").map((cmd) => cmd.pinned)).toEqual([true, false])
    world.keys("<C-r>")
    world.keys(":undo<CR>:redo<CR>")
    expect(world.done("Pin").map((cmd) => cmd.pinned)).toEqual([true, false, true, false, true])
    expect(new Set(world.done("Pin").map(({ uuid }) => uuid)).size).toBe(1)
  })

  it("goes back one deed after the other, and a new one ends what could be redone", () => {
    const world = pinned("\\p]u\\pu")
    world.keys("u")
    expect(world.done("Pin").map((cmd) => cmd.pinned)).toEqual([true, true, false, false])
    world.keys("\\p<C-r>")
    expect(world.done("Pin")).toHaveLength(5)
    expect(noticeOf(world)).toContain("nothing to redo")
  })

  it("says when there is nothing", () => {
    expect(noticeOf(pinned("u"))).toContain("nothing to undo")
    expect(noticeOf(pinned("<C-r>"))).toContain("nothing to redo")
  })
})
