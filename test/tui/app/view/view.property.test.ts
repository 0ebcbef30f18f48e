import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { update } from "../../../../src/tui/app/update.ts"
import { view } from "../../../../src/tui/app/view/view.ts"
import type { AppModel } from "../../../../src/tui/model/app-model.ts"
import { cellAt, type Frame } from "../../../../src/tui/screen/cell/frame.ts"
import { makePools } from "../../../../src/tui/screen/cell/pools.ts"
import { diff } from "../../../../src/tui/terminal/render/diff.ts"
import { encode } from "../../../../src/tui/terminal/render/encode.ts"
import type { Screen } from "../../../../src/tui/terminal/render/screen.ts"
import { CAPS } from "../../../support/tui-world.ts"
import { Play, someDeeds } from "../../model/undoable-actions.ts"

/** The screen of any model that can be reached, at any size. */

const RUNS = 40
const pools = makePools()

const anySize = fc.record({
  columns: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.constantFrom(1, 39, 40, 50, 80, 110, 160, 200)),
  rows: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1, 11, 12, 16, 24, 30, 45, 60))
})

/** Wide cells own the cell to their right, and nothing else claims to continue one. */
const expectWhole = (frame: Frame): void => {
  for (let y = 0; y < frame.rows; y++) {
    for (let x = 0; x < frame.columns; x++) {
      const { width } = cellAt(frame, x, y)
      const before = x === 0 ? 1 : cellAt(frame, x - 1, y).width
      if ((width === 0) !== (before === 2)) throw new Error(`cell ${x},${y}: width ${width} after width ${before}`)
      if (width === 2 && x === frame.columns - 1) throw new Error(`a wide cell sticks out at ${x},${y}`)
    }
  }
}

const expectSound = ({ frame, cursor }: Screen, { size }: AppModel): void => {
  expect([frame.columns, frame.rows]).toEqual([size.columns, size.rows])
  expect(cursor.x).toBeGreaterThanOrEqual(0)
  expect(cursor.y).toBeGreaterThanOrEqual(0)
  expect(cursor.x).toBeLessThan(size.columns)
  expect(cursor.y).toBeLessThan(size.rows)
  expectWhole(frame)
}

describe("the screen", () => {
  it("can be drawn in every state at every size, with the cursor on it", () => {
    fc.assert(
      fc.property(someDeeds(50), fc.array(anySize, { minLength: 3, maxLength: 6 }), (deeds, sizes) => {
        const play = new Play({ size: { columns: 120, rows: 40 } })
        for (const deed of deeds) play.do(deed)
        for (const { columns, rows } of sizes) {
          play.world.resize(columns, rows)
          expectSound(view({ ...play.world.model, now: play.world.now }, pools), play.world.model)
        }
      }),
      { numRuns: RUNS }
    )
  })

  it("is the same for the same messages, and drawing it twice costs no byte", () => {
    fc.assert(
      fc.property(someDeeds(40), (deeds) => {
        const { world } = new Play({ size: { columns: 100, rows: 30 } })
        const play = new Play({ size: { columns: 100, rows: 30 } })
        for (const deed of deeds) play.do(deed)
        const again = play.world.log.reduce<AppModel>((model, msg) => update(model, msg)[0], world.initial)
        const lived = view(play.world.model, pools)
        const replayed = view(again, pools)
        expect(encode(diff(lived, replayed, CAPS), CAPS)).toBe("")
        expect(encode(diff(lived, view(play.world.model, pools), CAPS), CAPS)).toBe("")
      }),
      { numRuns: RUNS }
    )
  })
})
