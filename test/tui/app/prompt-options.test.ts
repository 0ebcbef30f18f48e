import { describe, expect, it } from "vitest"
import { bufferIn, caretIn, textIn } from "../../../src/tui/prompt/editor.ts"
import { SESSION, shownBy, TuiWorld, type WorldOptions } from "../../support/tui-world.ts"

/** What the user chose about the prompt reaches it, and reaches it while it is in use. */

const open = (options: WorldOptions["options"] = {}): TuiWorld => {
  const world = new TuiWorld({ options, size: { columns: 100, rows: 30 } })
  world.open()
  return world
}

const text = (world: TuiWorld): string => textIn(world.session().prompt.editor)
const screen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("keys of the prompt", () => {
  it("kill words up to blanks with the keys of readline", () => {
    const standard = open()
    standard.keys("cd src/tui<C-w>")
    expect(text(standard)).toBe("cd src/")
    const readline = open({ keyFlavor: "readline" })
    readline.keys("cd src/tui<C-w>")
    expect(text(readline)).toBe("cd ")
  })

  it("leave insert mode with the two keys that were chosen, typed and not pasted", () => {
    const world = open({ editorMode: "vim", insertRemaps: ["jj"] })
    world.keys("abcjj0x")
    expect(text(world)).toBe("bc")
    const pasted = open({ editorMode: "vim", insertRemaps: ["jj"] })
    pasted.paste("hajjidd")
    expect(text(pasted)).toBe("hajjidd")
    pasted.keys("jj")
    expect(text(pasted)).toBe("hajjidd")
    pasted.tell({ _tag: "OptionsChanged", change: { insertRemaps: [] } })
    pasted.keys("ajj")
    expect(text(pasted)).toBe("hajjiddjj")
  })

  it("show the vim mode unless it is hidden", async () => {
    const shown = open({ editorMode: "vim" })
    expect(await screen(shown)).toContain("INSERT")
    const hidden = open({ editorMode: "vim", showVimMode: false })
    expect(await screen(hidden)).not.toContain("INSERT")
  })

  it("send yanks to the clipboard unless only what is put there should go", () => {
    const world = open({ editorMode: "vim" })
    world.keys("abc<Esc>yy")
    expect(world.done("Copy")).toHaveLength(1)
    const own = open({ editorMode: "vim", clipboard: "none" })
    own.keys('abc<Esc>yy"+yy')
    expect(own.done("Copy")).toHaveLength(1)
  })
})

describe("completion", () => {
  it("offers emoji after a colon, unless that is off", () => {
    const world = open()
    world.keys("it :rock<Tab>")
    expect(text(world)).toBe("it 🚀 ")
    const off = open({ emojiCompletion: false })
    off.keys("it :rock<Tab>")
    expect(text(off)).toBe("it :rock")
  })

  it("puts the commands that were used last first", () => {
    const world = open()
    const entry = (display: string, timestamp: number) => ({ display, chips: [], timestamp, project: "/p", sessionId: "x" })
    world.tell({
      _tag: "HistoryLoaded",
      session: SESSION,
      entries: [entry("/cost", 3), entry("/quit now", 2), entry("/etc/hosts", 1)]
    })
    world.keys("/")
    const { menu } = world.session().prompt.completion
    expect(menu?.items.slice(0, 3).map(({ candidate }) => candidate.name)).toEqual(["cost", "exit", "help"])
  })

  it("waits for what a command needs, and says what that is", async () => {
    const world = open()
    world.keys("/renam<CR>")
    expect(text(world)).toBe("/rename ")
    expect(await screen(world)).toContain("/rename <title>")
    world.keys("x")
    expect(await screen(world)).not.toContain("<title>")
  })

  it.each([
    ["my dir/", '@"my dir/'],
    ["my dir/a b.txt", '@"my dir/a b.txt" '],
    ["src/", "@src/"],
    ["c#/x.cs", '@"c#/x.cs" ']
  ])("mentions %j as %j, and goes on in a directory", (path, mention) => {
    const world = open()
    world.keys("@m")
    const { asked } = world.session().prompt.completion
    world.tell({ _tag: "FilesFound", session: SESSION, request: asked?.id ?? 0, paths: [path] })
    const { prompt } = world.session()
    const found = prompt.completion.candidates[0]
    expect(`${found?.insert}${found?.isDirectory === true ? "" : " "}`).toBe(mention)
  })

  it("goes on inside a directory with a blank in its name", () => {
    const world = open()
    world.keys("@my")
    const answer = (...paths: ReadonlyArray<string>): void => {
      const { asked } = world.session().prompt.completion
      world.tell({ _tag: "FilesFound", session: SESSION, request: asked?.id ?? 0, paths })
    }
    answer("my dir/")
    world.keys("<Tab>")
    expect(world.done("FindFiles").at(-1)?.query).toBe("my dir/")
    answer("my dir/", "my dir/a.txt")
    world.keys("<Tab>")
    expect(text(world)).toBe('@"my dir/a.txt" ')
  })
})

describe("ctrl+c", () => {
  it("copies what is selected in the prompt and keeps the text", () => {
    const world = open()
    world.keys("hello<S-Left><S-Left><C-c>")
    expect(world.done("Copy")).toMatchObject([{ text: "lo" }])
    expect(text(world)).toBe("hello")
    world.keys("<C-c>")
    expect(text(world)).toBe("")
    const vim = open({ editorMode: "vim" })
    vim.keys("hello<Esc>vh<C-c>")
    expect(vim.done("Copy")).toMatchObject([{ text: "lo" }])
    expect([bufferIn(vim.session().prompt.editor).count, caretIn(vim.session().prompt.editor).column]).toEqual([1, 3])
  })
})
