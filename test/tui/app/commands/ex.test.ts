import { describe, expect, it } from "vitest"
import type { Cmd } from "../../../../src/tui/model/cmd.ts"
import { EX_NAMES } from "../../../../src/tui/app/commands/ex.ts"
import { textIn } from "../../../../src/tui/prompt/editor.ts"
import { PROJECT_DIR } from "../../../support/loop-fixture.ts"
import { shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld } from "../pane-world.ts"

const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

const ex = (line: string, before = "gg]a", vim = false) => {
  const { world } = paneWorld(120, 40, vim ? { options: { editorMode: "vim" } } : {})
  world.keys(`<C-x><C-w>t${before}`)
  const cmds = world.keys(`:${line.replaceAll("<", "<lt>")}<CR>`)
  return { world, cmds }
}

describe("commands that the shell carries out", () => {
  it.each<readonly [string, Partial<Cmd>]>([
    ["w out.md", { _tag: "WriteFile", path: `${PROJECT_DIR}/out.md` }],
    ["w /tmp/out.md", { _tag: "WriteFile", path: "/tmp/out.md" }],
    [".w line.txt", { _tag: "WriteFile", text: "see src/lines.ts:12 and https://example.org/doc for the needle" }],
    ["1,2w two.txt", { _tag: "WriteFile", text: expect.stringMatching(/^first needle\n\nsee src/) }],
    ["/see src/w hit.txt", { _tag: "WriteFile", text: expect.stringContaining("see src/lines.ts:12") }],
    ["1,/see src/w two.txt", { _tag: "WriteFile", text: expect.stringMatching(/^first needle\n\nsee src/) }],
    ["?first?,.w up.txt", { _tag: "WriteFile", text: expect.stringMatching(/^first needle\n\nsee src/) }],
    ["%y", { _tag: "Copy", text: expect.stringContaining("# first needle") }],
    ["y", { _tag: "Copy", text: expect.stringContaining("https://example.org") }],
    ["e a.ts", { _tag: "OpenFile", path: `${PROJECT_DIR}/a.ts` }],
    ["r a.ts", { _tag: "ReadIntoPrompt", path: `${PROJECT_DIR}/a.ts` }],
    ["!ls", { _tag: "RunShell", command: "ls" }],
    [".!wc", { _tag: "PipeThrough", command: "wc" }],
    ["q!", { _tag: "Quit" }],
    ["qa", { _tag: "Quit" }],
    ["new", { _tag: "OpenSession" }],
    ["stats", { _tag: "ShowStats" }],
    ["find needle", { _tag: "SearchSessions", query: "needle" }],
    ["mode plan", { _tag: "SetMode", mode: "plan" }],
    ["/mode plan", { _tag: "SetMode", mode: "plan" }],
    ["model opus", { _tag: "SetModel", model: "opus" }],
    ["editor", { _tag: "ShowInEditor" }],
    ["set! nomouse", { _tag: "SaveOption", name: "mouse", value: false }]
  ])(":%s", (line, cmd) => {
    expect(ex(line).cmds.at(-1)).toMatchObject(cmd)
  })
})

describe("commands about the interface", () => {
  it("opens panes, listings and pickers", () => {
    expect(ex("sp files").world.model.focus).toBe("files")
    expect(ex("vs").world.model.focus).toBe("chooser")
    expect(ex("context").world.model.focus).toBe("context")
    expect(ex("g/needle/").world.session().outputOf).toEqual({ _tag: "Matches", pattern: "needle" })
    expect(ex("help fold").world.model.overlays.opened).toMatchObject({
      purpose: "help",
      picker: { filter: { text: "fold" } }
    })
    for (const line of ["marks", "jumps", "messages", "caps", "reg"])
      expect(ex(line).world.model.overlays.opened?._tag).toBe("Listing")
    expect(ex("set nomouse").world.model.options.mouse).toBe(false)
    expect(ex("only").world.model.layout.onlyFrom).toBeDefined()
  })

  it("goes to a message that :g found", () => {
    const { world } = ex("g/short/")
    world.keys("<CR>")
    expect(world.model.focus).toBe("transcript")
  })

  it("runs commands about the prompt's text in the prompt", () => {
    const { world } = paneWorld(120, 40, { options: { editorMode: "vim" } })
    world.keys("a b a")
    world.keys("<C-x><C-w>t:s/a/X/g<CR>")
    expect(textIn(world.session().prompt.editor)).toBe("X b X")
    expect(noticeOf(ex("s/a/b/").world)).toContain("needs vim keys")
  })

  it.each([
    ["1", "first needle"],
    ["3", "/project/r1.txt"],
    ["/short/", "short answer with a needle"],
    ["$", "20 out"],
    ["?first?", "first needle"]
  ])(":%s goes to the place, and <C-o> back", (line, words) => {
    const { world } = ex(line)
    const here = () => JSON.stringify(world.session().list.cursor)
    const there = here()
    world.keys("yy")
    expect(world.done("Copy").at(-1)?.text ?? "").toContain(words)
    world.keys("<C-o>")
    expect(here()).not.toBe(there)
  })

  it("goes to panes by their names, and summarises what stands before a prompt", () => {
    expect(ex("changes").world.model.focus).toBe("changes")
    expect(ex("files").world.model.focus).toBe("files")
    const { world } = ex("compact here")
    expect(world.done("Compact")).toMatchObject([{ part: { _tag: "UpTo" } }])
  })

  it("takes the selection as a range", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>tgg]ave:")
    expect(world.model.line?.text).toBe("'<,'>")
    expect(world.keys("y<CR>").at(-1)).toMatchObject({ _tag: "Copy", text: "see" })
  })
})

describe("what is not a command", () => {
  it("is said and does nothing", () => {
    const { world, cmds } = ex("frobnicate now")
    expect(noticeOf(world)).toBe("E492: not a command: frobnicate now")
    expect(cmds).toEqual([])
  })

  it("lists the candidates of a prefix that means several, and refuses a range where none is taken", () => {
    expect(noticeOf(ex("ta").world)).toContain(
      "E464: ambiguous: tabnew, tabclose, tabnext, tabprevious, tabfirst, tablast, tabs"
    )
    expect(noticeOf(ex("1,2marks").world)).toContain("E481")
    expect(noticeOf(ex("'zy").world)).toContain("E20")
  })

  it("never throws, whatever name is typed", () => {
    for (const name of EX_NAMES) expect(() => ex(name)).not.toThrow()
  })
})

describe("the line", () => {
  it("completes commands and their words, one after the other", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t:ta<Tab>")
    expect(world.model.line?.text).toBe("tabnew")
    world.keys("<Tab>")
    expect(world.model.line?.text).toBe("tabclose")
    world.keys("<Esc>:set noc<Tab>")
    expect(world.model.line?.text).toBe("set nocodewrap")
    world.keys("<Esc>:sp con<Tab>")
    expect(world.model.line?.text).toBe("sp context")
  })

  it("shows what Tab goes through, both ways, with the word of the line marked", async () => {
    const { world } = paneWorld(80, 24)
    world.keys("<C-x><C-w>t:tab<Tab>")
    const rows = async (): Promise<ReadonlyArray<string>> => (await shownBy(world.screen())).text()
    expect((await rows()).join("\n")).toMatch(
      / tabnew {2}tabclose {2}tabnext {2}tabprevious {2}tabfirst {2}tablast {2}tabs *\n:tabnew/
    )
    world.keys("<S-Tab>")
    expect(world.model.line?.text).toBe("tabs")
    world.keys("<Esc>:set nomouse view=<S-Tab>")
    expect(world.model.line?.text).toBe("set nomouse view=focus")
    world.keys("x")
    expect((await rows()).join("\n")).not.toContain("view=verbose")
  })

  it("keeps the chosen word in sight on a narrow screen", async () => {
    const { world } = paneWorld(40, 12)
    world.keys("<C-x><C-w>t:set <Tab>")
    for (let step = 0; step < 12; step++) {
      world.keys("<Tab>")
      const word = world.model.line?.text.slice("set ".length) ?? ""
      const shown = (await shownBy(world.screen())).text()
      expect(shown[shown.findIndex((row) => row.startsWith(":set")) - 1]).toContain(word)
    }
  })

  it("recalls commands apart from searches", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>t:marks<CR>", 200)
    world.keys("<Esc>/needle<CR>:<Up>", 200)
    expect(world.model.line?.text).toBe("marks")
    world.keys("<Esc>/<Up>")
    expect(world.model.line?.text).toBe("needle")
  })
})

describe("Tab on the command line", () => {
  it("goes through the files that fit, for commands that take one", () => {
    const { world } = paneWorld(120, 40)
    world.keys("<C-x><C-w>t:e src<Tab>")
    expect(world.done("FindFiles")).toMatchObject([{ query: "src" }])
    const { request = 0, session = "" } = world.done("FindFiles")[0] ?? {}
    world.tell({ _tag: "FilesFound", session, request, paths: ["src/a.ts", "src/b.ts"] })
    expect(world.model.line?.text).toBe("e src/a.ts")
    world.keys("<Tab>")
    expect(world.model.line?.text).toBe("e src/b.ts")
    world.keys("<Tab><CR>")
    expect(world.done("OpenFile").at(-1)?.path).toBe(`${PROJECT_DIR}/src/a.ts`)
    world.tell({ _tag: "FilesFound", session, request, paths: ["late.ts"] })
    expect(world.model.line).toBeUndefined()
  })
})
