import { describe, expect, it } from "vitest"
import { rowText } from "../../../src/tui/screen/cell/frame.ts"
import { expectGolden } from "../../golden/golden.ts"
import { shownBy, TuiWorld } from "../../support/tui-world.ts"
import { REFERENCE_SIZES, SCENES } from "./scenes.ts"

/**
 * The interface as a page to look at: five states at six sizes, drawn by an emulator from our own bytes. A
 * change here is a change of what people see.
 */
describe("frames", () => {
  for (const [name, play] of Object.entries(SCENES)) {
    for (const size of REFERENCE_SIZES) {
      it(`${name} at ${size.columns}x${size.rows}`, async () => {
        const world = new TuiWorld({ size })
        play(world)
        const screen = world.screen()
        const terminal = await shownBy(screen)
        const rows = terminal.text().map((row) => row.trimEnd())
        expect(rows).toEqual(Array.from({ length: size.rows }, (_, y) => rowText(screen.frame, y).trimEnd()))
        const { x, y } = terminal.cursor()
        const caret = screen.cursor.visible ? `${screen.cursor.shape} at ${x},${y}` : "hidden"
        expectGolden(`frames/${name}-${size.columns}x${size.rows}`, `${rows.join("\n")}\n\ncursor: ${caret}\n`)
      })
    }
  }
})
