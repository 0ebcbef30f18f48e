import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { textWidth } from "../../../../src/tui/screen/cell/width.ts"
import { shortRow } from "../../../../src/tui/panes/list/short-row.ts"
import { PROJECT_DIR } from "../../../support/loop-fixture.ts"
import { SESSION, shownBy, type TuiWorld } from "../../../support/tui-world.ts"
import { paneWorld } from "../../app/pane-world.ts"

const LOOK = { role: "text" } as const
const textOf = (spans: ReadonlyArray<{ readonly text: string }>): string => spans.map(({ text }) => text).join("")

const PATHS = [
  "packages/interface-components/src/components/side-bar.ts",
  "packages/interface-components/src/components/漢字フォルダー/とても長い名前.ts"
]

describe("a row with a long part", () => {
  it("is never wider than its room, and keeps what is beside its longest part", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 8, maxLength: 80 }),
        fc.integer({ min: 12, max: 60 }),
        (path, width) => {
          const text = path.replaceAll(/[\p{C}\p{Z}\p{M}]/gu, "x")
          const row = shortRow(
            [
              { text: "> ", look: LOOK },
              { text, look: LOOK },
              { text: " +1 -1", look: LOOK }
            ],
            width
          )
          expect(row.width).toBeLessThanOrEqual(width)
          expect(row.width).toBe(textWidth(textOf(row.spans)))
          expect(textOf(row.spans)).toMatch(/ \+1 -1$/)
        }
      )
    )
  })

  it.each([
    [40, 12],
    [80, 24],
    [120, 40]
  ])("shows the names of files and their counts in the changes pane at %ix%i", async (columns, rows) => {
    const { world } = paneWorld(columns, rows)
    world.keys("<C-x><C-w>d<Left>")
    changed(world)
    const screen = (await shownBy(world.screen())).text().join("\n")
    expect(screen).toMatch(/▾ M pack\S*…\S*de-bar\.ts {2}\+1 −1/)
    expect(screen).toMatch(/▾ M pack\S*…\S*名前\.ts {2}\+1 −1/)
  })
})

const changed = (world: TuiWorld): void => {
  const files = PATHS.map((path) => ({ path: `${PROJECT_DIR}/${path}`, state: "M" as const, before: "one\n", after: "1\n" }))
  world.tell({ _tag: "DiffLoaded", session: SESSION, files })
}
