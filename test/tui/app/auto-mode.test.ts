import { describe, expect, it } from "vitest"
import { bash } from "../../core/loop/response-plan.ts"
import type { Script } from "../../core/loop/script.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** Auto mode on screen: how it is reached, that a call is being checked, what was blocked, and when a dialog comes. */
const shown = async (made: TuiWorld): Promise<string> => (await shownBy(made.screen())).text().join("\n")

const world = (columns = 120, rows = 40): { readonly made: TuiWorld; readonly script: Script } => {
  const made = new TuiWorld({ size: { columns, rows } })
  const script = made.open(SESSION, { permission: permissions({ mode: "auto", allow: ["Bash", "Bash(ls *)"] }) })
  return { made, script }
}

const callIn = (script: Script, id: string, command: string): void => {
  if (script.phase === "Idle" || script.phase === "Done") script.begin("do it")
  script.respond({ calls: [bash(id, command)] })
  script.prepare(id)
}

const BLOCKED = { _tag: "Judged", block: true, reason: "it overwrites the remote", category: "shared_system" } as const

describe("auto mode on screen", () => {
  it("comes after plan with Shift+Tab, and goes back to the start", () => {
    const made = new TuiWorld()
    const { bypassAvailable: _none, ...context } = permissions()
    const script = made.open(SESSION, { permission: { ...context, bypassAvailable: false } })
    const seen: Array<string> = []
    for (let press = 0; press < 4; press++) {
      made.keys("<S-Tab>")
      const mode = made.done("SetMode").at(-1)?.mode ?? "default"
      seen.push(mode)
      script.feed({ _tag: "ModeChanged", mode })
    }
    expect(seen).toEqual(["acceptEdits", "plan", "auto", "default"])
  })

  it.each([
    [120, 40],
    [80, 24],
    [40, 12]
  ])("says at %ix%i that a call is being checked", async (columns, rows) => {
    const { made, script } = world(columns, rows)
    callIn(script, "c", "make all")
    const screen = await shown(made)
    expect(screen).toContain(columns === 40 ? "checking Bash" : "being checked")
    expect(screen).toMatch(/\bauto\b/)
    made.keys("<Esc>")
    expect(made.done("Interrupt")).toHaveLength(1)
  })

  it("lists what was blocked with its reason, and marks the rules that do not count", async () => {
    const { made, script } = world()
    callIn(script, "c", "git push")
    script.checked(BLOCKED)
    script.respond({ text: "then not" })
    made.keys("/permissions<CR>")
    const screen = await shown(made)
    expect(screen).toMatch(/refused lately[\s\S]*git push[\s\S]*it overwrites/)
    expect(screen).toMatch(/Bash +CLI argument, set aside in auto mode/)
    expect(screen).not.toMatch(/Bash\(ls \*\) +CLI argument, set aside/)
  })

  it("opens a dialog after three blocks in a row, and none before", async () => {
    const { made, script } = world()
    for (const id of ["a", "b", "c"]) {
      callIn(script, id, "git push")
      script.checked(BLOCKED)
    }
    expect(await shown(made)).not.toContain("Bash in /project")
    callIn(script, "d", "make all")
    made.wait(500)
    expect(await shown(made)).toContain("Bash in /project")
    expect(await shown(made)).toContain("3 actions in a row")
  })
})
