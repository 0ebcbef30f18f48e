import { describe, expect, it } from "vitest"
import { planOf, treeOf } from "../../../../src/tui/model/windows/layout-and-focus.ts"
import { leafId, leavesOf } from "../../../../src/tui/screen/layout/tree.ts"
import { OTHER_SESSION, SESSION, shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { askIn, paneWorld, twoSessions } from "../../app/pane-world.ts"

const panes = ({ model }: TuiWorld): ReadonlyArray<string> => planOf(model).panes.map(({ leaf }) => leafId(leaf))
const widthOf = ({ model }: TuiWorld, id: string): number =>
  planOf(model).panes.find(({ leaf }) => leafId(leaf) === id)?.content.width ?? 0
const heightOf = ({ model }: TuiWorld, id: string): number =>
  planOf(model).panes.find(({ leaf }) => leafId(leaf) === id)?.content.height ?? 0

/** From the transcript of a screen of 120x40: transcript over prompt, changes over tasks. */
const FOCUS: ReadonlyArray<readonly [keys: string, focus: string]> = [
  ["<C-w>l", "changes"],
  ["<C-w><C-l>", "changes"],
  ["<C-w><Right>", "changes"],
  ["<C-w>j", "prompt"],
  ["<C-w>l<C-w>j", "tasks"],
  ["<C-w>l2<C-w>j", "tasks"],
  ["<C-w>l<C-w>h", "transcript"],
  ["<C-w>w", "changes"],
  ["2<C-w>w", "tasks"],
  ["<C-w>2w", "tasks"],
  ["<C-w>W", "prompt"],
  ["<C-w>l<C-w>p", "transcript"],
  ["<C-w>B", "tasks"],
  ["<C-w>B<C-w>T", "transcript"],
  ["<C-w>d", "changes"],
  ["<C-w><C-d>", "changes"],
  ["<C-w>z<C-w>l", "changes"],
  ["<C-w>z<C-w>w", "changes"],
  ["<C-w>z<C-w>W", "prompt"],
  ["<C-w>z<C-w>B", "tasks"],
  ["<C-w>z<F6>", "changes"],
  ["<C-w>z<C-w>g", "tasks"],
  ["<C-w>z<C-w>v", "chooser"],
  ["<C-w>d<C-w>o<C-w>t", "transcript"],
  ["<C-w>d<C-w>o<C-w>g<C-w>t", "transcript"],
  ["<C-w>g", "tasks"],
  ["<C-w>a", "activity"],
  ["<C-w>f", "files"],
  ["<C-w>b", "context"],
  ["<C-w>S", "sessions"],
  ["<C-w>Q", "approvals"],
  ["<C-w>i", "prompt"],
  ["<C-w>a<C-w>t", "transcript"],
  ["<C-w>v", "chooser"],
  ["q", "prompt"],
  ["i", "prompt"],
  ["<F6>", "changes"],
  ["<C-x>o", "changes"]
]

describe("window keys", () => {
  it.each(FOCUS)("%s focuses %s", (keys, focus) => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t")
    world.keys(keys)
    expect(world.model.focus).toBe(focus)
    expect(panes(world)).toContain(focus)
    expect(world.model.layout.zoomed).toBeUndefined()
  })

  it("ends a zoom with the pane that had it", () => {
    const { world } = paneWorld(160, 45)
    world.keys("<C-x><C-w>d<C-w>z<C-w>c")
    expect(panes(world)).toContain("transcript")
    world.keys("<C-x><C-w>t<C-w>z")
    expect(panes(world)).toEqual(["transcript"])
    world.keys("<C-w>z<C-w>a<C-w>z")
    world.resize(80, 24)
    world.resize(160, 45)
    expect(world.model.focus).toBe("prompt")
    expect(panes(world)).toContain("transcript")
  })

  it("changes what it shows when a key changes the sizes of a zoomed pane", () => {
    const { world } = paneWorld(160, 45)
    world.keys("<C-x><C-w>d")
    const before = widthOf(world, "changes")
    world.keys("<C-w>z5<C-w>>")
    expect(widthOf(world, "changes")).toBe(before + 10)
  })

  it("says what happened while a pane has the whole screen", async () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t<C-w>z<C-w>m")
    expect((await shownBy(world.screen())).text().at(-1)).toContain("mouse")
  })

  it("leaves alone a pane that was opened for a moment, and brings the rest back", () => {
    const { world } = paneWorld(80, 24)
    world.keys("<C-x><C-w>d<C-w>o")
    expect(panes(world)).toEqual(["changes", "prompt"])
    world.keys("<C-w>o")
    expect(panes(world)).toEqual(["transcript", "prompt", "changes"])
    expect(world.model.focus).toBe("changes")
  })

  it("gives the transcript rows of the panes over and under it, never those of its prompt", () => {
    const { world } = paneWorld(160, 45)
    world.keys("<C-x><C-w>t<C-w>J")
    const before = heightOf(world, "transcript")
    world.keys("3<C-w>+")
    expect(heightOf(world, "transcript")).toBe(before + 3)
    world.keys("10<C-w>_")
    expect(heightOf(world, "transcript")).toBe(10)
    world.keys("1<C-w>_")
    expect(heightOf(world, "transcript")).toBe(3)
    world.keys("<C-w>_")
    expect(heightOf(world, "transcript")).toBeGreaterThan(25)
  })

  it("resizes by counts, exactly where a number is given", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t")
    const before = widthOf(world, "transcript")
    world.keys("<C-w>>")
    expect(widthOf(world, "transcript")).toBe(before + 2)
    world.keys("3<C-w><lt>")
    expect(widthOf(world, "transcript")).toBe(before - 4)
    world.keys("60<C-w>|")
    expect(widthOf(world, "transcript")).toBe(60)
    world.keys("<C-w>l10<C-w>_")
    expect(heightOf(world, "changes")).toBe(10)
    world.keys("<C-w>_")
    expect(heightOf(world, "changes")).toBeGreaterThan(25)
  })

  it("hides the others and brings them back, zooms and leaves the zoom with the focus", () => {
    const { world } = paneWorld()
    const before = panes(world)
    world.keys("<C-x><C-w>d<C-w>o")
    expect(panes(world)).toEqual(["changes", "prompt"])
    world.keys("<C-w>o")
    expect(panes(world)).toEqual(before)
    world.keys("<C-w>z")
    expect(panes(world)).toEqual(["changes"])
    world.keys("<C-w>z")
    expect(panes(world)).toEqual(before)
    world.keys("<C-w>z<C-w>t")
    expect(panes(world)).toEqual(before)
  })

  it("exchanges, rotates and moves panes, and never the prompt away from its transcript", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>d<C-w>x")
    expect(panes(world)).toEqual(["transcript", "prompt", "tasks", "changes"])
    world.keys("<C-w>r")
    expect(panes(world)).toEqual(["transcript", "prompt", "changes", "tasks"])
    world.keys("<C-w>t<C-w>x")
    expect(panes(world)).toEqual(["changes", "tasks", "transcript", "prompt"])
    world.keys("<C-w>x<C-w>L")
    expect(panes(world)).toEqual(["changes", "tasks", "transcript", "prompt"])
    world.keys("<C-w>d<C-w>J")
    expect(panes(world).at(-1)).toBe("changes")
  })

  it("opens what the tree has no room for in a temporary pane, which goes with the focus", () => {
    const { world } = paneWorld(80, 24)
    world.keys("<C-x><C-w>d")
    expect(panes(world)).toEqual(["transcript", "prompt", "changes"])
    world.keys("q")
    expect(panes(world)).toEqual(["transcript", "prompt"])
  })

  it("replaces the transcript on a narrow screen and says so in a row of tabs", async () => {
    const { world } = paneWorld(60, 20)
    world.keys("<C-x><C-w>d")
    expect(panes(world)).toEqual(["changes", "prompt"])
    const terminal = await shownBy(world.screen())
    expect(terminal.text()[0]).toMatch(/transcript\s+\[changes\]/)
    world.keys("<Esc>")
    expect(planOf(world.model).tabs).toBeUndefined()
  })

  it("closes a pane and never the last transcript", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>d<C-w>c")
    expect(panes(world)).toEqual(["transcript", "prompt", "tasks"])
    world.keys("<Esc><C-x><C-w>t<C-w>q")
    expect(panes(world)).toContain("transcript")
  })
})

describe("splits", () => {
  it("choose what they show: a pane that is open elsewhere moves here", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t<C-w>s")
    expect(panes(world)).toContain("chooser")
    world.keys("/tasks<CR><CR>")
    expect(world.model.focus).toBe("tasks")
    expect(leavesOf(treeOf(world.model)).filter(({ pane }) => pane === "tasks")).toHaveLength(1)
    expect(panes(world)).not.toContain("chooser")
  })

  it("open a new session beside the one in use, and the prompt belongs to the transcript last focused", () => {
    const { world } = paneWorld(160, 45)
    expect(world.keys("<C-x><C-w>n").some(({ _tag }) => _tag === "OpenSession")).toBe(true)
    world.open(OTHER_SESSION)
    expect(panes(world).slice(0, 2)).toEqual([`transcript:${SESSION}`, `transcript:${OTHER_SESSION}`])
    expect([world.model.current, world.model.focus]).toEqual([OTHER_SESSION, "prompt"])
    world.keys("<C-x><C-w>t<C-w>h")
    expect(world.model.current).toBe(SESSION)
    world.keys("ihello<CR>")
    expect(world.done("Submit").at(-1)).toMatchObject({ session: SESSION, text: "hello" })
  })

  it("go to the prompt of a new session from a transcript too, for there is nothing to read yet", () => {
    const { world } = paneWorld(160, 45)
    world.keys("<C-x><C-w>t<C-w>n")
    world.open(OTHER_SESSION)
    expect([world.model.current, world.model.focus]).toEqual([OTHER_SESSION, "prompt"])
  })

  it("keep each draft, show each session in its own pane, and count nothing as unread that is on screen", async () => {
    const { world, other } = twoSessions(160, 45)
    world.keys("to the other")
    world.keys("<C-x><C-w>S/first<CR>o")
    expect(panes(world)).toContain(`transcript:${OTHER_SESSION}`)
    expect(world.model.current).toBe(SESSION)
    other.begin("hidden words")
    other.respond({ text: "an answer over there" })
    expect(world.session(OTHER_SESSION).unread).toBe(0)
    const text = (await shownBy(world.screen())).text().join("\n")
    expect(text).toContain("an answer over there")
    expect(text).toContain("short answer with a needle")
    expect(world.session(OTHER_SESSION).prompt).not.toEqual(world.session(SESSION).prompt)
  })

  it("do without a second transcript where there is no room for it", () => {
    const { world } = paneWorld(40, 12)
    world.keys("<C-x><C-w>n")
    world.open(OTHER_SESSION)
    expect(panes(world)).toEqual(["transcript", "prompt"])
    expect(world.model.current).toBe(OTHER_SESSION)
  })

  it("survive a screen that has another arrangement", () => {
    const { world } = twoSessions(160, 45)
    world.keys("<C-x><C-w>S/first<CR>o")
    const before = panes(world)
    world.resize(60, 20)
    expect(panes(world)).toEqual(["transcript", "prompt"])
    expect(world.model.focus).toBe("transcript")
    world.resize(160, 45)
    expect(panes(world)).toEqual(before)
    expect(world.model.focus).toBe(`transcript:${SESSION}`)
  })

  it("leave the other question waiting when one of two is answered", () => {
    const { world, script, other } = twoSessions(160, 45)
    world.keys("<C-x><C-w>S/first<CR>o")
    askIn(script, "left", "rm -rf left")
    askIn(other, "right", "rm -rf right")
    world.wait(2_000)
    world.wait(500)
    const rules = world.session(OTHER_SESSION).state.permission
    world.keys("n")
    expect(world.done("Answer")).toHaveLength(1)
    expect(world.session(SESSION).asks.length + world.session(OTHER_SESSION).asks.length).toBe(1)
    expect(world.session(OTHER_SESSION).state.permission).toBe(rules)
  })

  it("ask whether the session of a closed transcript goes on", () => {
    const { world } = twoSessions(160, 45)
    world.keys("<C-x><C-w>S/first<CR>o<C-w>c")
    expect(world.model.overlays.opened?._tag).toBe("Confirm")
    world.wait(500)
    world.keys("<CR>")
    expect(world.model.sessions.size).toBe(2)
    expect(panes(world)).toContain("transcript")
    expect(world.done("CloseSession")).toEqual([])
  })
})

describe("tab pages", () => {
  it("hold an arrangement and a session each", () => {
    const { world } = paneWorld(160, 45)
    world.keys("<C-x><C-w>d<C-w>o:tabnew<CR>")
    world.open(OTHER_SESSION)
    expect(world.model.tabs).toHaveLength(2)
    expect(world.model.current).toBe(OTHER_SESSION)
    world.keys("<C-x><C-w>tgt")
    expect(world.model.current).toBe(SESSION)
    expect(panes(world)).toEqual(["changes", "prompt"])
    world.keys("gT")
    expect(world.model.current).toBe(OTHER_SESSION)
    world.keys("<C-x><C-w>t:tabclose<CR>")
    expect(world.model.tabs).toHaveLength(1)
    expect(world.model.sessions.size).toBe(2)
  })
})
