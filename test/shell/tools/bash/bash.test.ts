import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Files } from "../../../../src/core/ports/Files.ts"
import { bashExecutor } from "../../../../src/shell/tools/bash/bash.ts"
import { FileState } from "../../../../src/shell/tools/services/file-state.ts"
import { livingMembers, until } from "../../../adapters/process/harness.ts"
import { shortest } from "../../../support/shortest.ts"
import { type BashHarness, makeBashHarness } from "./bash-harness.ts"

let harness: BashHarness
beforeAll(() => {
  harness = makeBashHarness()
})
afterAll(() => harness.close())

const bash = (...args: Parameters<BashHarness["bash"]>) => harness.run(harness.bash(...args))

const leftoverFiles = (): ReadonlyArray<string> => {
  const tasks = join(harness.sessionDir, "tasks")
  return existsSync(tasks) ? readdirSync(tasks) : []
}

describe("a session directory that cannot be written", () => {
  const nowhere = () => {
    const file = join(harness.root, "no-directory")
    writeFileSync(file, "")
    return { sessionDir: join(file, "session") }
  }

  it("does not keep commands from running, nor from changing the directory", async () => {
    expect(await bash("echo out; exit 3", nowhere())).toMatchObject({ content: "Exit code 3\nout", isError: true })
    mkdirSync(join(harness.projectDir, "below"))
    expect((await bash("cd below", nowhere())).cwd).toBe(join(harness.projectDir, "below"))
  })

  it("costs a long output its middle, and says so", async () => {
    const { content, isError } = await bash("seq 1 20000", nowhere())
    expect(isError).toBe(false)
    expect(content).toMatch(/^1\n2\n/)
    expect(content).toContain("20000")
    expect(content).toContain("not")
  })

  it("sends the output of background commands to a private place", async () => {
    const { data } = await bash({ command: "echo kept; sleep 60", run_in_background: true }, nowhere())
    const path = data.rawOutputPath ?? ""
    expect(path).not.toContain("no-directory")
    await until("the output", () => readFileSync(path, "utf8") === "kept\n")
    expect(statSync(path).mode & 0o077).toBe(0)
  })
})

describe("results", () => {
  it("gives both streams and leaves no file behind", async () => {
    expect(await bash("echo out; echo err >&2")).toEqual({
      content: "out\nerr",
      isError: false,
      data: { stdout: "out\nerr", stderr: "", interrupted: false, isImage: false, noOutputExpected: false }
    })
    await expect.poll(leftoverFiles).toEqual([])
  })

  it("puts the exit code first when a command fails, and names signals", async () => {
    expect(await bash("echo why; exit 3")).toMatchObject({ content: "Exit code 3\nwhy", isError: true })
    expect((await bash("kill -SEGV $$")).content).toBe("Exit code 139 (SIGSEGV)")
  })

  it("takes exit code 1 of a search for an answer", async () => {
    const result = await bash("echo a | grep b")
    expect(result).toMatchObject({ isError: false, content: "Exit code 1: nothing matched." })
    expect(result.data.returnCodeInterpretation).toBe("Exit code 1: nothing matched.")
  })

  it("says that there was no output", async () => {
    const result = await bash("mkdir made")
    expect(result.content).toBe("(Bash completed with no output)")
    expect(result.data.noOutputExpected).toBe(true)
  })

  it("replaces invalid UTF-8", async () => {
    expect((await bash("printf 'a\\xffb'")).content).toBe("a\ufffdb")
  })

  it("gives commands their environment without the credentials", async () => {
    const env = { PATH: process.env["PATH"], ANTHROPIC_API_KEY: "secret", BASH_ENV: "/users/own" }
    const { content } = await bash("env; echo ${BASH_ENV}", { env, effort: "high" })
    expect(content).toContain("CLAUDE_CODE_SESSION_ID=session-1")
    expect(content).toContain("CLAUDE_EFFORT=high")
    expect(content).toContain(`CLAUDE_PROJECT_DIR=${harness.projectDir}`)
    expect(content).not.toContain("secret")
    expect(content.endsWith("\n/users/own")).toBe(true)
  })

  it("lets a prefix run the command", async () => {
    const wrapper = join(harness.root, "wrapper.sh")
    writeFileSync(wrapper, `#!/bin/sh\necho "<$#:$1>"\nexec sh -c "$1"\n`, { mode: 0o755 })
    const env = { PATH: process.env["PATH"], CLAUDE_CODE_SHELL_PREFIX: wrapper }
    expect((await bash("echo 'it''s'; exit 2", { env })).content).toBe("Exit code 2\n<1:echo 'it''s'; exit 2>\nits")
  })

  it("refuses to run with a shell that is not there", async () => {
    const env = { CLAUDE_CODE_SHELL: "/no/shell" }
    const refused = await harness.run(Effect.flip(harness.bash("true", { env })))
    const message = expect.stringContaining("/no/shell was not found")
    expect(refused).toMatchObject({ _tag: "ToolRefusal", message })
    await expect.poll(leftoverFiles).toEqual([])
  })
})

describe("long output (A3)", () => {
  const MEGABYTE = "yes 012345678901234567890123456789012345678 | head -c 1000000"

  it("is kept whole and previewed when the command succeeds", async () => {
    const { content, data } = await bash(MEGABYTE)
    const path = data.persistedOutputPath ?? ""
    expect(path).toMatch(/session\/tool-results\/toolu_\d+\.txt$/)
    expect(data.persistedOutputSize).toBe(1_000_000)
    expect(statSync(path).size).toBe(1_000_000)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(content.startsWith("<persisted-output>\n")).toBe(true)
    expect(content.endsWith("\n...\n</persisted-output>")).toBe(true)
    expect(content).toContain(path)
    expect(content.length).toBeLessThan(2_500)
    expect(data.stdout.length).toBe(30_000)
    expect(data.outputTail).toMatch(/^(?:\d{39}\n)+\d{39}$/)
    await expect.poll(leftoverFiles).toEqual([])
  })

  it("shows both ends, 10,000 characters, when it fails", async () => {
    const { content, isError } = await bash(`echo first; ${MEGABYTE}; echo last; exit 1`)
    expect(isError).toBe(true)
    expect(content.startsWith("Exit code 1\nfirst\n")).toBe(true)
    expect(content.endsWith("\nlast")).toBe(true)
    expect(content.length).toBeGreaterThan(10_000)
    expect(content.length).toBeLessThan(10_300)
  })

  it("stays inline up to the limit, counted in characters", async () => {
    const inline = await bash("printf '%.0s€' {1..30000}; echo")
    expect(inline.content === "€".repeat(30_000)).toBe(true)
    expect(inline.data.persistedOutputPath).toBeUndefined()
    expect((await bash("printf '%.0sx' {1..30001}")).content).toContain("<persisted-output>")
    const failed = await bash("printf '%.0sx' {1..10000}; exit 1")
    expect(failed.content === `Exit code 1\n${"x".repeat(10_000)}`).toBe(true)
  })

  it("never leaves the directory of results, whatever the id of the call", async () => {
    const { data } = await bash(MEGABYTE, { callId: "../../evil/x" })
    expect(data.persistedOutputPath).toBe(join(harness.sessionDir, "tool-results", "______evil_x.txt"))
  })

  it("is cut with the cause when it cannot be kept", async () => {
    const sessionDir = join(harness.root, "blocked")
    mkdirSync(sessionDir)
    writeFileSync(join(sessionDir, "tool-results"), "a file")
    const { content, isError } = await bash(MEGABYTE, { sessionDir })
    expect(isError).toBe(false)
    expect(content).toContain("The whole output could not be kept: Could not keep")
    expect(content.length).toBeLessThan(31_000)
  })
})

describe("the current directory", () => {
  it("carries over inside the project, also from a failing command", async () => {
    mkdirSync(join(harness.projectDir, "sub"), { recursive: true })
    const moved = await bash("cd sub; exit 3")
    expect(moved).toMatchObject({ cwd: join(harness.projectDir, "sub"), content: "Exit code 3" })
    expect((await bash("pwd", { cwd: moved.cwd ?? "" })).content).toBe(join(harness.projectDir, "sub"))
    expect((await bash("set -eC; cd sub")).cwd).toBe(moved.cwd)
  })

  it("returns to the project from outside and says so (A10)", async () => {
    const result = await bash("cd /; echo hi")
    const notice = `Shell cwd was reset to ${harness.projectDir}`
    expect(result).toMatchObject({ content: `hi\n${notice}`, cwd: harness.projectDir })
    expect(result.data.stderr).toBe(notice)
  })

  it("carries over into added directories and through links, in the session's spelling", async () => {
    const added = join(harness.root, "added")
    const link = join(harness.root, "link")
    mkdirSync(join(added, "deep"), { recursive: true })
    symlinkSync(harness.projectDir, link)
    mkdirSync(join(harness.projectDir, "linked"), { recursive: true })
    expect((await bash(`cd '${added}/deep'`, { additionalDirs: [added] })).cwd).toBe(join(added, "deep"))
    const viaLink = await bash("cd linked", { cwd: link, projectDir: link })
    expect(viaLink.cwd).toBe(join(link, "linked"))
  })

  it("never carries over when that is switched off", async () => {
    mkdirSync(join(harness.projectDir, "off"), { recursive: true })
    const env = { PATH: process.env["PATH"], CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: "1" }
    expect((await bash("cd off", { env })).content).toContain("Shell cwd was reset to")
  })

  it("falls back to the project when it was deleted", async () => {
    const gone = join(harness.projectDir, "gone")
    mkdirSync(gone)
    expect((await bash("rmdir ../gone", { cwd: gone })).content).toContain("Shell cwd was reset to")
    const later = await bash("pwd", { cwd: gone })
    expect(later.content).toContain(`${harness.projectDir}\nThe directory ${gone} no longer exists`)
    expect(later.cwd).toBe(harness.projectDir)
  })

  it("refuses when the project itself is gone", async () => {
    const missing = join(harness.root, "missing")
    const refused = await harness.run(Effect.flip(harness.bash("pwd", { cwd: missing, projectDir: missing })))
    expect(refused).toMatchObject({ _tag: "ToolRefusal" })
  })

  it("is reported without a trace in the output of the command", async () => {
    const commands = ["set -x; cd sub; false", "set -euo pipefail; echo $0 $#; cd sub; false", "if then", "set -C; (exit 5)"]
    for (const command of commands) {
      const plain = await bash({ command: `bash --noprofile --norc -c '${command}'` })
      expect((await bash(command)).content).toBe(plain.content)
    }
  })

  it("works in other POSIX shells", async () => {
    mkdirSync(join(harness.projectDir, "sub"), { recursive: true })
    const dash = bashExecutor({ defaultShell: "dash" })
    const output = await harness.run(dash.run({ command: "cd sub; exit 4" }, harness.context()))
    expect(output).toMatchObject({ content: "Exit code 4", cwd: join(harness.projectDir, "sub") })
  })
})

describe("time (A4)", () => {
  it("stops a sleeping command at its timeout", async () => {
    const started = performance.now()
    const result = await bash({ command: "sleep 0; echo before; sleep 300", timeout: 300 })
    expect(performance.now() - started).toBeLessThan(1_500)
    expect(result).toMatchObject({ isError: true, content: "Command timed out after 0.3 s and was stopped\nbefore" })
    expect(result.data).toMatchObject({ interrupted: true, timedOutAfterMs: 300, stdout: "before" })
  })

  it("moves a server to the background, where it goes on", async () => {
    const result = await bash({ command: "echo up; tail -f /dev/null", timeout: 200 })
    const { backgroundTaskId = "", rawOutputPath = "" } = result.data
    expect(result.isError).toBe(false)
    expect(backgroundTaskId).toMatch(/^b[0-9a-z]{8}$/)
    expect(result.content).toContain("did not finish within 0.2 s and goes on in the background as task ")
    expect(result.content).toContain(backgroundTaskId)
    expect(result.content).toContain("Directory changes it makes do not apply")
    expect(result.content).toContain(rawOutputPath)
    expect(readFileSync(rawOutputPath, "utf8")).toBe("up\n")
  })

  it("stops it when background tasks are off", async () => {
    const env = { PATH: process.env["PATH"], CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" }
    expect((await bash({ command: "tail -f /dev/null", timeout: 50 }, { env })).isError).toBe(true)
  })
})

describe("files that were read before", () => {
  const read = (path: string) =>
    harness.run(
      Effect.gen(function* () {
        const { hash, stat } = yield* (yield* Files).read(path)
        const state = yield* FileState
        const entry = { path, content: "", hash, mtimeMs: stat.mtimeMs, size: stat.size }
        yield* state.record({ ...entry, partial: false, source: "read" })
      })
    )

  it("are named when the command changed or removed them, and not when it only touched them", async () => {
    const [one, two, three] = ["one", "two", "three"].map((name) => join(harness.root, name))
    for (const path of [one, two, three]) {
      writeFileSync(path ?? "", "as it was\n")
      await read(path ?? "")
    }
    expect((await bash(`echo more >> ${one}; touch ${two}; rm ${three}`)).content).toContain(
      `The command changed files that you had read: ${one}, ${three}. Read them again`
    )
    expect((await bash(`cat ${one}; touch ${two}`)).content).not.toContain("that you had read")
  })
})

describe("progress", () => {
  it("comes at most ten times a second and ends with the last state", async () => {
    harness.progress.length = 0
    const started = performance.now()
    await bash("for i in {1..45}; do echo $i; sleep 0.01; done")
    const seconds = (performance.now() - started) / 1_000
    expect(harness.progress.length).toBeGreaterThan(1)
    expect(harness.progress.length).toBeLessThanOrEqual(Math.ceil(seconds * 10) + 1)
    expect(harness.progress.at(-1)).toMatchObject({ type: "bash_progress", totalLines: 45, totalBytes: 126 })
  })

  it("is silent for a quick command", async () => {
    harness.progress.length = 0
    await bash("echo quick")
    // On a busy machine the command is not quick.
    expect(harness.progress.filter((said) => said.type !== "bash_progress" || said.elapsedMs < 100)).toEqual([])
  })
})

describe("interruption", () => {
  it("frees the fiber at once and still ends the whole group", async () => {
    const ready = join(harness.root, "ready")
    const interrupting = async (): Promise<number> => {
      const before = leftoverFiles()
      const command = `trap '' INT; sh -c 'sleep 1000 & sleep 1000' & echo $$ > '${ready}'; wait`
      const fiber = await harness.run(Effect.forkDetach(harness.bash(command)))
      await until("it runs", () => existsSync(ready) && readFileSync(ready, "utf8").endsWith("\n"))
      const group = Number(readFileSync(ready, "utf8"))
      const started = performance.now()
      await harness.run(Fiber.interrupt(fiber))
      const took = performance.now() - started
      await until("the group is gone", () => livingMembers(group).length === 0)
      await until("its files are gone", () => leftoverFiles().every((name) => before.includes(name)))
      rmSync(ready)
      return took
    }
    // Some milliseconds, far below the 500 ms that the next signal waits.
    expect(await shortest(250, interrupting)).toBeLessThan(250)
  })
})
