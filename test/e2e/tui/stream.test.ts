import { describe, expect, it } from "vitest"
import { endpointEnv, serve } from "../../support/e2e-world.ts"
import { gatedAt } from "../../support/messages-fault.ts"
import { gate, text } from "../../support/messages-reply.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** Reading while the model writes: the place stays (acceptance 1), the end is one key away. */

const LINES = 10_000
const SHOWN_FIRST = 60

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => `line ${from + index} of the stream\n\n`).join("")

const transcriptRows = (terminal: TuiTerminal): ReadonlyArray<string> => terminal.rows.slice(1, 15)

describe.concurrent("streaming", () => {
  it("keeps the line where it is while 10,000 lines stream below, and G returns to the end", async () => {
    const more = gate()
    const first = numbered(0, SHOWN_FIRST)
    const deltaChars = first.length
    // The events before the rest: the start, the block, the first piece.
    const reply = gatedAt(3, more.opened, text(first + numbered(SHOWN_FIRST, LINES), { deltaChars }))
    const server = await serve([reply, text("and this is new")])
    const terminal = await TuiTerminal.ready({ env: endpointEnv(server) })
    terminal.type("tell me much\r")
    await terminal.shows(`line ${SHOWN_FIRST - 1} of the stream`)
    terminal.type(`${KEY.window}t${"k".repeat(20)}`)
    await terminal.hides(`line ${SHOWN_FIRST - 1} of the stream`)
    const before = transcriptRows(terminal)
    more.open()
    await terminal.hides("esc to interrupt")
    expect(transcriptRows(terminal)).toEqual(before)
    terminal.type("G")
    await terminal.shows(`line ${LINES - 1} of the stream`)
    terminal.type("inext\r")
    await terminal.shows("and this is new")
  })

  it("shows a call while it runs, with its last lines, and its result folded when it is over", async () => {
    const terminal = await TuiTerminal.ready({ args: ["--permission-mode", "bypassPermissions"] })
    terminal.type("run `for i in $(seq 1 40); do echo row-$i; done; cat made; rm made`\r")
    // `made` does not exist: the call fails, which is told apart from success without colour.
    await terminal.shows(/✗ Bash/)
    const screen = await terminal.shows(/… \d+ more lines \(za\)/)
    expect(screen).toContain("row-1\n")
    expect(screen).not.toContain("row-20")
  })
})
