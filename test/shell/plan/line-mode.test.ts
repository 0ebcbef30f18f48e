import { describe, expect, it } from "vitest"
import { lineModeOf, wantsLines } from "../../../src/shell/plan/line-mode.ts"

const TERMINAL = { TERM: "xterm" }

describe("who asks for a screen reader's lines", () => {
  it.each([
    [{ flag: true, env: { ...TERMINAL, CLAUDE_AX_SCREEN_READER: "0" }, setting: false }, "flag"],
    [{ flag: false, env: { ...TERMINAL, CLAUDE_AX_SCREEN_READER: "1" }, setting: false }, "env"],
    [{ flag: false, env: TERMINAL, setting: true }, "settings"],
    [{ flag: false, env: { ...TERMINAL, CLAUDE_AX_SCREEN_READER: "0" }, setting: true }, undefined],
    [{ flag: false, env: TERMINAL, setting: undefined }, undefined]
  ])("%j: %s", (wish, by) => {
    expect(lineModeOf(wish, () => {}).screenReader).toBe(by)
    expect(wantsLines(wish)).toBe(by !== undefined)
  })
})
