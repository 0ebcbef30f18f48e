import { describe, expect, it } from "vitest"
import type { StoredSession } from "../../../src/tui/model/msg.ts"
import { PROJECT_DIR } from "../../support/loop-fixture.ts"
import { OTHER_SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

const stored = (sessionId: string, title: string, more: Partial<StoredSession> = {}): StoredSession => ({
  sessionId,
  title,
  cwd: PROJECT_DIR,
  branch: "main",
  modifiedAt: 0,
  sizeBytes: 2_048,
  firstPrompt: "",
  lastPrompt: "",
  prLinks: [],
  tag: undefined,
  isLive: false,
  isInterrupted: false,
  isHeadless: false,
  isNear: true,
  forkOf: undefined,
  ...more
})

const STORED: ReadonlyArray<StoredSession> = [
  stored("s1", "Mend the parser", { tag: "bugs", isInterrupted: true }),
  stored("s2", "Mend it again", { forkOf: "s1" }),
  stored("s3", "Write the docs", { branch: "docs", tag: "words", prLinks: ["https://example.org/pull/7"] }),
  stored("s4", "In a worktree", { cwd: "/project-two" }),
  stored("s5", "Somewhere else", { cwd: "/other", isNear: false }),
  stored("s6", "At work", { isLive: true, lastPrompt: "and the weather" }),
  stored("s7", "Asked by a script", { isHeadless: true })
]

const browsing = (columns = 120, rows = 40): TuiWorld => {
  const world = new TuiWorld({ size: { columns, rows } })
  world.open()
  world.keys("/resume<CR>")
  world.tell({ _tag: "SessionsListed", sessions: STORED })
  return world
}

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

describe("the session browser", () => {
  it("says that it reads, and then whether there is anything", async () => {
    const world = new TuiWorld({ size: { columns: 80, rows: 24 } })
    world.open()
    world.keys("/resume<CR>")
    expect(await screenOf(world)).toContain("reading the sessions")
    expect(await screenOf(world)).not.toContain("0 of this project")
    world.tell({ _tag: "SessionsListed", sessions: [] })
    expect(await screenOf(world)).toContain("there is none yet")
    world.tell({ _tag: "SessionsListed", sessions: STORED.filter(({ isHeadless }) => isHeadless) })
    expect(await screenOf(world)).toContain("there are only runs of -p; s shows them")
    world.tell({ _tag: "SessionsListed", sessions: STORED })
    world.keys("/nowhere at all")
    expect(await screenOf(world)).toContain("nothing matches")
  })

  it("lists this repository with its worktrees, states and tags; forks are under their root", async () => {
    const world = browsing()
    const text = await screenOf(world)
    expect(text).toMatch(/Mend the parser {2}#bugs · main · \+1 fork.*interrupted/)
    expect(text).toContain("In a worktree")
    expect(text).toMatch(/At work.*open elsewhere/)
    expect(text).not.toContain("Mend it again")
    expect(text).not.toContain("Somewhere else")
    world.keys("<Right>")
    expect(await screenOf(world)).toContain("└ Mend it again")
    world.keys("<Left>")
    expect(await screenOf(world)).not.toContain("Mend it again")
  })

  it.each([
    ["a", "Somewhere else", true],
    ["aa", "Somewhere else", false],
    ["b", "Write the docs", false],
    ["<Tab>", "Mend the parser", true],
    ["<Tab>", "Write the docs", false],
    ["<Tab><Tab>", "Write the docs", true],
    ["<Tab><Tab><Tab>", "In a worktree", true],
    ["s", "Asked by a script", true],
    ["ss", "Asked by a script", false],
    ["o", "At work", true],
    ["o", "Write the docs", false],
    ["oo", "Write the docs", true],
    ["/again", "Mend it again", true],
    ["/weather", "At work", true],
    ["/pull<Space>7", "Write the docs", false],
    ["/pull/7", "Write the docs", true]
  ])("%s: %s is listed: %s", async (keys, title, isListed) => {
    const world = browsing()
    world.keys(keys.replace("<Space>", " "))
    expect((await screenOf(world)).includes(title)).toBe(isListed)
  })

  it.each([
    ["<C-v>", "row"],
    ["<C-s>", "column"]
  ])("%s opens in a split", (key, dir) => {
    const world = browsing()
    world.keys(key)
    expect(world.model.layout.splitNext).toBe(dir)
    expect(world.done("OpenSession")).toMatchObject([{ which: { _tag: "Resume", sessionId: "s1" }, replaces: undefined }])
  })

  it("opens a session of another worktree in place, and names the way to one of another project", () => {
    const world = browsing()
    world.keys("jj<CR>")
    expect(world.done("OpenSession")).toMatchObject([{ which: { sessionId: "s4" } }])
    const far = browsing()
    far.keys("/somewhere")
    far.keys("<Esc><Esc>/resume<CR>a/somewhere<CR>")
    expect(far.done("Copy")).toMatchObject([{ text: "cd /other && nacre --resume s5" }])
  })

  it("deletes after a question that names the title, and brings back", async () => {
    const world = browsing()
    world.keys("D")
    expect(await screenOf(world)).toContain('Delete "Mend the parser"?')
    world.keys("n")
    expect(world.done("DeleteSession")).toEqual([])
    expect(await screenOf(world)).toMatch(/Sessions: \d+ of this project/)
    world.keys("Dy")
    expect(world.done("DeleteSession")).toEqual([{ _tag: "DeleteSession", sessionId: "s1" }])
    expect(await screenOf(world)).not.toContain("Mend the parser")
    world.keys("u")
    expect(world.done("RestoreSession")).toEqual([{ _tag: "RestoreSession", sessionId: "s1" }])
    expect(await screenOf(world)).toContain("Mend the parser")
    world.keys("u")
    expect(noticeOf(world)).toContain("nothing was deleted")
  })

  it("brings nothing back that was only asked about", () => {
    const world = browsing()
    world.keys("Dnu")
    expect(world.done("RestoreSession")).toEqual([])
  })

  it("does not delete what is open", () => {
    const world = browsing()
    world.keys("/at work")
    world.keys("<Esc>D")
    expect(noticeOf(world)).toContain("another process")
    expect(world.model.overlays.opened?._tag).toBe("Picker")
  })

  it("renames with a caret in the line, takes a paste, and refuses an empty name", async () => {
    const world = browsing()
    world.keys("r<C-u>")
    world.paste("A better\nname")
    expect(world.screen().cursor.visible).toBe(true)
    world.keys("<CR>")
    expect(world.done("Rename")).toEqual([{ _tag: "Rename", session: "s1", title: "A better name" }])
    expect(await screenOf(world)).toContain("A better name")
    world.keys("r<C-u><CR>")
    expect(noticeOf(world)).toContain("at least one character")
  })

  it("shows a preview that scrolls, and hides it", async () => {
    const world = browsing()
    world.keys("p")
    expect(world.done("PreviewSession")).toMatchObject([{ sessionId: "s1" }])
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
    world.tell({ _tag: "SessionPreviewed", sessionId: "s1", lines })
    expect(await screenOf(world)).toContain("line 30")
    world.keys("KKK")
    expect(await screenOf(world)).not.toContain("line 30")
    world.keys("p")
    expect(await screenOf(world)).not.toContain("line 20")
  })
})

describe("on a small screen", () => {
  it("the preview leaves room for the list", async () => {
    const world = browsing(40, 12)
    world.keys("p")
    const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
    world.tell({ _tag: "SessionPreviewed", sessionId: "s1", lines })
    expect(await screenOf(world)).toMatch(/▸ Mend[\s\S]*line 30/)
  })
})

const HITS = [
  { sessionId: "s3", title: "Write the docs", role: "you" as const, snippet: "the lost line of the parser", at: undefined },
  { sessionId: "s1", title: "Mend the parser", role: "agent" as const, snippet: "a line was lost", at: undefined }
]

const searching = (world: TuiWorld): void => {
  world.keys(":f")
  world.keys("lost line<CR>")
}

describe("a search in the text of all sessions", () => {
  it("tells how far it got and what it found", async () => {
    const world = browsing()
    searching(world)
    expect(world.done("SearchSessions")).toEqual([{ _tag: "SearchSessions", query: "lost line", request: 1 }])
    const found = { _tag: "SessionsSearched" as const, query: "lost line", request: 1, searched: 3, total: 9, isDone: false }
    world.tell({ ...found, hits: HITS.slice(0, 1) })
    expect(await screenOf(world)).toMatch(/1 hit for lost line · 3 of 9 searched/)
    world.tell({ ...found, hits: HITS, searched: 9, isDone: true })
    const text = await screenOf(world)
    expect(text).toMatch(/2 hits for lost line · 9 searched/)
    expect(text).toMatch(/Write the docs\n?[\s\S]*the lost line of the parser {2}you/)
    world.tell({ ...found, request: 7, hits: [] })
    expect(await screenOf(world)).toContain("2 hits")
  })

  it("goes to the place in the session that is opened", async () => {
    const world = browsing()
    searching(world)
    const hits = HITS.slice(0, 1).map((hit) => ({ ...hit, sessionId: OTHER_SESSION }))
    const progress = { searched: 9, total: 9, isDone: true }
    world.tell({ _tag: "SessionsSearched", query: "lost line", request: 1, ...progress, hits })
    world.keys("<CR>")
    world.open(OTHER_SESSION)
    expect(world.model.focus).toBe("transcript")
    expect(world.session(OTHER_SESSION).list.search.text).toBe("lost")
  })

  it("is left for the list by Escape, which stops it, and the list for the prompt", async () => {
    const world = browsing()
    searching(world)
    world.keys("<Esc>")
    expect(world.done("StopSearching")).toHaveLength(1)
    expect(await screenOf(world)).toContain("Mend the parser")
    world.keys("<Esc>")
    expect(world.model.overlays.opened).toBeUndefined()
  })

  it.each(["<C-x><C-f>", ":find<CR>"])("opens by %s as well", async (keys) => {
    const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
    world.open()
    world.keys(keys.startsWith(":") ? `<C-x><C-w>t${keys}` : keys)
    expect(await screenOf(world)).toContain("search in the text of all sessions:")
    expect(world.screen().cursor.visible).toBe(true)
  })

  it("begins at once with :find WORDS", () => {
    const world = new TuiWorld()
    world.open()
    world.keys("<C-x><C-w>t:find lost line<CR>")
    expect(world.done("SearchSessions")).toMatchObject([{ query: "lost line" }])
  })
})

describe("a tag", () => {
  it("is given by /tag", () => {
    const world = new TuiWorld()
    world.open()
    world.keys("/tag bugs<CR>")
    expect(world.done("TagSession")).toMatchObject([{ tag: "bugs" }])
  })
})

describe("the browser on a small screen", () => {
  it("shows all its keys when asked, and hides them again", async () => {
    const world = browsing()
    world.resize(80, 24)
    expect(await screenOf(world)).toContain("? more keys")
    expect(await screenOf(world)).not.toContain("e export")
    world.keys("?")
    expect(await screenOf(world)).toContain("e export")
    world.keys("?")
    expect(await screenOf(world)).not.toContain("e export")
  })

  it("keeps the caret on the line that is typed while they are shown", () => {
    const world = browsing()
    world.resize(80, 24)
    world.keys("?rx")
    const { cursor, frame } = world.screen()
    expect(cursor.visible).toBe(true)
    expect(cursor.y).toBeLessThan(frame.rows)
  })

  it("goes through thousands of sessions, whose rows far away are not made", async () => {
    const world = browsing()
    const [first] = world.model.stored
    if (first === undefined) throw new Error("nothing is stored")
    const sessions = Array.from({ length: 3_000 }, (_, index) => ({
      ...first,
      sessionId: `n${index}`,
      title: `number ${index}.`
    }))
    world.tell({ _tag: "SessionsListed", sessions })
    world.keys("G")
    expect(await screenOf(world)).toContain("number 2999.")
    world.keys("g")
    expect(await screenOf(world)).toContain("number 0.")
    world.keys("/")
    world.keys("1500.")
    expect(await screenOf(world)).toContain("number 1500.")
  })
})
