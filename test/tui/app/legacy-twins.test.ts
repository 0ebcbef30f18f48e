import { describe, expect, it } from "vitest"
import { textIn } from "../../../src/tui/prompt/editor.ts"
import { parseStrokes } from "../../../src/tui/keymap/stroke.ts"
import type { WorldOptions } from "../../support/tui-world.ts"
import { paneWorld } from "./pane-world.ts"

/** Keys that only newer keyboards tell apart mean what the old ones send for them, wherever they are not bound. */

const typed = (keys: string, options: WorldOptions["options"] = {}) => {
  const { world } = paneWorld(120, 40, { options })
  world.keys(keys)
  return world
}

const promptAfter = (keys: string, options: WorldOptions["options"] = {}): string =>
  textIn(typed(keys, options).session().prompt.editor)

describe("keys that old terminals do not tell apart", () => {
  it("erase, with Shift still held from a capital", () => {
    expect(promptAfter("abC<S-BS>")).toBe("ab")
    expect(promptAfter("abC<S-BS>", { editorMode: "vim" })).toBe("ab")
    expect(typed("<C-x><C-w>t/aB<S-BS>").model.line?.text).toBe("a")
    expect(typed("<F1>aB<S-BS>").model.overlays.opened).toMatchObject({ picker: { filter: { text: "a" } } })
  })

  it("are blanks, with Shift still held", () => {
    expect(promptAfter("A<S-Space>B")).toBe("A B")
    expect(promptAfter("A<S-Space>B", { editorMode: "vim" })).toBe("A B")
    expect(typed("<C-x><C-w>t/A<S-Space>B").model.line?.text).toBe("A B")
  })

  it("are Escape in dialogs and lines too", () => {
    for (const escape of ["<C-[>", "<S-Esc>"]) {
      expect(typed(`<F1>${escape}`).model.overlays.opened).toBeUndefined()
      expect(typed(`<C-x><C-w>t/ab${escape}`).model.line).toBeUndefined()
    }
  })

  it("are Enter", () => {
    const { world } = paneWorld(120, 40, {})
    world.keys("hello")
    expect(
      parseStrokes("<C-CR>")
        .flatMap((stroke) => world.keys(stroke))
        .map(({ _tag }) => _tag)
    ).toContain("Submit")
  })

  it("mean something of their own where they are bound", () => {
    expect(promptAfter("a<S-CR>b")).toBe("a\nb")
  })
})
