import { describe, expect, it } from "vitest"
import { textOf, transcriptOf, transcriptsOf } from "../../support/e2e-world.ts"
import { KEY, TuiTerminal } from "../../support/tui-terminal.ts"

/** The prompt on a real terminal: widths, pastes, drafts. */

/** Where the text of the prompt begins. */
const LEFT = 3

const caretAt = (terminal: TuiTerminal, column: number): Promise<void> =>
  terminal.until(() => terminal.emulator.cursor().x === LEFT + column, `the caret in column ${column}`)

describe.concurrent("editing", () => {
  it("keeps the caret behind the sum of the widths with CJK, emoji and marks", async () => {
    const terminal = await TuiTerminal.ready()
    const typed = [
      ["a", 1],
      ["漢", 2],
      ["字", 2],
      ["🚀", 2],
      ["e\u0301", 1],
      ["ｗ", 2],
      ["한", 2]
    ] as const
    let column = 0
    for (const [character, width] of typed) {
      terminal.type(character)
      column += width
      await caretAt(terminal, column)
    }
    for (const [, width] of typed.toReversed().slice(0, 3)) {
      terminal.type(KEY.left)
      column -= width
      await caretAt(terminal, column)
    }
    terminal.type(KEY.backspace)
    await caretAt(terminal, column - 2)
    await terminal.shows("> a漢字e\u0301ｗ한")
    terminal.type(KEY.home)
    await caretAt(terminal, 0)
    terminal.type(KEY.end)
    await caretAt(terminal, 1 + 2 + 2 + 1 + 2 + 2)
  })

  it("takes ^H as Ctrl+Backspace where the environment says so", async () => {
    const terminal = await TuiTerminal.ready({ env: { CLAUDE_CODE_BS_AS_CTRL_BACKSPACE: "1" } })
    terminal.type("one two\b")
    await terminal.shows(/> one *\n/)
  })

  it("keeps the cursor at the caret while output streams", async () => {
    const terminal = await TuiTerminal.ready()
    // It streams for longer than anything here waits, and ends when it was looked at.
    terminal.type(`@delay 200${KEY.newline}@say ${"words ".repeat(1_000)}\r`)
    await terminal.shows("esc to interrupt")
    terminal.type("漢字")
    await terminal.shows("> 漢字")
    await caretAt(terminal, 4)
    const { y } = terminal.emulator.cursor()
    const streamed = (): number => terminal.rows.join("\n").split("words").length
    for (const before of [streamed(), streamed() + 1]) {
      await terminal.until(() => streamed() > before, "more of the answer")
      await caretAt(terminal, 4)
      expect(terminal.rows[terminal.emulator.cursor().y]).toContain("漢字")
    }
    terminal.type(KEY.escape)
    await terminal.hides("esc to interrupt")
    await caretAt(terminal, 4)
    expect(terminal.rows[terminal.emulator.cursor().y]).toContain("漢字")
    expect(terminal.emulator.cursor().y).toBeGreaterThanOrEqual(y - 1)
  })

  it("makes a chip of 5 MB, submits nothing, and sends the pasted text with LF", async () => {
    const terminal = await TuiTerminal.ready()
    const line = `${"x".repeat(97)}\u001B\r\n`
    const pasted = line.repeat(Math.ceil((5 * 1024 * 1024) / line.length))
    terminal.type(KEY.paste(pasted))
    await terminal.shows(/\[Pasted text #1 \+\d+ lines\]/)
    expect(transcriptsOf(terminal.place)).toEqual([])
    terminal.type(" and words")
    await terminal.shows(/lines\] and words/)
    terminal.type("\r")
    // It is more than any window holds; what matters is that every byte of it arrived.
    await terminal.shows("Context limit reached")
    const prompt = transcriptOf(terminal.place).lines.find(({ type }) => type === "user")
    expect(textOf(prompt ?? {})).toBe(`${pasted.replaceAll("\r\n", "\n")} and words`)
  })

  it("does not let a paste act: no keys, no commands, no submission", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type(KEY.paste("/exit\r\u0003\u0003"))
    await terminal.shows("/exit")
    terminal.type("!")
    await terminal.shows(/\/exit[\s\S]*!/)
    expect(terminal.emulator.modes().altScreen).toBe(true)
  })

  it("understands vim in the prompt", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("/vim\r")
    await terminal.shows(/INSERT|NORMAL/)
    terminal.type("ifoo(bar, baz)")
    await terminal.shows("foo(bar, baz)")
    terminal.type(KEY.escape)
    await terminal.shows("NORMAL")
    terminal.type("ci(x")
    await terminal.shows("foo(x)")
    terminal.type(KEY.escape)
    await terminal.shows("NORMAL")
    terminal.type("u")
    await terminal.shows("foo(bar, baz)")
  })

  it("brings an unsent text back after a crash", async () => {
    const terminal = await TuiTerminal.ready()
    terminal.type("@say something\r")
    await terminal.shows(/\n something/)
    terminal.type("not yet sent")
    await terminal.shows("> not yet sent")
    await terminal.saves("not yet sent")
    terminal.kill()
    await terminal.ended
    const again = await TuiTerminal.start({ place: terminal.place, args: ["--continue"] })
    await again.shows("> not yet sent")
  })
})
