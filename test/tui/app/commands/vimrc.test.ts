import { describe, expect, it } from "vitest"
import { readVimrc } from "../../../../src/tui/app/commands/vimrc.ts"
import { shownBy, TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld } from "../pane-world.ts"

const source = (text: string) => readVimrc(new TuiWorld().initial, text)

describe("the vimrc", () => {
  it("sets options and maps keys, and skips comments", () => {
    const { model, problems } = source('" mine\nset codewrap thinking=show\r\n\n:nnoremap Q zz\nimap jk <Esc>\n')
    expect(problems).toEqual([])
    expect(model.options).toMatchObject({ codeWrap: true, thinking: "show" })
    expect(model.keys.mappings).toEqual([
      { mode: "n", from: ["Q"], to: ["z", "z"] },
      { mode: "i", from: ["j", "k"], to: ["<Esc>"] }
    ])
  })

  it("tells bad lines with their number, applies the rest and leaves no notice behind", () => {
    const { model, problems } = source("set nosuch\nquit\nnmap <expr> x y\nset nomouse\nset\nlet x = 1")
    expect(problems.map(({ line, words }) => `${line} ${words}`)).toEqual([
      "1 E518: unknown option: nosuch",
      "2 E492: only :set, :map and :command are read here: quit",
      "3 E474: <expr> is not understood here",
      "5 E471: :set needs an option here",
      "6 E492: only :set, :map and :command are read here: let x = 1"
    ])
    expect(model.options.mouse).toBe(false)
    expect(model.notices.current).toBeUndefined()
    expect([...model.optionsSet]).toEqual([["mouse", "vimrc"]])
  })

  it("tells the same mistake twice when it is made twice", () => {
    expect(source("set nosuch\nset nosuch").problems).toHaveLength(2)
  })
})

describe(":set", () => {
  const after = (line: string): TuiWorld => {
    const { world } = paneWorld()
    world.keys(`<C-x><C-w>t:set ${line}<CR>`)
    return world
  }
  const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text

  it("lists all options with what they mean, or those that differ", async () => {
    const all = (await shownBy(after("all").screen())).text().join("\n")
    expect(all).toMatch(/ {2}nocodewrap +long lines of code and diffs are wrapped/)
    expect(all).toMatch(/view=default +how much of the conversation is shown \(default, verbose, focus\)/)
    expect(noticeOf(after(""))).toContain(":set all")
    const world = after("codewrap")
    world.keys(":set<CR>")
    expect((await shownBy(world.screen())).text().join("\n")).toMatch(/\* codewrap/)
  })

  it.each([
    ["codewrap!", "codeWrap", true],
    ["nohighlight", "highlight", false],
    ["view=focus", "view", "focus"],
    ["codewrap codewrap&", "codeWrap", false]
  ])("%s", (line, key, value) => {
    expect(after(line).model.options).toMatchObject({ [key]: value })
  })

  it.each([
    ["nosuch", "E518: unknown option: nosuch"],
    ["noview", "E518: unknown option: noview"],
    ["view=odd", "E474: view is one of default, verbose, focus"],
    ["mouse=1", "E474: mouse is on or off: :set mouse or :set nomouse"],
    ["constructor", "E518: unknown option: constructor"],
    ["nothing", "E518: unknown option: nothing"],
    ["mouse?", "mouse (default)"],
    ["nomouse mouse?", "nomouse (:set)"],
    ["nomouse mouse& mouse?", "mouse (default)"],
    ["view", "view=default (default)"]
  ])("%s says so", (line, words) => {
    expect(noticeOf(after(line))).toBe(words)
  })
})
