import { describe, expect, it } from "vitest"
import type { SandboxLook } from "../../../src/core/sandbox/report.ts"
import { SANDBOX_OFF, type SandboxSettings } from "../../../src/core/sandbox/settings.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** `/sandbox` and the word in the status row. */
const look = (settings: Partial<SandboxSettings> = {}, missing = false): SandboxLook => ({
  settings: { ...SANDBOX_OFF, enabled: true, ...settings },
  availability: missing
    ? { available: false, why: "bubblewrap is not installed", fix: "install it" }
    : { available: true, program: "/usr/bin/bwrap" },
  workingDirs: ["/project"],
  allowedHosts: ["a.example"],
  deniedHosts: [],
  unknownHosts: "ask"
})

const ON = { enabled: true, autoAllow: true, excluded: [], mayLeave: true }

const worldWith = (sandbox = ON): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 120, rows: 40 }, options: { editorMode: "normal" } })
  world.open(SESSION, { permission: { ...permissions(), sandbox } })
  return world
}

const opened = (seen: SandboxLook): TuiWorld => {
  const world = worldWith()
  world.keys("/sandbox<CR>")
  expect(world.done("LookAtSandbox").at(-1)).toEqual({ _tag: "LookAtSandbox", session: SESSION, opens: true })
  world.tell({ _tag: "SandboxSeen", look: seen, opens: true })
  return world
}

const textOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("/sandbox", () => {
  it("shows mode, overrides, what holds here and what it stands on", async () => {
    const text = await textOf(opened(look()))
    for (const part of [
      "▸ sandboxed, without questions",
      "• commands may ask to run outside",
      "may write  /project, $TMPDIR",
      "allowed hosts  a.example",
      "other hosts  you are asked",
      "isolation  /usr/bin/bwrap works"
    ]) {
      expect(text).toContain(part)
    }
    expect(await textOf(opened(look({}, true)))).toMatch(/isolation {2}bubblewrap is not installed[^]*fix {2}install it/)
  })

  it.each([
    [
      "j<CR>",
      [
        ["sandbox.enabled", true],
        ["sandbox.autoAllowBashIfSandboxed", false]
      ]
    ],
    ["jj<CR>", [["sandbox.enabled", false]]],
    ["jjj<CR>", [["sandbox.allowUnsandboxedCommands", false]]],
    ["jjjj<CR>", [["sandbox.network.strictAllowlist", true]]]
  ])("%s changes the settings", (keys, changes) => {
    const world = opened(look())
    world.keys(keys)
    expect(world.done("ChangeSandbox").map((cmd) => cmd.changes.map(({ key, value }) => [key, value]))).toEqual([changes])
  })

  it("stays where it is after a choice, tries to break out with t, and shows a line whole", async () => {
    const world = opened(look())
    world.keys("jjj<CR>")
    world.tell({ _tag: "SandboxSeen", look: look({ allowUnsandboxedCommands: false }), opens: true })
    expect(await textOf(world)).toContain("▸ commands may ask to run outside")
    world.keys("t")
    expect(world.done("TestSandbox")).toHaveLength(1)
    world.keys("jj<CR>")
    expect(await textOf(world)).toContain("/usr/bin/bwrap works")
  })
})

describe("the status row", () => {
  const lastRow = async (world: TuiWorld): Promise<string> => (await textOf(world)).split("\n").at(-1) ?? ""

  it("says that commands are confined, or should be and cannot be", async () => {
    const world = worldWith()
    expect(world.done("LookAtSandbox")).toEqual([{ _tag: "LookAtSandbox", session: SESSION, opens: false }])
    expect(await lastRow(world)).toContain("· sandbox ·")
    world.tell({ _tag: "SandboxSeen", look: look({}, true), opens: false })
    expect(await lastRow(world)).toContain("sandbox unavailable")
  })

  it("says nothing without a sandbox, and nobody looks for one", async () => {
    const world = worldWith({ ...ON, enabled: false })
    expect(world.done("LookAtSandbox")).toEqual([])
    expect(await lastRow(world)).not.toContain("sandbox")
  })
})
