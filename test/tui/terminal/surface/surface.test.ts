import { describe, expect, it } from "vitest"
import { callBlock, ending, textBlock, write } from "../../../core/loop/response-plan.ts"
import { SESSION } from "../../../support/tui-world.ts"
import { InlineTerminal } from "./scrollback-world.ts"

const ESC = "\u001B"

/** A session that has said something. */
const talked = async (columns: number, rows: number, text: string) => {
  const terminal = new InlineTerminal(columns, rows)
  const script = terminal.world.open(SESSION)
  await terminal.draw()
  script.begin("tell me")
  script.startResponse()
  script.say(...textBlock(0, text))
  await terminal.draw()
  return { terminal, script }
}

describe("inline mode on a terminal", () => {
  it("writes nothing when nothing changed", async () => {
    const { terminal } = await talked(80, 24, "one\n\ntwo")
    expect(await terminal.draw()).toBe("")
  })

  it("writes a command of the user when the conversation holds it, once", async () => {
    const terminal = new InlineTerminal(80, 24)
    const script = terminal.world.open(SESSION)
    await terminal.draw()
    const shown = async (output: string, state: "running" | "ok", isTold?: true): Promise<string> => {
      const run = { id: "run", command: "echo here", output, state }
      const news = { _tag: "Shell" as const, run, ...(isTold === undefined ? {} : { isTold }) }
      terminal.world.tell({ _tag: "Session", session: SESSION, news })
      return terminal.draw()
    }
    await shown("", "running")
    await shown("so far", "running")
    await shown("printed", "ok", true)
    const told = { content: "<bash-input>echo here</bash-input>", priority: "later", origin: "human" } as const
    script.feed({ _tag: "PromptSubmitted", uuid: "run", ...told, appendOnly: true })
    await terminal.draw()
    script.begin("<bash-stdout>printed</bash-stdout>")
    script.respond({ text: "seen" })
    await terminal.draw()
    await terminal.leave()
    const lines = terminal.lines().join("\n")
    expect(lines.split("echo here")).toHaveLength(2)
    expect(lines).not.toMatch(/did not count|Ctrl\+C stops it/)
    expect(lines).toContain("printed")
  })

  it("only repaints the prompt's row for a key", async () => {
    const { terminal } = await talked(80, 24, "one\n\ntwo")
    terminal.world.keys("x")
    const bytes = await terminal.draw()
    expect(bytes).not.toContain("\n")
    expect(bytes).not.toContain("one")
    expect(bytes.length).toBeLessThan(200)
  })

  it("never takes more than half of the rows", async () => {
    const { terminal } = await talked(80, 24, Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n\n"))
    terminal.world.keys("a<C-j>b<C-j>c<C-j>d<C-j>e<C-j>f<C-j>g<C-j>h<C-j>i<C-j>j<C-j>k<C-j>l<C-j>m")
    await terminal.draw()
    expect(terminal.screen().frame.rows).toBeLessThanOrEqual(12)
  })

  it("puts the cursor at the caret", async () => {
    const { terminal } = await talked(80, 24, "one")
    terminal.world.keys("hello")
    await terminal.draw()
    const { x, y } = terminal.cursor
    expect(terminal.shown()[y]?.slice(0, x)).toBe(" > hello")
  })

  it("docks a question above the prompt, where what is typed stays", async () => {
    const { terminal, script } = await talked(80, 24, "one")
    terminal.world.keys("half a thought")
    script.say(...callBlock(1, write("w1")), ...ending({ calls: [write("w1")] }))
    script.feed({ _tag: "StreamEnded", requestId: script.requestId })
    script.prepare("w1")
    terminal.world.wait(1_000)
    await terminal.draw()
    expect(terminal.isBeside).toBe(false)
    const rows = terminal.shown()
    const last = rows.findLastIndex((row) => row.trim() !== "")
    expect(rows[last]?.trimEnd()).toBe(" > half a thought")
    expect(rows[last - 1]).toMatch(/^└ .*┘$/)
    expect(rows.findIndex((row) => row.startsWith("┌ Write"))).toBeGreaterThan(0)
    expect(rows.join("\n")).toMatch(/one\n/)
    expect(terminal.screen().frame.rows).toBeLessThanOrEqual(12)
  })

  it("covers the screen with the transcript for a while, and has everything in place afterwards", async () => {
    const { terminal } = await talked(80, 24, "one\n\ntwo")
    const before = terminal.lines()
    terminal.world.keys("<C-o>")
    await terminal.draw()
    expect(terminal.isBeside).toBe(true)
    expect(terminal.shown().join("\n")).toContain("two")
    terminal.world.keys("<C-o>")
    await terminal.draw()
    expect(terminal.isBeside).toBe(false)
    expect(terminal.lines()).toEqual(before)
    terminal.world.keys("<C-o><Esc>")
    expect(terminal.world.model.focus).toBe("prompt")
  })

  it("gives the terminal back with all that is finished and the cursor under it", async () => {
    const { terminal, script } = await talked(80, 24, "one\n\ntwo")
    script.say(...ending({}))
    script.feed({ _tag: "StreamEnded", requestId: script.requestId })
    // What was finished since the last frame is not lost.
    await terminal.leave()
    const lines = terminal.lines().join("\n").trimEnd().split("\n")
    expect(lines.filter((line) => line.includes("two"))).toHaveLength(1)
    expect(lines.join("\n")).not.toContain("Type a message. /")
    expect(terminal.cursor).toEqual({ x: 0, y: lines.length })
    await terminal.write(`${ESC}[mdone`)
    expect(terminal.lines()[lines.length]).toBe("done")
  })

  it("goes on under what another program wrote meanwhile", async () => {
    const { terminal } = await talked(80, 24, "one")
    await terminal.leave()
    await terminal.write("editor was here\r\n")
    await terminal.draw()
    const lines = terminal.lines().join("\n")
    expect(lines.indexOf("editor was here")).toBeLessThan(lines.indexOf("Type a message. /"))
    expect(lines.match(/tell me/g)?.length).toBe(1)
  })
})
