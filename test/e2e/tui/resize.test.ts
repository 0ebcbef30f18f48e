import { describe, expect, it } from "vitest"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** Sizes: after any number of them the screen is what a fresh draw at the last one shows. */

/** A seeded walk, so that a failure comes again. */
const sizes = (count: number): ReadonlyArray<readonly [columns: number, rows: number]> => {
  let seed = 42
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  return Array.from({ length: count }, () => [10 + next(190), 3 + next(57)] as const)
}

const TEXT = "Some text with 漢字 and `code`, long enough to be wrapped when the window is narrow, and once more."
const ANSWER = `@say # A heading${KEY.newline}@say${KEY.newline}@say ${TEXT}`

/** Where the side panes begin at 120 columns; a frame for another size may still be on its way through. */
const SIDE_COLUMN = 83

/** The screen at the last size is complete: side panes above, the status row below. */
const isComplete = (screen: string): boolean => {
  const rows = screen.split("\n")
  return rows[0]?.indexOf("┬─ changes: this session") === SIDE_COLUMN && rows.at(-1)?.includes("context") === true
}

/** Where the lines between the panes are. */
const chrome = (rows: ReadonlyArray<string>): ReadonlyArray<string> =>
  rows.filter((row) => /[─━│┤├┬]/.test(row)).map((row) => row.replace(/[^─━│┤├┬▸]/g, " "))

describe.concurrent("resizing", () => {
  it("200 sizes in a row end in the screen of a fresh start", async () => {
    const terminal = await TuiTerminal.ready({ columns: 100, rows: 30 })
    terminal.type(`${ANSWER}\r`)
    await terminal.shows(/A heading[\s\S]*Type a message/)
    await terminal.hides("esc to interrupt")
    for (const [columns, rows] of sizes(200)) terminal.resize(columns, rows)
    terminal.resize(120, 40)
    await terminal.shows(isComplete, "the screen at the last size")
    const stormy = terminal.rows
    terminal.type("\u000C")
    await terminal.wrote(/\u001B\[1;1H|\u001B\[H/, terminal.raw.length)
    await terminal.shows(isComplete, "the screen drawn again")
    expect(terminal.rows).toEqual(stormy)
    const { place } = terminal
    terminal.type("/exit\r")
    await terminal.ended
    const fresh = await TuiTerminal.start({ place, args: ["--continue"], columns: 120, rows: 40 })
    await fresh.shows(/A heading[\s\S]*Type a message/)
    expect(chrome(fresh.rows).length).toBe(chrome(stormy).length)
  })

  it("says what is missing when the window is too small, keeps the text, and comes back", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("keep this")
    await terminal.shows("> keep this")
    terminal.resize(30, 8)
    await terminal.shows("too small")
    terminal.type(" too\r")
    terminal.resize(80, 24)
    const screen = await terminal.shows("> keep this too")
    expect(screen).not.toContain("▌ keep this")
  })

  for (const [columns, rows] of [
    [200, 60],
    [160, 45],
    [120, 40],
    [80, 24],
    [60, 20],
    [40, 12]
  ] as const) {
    it(`draws and works at ${columns}x${rows}`, async () => {
      const terminal = await TuiTerminal.ready({ columns, rows })
      terminal.type("@say It works here.\r")
      await terminal.shows(/\n It works here\./)
      await terminal.shows(/> Type a message/)
    })
  }
})
