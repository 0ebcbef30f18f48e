import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { endpointEnv, serve } from "../../support/e2e-world.ts"
import { text, toolUse } from "../../support/messages-reply.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** Several sessions in one process: their questions and words stay apart (acceptance 13). */
describe("two sessions", () => {
  it("ask apart, and answering one leaves the other waiting", async () => {
    const server = await serve([toolUse("Bash", { command: "touch first" }), toolUse("Bash", { command: "touch second" }), text("done with it")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server), columns: 120, rows: 40 })
    terminal.type("the first task\r")
    await terminal.shows("touch first")
    // The dialog waits while a second session is opened through the palette of window keys.
    await terminal.observe(200)
    terminal.type("n")
    await terminal.hides("Permission: Bash")
    terminal.type(`${KEY.window}n`)
    await terminal.shows("new session")
    terminal.type("the second task\r")
    await terminal.shows("touch second")
    await terminal.observe(200)
    terminal.type("y")
    await terminal.shows("done with it")
    expect(existsSync(join(terminal.place.cwd, "second"))).toBe(true)
    expect(existsSync(join(terminal.place.cwd, "first"))).toBe(false)
    expect(terminal.text).not.toContain("the first task")
  })

  it("resumes an old one from the browser", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("@say an old story\r")
    await terminal.shows(/\n an old story/)
    terminal.type("/clear\r")
    await terminal.shows((screen) => !screen.includes("an old story") && screen.includes("Try: tour"), "a new session")
    terminal.type("/resume\r")
    await terminal.shows(/Sessions|Resume/i)
    await terminal.shows("@say an old story")
    terminal.type("\r")
    await terminal.shows(/\n an old story[\s\S]*Type a message/)
  })
})
