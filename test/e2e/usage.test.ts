import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { isAbsolute, join } from "node:path"
import { describe, expect, it } from "vitest"
import { builtCli, makePlace, run, start } from "../support/built-cli.ts"
import { ask, endpointEnv, sentBlocks, serve, STREAM, transcriptsOf } from "../support/e2e-world.ts"
import { text } from "../support/messages-reply.ts"
import { putFile } from "../support/temp-world.ts"

/** Command line and stdin: what is accepted, what is refused and how. */
const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
const { version } = JSON.parse(manifest) as { version: string }

const STDIN_LIMIT = 10 * 1024 * 1024

const promptSent = async (prompt: string | undefined, stdin: string): Promise<unknown> => {
  const server = await serve([text("fine")])
  const args = prompt === undefined ? ["-p"] : ["-p", prompt]
  const { code } = await run(args, { stdin, env: endpointEnv(server) })
  expect({ code, violations: server.violations() }).toEqual({ code: 0, violations: [] })
  return sentBlocks(server.requests[0]).at(-1)?.["text"]
}

describe.concurrent("help and version", () => {
  it.each([["--version"], ["-v"]])("%s prints the version", async (flag) => {
    const { code, stdout, stderr } = await run([flag])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${version} (Nacre)\n`, stderr: "" })
  })

  it.each([["--help"], ["-h"]])("%s names commands and flags", async (flag) => {
    const { code, stdout, stderr } = await run([flag])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    for (const name of ["Usage: nacre", "replay [flags] <file>", "--print", "--resume", "--output-format"]) {
      expect(stdout).toContain(name)
    }
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it.each([[["-p", "hi"]], [["doctor"]], [["config", "list"]], [["trust", "list"]], [["--help"]]])(
    "%j says that its directory was removed",
    async (args) => {
      const place = makePlace()
      const cli = await builtCli()
      const removed = join(place.home, "removed")
      const script = 'mkdir "$1" && cd "$1" && rmdir "$1" && shift && exec "$@"'
      const { status, stdout, stderr } = spawnSync("sh", ["-c", script, "sh", removed, process.execPath, cli, ...args], {
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: place.home, PWD: place.home }
      })
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" })
      expect(stderr).toBe(
        `nacre: the current directory (${removed}) cannot be used — it was removed or may not be read. Fix: cd to another one\n`
      )
    }
  )

  it("--ripgrep is ripgrep, with its arguments and exit codes", async () => {
    const place = makePlace()
    writeFileSync(join(place.cwd, "a.txt"), "needle --model\n")
    expect((await run(["--ripgrep", "--version"], { place })).stdout).toMatch(/^ripgrep \d/)
    expect(await run(["--ripgrep", "-e", "--model", "a.txt"], { place })).toMatchObject({
      code: 0,
      stdout: "needle --model\n"
    })
    expect((await run(["--ripgrep", "absent", "a.txt"], { place })).code).toBe(1)
    expect((await run(["--ripgrep", "--no-such-flag"], { place })).code).toBe(2)
  })

  it("help for a command is about that command", async () => {
    const { code, stdout } = await run(["replay", "--help"])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: nacre replay \[flags\] <file>/)
  })
})

describe.concurrent("output that nobody gets", () => {
  const through = async (redirection: string, args: ReadonlyArray<string>) => {
    const place = makePlace()
    const script = `"$@" ${redirection}`
    const { status, stderr } = spawnSync(
      "bash",
      ["-c", `set -o pipefail; ${script}`, "bash", process.execPath, await builtCli(), ...args],
      {
        encoding: "utf8",
        cwd: place.cwd,
        input: "",
        env: { PATH: process.env["PATH"], HOME: place.home }
      }
    )
    return { status, stderr }
  }

  const PRINTING = [["--version"], ["--help"], ["config", "schema"], ["doctor"], ["-p", "hello"]]

  it.each(PRINTING)("fails on a full disk and says so: %s %s", async (...args) => {
    const { status, stderr } = await through("> /dev/full", args)
    expect(status).toBe(1)
    expect(stderr).toContain("nacre: the output could not be written (ENOSPC). Fix: make room, or write it elsewhere\n")
    expect(stderr).not.toContain("    at ")
  })

  it.each(PRINTING)("ends quietly when the reader goes away: %s %s", async (...args) => {
    const { stderr } = await through("| true", args)
    expect(stderr).not.toMatch(/EPIPE| {4}at /)
  })

  it.each(PRINTING)("is not missed on stderr: %s %s", async (...args) => {
    const { status } = await through("2> /dev/full > /dev/null", args)
    expect(status).toBe(0)
  })
})

describe.concurrent("a home that is none", () => {
  it.each(["", "relative"])("HOME=%j does not make a project's settings the user's own", async (home) => {
    const place = makePlace()
    for (const directory of [place.cwd, join(place.cwd, "relative")]) {
      putFile(join(directory, ".claude", "settings.json"), '{"permissions": {"allow": ["Bash"]}}')
    }
    const env = { HOME: home, NACRE_CONFIG_DIR: "" }
    const { stdout, stderr } = await run(["config", "path", "--source", "user"], { place, env })
    expect(isAbsolute(stdout)).toBe(true)
    expect(stdout).not.toContain(place.cwd)
    if (home !== "") expect(stderr).toContain("HOME=relative is not an absolute path")
    expect((await run(["config", "list"], { place, env })).stdout).not.toContain("Bash")
  })
})

describe.concurrent("words that are not prompts", () => {
  it("help is help, also of a command", async () => {
    expect((await run(["help"])).stdout).toBe((await run(["--help"])).stdout)
    expect((await run(["help", "config", "set"])).stdout).toMatch(/^Usage: nacre config set/)
    expect(await run(["version"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("nacre --version?")
    })
    expect((await run(["-p", "help"])).stdout).toContain("You said: help")
  })

  it("is told that it is print mode when nobody said so", async () => {
    expect((await run(["hello"])).stderr).toContain("nacre: stdout is not a terminal, so this is print mode, as with -p\n")
    expect((await run(["-p", "hello"])).stderr).not.toContain("print mode")
  })

  it("takes no flag for a model", async () => {
    const { code, stderr } = await run(["--model", "-p", "x"])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no model called "-p"') })
  })
})

describe.concurrent("a command line that cannot be run", () => {
  it.each([
    [["--ouput-format", "json", "-p", "x"], /--ouput-format.*--output-format/],
    [["-p", "x", "--output-format", "jsn"], /--output-format.*"jsn"/],
    [["-p", "x", "--output-format", "stream-json"], /--verbose/],
    [["-p", "x", "--input-format", "stream-json"], /--output-format stream-json/],
    [["-p", "x", "--include-partial-messages"], /--include-partial-messages.*stream-json/],
    [["-p", "x", "--max-turns", "0"], /--max-turns/],
    [["-p", "x", "--max-budget-usd", "0"], /--max-budget-usd/],
    [["-p", "x", "--continue", "--resume", "y"], /--continue cannot be used with --resume/],
    [["-p", "x", "--resume"], /--resume needs a session/],
    [["-p", "x", "--session-id", "abc"], /--session-id/],
    [["-p", "x", "--json-schema", "{"], /--json-schema/],
    [["-p", "x", "--add-dir", "/no/such/directory"], /\/no\/such\/directory/],
    [["-p", "x", "y"], /2 prompts/],
    [["-p", "x", "--permission-mode", "plann"], /plan/],
    [["-p", "x", "--model"], /--model/],
    [["-p", "x", "--system-prompt-file", "no-such-file"], /--system-prompt-file no-such-file/],
    [["repley"], /nacre replay/],
    [["replay"], /replay takes 1 argument/],
    [["acp"], /not a command of this version/]
  ])("%j is refused with the reason and starts nothing", async (args, reason) => {
    const place = makePlace()
    const { code, stdout, stderr } = await run(args, { place })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(reason)
    expect(stderr.trimEnd().split("\n")).toHaveLength(1)
    expect(transcriptsOf(place)).toEqual([])
  })

  it("refuses an invalid JSON schema before any request", async () => {
    const server = await serve([text("never sent")])
    const schema = JSON.stringify({ type: "objekt" })
    const { code, stderr } = await run(["-p", "x", "--json-schema", schema], { env: endpointEnv(server) })
    expect(code).toBe(1)
    expect(stderr).toMatch(/--json-schema is not a valid JSON Schema/)
    expect(server.requests).toHaveLength(0)
  })
})

describe.concurrent("the prompt", () => {
  it("comes from the argument, from stdin, or from both with a line break between", async () => {
    expect(await promptSent("only argument", "")).toBe("only argument")
    expect(await promptSent(undefined, "only stdin\n")).toBe("only stdin\n")
    expect(await promptSent("argument", "piped\ntext\n")).toBe("argument\npiped\ntext\n")
    expect(await promptSent("argument", " \n")).toBe("argument")
  })

  it("may hold any character", async () => {
    const odd = '-- --help \u{1f980} \u2028 "quoted" \\ $(x) \u00e9\u0301\n\ttab'
    expect(await promptSent(undefined, odd)).toBe(odd)
  })

  it.each([
    ["nothing at all", ["-p"], ""],
    ["blanks from stdin", ["-p"], " \n\t\n"],
    ["a blank argument", ["-p", "  "], ""]
  ])("%s is refused and leaves no transcript", async (_, args, stdin) => {
    const place = makePlace()
    const { code, stdout, stderr } = await run(args, { place, stdin })
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toContain("Error: Input must be provided either through stdin or as a prompt argument when using --print")
    expect(transcriptsOf(place)).toEqual([])
  })

  it("is accepted up to exactly 10 MiB and refused beyond", async () => {
    const directive = "@say fine\n"
    const env = { NACRE_OFFLINE_WINDOW: "10000000" }
    const whole = await run(["-p"], { env, stdin: directive.padEnd(STDIN_LIMIT, "a") })
    expect({ code: whole.code, stdout: whole.stdout }).toEqual({ code: 0, stdout: "fine\n" })
    const more = await run(["-p"], { env, stdin: directive.padEnd(STDIN_LIMIT + 1, "a") })
    expect({ code: more.code, stdout: more.stdout }).toEqual({ code: 1, stdout: "" })
    expect(more.stderr).toMatch(/stdin.*10 MB/)
  })

  it("beyond the model's window is refused before any request", async () => {
    const server = await serve([text("never sent")])
    const { code, stdout } = await run(["-p"], { env: endpointEnv(server), stdin: "a".repeat(STDIN_LIMIT) })
    expect({ code, stdout, requests: server.requests.length }).toEqual({
      code: 1,
      stdout: "Prompt is too long\n",
      requests: 0
    })
  })

  it("too large a stdin is refused although it never ends", async () => {
    const cli = await start(["-p"], { stdin: null })
    const chunk = "a".repeat(1024 * 1024)
    for (let sent = 0; sent <= STDIN_LIMIT; sent += chunk.length) cli.write(chunk)
    const { code, stderr } = await cli.ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/stdin.*10 MB/)
  })

  it("flags may stand behind it", async () => {
    const { lines } = await run(["-p", "@say fine", ...STREAM, "--permission-mode=plan"])
    expect(lines[0]).toMatchObject({ subtype: "init", permissionMode: "plan" })
  })
})

describe.concurrent("the environment", () => {
  it("reports a number that is none and uses the default", async () => {
    const { stderr, code } = await ask([text("fine")], "hello", { env: { CLAUDE_CODE_MAX_RETRIES: "many" } })
    expect(code).toBe(0)
    expect(stderr).toMatch(/CLAUDE_CODE_MAX_RETRIES=many.*using 10/)
  })

  it("sends no user id with DO_NOT_TRACK", async () => {
    const { requests } = await ask([text("fine")], "hello", { env: { DO_NOT_TRACK: "1" } })
    expect(requests[0]?.body["metadata"]).toBeUndefined()
  })
})
