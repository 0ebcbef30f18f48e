import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { endpointEnv, saidBy, sentResults, serve } from "../../support/e2e-world.ts"
import { gatedHead } from "../../support/messages-fault.ts"
import { gate, text, toolUse } from "../../support/messages-reply.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** The dialog: it shows what would happen, and only a deliberate key answers it. */
describe.concurrent("the permission dialog", () => {
  it("is not answered by what is typed when it opens (acceptance 2)", async () => {
    const asked = gate()
    const ask = toolUse("Write", { file_path: "made.txt", content: "made\n" })
    const server = await serve([gatedHead(asked.opened, ask), text("done")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    terminal.type("make it\r")
    await terminal.shows("waiting for the model")
    terminal.type("yes plea")
    await terminal.shows("> yes plea")
    asked.open()
    await terminal.shows("1 waiting")
    terminal.type("se")
    // The hands are still: now it opens, and the text is where it was typed.
    const screen = await terminal.shows("┌ Write")
    expect(screen).toContain("> yes please")
    expect(existsSync(join(terminal.place.cwd, "made.txt"))).toBe(false)
    await terminal.takesAnswers()
    terminal.type("y")
    await terminal.shows(/\n done/)
    expect(readFileSync(join(terminal.place.cwd, "made.txt"), "utf8")).toBe("made\n")
    expect(terminal.text).toContain("> yes please")
  })

  it("refuses with a word, and the model goes on with it", async () => {
    const server = await serve([toolUse("Bash", { command: "rm -rf build" }), text("I leave it then")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    terminal.type("clean up\r")
    await terminal.shows("┌ Bash in")
    expect(terminal.text).toContain("rm -rf build")
    await terminal.takesAnswers()
    terminal.type("jj\tkeep the build\r")
    await terminal.shows("I leave it then")
    expect(saidBy(sentResults(server.requests[1])[0])).toContain("keep the build")
  })

  it("saves a rule as it was edited, and does not ask again", async () => {
    const server = await serve([
      toolUse("Bash", { command: "touch one" }),
      toolUse("Bash", { command: "touch two" }),
      text("both are there")
    ])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    terminal.type("touch both\r")
    await terminal.shows("┌ Bash in")
    await terminal.takesAnswers()
    terminal.type("e")
    await terminal.shows("Bash(touch")
    terminal.type("\u0015Bash(touch:*)\r")
    await terminal.shows("always in this project: Bash(touch:*)")
    terminal.type("2")
    await terminal.shows("both are there")
    expect(existsSync(join(terminal.place.cwd, "two"))).toBe(true)
  })

  it("stops the turn on a plain no, also with Escape", async () => {
    const ask = toolUse("Bash", { command: "touch never" })
    const server = await serve([ask, ask])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    for (const key of ["n", KEY.escape]) {
      terminal.type("try\r")
      await terminal.shows("┌ Bash in")
      await terminal.takesAnswers()
      terminal.type(key)
      await terminal.hides("┌ Bash in")
      await terminal.hides("esc to interrupt")
    }
    expect(existsSync(join(terminal.place.cwd, "never"))).toBe(false)
    expect(server.requests).toHaveLength(2)
  })

  it("asks a question of the model's own, and tells the answer", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("ask me which colour: red, green or blue\r")
    await terminal.shows(/green[\s\S]*blue/)
    await terminal.takesAnswers()
    terminal.type("j\r")
    await terminal.shows((screen) => /green/.test(screen) && !screen.includes("Other"), "the answer")
  })
})
