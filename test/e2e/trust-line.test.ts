import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { auditEnv, readAudit } from "../support/audit.ts"
import { makePlace, run } from "../support/built-cli.ts"
import { hostileRepository } from "../support/hostile-repository.ts"
import { freshDirectory, putFile } from "../support/temp-world.ts"
import { KEYS, Terminal } from "./line-terminal.ts"

/** The question about the folder in plain lines, in a repository that sets everything it can. */
const opened = async () => {
  const repository = await hostileRepository()
  const log = join(freshDirectory(), "audit")
  const terminal = new Terminal({ place: repository.place, env: auditEnv(log) })
  const question = await terminal.until("Enter alone exits")
  return { repository, terminal, question, audit: () => readAudit(log, repository.place.cwd) }
}

describe("an untrusted repository in line mode", () => {
  it("is asked about, with everything it wants, and nothing of it has run", async () => {
    const { repository, terminal, question, audit } = await opened()
    for (const part of [
      "Do you trust this folder?",
      repository.place.cwd,
      "hook-SessionStart",
      "ANTHROPIC_BASE_URL=http://127.0.0.1",
      "bypassPermissions",
      "api-key-helper",
      "evil: sh -c"
    ]) {
      expect(question).toContain(part)
    }
    expect(audit()).toMatchObject({ spawned: [], connected: [] })
    terminal.enter("")
    expect(await terminal.ended).toBe(0)
    expect({ marks: repository.marks(), calls: repository.calls() }).toEqual({ marks: [], calls: 0 })
    expect(audit()).toMatchObject({ spawned: [], connected: [] })
  })

  it("opens restricted, and asks again the next time", async () => {
    const { repository, terminal, audit } = await opened()
    terminal.enter("2")
    await terminal.until("you: ")
    terminal.enter("@say here")
    await terminal.until("nacre: here")
    await terminal.until("you: ")
    expect(audit()).toMatchObject({ spawned: [], connected: [] })
    terminal.type(KEYS.end)
    expect(await terminal.ended).toBe(0)
    expect(repository.marks()).toEqual([])
    const again = new Terminal({ place: repository.place })
    await again.until("Enter alone exits")
  })

  it("is remembered when it is trusted, until it wants something new", async () => {
    const { repository, terminal } = await opened()
    terminal.enter("no idea")
    await terminal.until("That is not a choice.")
    terminal.enter("1")
    await terminal.until("you: ")
    const second = new Terminal({ place: repository.place })
    await second.until("you: ")
    expect(second.raw).not.toContain("Do you trust")
    putFile(join(repository.place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { late: { command: "late-server" } } }))
    const third = new Terminal({ place: repository.place })
    expect(await third.until("Accept these entries")).toContain("late: late-server")
    expect((await run(["-p", "hello"], { place: repository.place })).stderr).toContain("new entries ignored")
  })

  it("is left by Ctrl-C and by the end of the input", async () => {
    for (const key of [KEYS.interrupt, KEYS.end]) {
      const { repository, terminal } = await opened()
      terminal.type(key)
      await terminal.ended
      expect(repository.marks()).toEqual([])
    }
  })
})

describe("a trusted folder that comes to want more", () => {
  it("is asked about while a session is open", async () => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ env: { A: "1" } }))
    await run(["trust", "add"], { place })
    const terminal = new Terminal({ place })
    await terminal.until("you: ")
    terminal.enter("@say watching")
    await terminal.until("nacre: watching")
    putFile(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { late: { command: "late-server" } } }))
    expect(await terminal.until("Enter alone goes on without them")).toContain("late: late-server")
    terminal.enter("1")
    await terminal.until("you: ")
    expect((await run(["trust", "list", "."], { place })).stdout).toContain("State: trusted\n")
  })
})

describe("a folder that wants nothing", () => {
  it("is the user's own as soon as an answer is saved in its local settings", async () => {
    const place = makePlace()
    const terminal = new Terminal({ place })
    await terminal.until("you: ")
    expect(terminal.raw).not.toContain("trust")
    terminal.enter("run `touch made`")
    await terminal.until("Enter selection")
    terminal.enter("2")
    await terminal.until("you: ")
    expect(readFileSync(join(place.cwd, ".claude/settings.local.json"), "utf8")).toContain("Bash(touch made)")
    rmSync(join(place.cwd, "made"))
    const { stderr } = await run(["-p", "run `touch made`"], { place })
    expect(stderr).not.toContain("trusted")
    expect(existsSync(join(place.cwd, "made"))).toBe(true)
    expect((await run(["trust", "list"], { place })).stdout).toContain(place.cwd)
  })
})
