import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { chooseInterface, type InterfaceFacts } from "../../../../src/shell/interactive/start/choose-interface.ts"

const NOTHING: InterfaceFacts = {
  wantsLines: false,
  env: {},
  inlineFlag: false,
  setting: undefined,
  controlMode: false,
  failedStarts: false
}

const choose = (facts: Partial<InterfaceFacts>): string => chooseInterface({ ...NOTHING, ...facts }).interface

/** The rules from the strongest to the weakest, each with what it chooses. */
const RULES: ReadonlyArray<readonly [facts: Partial<InterfaceFacts>, chosen: string]> = [
  [{ wantsLines: true }, "lines"],
  [{ env: { CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "1" } }, "inline"],
  [{ env: { CLAUDE_CODE_NO_FLICKER: "0" } }, "inline"],
  [{ env: { CLAUDE_CODE_NO_FLICKER: "1" } }, "fullscreen"],
  [{ inlineFlag: true }, "inline"],
  [{ setting: "fullscreen" }, "fullscreen"],
  [{ setting: "default" }, "inline"],
  [{ controlMode: true }, "inline"],
  [{ failedStarts: true }, "inline"]
]

describe("the choice of the interface", () => {
  it("is the whole screen when nothing speaks against it", () => {
    expect(chooseInterface(NOTHING)).toEqual({ interface: "fullscreen", because: "it is the default" })
  })

  it("follows each rule alone", () => {
    for (const [facts, chosen] of RULES) expect(choose(facts)).toBe(chosen)
  })

  it("follows the strongest of any two rules", () => {
    const two = fc.uniqueArray(fc.nat(RULES.length - 1), { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(two, (picked) => {
        const [strong = 0, weak = 0] = picked.toSorted((a, b) => a - b)
        const [[first, chosen], [second]] = [RULES[strong] ?? [{}, ""], RULES[weak] ?? [{}, ""]]
        const env = { ...second.env, ...first.env }
        expect(choose({ ...second, ...first, env })).toBe(chosen)
      })
    )
  })

  it("says why", () => {
    expect(chooseInterface({ ...NOTHING, inlineFlag: true }).because).toContain("--inline")
    expect(chooseInterface({ ...NOTHING, failedStarts: true }).because).toContain("/tui fullscreen")
  })

  it("is not impressed by empty variables", () => {
    expect(choose({ env: { CLAUDE_CODE_NO_FLICKER: "", CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: "0" } })).toBe("fullscreen")
  })
})
