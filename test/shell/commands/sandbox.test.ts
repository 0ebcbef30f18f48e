import { describe, expect, it } from "vitest"
import { SANDBOX_OFF, type SandboxSettings } from "../../../src/core/sandbox/settings.ts"
import type { CommandIo } from "../../../src/shell/commands/io/command-io.ts"
import { runSandbox } from "../../../src/shell/commands/sandbox.ts"
import { sandboxWorks } from "../../support/sandbox-world.ts"

const run = async (sub: string, settings: SandboxSettings = SANDBOX_OFF, flags: Readonly<Record<string, true>> = {}) => {
  const said: Array<string> = []
  const io: CommandIo = {
    env: {},
    cwd: "/",
    home: "/",
    stdinIsTerminal: false,
    lineBlocks: async function* () {},
    secret: () => Promise.resolve(""),
    out: (text) => void said.push(text),
    err: (text) => void said.push(text)
  }
  const code = await runSandbox({ sub, operands: [], flags }, io, settings)
  return { code, text: said.join("") }
}

describe.skipIf(!sandboxWorks())("nacre sandbox", () => {
  it("test: tries every way out and says the next step", async () => {
    const { code, text } = await run("test")
    expect(text.split("\n")).toEqual([
      "pass  write in the project",
      "pass  write outside",
      "pass  read a hidden secret",
      "pass  reach the network",
      "pass  rename over a protected file",
      "pass  create a missing settings file",
      "pass  talk to a unix socket",
      "pass  trace other processes",
      "Next step: set sandbox.enabled to true in your settings to confine commands",
      ""
    ])
    expect(code).toBe(0)
  })

  it("answers programs in JSON", async () => {
    expect(JSON.parse((await run("test", SANDBOX_OFF, { json: true })).text)).toMatchObject({
      available: true,
      held: true,
      attempts: expect.arrayContaining([{ name: "write outside", held: true }]) as unknown
    })
    expect(JSON.parse((await run("status", { ...SANDBOX_OFF, enabled: true }, { json: true })).text)).toMatchObject({
      available: true,
      enabled: true,
      autoAllow: true,
      settings: { excludedCommands: [] }
    })
  })

  it("status: tells what is on", async () => {
    const { code, text } = await run("status", { ...SANDBOX_OFF, enabled: true, excludedCommands: ["docker *"] })
    expect(text).toContain("sandbox: on\navailable: yes\n")
    expect(text).toContain("always outside: docker *\n")
    expect(code).toBe(0)
  })
})

describe("nacre sandbox where there is none", () => {
  it("names the one fix", async () => {
    const settings = { ...SANDBOX_OFF, bwrapPath: "/no/bwrap" }
    const { code, text } = await run("test", settings)
    expect(text).toBe(
      "The sandbox is not available: bubblewrap is not installed.\n" +
        "Next step: run: sudo apt-get install bubblewrap (or your system's command for it)\n"
    )
    expect(code).toBe(1)
    expect((await run("status", settings)).code).toBe(1)
  })
})
