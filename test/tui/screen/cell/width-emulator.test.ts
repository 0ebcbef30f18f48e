import { describe, expect, it } from "vitest"
import { isLoneMark, isUncertain, widthByRule } from "../../../../src/tui/screen/cell/cluster-width.ts"
import { CONSERVATIVE_PROFILE } from "../../../../src/tui/screen/cell/width-profile.ts"
import { makeVirtualTerminal } from "../../../support/virtual-terminal.ts"

/** Where our tables and those of a terminal differ, the cursor is placed anew: a wrong guess must not move a row. */

const LAST = 0x3_23af
const ROWS = 1_000
const UNPRINTED = /[\p{Cc}\p{Cs}\p{Cn}\p{Co}\u2028\u2029]/u

const printable = (): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let code = 0x20; code <= LAST; code++) {
    const character = String.fromCodePoint(code)
    // What has no width is never written.
    if (UNPRINTED.test(character) || isLoneMark(character) || widthByRule(character, CONSERVATIVE_PROFILE) === 0) continue
    found.push(character)
  }
  return found
}

/** The columns that the emulator gives to characters, one in a row. */
const shownWidths = async (characters: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  const terminal = makeVirtualTerminal(4, ROWS)
  await terminal.write(characters.map((character, y) => `\u001B[${y + 1}H${character}`).join(""))
  return characters.map((_, y) => terminal.cell(0, y).width)
}

describe("every character", () => {
  it("that the emulator measures differently is one we are not sure of", async () => {
    const all = printable()
    const surprises: Array<string> = []
    for (let from = 0; from < all.length; from += ROWS) {
      const some = all.slice(from, from + ROWS)
      const shown = await shownWidths(some)
      some.forEach((character, at) => {
        const differs = shown[at] !== widthByRule(character, CONSERVATIVE_PROFILE)
        if (differs && !isUncertain(character, CONSERVATIVE_PROFILE))
          surprises.push(`U+${character.codePointAt(0)?.toString(16)}`)
      })
    }
    expect(all.length).toBeGreaterThan(100_000)
    expect(surprises).toEqual([])
  })
})
