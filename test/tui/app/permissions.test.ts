import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"
import { permissions } from "../../support/loop-fixture.ts"
import { bash } from "../../core/loop/response-plan.ts"

/** The list of `/permissions`: one rule from the command line, one call that was refused. */

const world = (): TuiWorld => {
  const made = new TuiWorld({ size: { columns: 120, rows: 40 }, options: { editorMode: "normal" } })
  const script = made.open(SESSION, { permission: permissions({ allow: ["Bash(git status)"] }) })
  script.begin("do it")
  script.respond({ calls: [bash("call-1", "make all")] })
  script.prepare("call-1")
  made.wait(300)
  made.keys("n")
  for (const { answer } of made.done("Answer")) script.answer("call-1", answer)
  made.wait(5_000)
  return made
}

const shown = async (made: TuiWorld): Promise<string> => (await shownBy(made.screen())).text().join("\n")

describe("/permissions", () => {
  it("lists what was refused, the rules with their source, and the directories", async () => {
    const made = world()
    made.keys("/permissions<CR>")
    const screen = await shown(made)
    for (const text of ["refused lately", "make all", "Bash(git status)", "CLI argument", "working directories"]) {
      expect(screen).toContain(text)
    }
  })

  it("takes a rule back, and says how it comes back", async () => {
    const made = world()
    made.keys("/permissions<CR>jD")
    expect(made.done("UpdatePermissions").map(({ updates }) => updates)).toEqual([
      [
        {
          type: "removeRules",
          rules: [{ toolName: "Bash", ruleContent: "git status" }],
          behavior: "allow",
          destination: "cliArg"
        }
      ]
    ])
    expect(await shown(made)).toContain("/permissions allow Bash(git status)")
  })

  it("puts a refused call into the prompt to be tried again", () => {
    const made = world()
    made.keys("/permissions<CR>r")
    expect(textIn(made.session().prompt.editor)).toContain("make all")
    expect(made.model.overlays.opened).toBeUndefined()
  })

  it("adds a rule for this project, and says what is wrong with one", async () => {
    const made = world()
    made.keys("/permissions deny Bash(make *)<CR>")
    expect(made.done("UpdatePermissions").map(({ updates }) => updates)).toEqual([
      [
        {
          type: "addRules",
          rules: [{ toolName: "Bash", ruleContent: "make *" }],
          behavior: "deny",
          destination: "localSettings"
        }
      ]
    ])
    made.keys("/permissions deny Bash(<CR>")
    expect(await shown(made)).toContain("not a rule")
  })
})
