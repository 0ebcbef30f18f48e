import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { endpointEnv, serve } from "../../support/e2e-world.ts"
import { gatedHead } from "../../support/messages-fault.ts"
import { gate, type Reply, text, toolUse } from "../../support/messages-reply.ts"
import { TuiTerminal } from "../../support/tui-terminal.ts"

/** Auto mode in the full-screen interface, in a real pseudo terminal. */
const SHIFT_TAB = "\u001b[Z"

const bash = (command: string): Reply => toolUse("Bash", { command })

/** The conversation's replies in order, and what the classifier says about commands by what is in them. */
const answering = (main: ReadonlyArray<Reply>, verdict: (action: string) => Reply) => {
  let said = 0
  return (body: Readonly<Record<string, unknown>>): Reply => {
    if (!JSON.stringify(body["system"]).includes("permission check of a coding agent"))
      return main[said++] ?? text("all said")
    const sent = JSON.stringify(body["messages"])
    return verdict(sent.slice(sent.lastIndexOf("<action>")))
  }
}

describe.concurrent("auto mode", () => {
  it("shows a dialog after three blocks in a row; an approval lets the classifier go on", async () => {
    const push = "git push --force"
    const blocks = text('{"block": true, "reason": "it overwrites the remote", "category": "shared_system"}')
    const replies = [bash(push), bash(push), bash(push), bash("touch four"), bash("touch five"), text("that is all")]
    const server = await serve(answering(replies, (action) => (action.includes(push) ? blocks : text('{"block": false}'))))
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server), columns: 120, rows: 40 })
    for (const label of ["accept edits", "plan", "auto"]) {
      terminal.type(SHIFT_TAB)
      await terminal.shows((screen) => (screen.split("\n").at(-1) ?? "").trim().startsWith(label), label)
    }
    terminal.type("go\r")
    const dialog = await terminal.shows("┌ Bash in")
    expect(dialog).toContain("touch four")
    expect(dialog.replaceAll(/[│\s]+/g, " ")).toContain("the classifier blocked 3 actions in a row, so you decide")
    expect(dialog.split("it overwrites the remote").length - 1).toBe(3)
    await terminal.takesAnswers()
    terminal.type("y")
    await terminal.shows("that is all")
    expect(["four", "five"].map((name) => existsSync(join(terminal.place.cwd, name)))).toEqual([true, true])
    terminal.type("/permissions\r")
    await terminal.shows("refused lately")
  })

  it("says that a call is being checked, and Escape ends the wait", async () => {
    const never = gate()
    const server = await serve(answering([bash("touch x")], () => gatedHead(never.opened, text('{"block": false}'))))
    const terminal = await TuiTerminal.ready({ args: ["--permission-mode", "auto"], env: endpointEnv(server) })
    terminal.type("go\r")
    await terminal.shows("being checked")
    terminal.type("\u001b")
    await terminal.hides("being checked")
    await terminal.hides("esc to interrupt")
    const look = await server.arrived(2)
    await look.closed
    expect([look.aborted, existsSync(join(terminal.place.cwd, "x"))]).toEqual([true, false])
    never.open()
  })
})
