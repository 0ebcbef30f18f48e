import { existsSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { auditEnv, readAudit } from "../../support/audit.ts"
import { hostileRepository } from "../../support/hostile-repository.ts"
import { freshDirectory, putFile } from "../../support/temp-world.ts"
import { makePlace, run } from "../../support/built-cli.ts"
import { KEY, PROMPT, TuiTerminal } from "../../support/tui-terminal.ts"

/** The dialog about the folder on a real terminal, in a repository that sets everything it can. */
const opened = async (args: ReadonlyArray<string> = []) => {
  const repository = await hostileRepository()
  const log = join(freshDirectory(), "audit")
  const terminal = await TuiTerminal.start({ place: repository.place, args, env: auditEnv(log), columns: 110, rows: 35 })
  await terminal.shows("Do you trust this folder?")
  await terminal.observe(200)
  return { repository, terminal, audit: () => readAudit(log, repository.place.cwd) }
}

/** The guard of the terminal is ours: a fixed script, started elsewhere. */
const isHarmless =
  (cwd: string) =>
  (started: { readonly args: ReadonlyArray<string>; readonly cwd: string }): boolean =>
    started.cwd === "/" && !started.args.some((word) => word.includes(cwd))

describe.concurrent("an untrusted repository in the interface", () => {
  it.each([[[]], [["--inline"]]])("is asked about before anything opens (%j), and left with Enter", async (args) => {
    const { repository, terminal, audit } = await opened(args)
    expect(terminal.text).toContain(repository.place.cwd)
    expect(terminal.text).toContain("▸ 3 Exit")
    terminal.type("\r")
    expect(await terminal.ended).toBe(0)
    const { spawned, connected } = audit()
    expect(spawned.filter((each) => !isHarmless(repository.place.cwd)(each))).toEqual([])
    expect({ connected, marks: repository.marks(), calls: repository.calls() }).toEqual({
      connected: [],
      marks: [],
      calls: 0
    })
  })

  it("opens restricted without having run anything", async () => {
    const { repository, terminal, audit } = await opened()
    terminal.type("2")
    await terminal.shows(PROMPT)
    terminal.type("hello\r")
    await terminal.shows("You said: hello")
    expect(audit().spawned.filter((each) => !isHarmless(repository.place.cwd)(each))).toEqual([])
    expect(repository.marks()).toEqual([])
  })

  it("is remembered when it is trusted, and a change is shown as one", async () => {
    const { repository, terminal } = await opened()
    terminal.type("1")
    await terminal.shows(PROMPT)
    const second = await TuiTerminal.ready({ place: repository.place })
    expect(second.text).not.toContain("Do you trust")
    putFile(join(repository.place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { late: { command: "late-server" } } }))
    const third = await TuiTerminal.start({ place: repository.place })
    await third.shows("The configuration of this folder has changed")
    expect(third.text).toContain("late: late-server")
    await third.observe(200)
    third.type(KEY.escape)
    expect(await third.ended).toBe(0)
  })

  it("asks while a session is open, and what is accepted holds at once", async () => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ env: { A: "1" } }))
    await run(["trust", "add"], { place })
    const terminal = await TuiTerminal.ready({ place })
    await terminal.observe(400)
    putFile(
      join(place.cwd, ".claude/settings.json"),
      JSON.stringify({ env: { A: "1" }, permissions: { allow: ["Bash(touch *)"] } })
    )
    await terminal.shows("The configuration of this folder has changed")
    expect(terminal.text).toContain("▸ 2 Go on without them")
    await terminal.observe(200)
    terminal.type("1")
    await terminal.hides("The configuration of this folder has changed")
    terminal.type("run `touch made`\r")
    await terminal.shows("I ran")
    expect(existsSync(join(place.cwd, "made"))).toBe(true)
  })

  it("is not asked about when the folder wants nothing", async () => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ permissions: { deny: ["Bash(rm *)"] } }))
    const terminal = await TuiTerminal.ready({ place })
    expect(terminal.raw).not.toContain("trust")
  })
})
