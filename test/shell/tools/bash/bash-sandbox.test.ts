import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, describe, expect, it } from "vitest"
import { SANDBOX_OFF, type SandboxSettings } from "../../../../src/core/sandbox/settings.ts"
import { sandboxWorks } from "../../../support/sandbox-world.ts"
import { type BashHarness, makeBashHarness } from "./bash-harness.ts"

const REQUIRED: SandboxSettings = { ...SANDBOX_OFF, enabled: true }
const BROKEN: SandboxSettings = { ...REQUIRED, bwrapPath: "/no/bwrap" }

const made: Array<BashHarness> = []
afterEach(() => Promise.all(made.splice(0).map((harness) => harness.close())))

const harnessWith = (settings: SandboxSettings): BashHarness => {
  const harness = makeBashHarness(settings)
  made.push(harness)
  return harness
}

const outside = (harness: BashHarness): string => join(harness.root, "outside")

describe.skipIf(!sandboxWorks())("Bash in a sandbox", () => {
  it("writes inside, not outside, and says what was refused", async () => {
    const harness = harnessWith(REQUIRED)
    const command = `echo x > inside; echo y > ${outside(harness)}`
    const { content, isError, data } = await harness.run(harness.bash(command))
    expect(isError).toBe(true)
    expect(content).toContain(
      `<sandbox_violations>\nwrite ${outside(harness)}: it is outside the directories that commands may write\n` +
        "</sandbox_violations>"
    )
    expect(data.dangerouslyDisableSandbox).toBeUndefined()
    expect(readFileSync(join(harness.projectDir, "inside"), "utf8")).toBe("x\n")
    expect(existsSync(outside(harness))).toBe(false)
  })

  it("follows the directory as without one", async () => {
    const harness = harnessWith(REQUIRED)
    mkdirSync(join(harness.projectDir, "sub"))
    expect((await harness.run(harness.bash("cd sub"))).cwd).toBe(join(harness.projectDir, "sub"))
  })

  it("runs outside when the call asks for it and the settings let it", async () => {
    const harness = harnessWith(REQUIRED)
    const call = { command: `echo y > ${outside(harness)}`, dangerouslyDisableSandbox: true }
    const { data } = await harness.run(harness.bash(call))
    expect(data.dangerouslyDisableSandbox).toBe(true)
    expect(existsSync(outside(harness))).toBe(true)
  })

  it("stays inside when the settings do not let it out", async () => {
    const harness = harnessWith({ ...REQUIRED, allowUnsandboxedCommands: false })
    const call = { command: `echo y > ${outside(harness)}`, dangerouslyDisableSandbox: true }
    const { data } = await harness.run(harness.bash(call))
    expect(data.dangerouslyDisableSandbox).toBeUndefined()
    expect(existsSync(outside(harness))).toBe(false)
  })

  it("runs excluded commands outside", async () => {
    const harness = harnessWith({ ...REQUIRED, excludedCommands: ["touch *"] })
    await harness.run(harness.bash(`touch ${outside(harness)}`))
    expect(existsSync(outside(harness))).toBe(true)
  })
})

describe("a sandbox that is required and cannot start", () => {
  it("runs nothing, names the fix and the way to ask", async () => {
    const harness = harnessWith(BROKEN)
    const refused = await harness.run(Effect.flip(harness.bash("echo x > ran")))
    expect(String(refused)).toMatch(/was not run\. The sandbox is required.*Fix: .*\n.*dangerouslyDisableSandbox/s)
    expect(existsSync(join(harness.projectDir, "ran"))).toBe(false)
  })

  it.each<Partial<SandboxSettings>>([{ failIfUnavailable: true }, { allowUnsandboxedCommands: false }])(
    "offers no way out with %j",
    async (settings) => {
      const harness = harnessWith({ ...BROKEN, ...settings })
      const refused = await harness.run(Effect.flip(harness.bash("echo x > ran")))
      expect(String(refused)).not.toContain("dangerouslyDisableSandbox")
      expect(existsSync(join(harness.projectDir, "ran"))).toBe(false)
    }
  )
})

describe("variables that are kept back", () => {
  it("are hinted at once, when a command that names one fails", async () => {
    const harness = harnessWith(SANDBOX_OFF)
    const env = { PATH: process.env["PATH"], MY_TOKEN: "hush" }
    const call = () => harness.run(harness.bash('false "$MY_TOKEN"', { env }))
    expect((await call()).content).toContain("MY_TOKEN is not passed to commands")
    expect((await call()).content).not.toContain("is not passed")
  })
})
