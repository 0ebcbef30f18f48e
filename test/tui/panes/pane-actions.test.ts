import { describe, expect, it } from "vitest"
import type { Cmd } from "../../../src/tui/model/cmd.ts"
import { bash, returned } from "../../core/loop/response-plan.ts"
import { PROJECT_DIR } from "../../support/loop-fixture.ts"
import { SESSION, shownBy, type TuiWorld } from "../../support/tui-world.ts"
import { askIn, paneWorld, withChanges } from "../app/pane-world.ts"

const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text
const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const runningCommand = () => {
  const { world, script } = paneWorld()
  askIn(script, "b1", "make world")
  world.wait(2_000)
  world.wait(500)
  world.keys("y")
  script.answer("b1", { behavior: "allow" })
  return { world, script }
}

describe("activity", () => {
  it.each<readonly [string, string, Partial<Cmd>]>([
    ["b", "moves a running command to the background", { _tag: "MoveToBackground", callId: "b1" }],
    ["xy", "stops the one call after a question", { _tag: "StopCall", session: SESSION, callId: "b1" }],
    ["ry", "runs a command again after a question", { _tag: "RunShell", command: "make world" }],
    ["y", "yanks the call", { _tag: "Copy" }]
  ])("%s %s", (keys, _what, cmd) => {
    const { world } = runningCommand()
    world.keys("<C-x><C-w>a")
    expect(world.keys(keys, 200).at(-1)).toMatchObject(cmd)
  })

  it("asks before anything is stopped or run, and Enter alone does nothing", () => {
    const { world } = runningCommand()
    world.keys("<C-x><C-w>a")
    expect(world.keys("x<CR>", 200)).toEqual([])
    expect(world.keys("r<CR>", 200)).toEqual([])
    expect(world.keys("jr", 200)).toEqual([])
    expect(noticeOf(world)).toContain("only shell commands")
  })

  it("asks for the whole of an output that was too long for the conversation", () => {
    const { world, script } = runningCommand()
    script.settle(
      "b1",
      returned("begins", { data: { stdout: "begins", persistedOutputPath: "/kept/b1.txt", persistedOutputSize: 90_000 } })
    )
    world.keys("<C-x><C-w>a")
    expect(world.keys("ggo")).toContainEqual({
      _tag: "ShowOutput",
      session: SESSION,
      title: "Bash make world",
      path: "/kept/b1.txt"
    })
    expect(world.model.focus).toBe("output")
  })

  it("goes to the call in the transcript and shows its whole output", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>a")
    world.keys("Ggd")
    expect(world.model.focus).toBe("transcript")
    expect(world.session().list.cursor?.entry).toBeDefined()
    world.keys("<C-w>aGo")
    expect(world.model.focus).toBe("output")
    expect(world.session().outputOf).toEqual({ _tag: "Entry", id: "r1" })
  })
})

const onChanges = (keys: string) => {
  const { world } = paneWorld()
  world.keys("<C-x><C-w>d")
  world.keys("<Left>")
  withChanges(world)
  const cmds = world.keys(keys)
  return { world, cmds, cursor: world.session().lists.changes?.cursor }
}

describe("changes", () => {
  it.each([
    ["]c", "hunk:0:0:0:a.txt"],
    ["3]c", "hunk:1:0:0:b.txt"],
    ["G[c", "hunk:1:0:0:b.txt"],
    ["G2[c", "hunk:0:0:0:b.txt"],
    ["]c2j", "hunk:0:2:0:a.txt"],
    ["]f", "file:b.txt"],
    ["3]f", "file:b.txt"],
    ["G[f", "file:b.txt"],
    ["]cza", "file:a.txt"],
    ["zMj", "file:b.txt"]
  ])("%s goes to %s", (keys, cursor) => {
    expect(onChanges(`gg${keys}`).cursor).toBe(cursor)
  })

  it.each<readonly [string, Partial<Cmd>]>([
    ["3]cgf", { _tag: "OpenFile", path: `${PROJECT_DIR}/b.txt`, line: 31 }],
    ["gf", { _tag: "OpenFile", path: `${PROJECT_DIR}/a.txt`, line: 2 }],
    ["2]cjgf", { _tag: "OpenFile", path: `${PROJECT_DIR}/b.txt`, line: 2 }],
    ["3]c6jgf", { _tag: "OpenFile", path: `${PROJECT_DIR}/b.txt`, line: 32 }],
    ["yh", { _tag: "Copy", what: "the hunk" }]
  ])("%s", (keys, cmd) => {
    expect(onChanges(keys).cmds.at(-1)).toMatchObject(cmd)
  })

  it("yanks a hunk as a patch that can be applied", () => {
    const copied = onChanges("3]cyh").cmds.at(-1)
    expect(copied).toMatchObject({
      text: expect.stringMatching(
        /^--- a\/b\.txt\n\+\+\+ b\/b\.txt\n@@ -28,7 \+28,7 @@\n[\s\S]*\+line thirty-one\n[\s\S]*[^\n]\n$/
      )
    })
  })

  it("cycles the sources and says which is shown", async () => {
    const { world } = onChanges("")
    expect(await screenOf(world)).toContain("changes: working tree")
    world.keys("<Right>")
    expect(await screenOf(world)).toContain("changes: this session")
    world.keys("2<Right>")
    expect(await screenOf(world)).toContain("1 turn back")
  })

  it("searches what is shown, marks it, and says which match it is", async () => {
    const { world } = onChanges("/line five<CR>")
    expect(world.session().lists.changes?.cursor).toBe("hunk:0:5:0:b.txt")
    expect(await screenOf(world)).toMatch(/changes: working tree .*1\/1/)
    world.keys("/b.txt<CR>")
    expect(world.session().lists.changes?.cursor).toBe("file:b.txt")
    world.keys("/thirty<CR>")
    expect(world.session().lists.changes?.cursor).toBe("hunk:1:5:0:b.txt")
    expect(await screenOf(world)).toMatch(/changes: working tree .*1\/1/)
    world.keys(":noh<CR>")
    expect(await screenOf(world)).not.toMatch(/working tree .*\/1/)
  })

  it("goes to the next and previous match while a search is typed", () => {
    const { world } = onChanges("gg/line<C-g><C-g>")
    const after = world.session().lists.changes?.cursor
    world.keys("<C-t>")
    expect(world.session().lists.changes?.cursor).not.toBe(after)
    world.keys("<C-g><CR>")
    expect(world.session().lists.changes?.cursor).toBe(after)
  })

  it("puts everything back when a search is given up", () => {
    const { world } = onChanges("]f")
    const before = world.session().lists.changes
    world.keys("/two")
    expect(world.session().lists.changes?.cursor).not.toBe(before?.cursor)
    world.keys("<Esc>")
    expect(world.session().lists.changes).toEqual(before)
  })
})

describe("tasks", () => {
  const withTasks = (): TuiWorld => {
    const { world } = paneWorld()
    const task = { callId: "b1", exitCode: null, totalBytes: 2_000 }
    world.tell({
      _tag: "TasksListed",
      session: SESSION,
      tasks: [
        { ...task, taskId: "t1", command: "npm run watch", status: "running" },
        { ...task, taskId: "t2", command: "make", status: "failed", exitCode: 2 }
      ]
    })
    world.keys("<C-x><C-w>g")
    return world
  }

  it("lists background commands and asks the shell for them when it is opened", async () => {
    const world = withTasks()
    expect(await screenOf(world)).toMatch(/npm run watch[\s\S]*make\s+exit 2/)
    expect(world.done("ListTasks").length).toBeGreaterThan(0)
  })

  it.each<readonly [string, ReadonlyArray<Partial<Cmd>>]>([
    ["<CR>", [{ _tag: "ShowTask", taskId: "t1" }]],
    ["jo", [{ _tag: "ShowTask", taskId: "t2" }]],
    ["xy", [{ _tag: "StopTask", taskId: "t1" }]],
    ["Xy", [{ _tag: "StopTask", taskId: "t1" }]],
    ["Xn", []],
    ["jx", []]
  ])("%s", (keys, cmds) => {
    expect(withTasks().keys(keys, 200)).toMatchObject(cmds)
  })
})

describe("context", () => {
  it("shows the thresholds, the cache and the items of a category", async () => {
    const { world } = paneWorld(160, 45)
    world.keys("<C-x><C-w>b")
    expect(await screenOf(world)).toMatch(/until auto-compact at[\s\S]*(?:from the cache|these are estimates)/)
    world.keys("j<CR>")
    expect(await screenOf(world)).toMatch(/▾ S System prompt {2}1 [\s\S]*\n.*[│┤] {6}You are Nacre/)
  })
})

describe("what can be done about what fills the window", () => {
  it("is asked about with the tokens that it frees, and then done", async () => {
    const { world } = paneWorld(160, 60)
    world.keys("/context<CR>", 200)
    world.keys("/Tool results<CR><CR>jD", 200)
    expect(await screenOf(world)).toMatch(/Clear 1 result\? That frees about \d+ tokens\./)
    world.keys("y", 200)
    expect(world.done("ClearResults")).toMatchObject([{ calls: ["r1"] }])
    world.keys(">", 200)
    expect(await screenOf(world)).toMatch(/Summarise this message and all that follows\? Up to \d+ tokens/)
    world.keys("y", 200)
    world.keys("<lt>", 200)
    expect(await screenOf(world)).toMatch(/Summarise what stands before this message\?/)
    world.keys("y", 200)
    expect(world.done("Compact")).toMatchObject([{ part: { _tag: "From" } }, { part: { _tag: "UpTo" } }])
    world.keys("e", 200)
    expect(world.done("OpenFile")).toMatchObject([{ path: "/project/r1.txt" }])
  })

  it("says so where nothing is selected that it could be done to", () => {
    const { world } = paneWorld(160, 60)
    world.keys("/context<CR>", 200)
    for (const key of ["D", ">", "<lt>", "e"]) world.keys(key, 200)
    expect([...world.done("ClearResults"), ...world.done("Compact"), ...world.done("OpenFile")]).toEqual([])
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it("/context fills the screen, and leaving it brings back what was there", async () => {
    const { world } = paneWorld(160, 60)
    const before = await screenOf(world)
    world.keys("/context all<CR>", 200)
    expect(await screenOf(world)).toMatch(/^▸ context[\s\S]*▾ T Tools/)
    world.keys("q", 200)
    expect(await screenOf(world)).toBe(before)
  })
})

describe("approvals", () => {
  it("never answers from the list; Enter opens the dialog", () => {
    const { world, script } = paneWorld()
    world.keys("<C-x><C-w>Q")
    world.keys("q")
    script.begin("more")
    script.respond({ calls: [bash("b2", "rm -rf y")] })
    // Somebody types all the time: the dialog waits.
    world.keys("abc")
    script.prepare("b2")
    world.keys("<C-x><C-w>Q")
    world.wait(500)
    expect(world.done("Answer")).toEqual([])
  })
})

describe("every list pane", () => {
  it.each(["a", "d", "f", "g", "b", "S", "Q"])(
    "<C-w>%s: keys of all panes work, and letters that mean nothing say so",
    (pane) => {
      const { world } = paneWorld()
      world.keys(`<C-x><C-w>${pane}`)
      const { focus } = world.model
      world.keys("jkggG<C-d><C-u><C-f><C-b>HMLzzztzbmaX'a<C-o><Tab>zRzM*")
      world.keys("<Esc>")
      world.keys(`<C-x><C-w>${pane}`)
      expect(world.model.focus).toBe(focus)
      world.keys(":")
      expect(world.model.line?.kind).toBe(":")
      world.keys("<Esc>g?", 200)
      expect(world.model.overlays.opened).toMatchObject({ _tag: "Picker", purpose: "help" })
      world.keys("<Esc>q", 200)
      expect(world.model.focus).toBe("prompt")
    }
  )

  it("wraps what an empty pane says", async () => {
    const { world } = paneWorld(110, 30)
    expect(await screenOf(world)).toContain("command here.")
  })
})
