import { statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** The message with the mark, as the transcript shows it; the title shows its words, too. */
const MARKED = "▌ @say the place to come back to"

/** Registers, macros and marks after a restart. */

const leave = async (terminal: TuiTerminal): Promise<void> => {
  terminal.type("/exit\r")
  expect(await terminal.ended).toBe(0)
}

const inNormalMode = async (terminal: TuiTerminal, text: string): Promise<void> => {
  terminal.type(text)
  await terminal.shows(`> ${text}`)
  terminal.type(KEY.escape)
  await terminal.shows("NORMAL")
}

describe.concurrent("what is kept over a restart", () => {
  it("is a macro that was recorded", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("/vim\r")
    await terminal.shows("INSERT")
    await inNormalMode(terminal, "one")
    terminal.type("qaA!")
    await terminal.shows("> one!")
    terminal.type(KEY.escape)
    await terminal.shows("NORMAL")
    terminal.type("qddi")
    await terminal.shows("INSERT")
    await leave(terminal)
    const { place } = terminal
    expect(statSync(join(place.config, "nacre", "shada.json")).mode & 0o777).toBe(0o600)
    const again = await TuiTerminal.ready({ place })
    await inNormalMode(again, "two")
    again.type("@a@a")
    await again.shows("> two!!")
  })

  it("is a mark in the transcript", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("@say the place to come back to\r")
    await terminal.shows(/\n the place to come back to/)
    terminal.type(`@say ${"words ".repeat(400)}the end\r`)
    await terminal.hides(MARKED)
    await terminal.shows("words the end")
    await terminal.hides("esc to interrupt")
    terminal.type(`${KEY.window}t`)
    terminal.type("ggma")
    await terminal.shows(MARKED)
    terminal.type("i")
    await leave(terminal)
    const again = await TuiTerminal.start({ place: terminal.place, args: ["--continue"] })
    await again.shows("words the end")
    await again.hides(MARKED)
    again.type(`${KEY.window}t`)
    again.type("'a")
    await again.shows(MARKED)
  })

  it("is an arrangement of panes", async () => {
    const terminal = await TuiTerminal.ready({ columns: 120, rows: 40 })
    terminal.type("typed")
    await terminal.shows("> typed")
    terminal.type(`${KEY.window}a`)
    await terminal.shows("activity ━")
    terminal.type("i\u0015")
    await terminal.hides("typed")
    await leave(terminal)
    const again = await TuiTerminal.ready({ place: terminal.place, columns: 120, rows: 40 })
    await again.shows("activity ─")
  })

  it("is nothing where the file is broken, and that is told", async () => {
    const terminal = await TuiTerminal.ready()
    await leave(terminal)
    writeFileSync(join(terminal.place.config, "nacre", "shada.json"), "{ broken")
    const again = await TuiTerminal.ready({ place: terminal.place })
    again.type("x")
    await again.shows("shada.json")
    await again.shows("> x")
  })
})
