import { describe, expect, it } from "vitest"
import { SESSION, TuiWorld } from "../../support/tui-world.ts"

const TOKEN = ["gh", "p_", "a1B2".repeat(9)].join("")

const told = (): TuiWorld => {
  const world = new TuiWorld({ options: { editorMode: "normal" } })
  const script = world.open(SESSION)
  script.begin("what is the token?")
  script.respond({ text: `it is ${TOKEN}, keep it` })
  return world
}

describe("an export of the conversation", () => {
  it("to a file or the clipboard holds nothing shaped like a token", () => {
    const world = told()
    world.keys("/export out.md<CR>")
    world.keys("/export<CR>")
    const texts = [...world.done("WriteFile"), ...world.done("Copy")].map(({ text }) => text)
    expect(texts).toHaveLength(2)
    for (const text of texts) {
      expect(text).toContain("it is [redacted:github-token], keep it")
      expect(text).not.toContain(TOKEN)
    }
  })
})
