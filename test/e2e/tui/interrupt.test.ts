import { describe, expect, it } from "vitest"
import { conversation, endpointEnv, serve } from "../../support/e2e-world.ts"
import { silent, stallAfter } from "../../support/messages-fault.ts"
import { text } from "../../support/messages-reply.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** Stopping what runs: at once, by Escape or Ctrl+C, and what waited is sent then (acceptance 9). */

const busy = async () => {
  const server = await serve([stallAfter(3, text("I begin and never end")), text("the next answer")])
  const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
  terminal.type("begin\r")
  await terminal.shows("I begin and never end")
  return { server, terminal }
}

describe.concurrent("interrupting", () => {
  for (const [name, key] of [
    ["Escape", KEY.escape],
    ["Ctrl+C", KEY.ctrlC]
  ] as const) {
    it(`${name} stops the turn, and the session goes on`, async () => {
      const { terminal } = await busy()
      terminal.type(key)
      await terminal.hides("esc to interrupt")
      expect(terminal.text.toLowerCase()).toContain("interrupted")
      terminal.type("again\r")
      await terminal.shows("the next answer")
    })
  }

  it("gives a prompt back that nobody answered, and forgets it", async () => {
    const server = await serve([silent(), text("the real answer")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    terminal.type("count the shepe\r")
    await terminal.shows("esc to interrupt")
    await server.arrived(1)
    terminal.type(KEY.escape)
    await terminal.hides("esc to interrupt")
    await terminal.shows("count the shepe")
    terminal.type("\u007f\u007fep\r")
    await terminal.shows("the real answer")
    expect(conversation(server.requests[1])).toContain("count the sheep")
    expect(conversation(server.requests[1])).not.toContain("shepe")
  })

  it("sends what was queued", async () => {
    const { server, terminal } = await busy()
    terminal.type("this waits\r")
    await terminal.shows("queued: this waits")
    terminal.type(KEY.escape)
    await terminal.shows("the next answer")
    expect(conversation(server.requests[1])).toContain("this waits")
  })

  it("stops a command that runs", async () => {
    const terminal = await TuiTerminal.ready({ args: ["--permission-mode", "bypassPermissions"] })
    terminal.type("run `echo started; sleep 600`\r")
    await terminal.shows("running Bash")
    terminal.type(KEY.escape)
    await terminal.hides("esc to interrupt")
    expect(terminal.text).toMatch(/⊘ Bash|✗ Bash/)
  })

  it("leaves at the third Ctrl+C at the latest", async () => {
    const { terminal } = await busy()
    terminal.type("\u0003\u0003\u0003")
    expect([0, 130]).toContain(await terminal.ended)
    expect(terminal.emulator.modes().altScreen).toBe(false)
  })
})
