import { describe, expect, it } from "vitest"
import { run } from "../support/built-cli.ts"
import { TuiTerminal } from "../support/tui-terminal.ts"

const CHECKPOINTS = ["program loaded", "arguments read", "settings read", "trust decided"]

const rowsOf = (text: string): ReadonlyArray<{ readonly atMs: number; readonly name: string }> =>
  [...text.matchAll(/^ *([\d.]+) +\+[\d.]+ +\d+ {2}(.+?)\r?$/gm)].map(([, at = "", name = ""]) => ({
    atMs: Number(at),
    name
  }))

describe("the profile of a start", () => {
  it("lists what was done in its order, and only when asked", async () => {
    const { code, stdout, stderr } = await run(["-p", "hello"], { env: { NACRE_PROFILE_STARTUP: "1" } })
    const rows = rowsOf(stderr)
    expect(rows.map(({ name }) => name)).toEqual([...CHECKPOINTS, "session open"])
    expect(rows.map(({ atMs }) => atMs)).toEqual(rows.map(({ atMs }) => atMs).toSorted((left, right) => left - right))
    expect({ code, silent: !stdout.includes("checkpoint") }).toEqual({ code: 0, silent: true })
    expect((await run(["-p", "hello"])).stderr).not.toContain("checkpoint")
  })

  it("ends the interface after its first frame, and gives the terminal back", async () => {
    const env = { NACRE_PROFILE_STARTUP: "1", NACRE_EXIT_AFTER_FIRST_RENDER: "1" }
    const terminal = await TuiTerminal.start({ env })
    expect(await terminal.ended).toBe(0)
    expect(rowsOf(terminal.raw).map(({ name }) => name)).toEqual([...CHECKPOINTS, "first frame"])
    expect(terminal.raw).toContain("Type a message")
    expect(terminal.emulator.modes()).toMatchObject({ altScreen: false, paste: false, mouse: "none" })
  })
})
