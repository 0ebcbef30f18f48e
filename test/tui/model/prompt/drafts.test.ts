import { describe, expect, it } from "vitest"
import { expandChips } from "../../../../src/tui/prompt/chip.ts"
import { textIn } from "../../../../src/tui/prompt/editor.ts"
import type { SavedDraft } from "../../../../src/tui/prompt/model.ts"
import { bash } from "../../../core/loop/response-plan.ts"
import { OTHER_SESSION, SESSION, TuiWorld } from "../../../support/tui-world.ts"

/** Unsent text is never lost, whatever changed the prompt and wherever the user goes. */

const saved = (world: TuiWorld, session = SESSION): SavedDraft | undefined =>
  world.done("SaveDraft").findLast((cmd) => cmd.session === session)?.draft

const textOf = (world: TuiWorld, session = SESSION): string => textIn(world.session(session).prompt.editor)

const world = (): TuiWorld => {
  const made = new TuiWorld({ size: { columns: 120, rows: 40 } })
  made.open()
  return made
}

describe("a draft is kept", () => {
  it.each<readonly [string, (at: TuiWorld) => void, string]>([
    ["typed", (at) => void at.keys("abc"), "abc"],
    ["pasted", (at) => void at.paste("abc"), "abc"],
    ["edited outside", (at) => void at.tell({ _tag: "DraftEdited", session: SESSION, text: "abc" }), "abc"],
    ["read from a file", (at) => void at.tell({ _tag: "InsertText", session: SESSION, text: "abc" }), "abc"],
    ["cleared", (at) => void at.keys("abc<C-c>"), ""],
    ["sent", (at) => void at.keys("abc<CR>"), ""]
  ])("when it was %s", (_, act, text) => {
    const at = world()
    act(at)
    expect(saved(at)?.text).toBe(text)
  })

  it("with its mode, its place and what was put aside", () => {
    const at = world()
    at.keys("aside<C-s>!make")
    expect(saved(at)).toMatchObject({ text: "make", mode: "shell", stash: { text: "aside" } })
    at.keys("<Left>")
    expect(saved(at)?.caret).toEqual({ line: 0, column: 3 })
  })

  it("when history or an answered question put text there", () => {
    const at = world()
    const entry = { display: "older", chips: [], timestamp: 1, project: at.session().cwd, sessionId: SESSION }
    at.tell({ _tag: "HistoryLoaded", session: SESSION, entries: [entry] })
    at.keys("<C-r><CR>")
    expect(saved(at)?.text).toBe("older")
  })

  it("and nothing is saved while nothing changes", () => {
    const at = world()
    at.keys("abc")
    const before = at.done("SaveDraft").length
    at.wait(1_000)
    at.resize(100, 30)
    expect(at.done("SaveDraft").length).toBe(before)
  })
})

describe("a draft comes along", () => {
  it("when the session is cleared, with what was put aside, and leaves the old one", () => {
    const at = world()
    at.keys("aside<C-s>text")
    const script = at.open("session-c")
    at.model = { ...at.model, current: SESSION }
    at.tell({
      _tag: "SessionOpened",
      facts: {
        sessionId: OTHER_SESSION,
        cwd: "/p",
        branch: undefined,
        title: undefined,
        state: script.state,
        draft: undefined,
        earlierPages: 0
      },
      replaces: SESSION
    })
    expect(textOf(at, OTHER_SESSION)).toBe("text")
    expect(at.session(OTHER_SESSION).prompt.stash?.text).toBe("aside")
    expect(saved(at, OTHER_SESSION)).toMatchObject({ text: "text", stash: { text: "aside" } })
    expect(saved(at)).toMatchObject({ text: "" })
  })

  it("when the keys of the prompt change", () => {
    const at = world()
    at.keys("aside<C-s>text")
    at.keys("<C-x><C-p>vim keys<Esc>")
    at.tell({ _tag: "OptionsChanged", change: { editorMode: "vim" } })
    expect(textOf(at)).toBe("text")
    expect(at.session().prompt.stash?.text).toBe("aside")
  })

  it("to a new session, beside what somebody typed before it was open", () => {
    const draft = { text: "long ago", caret: { line: 0, column: 8 }, mode: "prompt", chips: [] } as const
    const opened = (keys: string): TuiWorld => {
      const at = new TuiWorld()
      at.await()
      at.keys(keys)
      const { state } = new TuiWorld().open()
      const facts = { sessionId: SESSION, cwd: "/p", branch: undefined, title: undefined, state, draft, earlierPages: 0 }
      at.tell({ _tag: "SessionOpened", facts, replaces: undefined })
      return at
    }
    expect(textOf(opened(""))).toBe("long ago")
    const typed = opened("new")
    expect([textOf(typed), typed.session().prompt.stash?.text]).toEqual(["new", "long ago"])
  })

  it("behind what the last run had not sent", () => {
    const at = new TuiWorld()
    const script = at.open("session-c")
    script.begin("first")
    at.keys("one<CR>two")
    const queued = { uuid: "u-1", content: "waited", origin: "human", priority: "next" } as const
    const state = { ...script.state, queue: [{ ...script.state.queue[0], ...queued }] }
    const draft = { text: "typed", caret: { line: 0, column: 5 }, mode: "prompt", chips: [] } as const
    at.tell({
      _tag: "SessionOpened",
      facts: { sessionId: SESSION, cwd: "/p", branch: undefined, title: undefined, state, draft, earlierPages: 0 },
      replaces: undefined
    })
    expect(textOf(at)).toBe("waited\ntyped")
  })
})

describe("undo", () => {
  it.each<readonly [string, "vim" | "normal", string]>([
    ["what the editor saved", "vim", "<Esc>u"],
    ["what the editor saved", "normal", "<C-_>"]
  ])("takes %s back as one step (%s %s)", (_, editorMode, keys) => {
    const at = new TuiWorld({ options: { editorMode } })
    at.open()
    at.keys("say foo")
    at.tell({ _tag: "DraftEdited", session: SESSION, text: "say\nbar" })
    at.keys(keys)
    expect(textOf(at)).toBe("say foo")
    at.keys(editorMode === "vim" ? "u" : "<C-_>")
    expect(textOf(at)).toBe("")
    if (editorMode === "vim") at.keys("<C-r><C-r>")
    expect(textOf(at)).toBe(editorMode === "vim" ? "say\nbar" : "")
  })

  it("takes a recalled prompt back to what was typed, and the rest after it", () => {
    const at = new TuiWorld({ options: { editorMode: "vim" } })
    at.open()
    const entry = { display: "older one", chips: [], timestamp: 1, project: at.session().cwd, sessionId: SESSION }
    at.tell({ _tag: "HistoryLoaded", session: SESSION, entries: [entry] })
    at.keys("typed<Up>")
    expect(textOf(at)).toBe("older one")
    at.keys("<Esc>u")
    expect(textOf(at)).toBe("typed")
    at.keys("u")
    expect(textOf(at)).toBe("")
  })
})

describe("nothing is lost", () => {
  it("of an image when the text is edited outside", () => {
    const at = world()
    at.keys("look ")
    at.tell({ _tag: "ImagePasted", session: SESSION, reference: "abc.png" })
    at.tell({ _tag: "DraftEdited", session: SESSION, text: "look here: [Image #1] and [Image #7]" })
    const { editor, chips } = at.session().prompt
    expect(expandChips(textIn(editor), chips)).toBe("look here: [Image #1] and [Image #7]")
    expect(saved(at)?.chips).toEqual([{ _tag: "Image", number: 1, reference: "abc.png" }])
  })

  it("of a cleared text: history has its mode and its pastes", () => {
    const at = world()
    at.keys("!ls <C-c>")
    expect(at.done("Remember").at(-1)).toMatchObject({ display: "!ls ", chips: [] })
    at.paste("1\n2\n3\n4")
    at.keys(" end<C-c>")
    expect(at.done("Remember").at(-1)).toMatchObject({
      display: "[Pasted text #1 +3 lines] end",
      chips: [{ _tag: "Paste", number: 1, text: "1\n2\n3\n4" }]
    })
  })

  it("of a note that was kept nowhere", () => {
    const at = world()
    at.keys("#tabs, not blanks<CR><Esc>")
    expect([textOf(at), at.session().prompt.mode]).toEqual(["tabs, not blanks", "memory"])
    at.keys("<CR><CR>")
    expect(at.done("WriteNote")).toMatchObject([{ text: "tabs, not blanks" }])
    expect(textOf(at)).toBe("")
  })

  it("of a comment whose question went away", () => {
    const at = new TuiWorld()
    const script = at.open()
    script.begin("do it")
    script.respond({ calls: [bash("b1", "make")] })
    script.prepare("b1")
    at.now += 300
    at.keys("<Tab>use ninja")
    at.tell({ _tag: "Session", session: SESSION, news: { _tag: "Withdrawn", callId: "b1", state: at.session().state } })
    expect(textOf(at)).toBe("use ninja")
  })
})

describe("what waited when a process died", () => {
  const queuedPrompt = {
    uuid: "u1",
    content: "queued one",
    priority: "next" as const,
    origin: "human" as const
  }

  const reopened = (draft: SavedDraft, queue: ReadonlyArray<typeof queuedPrompt>): TuiWorld => {
    const at = new TuiWorld({ size: { columns: 120, rows: 40 } })
    const { state } = new TuiWorld().open()
    const facts = { sessionId: SESSION, cwd: "/project", branch: undefined, title: undefined, earlierPages: 0 }
    at.tell({ _tag: "SessionOpened", facts: { ...facts, state: { ...state, queue }, draft }, replaces: undefined })
    return at
  }
  const empty: SavedDraft = { text: "", caret: { line: 0, column: 0 }, mode: "prompt", chips: [] }

  it("is in the prompt once, and no longer queued", () => {
    const at = reopened(empty, [queuedPrompt])
    expect(textOf(at)).toBe("queued one")
    expect(at.session().state.queue).toEqual([])
    expect(at.done("TakeBackQueue")).toMatchObject([{ uuids: ["u1"] }])
  })

  it("names the lines that were not run, and tells it once", () => {
    const at = reopened({ ...empty, waiting: ["!make", "/compact"] }, [])
    expect(at.model.notices.current?.notice.text).toContain("not run: !make, /compact")
    expect(at.done("RunShell")).toEqual([])
    expect(saved(at)).not.toHaveProperty("waiting")
  })

  it("is kept while it waits, and goes with a session that is cleared", () => {
    const at = world()
    const script = at.open(OTHER_SESSION)
    script.begin("do it")
    at.keys("!make<CR>/clear<CR>!test<CR>")
    expect(saved(at, OTHER_SESSION)).toMatchObject({ waiting: ["!make", "/clear", "!test"] })
    script.respond({ text: "done" })
    expect(saved(at, OTHER_SESSION)).toMatchObject({ waiting: ["/clear", "!test"] })
    const run = { id: "run", command: "make", output: "", state: "ok" as const }
    at.tell({ _tag: "Session", session: OTHER_SESSION, news: { _tag: "Shell", run } })
    const { state } = new TuiWorld().open()
    const facts = { sessionId: "session-c", cwd: "/project", branch: undefined, title: undefined, earlierPages: 0 }
    at.tell({ _tag: "SessionOpened", facts: { ...facts, state, draft: undefined }, replaces: OTHER_SESSION })
    expect(at.done("RunShell").at(-1)).toMatchObject({ session: "session-c", command: "test" })
  })
})

describe("a paste that history keeps", () => {
  const PASTE = "a\nb\nc\nd"
  const recalled = (): TuiWorld => {
    const at = world()
    const chips = [{ _tag: "Paste", number: 4, text: undefined, stored: "cafe" }] as const
    const entry = {
      display: "see [Pasted text #4 +3 lines]",
      chips,
      timestamp: 1,
      project: at.session().cwd,
      sessionId: SESSION
    }
    at.tell({ _tag: "HistoryLoaded", session: SESSION, entries: [entry] })
    at.keys("<Up>")
    return at
  }

  it("is read when its entry is in the prompt again, and sent in full", () => {
    const at = recalled()
    expect(at.done("ReadPastes")).toEqual([{ _tag: "ReadPastes", session: SESSION, stored: ["cafe"] }])
    at.keys("<CR>")
    expect(at.done("Submit")).toEqual([])
    at.tell({ _tag: "PastesRead", session: SESSION, texts: new Map([["cafe", PASTE]]) })
    at.keys("!<CR>")
    expect(at.done("Submit")).toMatchObject([{ text: `see ${PASTE}!` }])
    expect(at.done("ReadPastes")).toHaveLength(1)
  })

  it("that is gone is left out with a notice", () => {
    const at = recalled()
    at.tell({ _tag: "PastesRead", session: SESSION, texts: new Map() })
    at.keys("<CR>")
    expect(at.done("Submit")).toMatchObject([{ text: "see " }])
    expect(at.model.notices.current?.notice.text).toContain("no longer stored")
  })
})
