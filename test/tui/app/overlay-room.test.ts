import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { HOSTILE, questionAbout } from "../trust-question.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** What an overlay says about that for which it has no room. */

const seen = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

const tiny = (): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 40, rows: 12 } })
  world.open(SESSION)
  return world
}

const lines = Array.from({ length: 30 }, (_, index) => `line ${index}: ${"a word ".repeat(10)}end${index}`)

describe("lines to read", () => {
  const listing = (): TuiWorld => {
    const world = tiny()
    world.tell({ _tag: "Listed", title: "Lines", lines })
    return world
  }

  it("say that there are more of them, below and above", async () => {
    const world = listing()
    expect(await seen(world)).toMatch(/… \d+ more/)
    world.keys("<C-d>")
    expect(await seen(world)).toMatch(/… \d+ more · … 10 above/)
  })

  it("can be read to the end, also where each takes several rows, and go back with the first key", async () => {
    const world = listing()
    world.keys("G")
    expect(await seen(world)).toContain("end29")
    expect(await seen(world)).not.toMatch(/… \d+ more/)
    const atEnd = await seen(world)
    world.keys("jjjj")
    expect(await seen(world)).toBe(atEnd)
    world.keys("k")
    expect(await seen(world)).not.toBe(atEnd)
  })
})

describe("a question", () => {
  it("goes back with the first key after somebody scrolled further than its end", async () => {
    const world = new TuiWorld({ size: { columns: 40, rows: 12 } })
    world.tell({ _tag: "TrustAsked", question: questionAbout(HOSTILE) })
    world.wait(1_000)
    world.keys("dddddddddd")
    const atEnd = await seen(world)
    world.keys("u")
    expect(await seen(world)).not.toBe(atEnd)
  })
})

describe("a question with long options in a tiny window", () => {
  const LONG = "which is too long for one row of such a small window"
  const asked = (columns: number, rows: number): TuiWorld => {
    const world = new TuiWorld({ size: { columns, rows } })
    const script = world.open(SESSION)
    const options = ["First", "Second", "Third", "Fourth"].map((label) => ({
      label: `${label} ${LONG}`,
      description: "why"
    }))
    const questions = [{ question: `Which one, ${LONG}?`, header: "Way", options }]
    script.begin("ask me")
    script.respond({ calls: [{ id: "q", name: "AskUserQuestion", input: { questions } }] })
    script.prepare("q")
    world.wait(1_000)
    return world
  }

  it("shows the question and every option, and can be answered", async () => {
    const world = asked(40, 12)
    const text = await seen(world)
    expect(text).toContain("Which one,")
    for (const number of [1, 2, 3, 4, 5]) expect(text).toMatch(new RegExp(`^  [▸ ] ${number} `, "m"))
    world.keys("2", 200)
    expect(world.done("Answer").map(({ answer }) => answer.behavior)).toEqual(["allow"])
  })

  it("has the caret behind what is typed", async () => {
    const world = asked(40, 12)
    world.keys("5own", 200)
    const { cursor } = world.screen()
    const rows = (await shownBy(world.screen())).text()
    expect(rows[cursor.y]).toContain("5 Other: own")
  })
})

describe("a list", () => {
  it("tells the key for its other keys where none of its hints fits", async () => {
    const world = tiny()
    world.keys("/model<CR>")
    expect(await seen(world)).toContain("? more keys")
  })

  it("shows each of its groups once while it is filtered, the best match first", async () => {
    const world = new TuiWorld({ size: { columns: 100, rows: 40 } })
    world.open(SESSION)
    world.keys("<C-x><C-p>spl")
    const rows = (await seen(world)).split("\n").map((row) => row.replace(/^.*║ (.*)║.*$/, "$1").trim())
    expect(rows.filter((row) => row === "actions")).toHaveLength(1)
    expect(rows.find((row) => row.startsWith("▸"))).toContain("split")
  })
})

describe("a paste of megabytes into one line", () => {
  const PASTE = `${"word \u001B[31m ".repeat(400_000)}\n`

  it.each([
    ["the palette", "<C-x><C-p>"],
    ["the history", "<C-r>"],
    ["the command line", "<C-o>:"],
    ["a search", "<C-o>/"],
    ["a search over sessions", "/resume<CR>:f"]
  ])("%s takes its beginning, and says so", async (_, keys) => {
    const world = new TuiWorld({ size: { columns: 80, rows: 24 }, options: { editorMode: "normal" } })
    world.open(SESSION)
    world.keys(keys, 200)
    world.paste(PASTE)
    expect(await seen(world)).toContain("word")
    expect(world.model.notices.current?.notice.text).toContain("the rest is left out")
    expect(world.done("Submit")).toEqual([])
    expect(textIn(world.session().prompt.editor)).toBe("")
  })
})
