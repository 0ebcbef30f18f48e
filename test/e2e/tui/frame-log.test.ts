import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { freshDirectory } from "../../support/temp-world.ts"
import { TuiTerminal } from "../../support/tui-terminal.ts"

interface LoggedFrame {
  readonly at: number
  readonly bytes: number
  readonly fullRedraw: boolean
}

/** The frames of a session in which one word was typed. */
const framesWith = async (env: Readonly<Record<string, string>>): Promise<ReadonlyArray<LoggedFrame>> => {
  const path = join(freshDirectory(), "frames.jsonl")
  const terminal = await TuiTerminal.ready({ env: { NACRE_FRAME_LOG: path, ...env } })
  terminal.type("hello")
  await terminal.shows("> hello")
  const read = (): ReadonlyArray<LoggedFrame> =>
    readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as LoggedFrame)
  await expect.poll(() => read().length).toBeGreaterThan(1)
  return read()
}

describe("the log of frames", () => {
  it("tells what each frame cost; only the first is drawn in full", async () => {
    const [first, ...later] = await framesWith({})
    expect(first).toMatchObject({ fullRedraw: true })
    expect(later.at(-1)).toMatchObject({ fullRedraw: false })
  })

  it.each(["NACRE_FULL_REPAINT", "CLAUDE_CODE_ALT_SCREEN_FULL_REPAINT"])("%s draws every frame in full", async (name) => {
    const frames = await framesWith({ [name]: "1" })
    expect(frames.every(({ fullRedraw }) => fullRedraw)).toBe(true)
  })
})
