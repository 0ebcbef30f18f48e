import { describe, expect, it } from "vitest"
import { cellAt, rowText } from "../../../../src/tui/screen/cell/frame.ts"
import type { Role } from "../../../../src/tui/screen/style/roles.ts"
import { themeFor } from "../../../../src/tui/screen/style/themes.ts"
import { paneWorld } from "../../app/pane-world.ts"

const ground = (role: Role): unknown => themeFor("dark", "256").styleOf({ role: "text", background: role }).background

/** The backgrounds of a word in the row of the cursor. */
const groundsAt = (keys: string, word: string): ReadonlyArray<unknown> => {
  const { world } = paneWorld(120, 40, { options: { theme: "dark" } })
  world.keys(`<C-x><C-w>t${keys}`)
  const { frame, cursor } = world.screen()
  const from = rowText(frame, cursor.y).indexOf(word)
  expect(from).toBeGreaterThan(0)
  return Array.from({ length: word.length }, (_, at) => cellAt(frame, from + at, cursor.y).style.background)
}

describe("the row of the cursor", () => {
  it("shows the match that was found in it", () => {
    expect(groundsAt("gg/needle<CR>", "needle")).toEqual(Array(6).fill(ground("searchCurrent")))
  })

  it("shows what is selected in it", () => {
    expect(groundsAt("gg/needle<CR>V", "first ")).toEqual(Array(6).fill(ground("selectionBg")))
  })

  it("has a ground of its own elsewhere", () => {
    expect(groundsAt("gg/needle<CR>", "first ")).toEqual(Array(6).fill(ground("cursorLine")))
  })
})
