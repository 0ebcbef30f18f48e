import { describe, expect, it } from "vitest"
import { rowText } from "../../../src/tui/screen/cell/frame.ts"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { planOf } from "../../../src/tui/model/windows/layout-and-focus.ts"
import type { Size } from "../../../src/tui/screen/layout/size-class.ts"
import type { Script } from "../../core/loop/script.ts"
import { bash, returned } from "../../core/loop/response-plan.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { OTHER_SESSION, SESSION, TuiWorld } from "../../support/tui-world.ts"

/** A question stands above the prompt: what was said stays readable, and nothing that looks around answers it. */

const SENTENCE = "The filter drops umlauts before they are mapped."
const LINES = Array.from({ length: 60 }, (_, line) => `value ${line}`)
const EDIT = {
  file_path: "/project/src/slug.ts",
  old_string: LINES.join("\n"),
  new_string: LINES.map((line) => `${line} mapped`).join("\n")
}

const rowsOf = (world: TuiWorld): ReadonlyArray<string> => {
  const { frame } = world.screen()
  return Array.from({ length: frame.rows }, (_, y) => rowText(frame, y).trimEnd())
}

const seen = (world: TuiWorld): string => rowsOf(world).join("\n")

const opened = (size: Size, options = {}): { readonly world: TuiWorld; readonly script: Script } => {
  const world = new TuiWorld({ size, options: { editorMode: "normal", ...options } })
  const script = world.open()
  script.begin("tell me everything")
  script.respond({ text: LINES.map((line) => `said ${line}`).join("\n\n") })
  world.keys("half a thought")
  world.now += 2_000
  return { world, script }
}

const editing = (size: Size = { columns: 100, rows: 30 }, options = {}): TuiWorld => {
  const { world, script } = opened(size, options)
  script.begin("map them")
  script.respond({ text: SENTENCE, calls: [{ id: "edit", name: "Edit", input: EDIT }] })
  script.prepare("edit")
  world.wait(1_000)
  return world
}

const answers = (world: TuiWorld): ReadonlyArray<string> => world.done("Answer").map(({ answer }) => answer.behavior)

const draftOf = (world: TuiWorld): string => textIn(world.session().prompt.editor)

const hasQuestion = (world: TuiWorld): boolean => seen(world).includes("┌ Edit src/slug.ts")

const focusedTitle = (world: TuiWorld): string | undefined => rowsOf(world).find((row) => row.startsWith("▸ "))

describe("while a question is docked", () => {
  it.each([
    ["PageUp", (world: TuiWorld) => world.keys("<PageUp>")],
    ["the wheel", (world: TuiWorld) => world.mouse("wheel", "wheelUp", { column: 10, row: 4 })],
    ["ctrl+home", (world: TuiWorld) => world.keys("<C-Home>")]
  ])("the transcript scrolls with %s, and follows the end again", (_, scroll) => {
    const world = editing()
    expect(seen(world)).toContain(SENTENCE)
    const before = rowsOf(world).slice(1, 8)
    scroll(world)
    expect(rowsOf(world).slice(1, 8)).not.toEqual(before)
    expect(hasQuestion(world)).toBe(true)
    world.keys("<C-End>")
    expect(rowsOf(world).slice(1, 8)).toEqual(before)
    expect(answers(world)).toEqual([])
    world.keys("y", 300)
    expect(answers(world)).toEqual(["allow"])
  })

  it("help opens over it and leads back to it", () => {
    const world = editing()
    world.keys("<F1>")
    expect(world.model.overlays.opened?._tag).toBe("Picker")
    world.keys("y3")
    expect(answers(world)).toEqual([])
    world.keys("<Esc><Esc>")
    world.now += 400
    expect(world.model.overlays.opened).toBeUndefined()
    expect(hasQuestion(world)).toBe(true)
    // An Escape too many neither answers nor stops the turn.
    expect(answers(world)).toEqual([])
    expect(world.done("Interrupt")).toEqual([])
    world.keys("n", 300)
    expect(answers(world)).toEqual(["deny"])
  })

  it.each([
    ["F6", "<F6>", "<F6>"],
    ["F6 and Escape", "<F6>", "<Esc>"],
    ["ctrl+o", "<C-o>", "<C-o>"],
    ["ctrl+o and Escape", "<C-o>", "<Esc>"],
    ["the window keys", "<C-x><C-w>k", "<C-w>j"],
    ["F6 and i", "<F6>", "i"]
  ])("%s goes to the transcript and comes back", (_, away, back) => {
    const world = editing()
    expect(focusedTitle(world)).toBeUndefined()
    world.keys(away)
    expect(focusedTitle(world)).toContain("tell me everything")
    expect(hasQuestion(world)).toBe(true)
    world.keys("kyy")
    expect(answers(world)).toEqual([])
    world.keys(back)
    expect(focusedTitle(world)).toBeUndefined()
    // An Escape too many right after coming back does not answer, neither at once nor a moment later.
    world.keys("<Esc>", 20)
    world.wait(400)
    expect(answers(world)).toEqual([])
    world.keys("n", 300)
    expect(answers(world)).toEqual(["deny"])
    expect(draftOf(world)).toBe("half a thought")
  })

  it("a pane that is chosen in the palette has the keyboard", () => {
    const world = editing({ columns: 120, rows: 40 })
    world.keys("<C-x><C-p>go to changes<CR>", 50)
    expect(world.model.overlays.opened).toBeUndefined()
    expect(world.model.focus).toBe("changes")
    world.keys("yn", 300)
    expect(answers(world)).toEqual([])
    world.keys("<Esc>", 300)
    world.keys("n", 300)
    expect(answers(world)).toEqual(["deny"])
  })

  it("ctrl+d neither leaves nor answers", () => {
    const world = editing()
    world.keys("<C-d><C-d>", 200)
    expect(world.done("Quit")).toEqual([])
    expect(answers(world)).toEqual([])
  })

  it("the transcript can be searched and yanked from", () => {
    const world = editing()
    world.keys("<C-o>/value 7<CR>yy", 50)
    expect(world.done("Copy").at(-1)?.text).toContain("said value 7")
    expect(answers(world)).toEqual([])
  })

  it("a click on the transcript takes the keyboard, one on the question gives it back, two on an answer give it", () => {
    const world = editing()
    world.mouse("press", "left", { column: 5, row: 3 })
    world.keys("y")
    expect(answers(world)).toEqual([])
    expect(focusedTitle(world)).toContain("tell me everything")
    const rows = rowsOf(world)
    const row = rows.findIndex((each) => each.includes("1 Yes"))
    const column = (rows[row] ?? "").indexOf("3 No")
    world.mouse("press", "left", { column, row })
    expect(focusedTitle(world)).toBeUndefined()
    world.now += 500
    world.mouse("press", "left", { column, row })
    expect(rowsOf(world)[row]).toContain("▸ 3 No")
    expect(answers(world)).toEqual([])
    world.now += 100
    world.mouse("press", "left", { column, row })
    expect(answers(world)).toEqual(["deny"])
  })

  it("the draft stays in sight and comes back untouched", () => {
    const world = editing()
    expect(seen(world)).toContain("> half a thought")
    world.keys("<Tab>not so<Esc>", 50)
    world.keys("n", 300)
    expect(draftOf(world)).toBe("half a thought")
    world.wait(1_000)
    world.keys("<C-u>")
    expect(draftOf(world)).toBe("")
  })

  it("words for an answer stand in its row, and nothing moves while they are typed", () => {
    const world = editing()
    const top = rowsOf(world).findIndex((row) => row.startsWith("┌"))
    world.keys("jj<Tab>use a table", 50)
    const rows = rowsOf(world)
    expect(rows.findIndex((row) => row.startsWith("┌"))).toBe(top)
    expect(rows.some((row) => row.includes("▸ 3 No: use a table"))).toBe(true)
    world.keys("<CR>", 300)
    expect(world.done("Answer")).toMatchObject([
      { answer: { behavior: "deny", message: expect.stringContaining("a table") } }
    ])
  })

  it("its call is not told a second time above it", () => {
    const world = editing()
    const above = rowsOf(world).slice(0, planOf(world.model).dock?.y)
    expect(above.join("\n")).not.toContain("src/slug.ts")
    expect(above.at(-1)?.trim()).toBe(SENTENCE)
    world.keys("y", 300)
    expect(seen(world)).toContain("Edit")
  })

  it("says how to come back where keys go to a pane, and is quiet where they go to it", () => {
    const world = editing()
    expect(seen(world)).toContain("└ d whole change · y yes · n no")
    world.keys("<F6>")
    expect(seen(world)).toContain("└ Esc back to the question")
  })

  it("a letter that means nothing in a pane is not typed over it into the prompt", () => {
    const world = editing({ columns: 100, rows: 30 }, { typeThrough: true })
    world.keys("<F6>", 300)
    world.keys("Xyes", 300)
    expect(draftOf(world)).toBe("half a thought")
    expect(answers(world)).toEqual([])
  })
})

describe("the whole of what is asked", () => {
  it("fills the screen, is searched with /, and Escape leads back without an answer", () => {
    const world = editing()
    world.keys("d", 300)
    expect(hasQuestion(world)).toBe(false)
    expect(seen(world)).toContain("▾ Edit src/slug.ts  +60 −60")
    expect(rowsOf(world).filter((row) => /-value \d+$/.test(row)).length).toBeGreaterThan(20)
    world.keys("/value 59 mapped<CR>", 50)
    expect(seen(world)).toContain("+value 59 mapped")
    world.keys("gg")
    expect(seen(world)).toContain("-value 0")
    world.keys("<Esc>")
    expect(hasQuestion(world)).toBe(true)
    world.keys("<Esc>", 20)
    world.wait(400)
    expect(answers(world)).toEqual([])
    world.keys("3", 300)
    expect(answers(world)).toEqual(["deny"])
  })

  it("is left with q too, takes no answers, and keeps what was typed for one", () => {
    const world = editing()
    world.keys("<Tab>no<Esc>d", 300)
    world.keys("y1n3", 300)
    expect(answers(world)).toEqual([])
    world.keys("q", 300)
    expect(seen(world)).toContain("1 Yes: no")
  })

  it("closes when the question was answered elsewhere", () => {
    const world = editing()
    world.keys("d", 300)
    const { state } = world.session()
    world.tell({ _tag: "Session", session: SESSION, news: { _tag: "Withdrawn", callId: "edit", state } })
    expect(world.model.focus).toBe("prompt")
    expect(seen(world)).toContain("> half a thought")
  })
})

const SIZES: ReadonlyArray<Size> = [
  { columns: 200, rows: 60 },
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
  { columns: 60, rows: 20 },
  { columns: 40, rows: 12 }
]

describe("the numbers of the answers", () => {
  it.each(SIZES)("are the same at $columns x $rows", (size) => {
    for (const [key, expected] of [
      ["1", [{ behavior: "allow" }]],
      ["2", [{ behavior: "allow", updates: [{ type: "setMode" }] }]],
      ["3", [{ behavior: "deny" }]]
    ] as const) {
      const world = editing(size)
      world.keys(key, 300)
      expect(world.done("Answer").map(({ answer }) => answer)).toMatchObject(expected)
    }
  })

  it.each(SIZES)("stay where no rule can be offered, at $columns x $rows", (size) => {
    const { world, script } = opened(size)
    script.begin("edit it")
    script.respond({
      calls: [{ id: "hook", name: "Edit", input: { ...EDIT, file_path: "/project/.git/hooks/pre-commit" } }]
    })
    script.prepare("hook")
    world.wait(1_000)
    expect(seen(world)).toMatch(/1 Yes/)
    expect(seen(world)).not.toMatch(/2 (?:Yes|No)/)
    world.keys("2", 300)
    expect(answers(world)).toEqual([])
    world.keys("3", 300)
    expect(answers(world)).toEqual(["deny"])
  })
})

describe("the directory of a command", () => {
  const inDirectory = (cwd: string | undefined, size: Size): string => {
    const { world, script } = opened(size, {})
    const other = world.open(OTHER_SESSION, { permission: permissions({ allow: ["Bash(make *)"] }) })
    other.begin("clean up")
    if (cwd !== undefined) {
      other.respond({ calls: [bash("make", "make clean")] })
      other.prepare("make")
      other.settle("make", returned("", { cwd }))
    }
    other.respond({ text: "Now.", calls: [bash("touch", "touch zz")] })
    other.prepare("touch")
    world.wait(1_000)
    expect(script.state).toBeDefined()
    return seen(world)
  }

  it.each(SIZES)("is the one in which it will run, at $columns x $rows", (size) => {
    expect(inDirectory(undefined, size)).toContain("┌ Bash in /project ")
    expect(inDirectory("/project/src", size)).toContain("┌ Bash in ./src ")
    expect(inDirectory("/elsewhere", size)).toContain("┌ Bash in /elsewhere ")
  })

  it("keeps its end where its name is too long for the screen", () => {
    const deep = `/project/${"a-folder/".repeat(8)}the-last-one`
    expect(inDirectory(deep, { columns: 40, rows: 12 })).toMatch(/┌ Bash in ….*the-last-one /)
  })
})
