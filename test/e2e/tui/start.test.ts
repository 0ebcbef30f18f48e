import { describe, expect, it } from "vitest"
import { makePlace } from "../../support/built-cli.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** The first and the last moments: typing works at once, and the terminal comes back as it was. */
describe("start and end", () => {
  it("takes what is typed before anything is drawn", async () => {
    const terminal = await TuiTerminal.start()
    terminal.type("@say Good morning.")
    await terminal.shows("> @say Good morning.")
    expect(terminal.emulator.modes()).toMatchObject({ altScreen: true, paste: true, focus: true, mouse: "drag" })
    terminal.type(KEY.enter)
    await terminal.shows(/\n Good morning\./)
  })

  it("asks a new user for colours, until something is typed", async () => {
    const terminal = await TuiTerminal.start({ place: makePlace() })
    await terminal.shows("First start: colours")
    terminal.type("x")
    await terminal.hides("First start")
    expect(terminal.text).toContain("> x")
  })

  it("asks twice before it leaves, restores the terminal and tells how to come back", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("@say Remember me.\r")
    await terminal.shows(/\n Remember me\.[\s\S]*Type a message/)
    terminal.type(KEY.ctrlC)
    await terminal.shows("press Ctrl+C again to leave")
    terminal.type(KEY.ctrlC)
    expect(await terminal.ended).toBe(0)
    const restored = { altScreen: false, paste: false, focus: false, mouse: "none", sync: false }
    expect(terminal.emulator.modes()).toEqual(restored)
    const id = /nacre --resume ([\da-f-]{36})/.exec(terminal.text)?.[1] ?? ""
    const again = await TuiTerminal.ready({ place: terminal.place, args: ["--resume", id] })
    expect(again.text).toContain("Remember me.")
  })

  it("asks for the keys that this terminal can send, and gives the keyboard back", async () => {
    const terminal = await TuiTerminal.ready()
    await terminal.wrote(/\u001B\[>4;2m/)
    terminal.type("one\u001B[27;2;13~two")
    await terminal.shows(/one\s+two/)
    terminal.type(KEY.ctrlC)
    terminal.type(`${KEY.ctrlC}${KEY.ctrlC}`)
    await terminal.ended
    expect(terminal.raw.lastIndexOf("\u001B[>4;0m")).toBeGreaterThan(terminal.raw.lastIndexOf("\u001B[>4;2m"))
  })

  it("leaves by the command, and by Ctrl+D on an empty prompt", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("/exit\r")
    expect(await terminal.ended).toBe(0)
    const other = await TuiTerminal.ready()
    other.type(KEY.ctrlD)
    await other.shows("press Ctrl+D again to leave")
    other.type(KEY.ctrlD)
    expect(await other.ended).toBe(0)
  })

  it("writes no colour with NO_COLOR, and still draws everything", async () => {
    const terminal = await TuiTerminal.ready({ env: { NO_COLOR: "1" }, columns: 120, rows: 40 })
    terminal.type("write hello.txt with Hello!\r")
    await terminal.shows("┌ Write")
    await terminal.shows(/\+ ?Hello!/)
    const codes = [...terminal.raw.matchAll(/\u001B\[([\d;:]*)m/g)].flatMap(([, all = ""]) => all.split(";"))
    expect(codes.filter((code) => /^(?:3[0-8]|4[0-8]|9\d|10\d)$/.test(code))).toEqual([])
  })

  it("writes nothing while nothing changes", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("hello")
    await terminal.shows("> hello")
    // What the start still had to say has been said when a key was drawn and answered; from here on nothing changes.
    await terminal.observe(300)
    expect(await terminal.observe(2_000)).toBe("")
  })
})
