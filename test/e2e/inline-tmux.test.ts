import { describe, expect, it } from "vitest"
import { MOST_COLUMNS } from "../../src/tui/overlays/panel/overlay-area.ts"
import { hasTmux, TmuxPane } from "../support/tui-tmux.ts"

/** Inline mode in tmux, which breaks rows anew at every size: what is finished stands in its history once. */

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** A turn that is over says what it took. */
const turnsOver = (pane: TmuxPane): number => count(pane.all(), / out$/gm)

describe.skipIf(!hasTmux)("inline mode in tmux", () => {
  it("keeps a conversation once in the history, over three sizes and the end", async () => {
    const pane = await TmuxPane.ready(80, 24, { args: ["--inline"], env: ["NACRE_OFFLINE_DELAY_MS=0"] })
    for (const row of [0, 1, 2]) {
      pane.enter(`@say row-${row} ${"of many words ".repeat(row * 4)}`)
      await pane.until(() => turnsOver(pane) === row + 1, `the end of turn ${row}`)
    }
    pane.enter("run `touch made; seq -f line-%g-end 40`")
    await pane.shows(/┌ Bash in [\s\S]*1 Yes/)
    await pane.takesAnswers()
    pane.press("y")
    await pane.until(() => turnsOver(pane) === 4, "the end of the call")
    for (const [columns, rows] of [
      [56, 24],
      [110, 30],
      [70, 26]
    ] as const) {
      pane.resize(columns, rows)
      // The rule above the prompt is as wide as the window, up to a width that suits lines.
      const isRule = (row: string): boolean => /^─ prompt ─+$/.test(row) && row.length === Math.min(columns, MOST_COLUMNS)
      await pane.until((screen) => screen.split("\n").some(isRule), `the size ${columns}`)
    }
    pane.press("C-d")
    await pane.shows("again")
    pane.press("C-d")
    await pane.shows("over: 0")
    const all = pane.all()
    for (const row of [0, 1, 2]) expect(count(all, new RegExp(`^▌ @say row-${row}\\b`, "gm"))).toBe(1)
    // Once in the call's output, once in the answer that quotes it.
    expect(count(all, /line-1-end/g)).toBe(2)
    expect(all).not.toContain("┌ Bash in")
    expect(all).not.toContain("Type a message. /")
    expect(all.trimEnd().split("\n").at(-1)).toContain("over: 0")
    expect(pane.written).not.toContain("\u001B[?1049h")
    expect(pane.written).not.toContain("\u001B[3J")
    expect(pane.written).not.toContain("\u001B[?1000")
  })
})
