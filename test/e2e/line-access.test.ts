import { describe, expect, it } from "vitest"
import { expectAppendOnly, KEYS, Terminal, type TerminalOptions } from "./line-terminal.ts"

/** Screen readers, dumb terminals and old locales. */
const ESCAPE = "\u001b"
const BELL = "\u0007"

/** One permission question and its answer, then the end. */
const visit = async (options: TerminalOptions): Promise<Terminal> => {
  const terminal = new Terminal(options)
  await terminal.until("you: ")
  terminal.enter("run `echo yes > out`")
  await terminal.until("answer: ")
  terminal.enter("1")
  await terminal.until("tool: Bash")
  await terminal.until("you: ")
  terminal.type(KEYS.end)
  expect(await terminal.ended).toBe(0)
  return terminal
}

describe("screen-reader mode", () => {
  it("by flag says so first, rings for questions and finished replies, marks the turns", async () => {
    const terminal = await visit({ args: ["--ax-screen-reader"] })
    expectAppendOnly(terminal)
    const { bells, marks, rows } = terminal.screen
    expect(rows[0]).toBe("[Screen Reader Mode: on via flag]")
    expect(bells).toBe(2)
    expect(marks).toEqual(["133;A", "133;C", "133;D;0", "133;A"])
    expect(rows).toContain("Permission Required: Bash")
    expect(rows.slice(0, rows.indexOf("Permission Required: Bash"))).not.toContain("")
  })

  it("by variable says so too; the flag is stronger, 0 is off", async () => {
    const byVariable = new Terminal({ env: { CLAUDE_AX_SCREEN_READER: "1" } })
    expect(await byVariable.until("]\r\n")).toContain("[Screen Reader Mode: on via env]")
    const both = new Terminal({ args: ["--ax-screen-reader"], env: { CLAUDE_AX_SCREEN_READER: "0" } })
    expect(await both.until("]\r\n")).toContain("[Screen Reader Mode: on via flag]")
    const off = new Terminal({ env: { CLAUDE_AX_SCREEN_READER: "0" } })
    expect(await off.until("\u001B[?1049h")).not.toContain("Screen Reader")
  })

  it("pauses after the first line until a key is pressed", async () => {
    const terminal = new Terminal({ args: ["--ax-screen-reader"], env: { CLAUDE_AX_STARTUP_QUIET_MS: "60000" } })
    const first = await terminal.until("flag]\r\n")
    expect(first).not.toContain("Nacre")
    terminal.type("h")
    await terminal.until("Nacre 0.")
    await terminal.until("you: ")
    terminal.enter("ello")
    await terminal.until("You said: hello")
    await terminal.until("For a real model")
    expectAppendOnly(terminal)
  })

  it("does not break lines at the edge and tells which word was deleted", async () => {
    const terminal = new Terminal({ args: ["--ax-screen-reader"], columns: 40 })
    await terminal.until("you: ")
    terminal.type("keep this remove")
    await terminal.until("remove")
    terminal.type(KEYS.deleteWord)
    await terminal.until("[deleted: remove]")
    await terminal.until("you: ")
    await terminal.until("keep this ")
    terminal.type(KEYS.interrupt)
    terminal.enter("@say one two three four five six seven eight nine ten eleven")
    await terminal.until("nacre: one two three four five six seven eight nine ten eleven\r\n")
  })
})

describe("a dumb terminal", () => {
  it("gets ASCII and no control sequence at all", async () => {
    const terminal = await visit({ env: { TERM: "dumb" } })
    expect(terminal.raw).not.toContain(ESCAPE)
    expect(terminal.raw).toMatch(/^[\n\r\t\u0020-\u007e]*$/)
    expect(terminal.raw).toContain("or Ctrl-C to cancel")
  })

  it("gets neither bells nor marks in screen-reader mode either", async () => {
    const terminal = await visit({ args: ["--ax-screen-reader"], env: { TERM: "dumb" } })
    expect(terminal.raw).not.toContain(ESCAPE)
    expect(terminal.raw).not.toContain(BELL)
    expect(terminal.screen.rows[0]).toBe("[Screen Reader Mode: on via flag]")
  })

  it("lets Ctrl-C take a question back, and leave when nothing runs", async () => {
    const terminal = new Terminal({ env: { TERM: "dumb" } })
    await terminal.until("you: ")
    terminal.enter("run `echo no > out`")
    await terminal.until("answer: ")
    terminal.type(KEYS.interrupt)
    await terminal.until("[interrupted]")
    await terminal.until("you: ")
    terminal.type(KEYS.interrupt)
    expect(await terminal.ended).toBe(0)
  })

  it("gets plain signs, but letters of any script stay where the locale can show them", async () => {
    const terminal = new Terminal({ env: { TERM: "dumb" } })
    await terminal.until("you: ")
    terminal.enter("@say “quoted” … naïve 日本")
    await terminal.until('nacre: "quoted" ... naïve 日本')
  })
})

describe("a locale without UTF-8", () => {
  it("gets nothing but ASCII, and no bell", async () => {
    const args = ["--ax-screen-reader", "@say “quoted” … naïve 日本"]
    const terminal = new Terminal({ args, env: { LC_ALL: "C" } })
    await terminal.until('nacre: "quoted" ... naive ??')
    await terminal.until("you: ")
    expect(terminal.raw).not.toContain(BELL)
    expect(terminal.raw).toMatch(/^[\u0000-\u007f]*$/)
  })
})
