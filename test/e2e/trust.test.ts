import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { describe, expect, it } from "vitest"
import { type Audit, runAudited, traceRun } from "../support/audit.ts"
import { makePlace, type Place, run } from "../support/built-cli.ts"
import { endpointEnv, serve } from "../support/e2e-world.ts"
import { type HostileRepository, type HostileForm, hostileRepository } from "../support/hostile-repository.ts"
import { text } from "../support/messages-reply.ts"
import { freshDirectory, putFile, putPipe } from "../support/temp-world.ts"

/** A repository that sets everything it can: nothing of it runs, and nothing is sent where it says. */
const NOT_TRUSTED = "nacre: workspace not trusted: project settings ignored (use --trust or run nacre trust add)\n"

/** All that may be opened in a folder that nobody trusts: settings as data, and where the repository's head is. */
const MAY_BE_OPENED = /^(?:\.mcp\.json|\.claude\/settings(?:\.local)?\.json|\.git|\.git\/(?:HEAD|index))$/

const STATE_OF_PRETENDER = /^state\/\.git\/worktrees\/work\/(?:gitdir|HEAD|index)$/

const expectUntouched = ({ spawned, connected, opened }: Audit, repository: HostileRepository): void => {
  expect(spawned).toEqual([])
  expect(connected).toEqual([])
  expect(opened.filter((path) => !MAY_BE_OPENED.test(path) && !STATE_OF_PRETENDER.test(path))).toEqual([])
  expect(repository.marks()).toEqual([])
  expect(repository.calls()).toBe(0)
}

const RUNS: ReadonlyArray<readonly [what: string, args: ReadonlyArray<string>]> = [
  ["-p", ["-p", "hello"]],
  ["-p as stream", ["-p", "--output-format", "stream-json", "--verbose", "hello"]],
  ["-p from a pipe without -p", ["hello"]],
  ["--continue", ["--continue", "-p", "hello"]],
  ["--version", ["--version"]],
  ["--version with more", ["--version", "more"]],
  ["--help", ["--help"]],
  ["a command's help", ["trust", "--help"]],
  ["trust list", ["trust", "list"]],
  ["trust list of the folder", ["trust", "list", "."]],
  ["config list", ["config", "list"]],
  ["permissions list", ["permissions", "list"]],
  ["permissions explain", ["permissions", "explain", "ls"]],
  ["auth status", ["auth", "status"]],
  ["logout", ["logout"]],
  ["completion", ["completion", "bash"]],
  ["help", ["help"]],
  ["a resume that finds nothing", ["-p", "--resume", "00000000-0000-4000-8000-000000000000", "hello"]]
]

describe.concurrent("an untrusted repository", () => {
  it.each(RUNS)("gets nothing from %s", async (_, args) => {
    const repository = await hostileRepository()
    expectUntouched(await runAudited(args, repository.place), repository)
  })

  const forms: ReadonlyArray<HostileForm> = ["linked", "commondir", "pretendedWorktree"]
  it("gets nothing from sandbox status, which tries the sandbox itself", async () => {
    const repository = await hostileRepository()
    const { cwd } = repository.place
    const audited = await runAudited(["sandbox", "status"], repository.place)
    const isOurs = (each: Audit["spawned"][number]): boolean =>
      each.cwd === "/" && isAbsolute(each.file) && ![each.file, ...each.args].some((word) => word.includes(cwd))
    expectUntouched({ ...audited, spawned: audited.spawned.filter((each) => !isOurs(each)) }, repository)
  })

  it.each([
    ["doctor", [], ["doctor"]],
    ["sandbox status", [], ["sandbox", "status"]],
    ["sandbox test", [], ["sandbox", "test"]],
    [
      "a sandboxed command",
      ["sub"],
      ["-p", '@tool Bash {"command": "echo hi"}', "--settings", '{"sandbox": {"enabled": true}}']
    ],
    ["ripgrep", ["sub"], ["--ripgrep", "--version"]]
  ])("has no program run by %s, although PATH leads there as package managers set it", async (_what, below, args) => {
    const place = makePlace()
    const bin = join(place.cwd, "node_modules/.bin")
    for (const name of ["bwrap", "git", "rg", "true", "stty", "cat", "sh"]) {
      putFile(join(bin, name), `#!/bin/sh\necho ${name} >> '${place.home}/ran'\nexit 1\n`, 0o755)
    }
    const cwd = join(place.cwd, ...below)
    mkdirSync(cwd, { recursive: true })
    await run(args, { place, cwd, env: { PATH: `${bin}:${process.env["PATH"] ?? ""}`, USE_BUILTIN_RIPGREP: "0" } })
    expect(existsSync(join(place.home, "ran"))).toBe(false)
  })

  it("gets nothing from doctor, which tries programs and the sandbox elsewhere", async () => {
    const repository = await hostileRepository()
    const { cwd } = repository.place
    const audited = await runAudited(["doctor"], repository.place)
    const isOurs = ({ cwd: at, file, args }: Audit["spawned"][number]): boolean =>
      !`${at}/`.startsWith(`${cwd}/`) && ![file, ...args].some((word) => word.includes(cwd))
    expectUntouched({ ...audited, spawned: audited.spawned.filter((each) => !isOurs(each)) }, repository)
  })

  it.each(forms)("gets nothing when it is %s", async (form) => {
    const trusted = await trustedRepository()
    const repository = await hostileRepository(form, trusted.cwd)
    const place = { ...repository.place, config: trusted.config }
    const audited = await runAudited(["-p", "hello"], place)
    expectUntouched(audited, repository)
    expect(audited.result.stderr).toContain(NOT_TRUSTED)
    expect(audited.result.code).toBe(0)
  })

  it("gets nothing as the kernel sees it", async () => {
    const repository = await hostileRepository()
    const traced = await traceRun(["-p", "hello"], repository.place)
    if (traced !== undefined) expectUntouched(traced, repository)
    expect(repository.marks()).toEqual([])
  })

  it("gets nothing when its session is resumed", async () => {
    const repository = await hostileRepository()
    const first = await run(["-p", "--output-format", "json", "hello"], { place: repository.place })
    const id = String(first.lines[0]?.["session_id"])
    const audited = await runAudited(["-p", "--resume", id, "again"], repository.place)
    expect(audited.result).toMatchObject({ code: 0 })
    expectUntouched(audited, repository)
  })

  it("does not learn the credential: requests go where the user said", async () => {
    const repository = await hostileRepository()
    const server = await serve([text("fine")])
    const answer = await run(["-p", "hello"], { place: repository.place, env: endpointEnv(server) })
    expect(answer).toMatchObject({ code: 0, stdout: "fine\n", stderr: NOT_TRUSTED })
    expect(server.requests).toHaveLength(1)
    expect({ calls: repository.calls(), marks: repository.marks() }).toEqual({ calls: 0, marks: [] })
  })

  it("cannot hang the start with a pipe", async () => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/other"), "")
    putPipe(join(place.cwd, ".claude/settings.json"))
    putPipe(join(place.cwd, ".mcp.json"))
    putPipe(join(place.cwd, ".git"))
    expect(await run(["-p", "hello"], { place })).toMatchObject({ code: 0 })
  })
})

describe.concurrent("the audit itself", () => {
  it("sees files, processes and connections", async () => {
    const repository = await hostileRepository()
    const server = await serve([text("fine")])
    const { opened, connected } = await runAudited(["-p", "hello"], repository.place, endpointEnv(server))
    expect(opened).toContain(".claude/settings.json")
    expect(connected).toHaveLength(1)
    const { spawned } = await runAudited(["-p", "run `true`", "--allowedTools", "Bash"], repository.place)
    expect(spawned.map(({ cwd }) => cwd)).toContain(repository.place.cwd)
  })

  it("sees them from outside as well, where it can", async () => {
    const repository = await hostileRepository()
    const traced = await traceRun(["-p", "run `true`", "--allowedTools", "Bash"], repository.place)
    if (traced === undefined) return
    expect(traced.opened).toContain(".claude/settings.json")
    expect(traced.spawned.map(({ file }) => file).some((file) => /bash|sh$/.test(file))).toBe(true)
  })
})

const trustedRepository = async (): Promise<Place> => {
  const place = makePlace()
  putFile(join(place.cwd, ".git/HEAD"), "ref: refs/heads/main\n")
  putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ env: { SHARED: "1" } }))
  expect(await run(["trust", "add"], { place })).toMatchObject({ code: 0 })
  return place
}

describe.concurrent("the line about a folder that is not trusted", () => {
  interface Started {
    readonly args?: ReadonlyArray<string>
    readonly env?: Record<string, string>
  }

  const inFolder = async (settings: object, options: Started = {}) => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify(settings))
    const { code, stderr } = await run(["-p", "hello", ...(options.args ?? [])], { place, env: options.env ?? {} })
    return { code, told: stderr.includes(NOT_TRUSTED) }
  }

  it("is said once, and only when something is ignored", async () => {
    expect(await inFolder({ env: { A: "1" } })).toEqual({ code: 0, told: true })
    expect(await inFolder({ language: "german" })).toEqual({ code: 0, told: true })
    expect(await inFolder({ permissions: { deny: ["Bash"] } })).toEqual({ code: 0, told: false })
    expect(await inFolder({})).toEqual({ code: 0, told: false })
  })

  it("is not said when the run is trusted by whoever started it", async () => {
    expect(await inFolder({ env: { A: "1" } }, { args: ["--trust"] })).toEqual({ code: 0, told: false })
    expect(await inFolder({ env: { A: "1" } }, { env: { NACRE_TRUST: "1" } })).toEqual({ code: 0, told: false })
    expect(await inFolder({ env: { A: "1" } }, { env: { NACRE_TRUST: "0" } })).toEqual({ code: 0, told: true })
  })
})

describe.concurrent("what a project's settings do", () => {
  const RULES = {
    permissions: { allow: ["Bash(touch *)"], deny: ["Bash(echo denied*)"] },
    env: { SHARED: "from the project", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" }
  }

  const projectWith = (settings: object): Place => {
    const place = makePlace()
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify(settings))
    return place
  }

  const runs = async (place: Place, command: string, args: ReadonlyArray<string> = []) => {
    const { stdout, stderr, code } = await run(["-p", `run \`${command}\``, ...args], { place })
    return { stdout, stderr, code }
  }

  it("untrusted: its deny rules hold, its allow rules do not", async () => {
    const place = projectWith(RULES)
    expect((await runs(place, "echo denied", ["--allowedTools", "Bash"])).stdout).toContain("Bash(echo denied*)")
    expect((await runs(place, "touch made")).stdout).toContain("was not allowed to run")
    expect(existsSync(join(place.cwd, "made"))).toBe(false)
    expect((await runs(place, "printenv SHARED", ["--allowedTools", "Bash"])).stdout).not.toContain("from the project")
  })

  it("trusted for the run: they hold, except what no folder may set", async () => {
    const place = projectWith(RULES)
    const made = await runs(place, "touch made", ["--trust"])
    expect(existsSync(join(place.cwd, "made"))).toBe(true)
    expect(made.stderr).toMatch(/ANTHROPIC_BASE_URL is never taken from a project's files/)
    expect((await runs(place, "printenv SHARED", ["--trust", "--allowedTools", "Bash"])).stdout).toContain(
      "from the project"
    )
  })

  it("accepted: only what was accepted holds, until the new is accepted too", async () => {
    const place = projectWith(RULES)
    await run(["trust", "add"], { place })
    await runs(place, "touch first")
    putFile(
      join(place.cwd, ".claude/settings.json"),
      JSON.stringify({ permissions: { allow: ["Bash(touch *)", "Bash(mkdir *)"] } })
    )
    await runs(place, "touch second")
    await runs(place, "mkdir third")
    expect(["first", "second", "third"].map((name) => existsSync(join(place.cwd, name)))).toEqual([true, true, false])
    await run(["trust", "add"], { place })
    await runs(place, "mkdir third")
    expect(existsSync(join(place.cwd, "third"))).toBe(true)
  })

  it("the user's own local file needs no acceptance in a trusted folder", async () => {
    const place = projectWith({ env: { A: "1" } })
    putFile(join(place.cwd, ".git/HEAD"), "ref: refs/heads/main\n")
    await run(["trust", "add"], { place })
    putFile(join(place.cwd, ".claude/settings.local.json"), JSON.stringify({ permissions: { allow: ["Bash(touch *)"] } }))
    expect((await runs(place, "touch made")).stderr).not.toContain("ignored")
    expect(existsSync(join(place.cwd, "made"))).toBe(true)
  })

  it("commands show what holds, and why the rest does not", async () => {
    const place = projectWith(RULES)
    const shown = async () => ({
      rules: (await run(["permissions", "list"], { place })).stdout,
      why: (await run(["config", "explain", "permissions.allow"], { place })).stdout
    })
    const untrusted = await shown()
    expect(untrusted.rules).toContain("Bash(echo denied*)")
    expect(untrusted.rules).not.toContain("Bash(touch *)")
    expect(untrusted.why).toContain("the workspace is not trusted")
    await run(["trust", "add"], { place })
    expect((await shown()).rules).toContain("Bash(touch *)")
    const allow = ["Bash(touch *)", "Bash(mkdir *)"]
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ permissions: { allow } }))
    const changed = await shown()
    expect(changed.rules).not.toContain("Bash(mkdir *)")
    expect(changed.why).toContain("was not accepted yet")
  })

  it("is not asked about where --setting-sources leaves it out", async () => {
    const place = projectWith(RULES)
    expect((await runs(place, "true", ["--setting-sources", "user"])).stderr).not.toContain(NOT_TRUSTED)
  })
})

describe.concurrent("nacre trust", () => {
  it("adds, lists and removes a folder", async () => {
    const place = await trustedRepository()
    const listed = await run(["trust", "list", "--json"], { place })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ path: place.cwd, status: "trusted", entries: 1 }])
    expect((await run(["-p", "hello"], { place })).stderr).not.toContain(NOT_TRUSTED)
    expect(await run(["trust", "remove"], { place })).toMatchObject({ code: 0 })
    expect((await run(["-p", "hello"], { place })).stderr).toContain(NOT_TRUSTED)
    expect(await run(["trust", "remove"], { place })).toMatchObject({ code: 1 })
  })

  it("tells a script when a trusted folder wants something new", async () => {
    const place = await trustedRepository()
    putFile(join(place.cwd, ".mcp.json"), JSON.stringify({ mcpServers: { late: { command: "late" } } }))
    const { stderr } = await run(["-p", "hello"], { place })
    expect(stderr).toContain("nacre: workspace settings changed: new entries ignored")
    expect((await run(["trust", "list", "."], { place })).stdout).toContain("late: late")
  })

  it("does not trust another folder at the same path, a nested repository or the home directory", async () => {
    const place = await trustedRepository()
    const nested = join(place.cwd, "nested")
    putFile(join(nested, ".git/HEAD"), "ref: refs/heads/main\n")
    putFile(join(nested, ".claude/settings.json"), JSON.stringify({ env: { A: "1" } }))
    expect((await run(["-p", "hello"], { place, cwd: nested })).stderr).toContain(NOT_TRUSTED)
    renameSync(place.cwd, `${place.cwd}-before`)
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ env: { SHARED: "1" } }))
    expect((await run(["-p", "hello"], { place })).stderr).toContain(NOT_TRUSTED)
    const atHome = await run(["trust", "add", place.home], { place })
    expect(atHome).toMatchObject({ code: 1 })
    expect(atHome.stderr).toContain("trusted for a session only")
  })

  it("leaves a broken file alone and says where it is broken", async () => {
    const place = await trustedRepository()
    putFile(join(place.config, ".claude.json"), "{ broken")
    const answer = await run(["-p", "hello"], { place })
    expect(answer.code).toBe(1)
    expect(answer.stderr).toMatch(/nacre: global config \(.*\.claude\.json:1:3\) — .*Fix: /)
    expect(readFileSync(join(place.config, ".claude.json"), "utf8")).toBe("{ broken")
  })

  it("writes beside the home directory unless a variable names the config home", async () => {
    const home = freshDirectory()
    const place: Place = { ...makePlace(), home }
    putFile(join(place.cwd, ".claude/settings.json"), JSON.stringify({ env: { A: "1" } }))
    expect(await run(["trust", "add"], { place, env: { NACRE_CONFIG_DIR: "" } })).toMatchObject({ code: 0 })
    expect(existsSync(join(home, ".claude.json"))).toBe(true)
  })
})
