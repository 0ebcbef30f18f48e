import { rgPath } from "@vscode/ripgrep"
import { Effect, Fiber, Layer, Result } from "effect"
import { execFileSync } from "node:child_process"
import { chmod, readFile, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { fileTypes, typeGlobs } from "../../../src/adapters/search/file-types.ts"
import { layerFor } from "../../../src/adapters/search/layer.ts"
import { makeRipgrep } from "../../../src/adapters/search/ripgrep.ts"
import { type GrepRequest, Search } from "../../../src/core/ports/Search.ts"
import { withTree } from "./tree.ts"

const request = (root: string): GrepRequest => ({
  root,
  pattern: "foo",
  globs: [],
  ignoreCase: false,
  multiline: false,
  exclude: [],
  timeoutMs: 20_000
})

/** A program in ripgrep's place. `$0.args` collects the arguments of every run. */
const standIn = async (root: string, script: string) => {
  const program = join(root, "rg")
  await writeFile(program, `#!/bin/sh\necho "$@" >> "$0.args"\n${script}\n`)
  await chmod(program, 0o700)
  return {
    search: makeRipgrep(program, "stand-in"),
    runs: async () => (await readFile(`${program}.args`, "utf8")).trim().split("\n")
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe("ripgrep's exit codes", () => {
  it("1 is nothing found", () =>
    withTree({}, async (root) => {
      const { search } = await standIn(root, "exit 1")
      expect(await Effect.runPromise(search.grepFiles(request(root)))).toEqual({ entries: [], complete: true })
    }))

  it("2 with results keeps them and passes on the diagnostic", () =>
    withTree({ a: "foo" }, async (root) => {
      const { search } = await standIn(root, `printf '${root}/a\\0'; echo 'shut: Permission denied' >&2; exit 2`)
      expect(await Effect.runPromise(search.grepFiles(request(root)))).toEqual({
        entries: [join(root, "a")],
        complete: true,
        warning: "shut: Permission denied"
      })
    }))

  it("2 without results is a failure with the diagnostic", () =>
    withTree({}, async (root) => {
      const { search } = await standIn(root, "echo 'regex parse error: nonsense' >&2; exit 2")
      const failed = await Effect.runPromise(Effect.result(search.grepFiles(request(root))))
      expect(Result.isFailure(failed) && failed.failure.message).toBe("regex parse error: nonsense")
      expect(Result.isFailure(failed) && failed.failure.kind).toBe("pattern")
    }))

  it("a program that cannot be started is a failure, not a crash", async () => {
    const failed = await Effect.runPromise(Effect.result(makeRipgrep("/nowhere/rg", "none").grepFiles(request("/"))))
    expect(Result.isFailure(failed) && failed.failure.kind).toBe("engine")
  })
})

describe("a busy machine", () => {
  it("is asked once more with a single thread, and the first attempt leaves nothing behind", () =>
    withTree({ a: "foo" }, async (root) => {
      const busy = "echo 'Resource temporarily unavailable (os error 11)' >&2; exit 2"
      const { search, runs } = await standIn(
        root,
        `printf '${root}/a\\0'\ncase "$1" in --threads=1) exit 0 ;; *) ${busy} ;; esac`
      )
      const found = await Effect.runPromise(search.grepFiles(request(root)))
      expect(found).toEqual({ entries: [join(root, "a")], complete: true })
      expect((await runs()).map((line) => line.startsWith("--threads=1 "))).toEqual([false, true])
    }))

  it("is not asked a third time", () =>
    withTree({}, async (root) => {
      const { search, runs } = await standIn(root, "echo 'os error 11' >&2; exit 2")
      expect(Result.isFailure(await Effect.runPromise(Effect.result(search.grepFiles(request(root)))))).toBe(true)
      expect(await runs()).toHaveLength(2)
    }))
})

describe("a search that does not end", () => {
  it("is ended at the time limit with what it found", () =>
    withTree({ a: "foo" }, async (root) => {
      const { search } = await standIn(root, `printf '${root}/a\\0'; exec sleep 60`)
      // Long enough for a shell to start on a busy machine; the test does not depend on what was read by then.
      const found = await Effect.runPromise(search.grepFiles({ ...request(root), timeoutMs: 300 }))
      expect(found.complete).toBe(false)
    }))

  it("is killed with the asking fiber", () =>
    withTree({}, async (root) => {
      const { search } = await standIn(root, 'echo $$ > "$0.pid"; exec sleep 60')
      const fiber = Effect.runFork(search.grepFiles(request(root)))
      const pidText = () => readFile(join(root, "rg.pid"), "utf8").catch(() => "")
      await expect.poll(pidText).toMatch(/\d+\n/)
      const pid = Number(await pidText())
      await Effect.runPromise(Fiber.interrupt(fiber))
      await expect.poll(() => isAlive(pid)).toBe(false)
    }))
})

describe("the choice of engine", () => {
  const engine = (env: Record<string, string>) =>
    Effect.runPromise(Effect.flatMap(Search, (search) => search.engine).pipe(Effect.provide(Layer.fresh(layerFor(env)))))

  it("takes the packaged ripgrep first", async () => {
    expect(await engine({ PATH: "" })).toMatch(/^ripgrep \d.*, packaged$/)
  })

  it("takes the one on the PATH when the packaged one is not wanted, but none of a project", () =>
    withTree({}, async (root) => {
      await symlink(rgPath, join(root, "rg"))
      const onPath = (directory: string) => engine({ USE_BUILTIN_RIPGREP: "0", PATH: directory })
      expect(await onPath(root)).toMatch(/^ripgrep \d.*, from PATH$/)
      expect(await onPath(dirname(rgPath))).toContain("built-in search")
    }))

  it("searches by itself when there is none, and never runs one from a relative directory", () =>
    withTree({}, async () => {
      expect(await engine({ USE_BUILTIN_RIPGREP: "0", PATH: "/nowhere:.:node_modules/.bin" })).toContain("built-in search")
    }))

  it("has ripgrep's own file types", () => {
    const listed = new Map(
      execFileSync(rgPath, ["--no-config", "--type-list"], { encoding: "utf8" })
        .trim()
        .split("\n")
        .map((line) => line.split(": ") as [string, string])
    )
    for (const type of fileTypes) expect(typeGlobs(type)?.join(", "), type).toBe(listed.get(type))
  })
})
