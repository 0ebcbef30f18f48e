import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { shownBy, type TuiWorld } from "../../support/tui-world.ts"
import { askIn, paneWorld } from "./pane-world.ts"

const ex = (world: TuiWorld, line: string): void => {
  world.tell({ _tag: "Input", event: { _tag: "Key", stroke: ":", kind: "press", text: ":" } })
  world.paste(line)
  world.keys("<CR>")
}

/** The transcript of a short conversation, with these commands given in it. */
const mapped = (...lines: ReadonlyArray<string>): TuiWorld => {
  const { world } = paneWorld()
  world.keys("<C-x><C-w>t")
  for (const line of lines) ex(world, line)
  return world
}

const promptOf = (world: TuiWorld): string => textIn(world.session().prompt.editor)
const noticeOf = ({ model }: TuiWorld): string | undefined => model.notices.current?.notice.text
const screenOf = async (world: TuiWorld): Promise<string> => (await shownBy(world.screen())).text().join("\n")

describe("mappings", () => {
  it("type other keys in panes, commands included", () => {
    const world = mapped("nmap Z <C-w>z", "nnoremap <Leader>q :pane tasks<CR>")
    world.keys("Z")
    expect(world.model.layout.zoomed).toBe("transcript")
    world.keys("Z")
    expect(world.model.layout.zoomed).toBeUndefined()
    world.keys("\\q")
    expect(world.model.focus).toBe("tasks")
  })

  it("are not mapped again, so that keys can be swapped", () => {
    const world = mapped("nmap j k", "nmap k j")
    world.keys("ggk")
    const down = world.session().list.cursor
    world.keys("j")
    expect(world.session().list.cursor).not.toEqual(down)
    world.keys("k")
    expect(world.session().list.cursor).toEqual(down)
  })

  it("hold while typing in the prompt: jk leaves, and what is not a mapping is text", () => {
    const world = mapped("imap jk <C-x><C-w>t", "imap ;a hello")
    world.keys("i")
    world.keys("ajoy;a")
    expect(promptOf(world)).toBe("ajoyhello")
    world.keys("jk")
    expect([promptOf(world), world.model.focus]).toEqual(["ajoyhello", "transcript"])
  })

  it("give a key back when nothing follows in time, and before a paste", () => {
    const world = mapped("imap jk <Esc>")
    world.keys("i")
    world.keys("j")
    expect(promptOf(world)).toBe("")
    world.wait(1_000)
    expect(promptOf(world)).toBe("j")
    world.keys("j")
    world.paste("pasted")
    expect(promptOf(world)).toBe("jjpasted")
  })

  it("wait for the longer of two", () => {
    const world = mapped("imap ;a one", "imap ;ab two")
    world.keys("i")
    world.keys(";ab;ax")
    expect(promptOf(world)).toBe("twoonex")
  })

  it("leave what another key takes as it is: marks, characters to find, chords", () => {
    const world = mapped("nmap a <C-w>z", "nmap g <Nop>")
    world.keys("ma")
    expect(world.model.layout.zoomed).toBeUndefined()
    expect(world.session().list.marks.has("a")).toBe(true)
  })

  it("answer no question", () => {
    const { world, script } = paneWorld()
    world.keys("<C-x><C-w>t")
    ex(world, "nmap x y")
    ex(world, "nmap z <C-w>Q<CR>y")
    askIn(script, "b1", "rm -r /")
    world.wait(5_000)
    world.wait(2_000)
    expect(world.model.overlays.shown).toMatch(/^ask:/)
    world.keys("x", 1_000)
    expect(world.done("Answer")).toEqual([])
    world.keys("z", 1_000)
    expect(world.done("Answer")).toEqual([])
  })

  it("are listed, and removed", async () => {
    const world = mapped("nmap Q zz", "imap jk <Esc>", "map gz zt")
    ex(world, "map")
    const listed = await screenOf(world)
    expect(listed).toMatch(/n {2}Q {3}zz/)
    expect(listed).toMatch(/v {2}gz {2}zt/)
    expect(listed).not.toContain("jk")
    world.keys("q")
    ex(world, "nunmap Q")
    ex(world, "nmap Q")
    expect(noticeOf(world)).toBe("no mapping found")
    ex(world, "nunmap Q")
    expect(noticeOf(world)).toBe("E31: no such mapping: Q")
    ex(world, "mapclear")
    ex(world, "mapclear!")
    expect(world.model.keys.mappings).toEqual([])
  })

  it.each([
    ["nmap <expr> x y", "E474: <expr> is not understood here"],
    ["nmap <C-c> x", "E474: <C-c> cannot be mapped: it always interrupts"],
    ["nmap! x y", "E477: :nmap takes no !"],
    ["unmap", "E474: say which: :unmap KEYS"]
  ])(":%s is refused in words", (line, words) => {
    expect(noticeOf(mapped(line))).toBe(words)
  })
})
