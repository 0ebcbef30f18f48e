import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { TEXTS } from "../../../src/core/domain/program-texts.ts"
import { transcriptsOf } from "../../support/e2e-world.ts"
import { putFile } from "../../support/temp-world.ts"
import { hasTmux, TmuxPane } from "../../support/tui-tmux.ts"

/** What fills the window, seen and changed with the keyboard alone. */

describe.skipIf(!hasTmux)("/context in tmux", { concurrent: true }, () => {
  for (const [columns, rows] of [
    [120, 40],
    [80, 24],
    [40, 12]
  ] as const) {
    it(`lies over everything at ${columns}x${rows}, and q brings back what was there`, async () => {
      const pane = await TmuxPane.ready(columns, rows)
      pane.type("@say hello")
      pane.press("Enter")
      await pane.shows(/hello[\s\S]*hello/)
      pane.type("/context")
      pane.press("Enter")
      await pane.shows(/of 200k tokens/)
      expect(pane.rows().every((row) => row.length <= columns)).toBe(true)
      pane.press("q")
      await pane.hides("of 200k tokens")
      await pane.shows(/hello/)
    })
  }

  it("clears a result after it has said what that frees", async () => {
    const pane = await TmuxPane.ready(120, 40)
    putFile(`${pane.place.cwd}/notes.txt`, "words of a file\n".repeat(600))
    pane.type("read notes.txt")
    pane.press("Enter")
    await pane.shows(/Read\s+notes\.txt/)
    await pane.hides("esc to interrupt")
    pane.type("/context")
    pane.press("Enter")
    await pane.shows(/R Tool results/)
    pane.type("/Tool results")
    pane.press("Enter", "Enter", "j", "D")
    await pane.shows(/Clear 1 result\? That frees about [\d.]+k tokens/)
    pane.press("y")
    await pane.hides("Clear 1 result")
    await pane.shows(/Read notes\.txt +this turn +(?:· cached)? +\d+ /)
    expect(
      transcriptsOf(pane.place)
        .map((path) => readFileSync(path, "utf8"))
        .join("")
    ).toContain(TEXTS.clearedResult)
  })
})
