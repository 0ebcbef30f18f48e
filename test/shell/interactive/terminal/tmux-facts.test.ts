import { describe, expect, it } from "vitest"
import { askTmux, isFirstHint, tmuxFactsOf, tmuxHint } from "../../../../src/shell/interactive/terminal/tmux-facts.ts"
import { freshDirectory } from "../../../support/temp-world.ts"

describe("what tmux passes on", () => {
  it("is read from its answer, whichever version it is", () => {
    expect(tmuxFactsOf("0|0|256,RGB,title\n")).toEqual({ mouse: false, passesOn: false, trueColour: true })
    expect(tmuxFactsOf("on|all|256,title\n")).toEqual({ mouse: true, passesOn: true, trueColour: false })
    expect(tmuxFactsOf("1||\n")).toEqual({ mouse: true, passesOn: true, trueColour: false })
  })

  it("is told with the line that fixes it, and only what is missing", () => {
    const all = { mouse: true, passesOn: true, trueColour: false }
    expect(tmuxHint(all, true)).toBeUndefined()
    expect(tmuxHint({ ...all, mouse: false }, true)).toContain("set -g mouse on")
    expect(tmuxHint({ ...all, mouse: false }, false)).toBeUndefined()
    expect(tmuxHint({ ...all, passesOn: false }, false)).toContain("set -g allow-passthrough on")
  })

  it("is told once", () => {
    const home = freshDirectory()
    expect(isFirstHint(home)).toBe(true)
    expect(isFirstHint(home)).toBe(false)
  })

  it("is nothing where tmux does not answer", async () => {
    expect(await askTmux({ PATH: freshDirectory() })).toBeUndefined()
  })
})
