import { describe, expect, it } from "vitest"
import { readVimrc } from "../../../../src/tui/app/commands/vimrc.ts"
import { shownBy, TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld } from "../pane-world.ts"

const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

const after = (...lines: ReadonlyArray<string>): TuiWorld => {
  const { world } = paneWorld()
  world.keys("<C-x><C-w>t")
  for (const line of lines) world.keys(`:${line.replaceAll("<", "<lt>")}<CR>`)
  return world
}

describe(":command", () => {
  it("gives a line a name of its own", () => {
    expect(after("command Quiet set nomouse", "Quiet").model.options.mouse).toBe(false)
    expect(after("com Quiet set nomouse", "Qu").model.options.mouse).toBe(false)
  })

  it("puts in arguments and the bang", () => {
    const world = after("command -nargs=1 -bang Out w<bang> <args>.md", "Out! notes")
    expect(world.done("WriteFile")).toMatchObject([{ path: expect.stringMatching(/\/notes\.md$/) }])
    expect(after("command -nargs=* Say /mode <args>", "Say plan").done("SetMode")).toMatchObject([{ mode: "plan" }])
    expect(after("command -nargs=? Sh !echo <lt>args> <args>", "Sh x").done("RunShell")).toMatchObject([
      { command: "echo <args> x" }
    ])
  })

  it("may stand for another of them, but not for itself", () => {
    expect(after("command One set nomouse", "command Two One", "Two").model.options.mouse).toBe(false)
    expect(noticeOf(after("command Me Me", "Me"))).toBe("E169: Me stands for itself")
  })

  it.each([
    [["command low set nomouse"], "E183"],
    [["command A-b set nomouse"], "E183"],
    [["command Dup marks", "command Dup jumps"], "E174"],
    [["command -nargs=2 X marks"], "E176"],
    [["command -range X marks"], "E181: -range"],
    [["command X marks", "X y"], "E488"],
    [["command X marks", "X!"], "E477"],
    [["command X marks", "1,2X"], "E481"],
    [["command -nargs=+ X w <args>", "X"], "E471"],
    [["command Xa marks", "command Xb jumps", "X"], "E464: ambiguous: Xa, Xb"],
    [["delcommand Nope"], "E184"],
    [["command Xyz marks", "delcommand Xyz", "Xyz"], "E492"],
    [["command Xy marks", "comclear", "Xy"], "E492"],
    [["command"], "no command of yours"],
    [["constructor"], "E492"],
    [["valueOf"], "E492"]
  ])("%j tells %s", (lines, words) => {
    expect(noticeOf(after(...lines))).toContain(words)
  })

  it("replaces with !, lists, and completes", async () => {
    const world = after("command Dup marks", "command! -bang Dup jumps", "command")
    expect((await shownBy(world.screen())).text().join("\n")).toMatch(/! Dup {2}0 {2}jumps/)
    world.keys("<Esc>:Du<Tab>")
    expect(world.model.line?.text).toBe("Dup")
  })

  it("still takes a capital letter for the command that it begins", () => {
    expect(after("Q!").done("Quit")).toHaveLength(1)
  })

  it("works from the prompt of vim, too", () => {
    const { world } = paneWorld(120, 40, { options: { editorMode: "vim" } })
    world.keys("<Esc>:command Quiet set nomouse<CR>:Quiet<CR>", 200)
    expect(world.model.options.mouse).toBe(false)
  })

  it("is read from the vimrc", () => {
    const { model, problems } = readVimrc(
      new TuiWorld().initial,
      "command! -nargs=1 See view <args>\ncommand X\ncommand lower marks"
    )
    expect([...model.userCommands.keys()]).toEqual(["See"])
    expect(problems.map(({ line, words }) => `${line} ${words.slice(0, 4)}`)).toEqual(["2 E471", "3 E183"])
  })
})
