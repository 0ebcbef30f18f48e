import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { makePlace } from "../../support/built-cli.ts"
import { endpointEnv, serve } from "../../support/e2e-world.ts"
import { text, toolUse } from "../../support/messages-reply.ts"
import { putFile } from "../../support/temp-world.ts"
import { TuiTerminal } from "../../support/tui-terminal.ts"

/** Settings in the interface. */
describe.concurrent("settings", () => {
  it("that change while a session runs hold for its next call", async () => {
    const server = await serve([text("ready"), toolUse("Bash", { command: "touch never" }), text("it was denied")])
    const place = makePlace()
    putFile(join(place.config, "settings.json"), '{"permissions": {"allow": ["Bash(touch *)"]}}')
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server), place })
    terminal.type("hello\r")
    await terminal.shows(/\n ready/)
    writeFileSync(join(place.config, "settings.json"), '{"permissions": {"deny": ["Bash(touch *)"]}}')
    await terminal.shows("settings changed: permissions")
    terminal.type("touch it\r")
    await terminal.shows("it was denied")
    expect(existsSync(join(place.cwd, "never"))).toBe(false)
  })

  it("keep a rule that was saved in the dialog", async () => {
    const server = await serve([toolUse("Bash", { command: "touch one" }), text("it is there")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    const file = join(terminal.place.cwd, ".claude", "settings.local.json")
    terminal.type("touch one\r")
    await terminal.shows("┌ Bash in")
    await terminal.observe(200)
    terminal.type("2")
    await terminal.shows("it is there")
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      permissions: { allow: [expect.stringContaining("Bash(touch")] }
    })
  })
})
