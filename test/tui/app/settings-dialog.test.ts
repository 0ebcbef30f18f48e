import { describe, expect, it } from "vitest"
import type { SettingsQuestion } from "../../../src/core/settings/startup-question.ts"
import { settingsDialog } from "../../../src/tui/line/dialogs/settings-dialog.ts"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"

const BROKEN: SettingsQuestion = {
  problems: [
    {
      level: "error",
      source: "userSettings",
      file: "/home/me/.claude/settings.json",
      line: 3,
      column: 9,
      path: "",
      message: "not JSON: comments are not allowed",
      suggestion: "remove the comment",
      excerpt: `  "a": 1, // mine\u001b[31m\n        ^`
    }
  ],
  fixable: { file: "/home/me/.claude/settings.json", line: 3 }
}

const MANAGED: SettingsQuestion = { ...BROKEN, fixable: undefined }

const asked = (question = BROKEN, size = { columns: 100, rows: 30 }): TuiWorld => {
  const world = new TuiWorld({ size })
  world.tell({ _tag: "SettingsAsked", question })
  return world
}

const answers = (world: TuiWorld): ReadonlyArray<string> => world.done("AnswerSettings").map(({ answer }) => answer)

const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("the dialog about settings", () => {
  it.each([
    [120, 40],
    [80, 24],
    [40, 12]
  ])("shows place, excerpt and fix at %i columns and %i rows", async (columns, rows) => {
    const screen = await screenOf(asked(BROKEN, { columns, rows }))
    for (const part of [
      "A settings file cannot be used",
      "settings.json:3:9",
      "comments are",
      '"a": 1, // mine',
      "▸ 1 Fix settings.json",
      "2 Continue without this file",
      "3 Exit"
    ]) {
      expect(screen).toContain(part)
    }
    if (rows > 12) expect(screen).toContain("Fix: remove the comment")
  })

  it.each([
    ["1", "edit"],
    ["2", "continue"],
    ["3", "exit"],
    ["<CR>", "edit"],
    ["<Esc>", "exit"],
    ["j<CR>", "continue"],
    ["k<CR>", "exit"]
  ])("%s answers %s", (keys, answer) => {
    const world = asked()
    world.wait(200)
    world.keys(keys)
    expect(answers(world)).toEqual([answer])
    expect(world.model.overlays.shown).toBeUndefined()
  })

  it("is not answered in its first moment or by a held key", () => {
    const world = asked()
    world.keys("2<CR>", 10)
    world.now += 300
    world.tell({ _tag: "Input", event: { _tag: "Key", stroke: "2", kind: "repeat", text: "2" } })
    expect(answers(world)).toEqual([])
  })

  it("offers no editor for what others manage, and leaves by default", () => {
    const world = asked(MANAGED)
    world.wait(200)
    world.keys("<CR>")
    expect(answers(world)).toEqual(["exit"])
  })

  it("says why the editor did not help", async () => {
    expect(await screenOf(asked({ ...BROKEN, note: "the editor `x` was not found" }))).toContain(
      "the editor `x` was not found"
    )
  })
})

describe("the same in plain lines", () => {
  it("says everything and takes a number; Enter alone exits", () => {
    const dialog = settingsDialog(BROKEN)
    const text = dialog.lines.join("\n")
    for (const part of [
      "settings.json:3:9",
      "comments are not allowed",
      "Fix: remove the comment",
      "1. Fix settings.json in the editor"
    ]) {
      expect(text).toContain(part)
    }
    expect(dialog.read("2")).toEqual({ _tag: "Answered", answer: "continue" })
    expect(dialog.read("")).toEqual({ _tag: "Answered", answer: "exit" })
    expect(dialog.read("9")._tag).toBe("Again")
  })
})
