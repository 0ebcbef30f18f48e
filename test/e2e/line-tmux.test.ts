import { describe, expect, it } from "vitest"
import { hasTmux, TmuxPane } from "../support/tui-tmux.ts"

/** The session in lines inside tmux, at the sizes people use. What the pane shows is read from tmux itself. */

const ENV = ["CLAUDE_AX_SCREEN_READER=1", "CLAUDE_AX_STARTUP_QUIET_MS=0"]

const shown = (pane: TmuxPane): ReadonlyArray<string> => pane.rows().join("\n").trimEnd().split("\n")

/** The program waits for a line behind this label. */
const asks = (pane: TmuxPane, label: string): Promise<void> => pane.until(() => shown(pane).at(-1) === label, label)

describe.skipIf(!hasTmux)("in tmux", { concurrent: true }, () => {
  for (const [columns, rows] of [
    [120, 40],
    [80, 24],
    [40, 12]
  ] as const) {
    it(`at ${columns}x${rows} rows break between words and the prompt is the last row`, async () => {
      const pane = await TmuxPane.start(columns, rows, { env: ENV })
      await asks(pane, "you:")
      pane.enter(`@say ${"The quick brown fox jumps over the lazy dog. ".repeat(4)}Good night.`)
      await pane.until(() => /Good night\.[\s\S]*Good night\./.test(pane.all()), "the answer")
      await asks(pane, "you:")
      pane.enter("run `echo made > made.txt`")
      await asks(pane, "answer:")
      const asked = shown(pane)
      expect(asked).toContain("1. Yes")
      // A small screen scrolls the beginning of the question away; it is still in the scrollback.
      expect(pane.all().split("\n")).toContain("  echo made > made.txt")
      expect(asked.every((row) => row.length <= columns)).toBe(true)
      pane.enter("1")
      await pane.until(() => pane.all().includes("tool: Bash"), "the call")
      await asks(pane, "you:")
    })
  }
})
