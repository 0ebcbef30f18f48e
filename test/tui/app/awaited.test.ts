import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { SESSION, shownBy, TuiWorld } from "../../support/tui-world.ts"

/** Keys pressed before the first session is open: shown at once, and in the end the same as pressed afterwards. */
const STROKES = [
  "a",
  "b",
  " ",
  "é",
  "<BS>",
  "<Left>",
  "<Home>",
  "<C-w>",
  "<C-u>",
  "<CR>",
  "<Esc>",
  "<Up>",
  "<Tab>",
  "<S-Tab>",
  "/",
  "@",
  "!",
  "?"
]
const strokes = fc.array(fc.constantFrom(...STROKES), { maxLength: 12 })
const editorMode = fc.constantFrom("normal" as const, "vim" as const)

describe("a session that is not open yet", () => {
  it("shows its prompt and what is typed into it", async () => {
    const world = new TuiWorld({ size: { columns: 100, rows: 30 } })
    world.await()
    expect((await shownBy(world.screen())).text().join("\n")).toContain("Type a message")
    world.keys("hello wrold<BS><BS><BS><BS>orld")
    expect((await shownBy(world.screen())).text().join("\n")).toContain("hello world")
    expect(world.cmds).toEqual([])
  })

  it("keeps what it sends until it is open", () => {
    const world = new TuiWorld()
    world.await()
    world.keys("do it<CR>and this")
    expect(world.done("Submit")).toEqual([])
    world.open()
    expect(world.done("Submit").map(({ session, text }) => [session, text])).toEqual([[SESSION, "do it"]])
    expect(textIn(world.session().prompt.editor)).toBe("and this")
    expect([...world.model.sessions.keys()]).toEqual([SESSION])
  })

  it("is in the end as if everything was typed after it opened", () => {
    fc.assert(
      fc.property(strokes, editorMode, (keys, mode) => {
        const before = new TuiWorld({ options: { editorMode: mode } })
        before.await()
        before.keys(keys.join(""))
        const after = new TuiWorld({ options: { editorMode: mode } })
        before.open()
        after.now = before.now
        after.open()
        after.keys(keys.join(""), 0)
        expect(textIn(before.session().prompt.editor)).toBe(textIn(after.session().prompt.editor))
        expect(before.model.focus).toBe(after.model.focus)
        expect(before.model.current).toBe(SESSION)
        expect(before.model.overlays.shown).toEqual(after.model.overlays.shown)
        expect(before.cmds).toEqual(after.cmds)
      }),
      { numRuns: 100 }
    )
  })
})
