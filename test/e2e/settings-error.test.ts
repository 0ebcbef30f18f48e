import { chmodSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { builtCli, makePlace, run } from "../support/built-cli.ts"
import { freshDirectory, putFile } from "../support/temp-world.ts"
import { TuiTerminal } from "../support/tui-terminal.ts"
import { Terminal } from "./line-terminal.ts"

const BROKEN = '{\n  "permissions": {"deny": ["Bash(touch *)"],}\n}\n'

/** A place whose user settings are broken, and an editor that fixes them. */
const brokenPlace = async () => {
  await builtCli()
  const place = makePlace()
  const file = join(place.config, "settings.json")
  putFile(file, BROKEN)
  const editor = join(freshDirectory(), "editor")
  putFile(editor, "#!/bin/sh\nsed -i 's/,}/}/' \"$1\"\n")
  chmodSync(editor, 0o755)
  return { place, file, env: { EDITOR: editor } }
}

describe("broken settings at the start of an interactive session", () => {
  it("are fixed in the editor and hold from then on, in lines", async () => {
    const { place, file, env } = await brokenPlace()
    const terminal = new Terminal({ place, env })
    const question = await terminal.until("Enter alone exits")
    expect(question).toContain(`${file}:2:44`)
    expect(question).toContain("Fix: remove this comma")
    terminal.enter("1")
    await terminal.until("you: ")
    expect(readFileSync(file, "utf8")).toBe(BROKEN.replace(",}", "}"))
    terminal.enter("run `touch never`")
    await terminal.until("denied")
  })

  it("are left out when the user goes on, and stay in sight", async () => {
    const { place } = await brokenPlace()
    const terminal = new Terminal({ place })
    await terminal.until("Enter alone exits")
    terminal.enter("2")
    expect(await terminal.until("you: ")).toContain("warning: settings.json:2: not JSON")
  })

  it("end the start when nothing is chosen", async () => {
    const { place } = await brokenPlace()
    const terminal = new Terminal({ place })
    await terminal.until("Enter alone exits")
    terminal.enter("")
    expect(await terminal.ended).toBe(1)
  })

  it("are asked about in the interface", async () => {
    const { place, file, env } = await brokenPlace()
    const terminal = await TuiTerminal.start({ place, env: { EDITOR: env.EDITOR } })
    await terminal.shows("A settings file cannot be used")
    await terminal.observe(200)
    terminal.type("1")
    await terminal.hides("A settings file cannot be used")
    await expect.poll(() => readFileSync(file, "utf8")).not.toBe(BROKEN)
    await terminal.shows("Type a message")
  })

  it("are one line on stderr where nobody can be asked", async () => {
    const { place, file } = await brokenPlace()
    const { code, stderr } = await run(["-p", "hello"], { place })
    expect(code).toBe(0)
    expect(stderr.split("\n").filter((line) => line.includes(file))).toEqual([
      `nacre: settings (${file}:2:44) — not JSON: a comma must not stand before the closing bracket. Fix: remove this comma`
    ])
    expect((await run(["-p", "hello", "--strict-settings"], { place })).code).toBe(1)
  })
})
