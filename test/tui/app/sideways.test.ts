import { describe, expect, it } from "vitest"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"
import { PROJECT_DIR } from "../../support/loop-fixture.ts"

const CODE = `const alphabet = "${"0123456789 ".repeat(8)}" + last`
const TABLE = [
  "| a | b | c | d |",
  "|---|---|---|---|",
  "| cell one is long text | cell two is long text | cell three is long too | cell four is the last |"
].join("\n")
const ANSWER = `words before that are long enough to be wrapped in a pane of sixty columns\n\n\`\`\`ts\n${CODE}\nshort\n\`\`\`\n\n${TABLE}\n\nwords behind`

const reading = (): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 60, rows: 30 } })
  const script = world.open()
  script.begin("go")
  script.respond({ text: ANSWER })
  world.wait(3_000)
  world.keys("<C-x><C-w>tgg")
  return world
}

const rowsOf = async (world: TuiWorld): Promise<ReadonlyArray<string>> => (await shownBy(world.screen())).text()
const screenOf = async (world: TuiWorld): Promise<string> => (await rowsOf(world)).join("\n")

describe("what is wider than the pane", () => {
  it("moves under zl, zh, zL and zH, with counts, and prose stays", async () => {
    const world = reading()
    const before = await rowsOf(world)
    world.keys("/alphabet<CR>")
    expect(await screenOf(world)).toContain("│ const alphabet")
    world.keys("6zl")
    expect(await screenOf(world)).toContain("│ alphabet = ")
    world.keys("zL")
    expect(await screenOf(world)).not.toContain("alphabet = ")
    const shown = await rowsOf(world)
    expect(shown.slice(3, 5)).toEqual(before.slice(3, 5))
    world.keys("zH6zh")
    expect(await screenOf(world)).toContain("│ const alphabet")
    world.keys("9zh")
    expect(await screenOf(world)).toContain("│ const alphabet")
  })

  it("shows a table as wide as it is", async () => {
    const world = reading()
    expect(await screenOf(world)).not.toContain("cell two is long text")
    world.keys("/cell three<CR>20zl")
    expect(await screenOf(world)).toContain("cell two is long text │ cell three is long too")
  })

  it.each([
    ["$", "+ last"],
    ["/+ last<CR>", "+ last"],
    ["$0", "const alphabet"],
    ["$j", "│ short"]
  ])("follows the cursor: %s", async (keys, seen) => {
    const world = reading()
    world.keys("/alphabet<CR>")
    world.keys(keys)
    expect(await screenOf(world)).toContain(seen)
    const { cursor } = world.screen()
    expect([cursor.x >= 0, cursor.x < 60]).toEqual([true, true])
  })

  it("yanks the source wherever it is scrolled", () => {
    const world = reading()
    world.keys("/alphabet<CR>12zlyy")
    expect(world.done("Copy").at(-1)?.text.trimEnd()).toBe(CODE)
  })

  it("moves in the changes pane too", async () => {
    const world = new TuiWorld({ size: { columns: 120, rows: 40 } })
    world.open()
    world.keys("<C-x><C-w>d<Left>")
    const line = "the quick brown fox jumps over the lazy dog and runs away"
    world.tell({
      _tag: "DiffLoaded",
      session: SESSION,
      files: [{ path: `${PROJECT_DIR}/a.txt`, state: "?", before: undefined, after: `${line}\n` }]
    })
    expect(await screenOf(world)).not.toContain("runs away")
    world.keys("zL10zl")
    expect(await screenOf(world)).toContain("runs away")
    world.keys("99zh")
    expect(await screenOf(world)).toContain("the quick")
  })
})
