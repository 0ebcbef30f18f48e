import { describe, expect, it } from "vitest"
import { ACTION_TABLES } from "../../../../src/tui/keymap/actions/action-tables.ts"
import { textIn } from "../../../../src/tui/prompt/editor.ts"
import { PROJECT_DIR } from "../../../support/loop-fixture.ts"
import { OTHER_SESSION, SESSION, shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { ANSWER, paneWorld, twoSessions } from "../../app/pane-world.ts"

const promptOf = (world: TuiWorld): string => textIn(world.session(world.model.current).prompt.editor)
const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

const inTranscript = (keys: string, vim = false) => {
  const { world } = paneWorld(120, 40, vim ? { options: { editorMode: "vim" } } : {})
  world.keys("<C-x><C-w>t")
  const cmds = world.keys(keys)
  return { world, cmds }
}

const YANKS: ReadonlyArray<readonly [keys: string, text: string]> = [
  ["gg]ayy", "see src/lines.ts:12 and https://example.org/doc for the needle\n"],
  ["gg]aY", "see src/lines.ts:12 and https://example.org/doc for the needle\n"],
  ["gg]ayip", "see src/lines.ts:12 and https://example.org/doc for the needle\n"],
  ["gg]ayim", ANSWER],
  ["gg]byic", "const x = 1\n"],
  ["gg]ayiw", "see"],
  ["gg]ave y", "see "],
  ["gg]awyif", "src/lines.ts:12"],
  ["gg]aVjy", "see src/lines.ts:12 and https://example.org/doc for the needle\n\n"]
]

describe("yanking", () => {
  it.each(YANKS)("%s gives the source text", (keys, text) => {
    expect(inTranscript(keys.replaceAll(" ", "l")).cmds.at(-1)).toMatchObject({
      _tag: "Copy",
      text: text.includes("see ") && keys.includes("ve") ? "see " : text
    })
  })

  it.each([
    ["gg[b", "no previous code block"],
    ["G]u", "no next prompt of yours"],
    ["gg]ayic", "ic: there is none at the cursor"]
  ])("%s says that there is nothing", (keys, words) => {
    const { cmds, world } = inTranscript(keys)
    expect([noticeOf(world), cmds.filter(({ _tag }) => _tag === "Copy")]).toEqual([words, []])
  })

  it("quotes once into the prompt", () => {
    const { world } = inTranscript("gg]agyy")
    expect(promptOf(world)).toBe("> see src/lines.ts:12 and https://example.org/doc for the needle\n")
    expect(world.model.focus).toBe("prompt")
  })

  it("shares its registers with the prompt", () => {
    const { world } = inTranscript('gg]a"ayiwq', true)
    world.keys('<Esc>"ap')
    expect(promptOf(world)).toBe("see")
    const plain = inTranscript("gg]ayiwp").world
    expect(promptOf(plain)).toBe("see")
    const hole = inTranscript('gg]a"_yiw')
    expect(hole.cmds.filter(({ _tag }) => _tag === "Copy")).toEqual([])
  })

  it("puts whole lines without an end that nobody wrote", () => {
    expect(promptOf(inTranscript("gg]ayyp").world)).toBe("see src/lines.ts:12 and https://example.org/doc for the needle")
    expect(inTranscript("gg]aVjy").world.cmds.at(-1)).toMatchObject({ what: "2 lines" })
  })

  it("pipes a text through a command", () => {
    const { cmds } = inTranscript("gg]a!!wc -c<CR>")
    expect(cmds.at(-1)).toMatchObject({
      _tag: "PipeThrough",
      command: "wc -c",
      input: expect.stringContaining("src/lines.ts")
    })
  })
})

describe("opening", () => {
  it.each([
    ["gg]awgf", { _tag: "OpenFile", path: `${PROJECT_DIR}/src/lines.ts`, line: 12 }],
    ["gg]awgF", { _tag: "ShowFile", path: `${PROJECT_DIR}/src/lines.ts` }],
    ["go", { _tag: "ShowInEditor" }],
    ["gS", { _tag: "PrintTranscript" }],
    ["gg\\r", { _tag: "Submit", text: "first needle" }],
    ["gg]a\\f", { _tag: "OpenSession", which: { _tag: "Fork" } }]
  ])("%s", (keys, cmd) => {
    expect(inTranscript(keys).cmds.at(-1)).toMatchObject(cmd)
  })

  it("shows a link before it opens it", () => {
    const { world } = inTranscript("gg]afhgx")
    expect(world.model.overlays.opened).toMatchObject({
      _tag: "Confirm",
      question: expect.stringContaining("https://example.org/doc")
    })
    expect(world.keys("y", 200)).toEqual([{ _tag: "OpenLink", url: "https://example.org/doc" }])
  })

  it("tells of a call what let it run", () => {
    const { overlays } = inTranscript("gg]tK").world.model
    expect(overlays.opened).toMatchObject({
      lines: expect.arrayContaining([expect.stringMatching(/^tool +Read$/), expect.stringMatching(/^allowed +\S.*/)])
    })
  })

  it("keeps a message or what is selected as a memory, once it is said where", () => {
    const { world } = inTranscript("gg\\m")
    expect(world.model.overlays.opened).toMatchObject({ _tag: "Picker", purpose: "memory", subject: "first needle" })
    expect(world.keys("<CR>", 200)).toMatchObject([{ _tag: "WriteNote", text: "first needle" }])
    const selected = inTranscript("ggve\\m").world
    expect(selected.model.overlays.opened).toMatchObject({ purpose: "memory", subject: "first" })
    selected.keys("<Esc>", 200)
    expect(textIn(selected.session().prompt.editor)).toBe("")
  })

  it("shows the changes of the turn under the cursor, details, and a menu", () => {
    const { world } = inTranscript("gg\\d")
    expect(world.session().changesOf).toEqual({ _tag: "Turn", back: 1 })
    expect(inTranscript("gg]aK").world.model.overlays.opened).toMatchObject({ _tag: "Listing", title: "Details" })
    expect(inTranscript("gg]a<CR>").world.model.overlays.opened).toMatchObject({ _tag: "Picker", purpose: "message" })
  })
})

describe("search", () => {
  it("goes to the match while typing, steps without closing the line, and remembers", () => {
    const { world } = inTranscript("gg/needle")
    const first = world.session().list.search.current
    world.keys("<C-g>")
    const second = world.session().list.search.current
    expect(second).not.toEqual(first)
    world.keys("<C-t>")
    expect(world.session().list.search.current).toEqual(first)
    world.keys("<CR>/<Up>")
    expect(world.model.line?.text).toBe("needle")
    world.keys("<CR>")
    expect(world.model.searches).toEqual(["needle"])
    world.keys("/nothing like it<CR>")
    expect(noticeOf(world)).toContain("Pattern not found")
  })

  it("counts the matches in the border and forgets them with :noh", () => {
    const { world } = inTranscript("gg/needle<CR>")
    world.wait(5)
    world.wait(5)
    world.keys("n")
    expect(world.session().list.search.highlighted).toBe(true)
    world.keys(":noh<CR>")
    expect(world.session().list.search.highlighted).toBe(false)
  })

  it("searches again with an empty line", () => {
    const { world } = inTranscript("gg/needle<CR>")
    const first = world.session().list.search.current
    world.keys("/<CR>")
    expect(world.session().list.search.current).not.toEqual(first)
  })
})

describe("Ctrl+O", () => {
  it("visits the transcript with everything open and comes back", () => {
    const { world } = paneWorld()
    world.keys("<C-o>")
    expect([world.model.focus, world.model.options.view]).toEqual(["transcript", "verbose"])
    world.keys("<C-o>")
    expect([world.model.focus, world.model.options.view]).toEqual(["prompt", "default"])
  })

  it("steps back through the jumps of the visit first, and not through older ones", () => {
    const { world } = paneWorld()
    world.keys("<C-x><C-w>tggGq")
    world.keys("<C-o>gg")
    world.keys("<C-o>")
    expect(world.model.focus).toBe("transcript")
    world.keys("<C-o>")
    expect([world.model.focus, world.model.options.view]).toEqual(["prompt", "default"])
  })

  it("restores the view however it is left", () => {
    for (const keys of ["q", "<Esc>", "i", "<C-w>j"]) {
      const { world } = paneWorld()
      world.keys(`<C-o>${keys}`)
      expect([world.model.focus, world.model.options.view]).toEqual(["prompt", "default"])
    }
  })
})

describe("marks with a capital letter", () => {
  it("bring their session back", () => {
    const { world } = twoSessions()
    world.keys("<C-x><C-w>S/first<CR><CR>")
    expect(world.model.current).toBe(SESSION)
    world.keys("<C-x><C-w>tggmA")
    world.keys("<C-w>S/new<CR><CR>")
    expect(world.model.current).toBe(OTHER_SESSION)
    world.keys("<C-x><C-w>t'A")
    expect(world.model.current).toBe(SESSION)
    world.keys(":marks<CR>")
    expect(world.model.overlays.opened).toMatchObject({ lines: [expect.stringContaining("first needle")] })
  })
})

describe("every action of the transcript", () => {
  const actions = ACTION_TABLES.filter(({ context }) => context === "Transcript" || context === "Pane").flatMap(({ rows }) =>
    rows
      .filter(({ only, keys }) => only !== "inline" && keys.length > 0)
      .map(({ id, keys, takes }) => [id, keys[0] ?? "", takes] as const)
  )

  it.each(actions)("%s (%s) does something or says why not", (id, keys, takes) => {
    const { world } = inTranscript("gg]a")
    const before = world.model
    const cmds = world.keys(keys.replace("<Leader>", "\\") + (takes === "character" ? "a" : takes === "motion" ? "iw" : ""))
    const changed =
      JSON.stringify([
        world.model.focus,
        world.model.overlays.opened,
        world.model.line,
        world.model.notices.current,
        world.model.keys
      ]) !== JSON.stringify([before.focus, before.overlays.opened, before.line, before.notices.current, before.keys])
    const isHeard = changed || cmds.length > 0 || world.session().list !== before.sessions.get(SESSION)?.list
    expect(isHeard, id).toBe(true)
  })
})

describe("a search among closed turns", () => {
  const folded = async (keys: string): Promise<string> => {
    const { world } = inTranscript(`zM${keys}`)
    return (await shownBy(world.screen())).text().join("\n")
  }

  it("leaves a turn closed whose first row shows what was found", async () => {
    expect(await folded("/second<CR>")).not.toContain("short answer")
    expect(await folded("gg/first needle<CR>")).not.toContain("see src/lines.ts")
  })

  it("opens the turn that hides it, until the cursor leaves", async () => {
    expect(await folded("/short<CR>")).toContain("short answer")
    expect(await folded("/short<CR>gg")).not.toContain("short answer")
  })
})
