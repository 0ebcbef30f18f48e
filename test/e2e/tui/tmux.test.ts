import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { hasTmux, TmuxPane } from "../../support/tui-tmux.ts"

/** A working session with only the keyboard inside tmux, at the sizes people use. */

const SIZES = [
  [120, 40],
  [80, 24],
  [40, 12]
] as const

describe.skipIf(!hasTmux)("in tmux", { concurrent: true }, () => {
  for (const [columns, rows] of SIZES) {
    it(`asks, answers, approves, scrolls and leaves at ${columns}x${rows}`, async () => {
      const pane = await TmuxPane.ready(columns, rows)
      pane.type("@say one word after the other, and the last one is pearl")
      pane.press("Enter")
      await pane.shows(/pearl[\s\S]*pearl/)
      pane.type("run `echo made > made.txt`")
      pane.press("Enter")
      await pane.shows(/┌ Bash in [\s\S]*1 Yes/)
      expect(existsSync(join(pane.place.cwd, "made.txt"))).toBe(false)
      await pane.takesAnswers()
      pane.press("y")
      await pane.shows("completed with no output")
      await pane.hides("esc to interrupt")
      expect(pane.rows().every((row) => row.length <= columns)).toBe(true)
      pane.press("C-x", "C-w", "t", "g", "g")
      await pane.shows("▌ @say one word")
      pane.press("G", "q")
      await pane.shows("completed with no output")
      pane.type("/exit")
      pane.press("Enter")
      await pane.shows("over")
      expect(pane.usesAlternateScreen).toBe(false)
      expect(pane.rows().join("\n")).toContain("nacre --resume")
    })
  }

  it("splits and moves with the window keys (acceptance 3)", async () => {
    const pane = await TmuxPane.ready(120, 40)
    pane.press("C-x", "C-w", "t")
    await pane.shows(/▸ new session/)
    pane.press("C-w", "v")
    await pane.shows(/▸ show here/)
    pane.press("C-w", "h")
    await pane.shows(/▸ new session/)
    pane.press("C-w", "l")
    await pane.shows(/▸ show here/)
  })

  it("looks after many sizes as after one", async () => {
    const pane = await TmuxPane.ready(100, 30)
    pane.type("a draft that stays")
    for (let index = 0; index < 40; index++) pane.resize(20 + ((index * 37) % 150), 6 + ((index * 13) % 50))
    pane.resize(120, 40)
    await pane.shows(/changes: this session[\s\S]*> a draft that stays/)
    const stormy = pane.rows()
    pane.press("C-l")
    await pane.shows("> a draft that stays")
    expect(pane.rows()).toEqual(stormy)
  })

  it("gives a yank to the terminal outside through tmux", async () => {
    const pane = await TmuxPane.ready(80, 24)
    pane.type("@say the yanked words")
    pane.press("Enter")
    await pane.shows(/\n the yanked words/)
    pane.press("C-x", "C-w", "t", "G")
    pane.type("/yanked words")
    pane.press("Enter")
    await pane.shows(/\d\/\d/)
    pane.type("yy")
    await pane.until(() => pane.buffer().includes("the yanked words"), "the words in tmux's buffer")
  })
})
