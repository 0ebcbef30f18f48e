import { describe, expect, it } from "vitest"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"

const LINES = Array.from({ length: 30 }, (_, at) => `pasted line ${at + 1}`).join("\n")

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

/** A prompt with pastes was sent, and the session has it. */
const sent = (type: (world: TuiWorld) => void): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 80, rows: 50 } })
  const script = world.open()
  type(world)
  world.keys("<CR>")
  script.begin(world.done("Submit").at(-1)?.text)
  script.respond({ text: "an answer" })
  world.wait(5_000)
  return world
}

const twoPastes = (): TuiWorld =>
  sent((world) => {
    world.keys(" look at ")
    world.paste(LINES)
    world.keys(" and then ")
    world.paste("x\ny\nz\nlast")
    world.keys(" please")
  })

describe("a message with pastes", () => {
  it("shows them as the prompt did, and in full when it is opened", async () => {
    const world = twoPastes()
    const closed = await screenOf(world)
    expect(closed).toMatch(
      /▌ look at *\n ▌ \[Pasted text #1 \+29 lines\] \(za\) *\n ▌ {2}and then *\n ▌ \[Pasted text #2 \+3 lines\] \(za\) *\n ▌ {2}please/
    )
    expect(closed).not.toContain("pasted line 2")
    world.keys("<C-x><C-w>tggza")
    const open = await screenOf(world)
    expect(open).toContain("look at pasted line 1")
    expect(open).toContain("pasted line 30 and then x")
    expect(open).toContain("last please")
    world.keys("za")
    expect(await screenOf(world)).not.toContain("pasted line 2")
  })

  it("gives all of its text to a yank and to a search", async () => {
    const world = twoPastes()
    world.keys("<C-x><C-w>tggyim")
    expect(world.done("Copy").at(-1)?.text).toBe(world.done("Submit")[0]?.text.trim())
    world.keys("/line 17<CR>")
    expect(await screenOf(world)).toContain("pasted line 17")
    world.keys("G")
    expect(await screenOf(world)).not.toContain("pasted line 17")
  })

  it("is a message like any other without pastes", async () => {
    const world = sent((each) => void each.keys("just words"))
    expect(await screenOf(world)).toMatch(/▌ just words/)
  })
})
