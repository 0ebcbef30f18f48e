import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { endpointEnv, serve } from "../../support/e2e-world.ts"
import { gatedHead } from "../../support/messages-fault.ts"
import { gate, type Reply, text, toolUse } from "../../support/messages-reply.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** Several sessions in one process: their questions and words stay apart (acceptance 13). */
describe.concurrent("two sessions", () => {
  it("ask apart, and answering one leaves the other waiting", async () => {
    const asking = gate()
    const ask = (name: string): Reply => gatedHead(asking.opened, toolUse("Bash", { command: `touch ${name}` }))
    const server = await serve([ask("first"), ask("second"), text("done with it")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server), columns: 120, rows: 40 })
    terminal.type("the first task\r")
    await terminal.until(() => server.requests.length === 1, "the first request")
    terminal.type(`${KEY.window}n`)
    await terminal.shows("new session")
    terminal.type(`${KEY.window}ithe second task\r`)
    await terminal.until(() => server.requests.length === 2, "the second request")
    asking.open()
    // The session that has the prompt asks first; the other waits behind it.
    await terminal.shows(/┌ Bash in [\s\S]*touch second[\s\S]*1 Yes/)
    await terminal.shows("2 waiting")
    await terminal.takesAnswers()
    terminal.type("y")
    await terminal.shows(/┌ Bash in [\s\S]*touch first[\s\S]*1 Yes/)
    await terminal.shows("done with it")
    expect(existsSync(join(terminal.place.cwd, "second"))).toBe(true)
    expect(existsSync(join(terminal.place.cwd, "first"))).toBe(false)
    await terminal.takesAnswers()
    terminal.type("n")
    await terminal.hides("┌ Bash in")
    expect(existsSync(join(terminal.place.cwd, "first"))).toBe(false)
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
