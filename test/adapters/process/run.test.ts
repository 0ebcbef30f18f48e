import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { Process, type RunSpec } from "../../../src/core/ports/Process.ts"
import { type Harness, livingMembers, makeHarness, until } from "./harness.ts"

let harness: Harness
beforeAll(() => {
  harness = makeHarness()
})
afterAll(() => harness.close())

const program = (file: string, args: ReadonlyArray<string>, overrides: Partial<RunSpec> = {}) =>
  Effect.flatMap(Process, (service) =>
    service.run({
      file,
      args,
      cwd: harness.dir,
      env: { PATH: process.env["PATH"] },
      timeoutMs: 10_000,
      maxOutputBytes: 100_000,
      ...overrides
    })
  )

describe("a plain program", () => {
  it("passes arguments as they are and keeps the streams apart", async () => {
    const result = await harness.run(program("sh", ["-c", 'printf "%s" "$1"; echo err >&2; exit 4', "sh", "a b;$(c)"]))
    expect(result).toEqual({
      code: 4,
      signal: null,
      stdout: "a b;$(c)",
      stderr: "err\n",
      truncated: false,
      timedOut: false
    })
  })

  it("feeds stdin, also to a program that does not read it", async () => {
    expect((await harness.run(program("cat", [], { stdin: "hello" }))).stdout).toBe("hello")
    expect((await harness.run(program("true", [], { stdin: "x".repeat(1_000_000) }))).code).toBe(0)
  })

  it("bounds the output and ends the program", async () => {
    const result = await harness.run(program("yes", [], { maxOutputBytes: 1_001 }))
    expect(result.truncated).toBe(true)
    expect(result.stdout.length).toBe(1_001)
  })

  it("ends the program when its time is over", async () => {
    const result = await harness.run(program("sleep", ["1000"], { timeoutMs: 30 }))
    expect(result).toMatchObject({ timedOut: true, signal: "SIGINT" })
  })

  it("does not wait for a daemon that holds the pipes", async () => {
    const result = await harness.run(program("sh", ["-c", "sleep 1000 & echo started"]))
    expect(result).toMatchObject({ code: 0, stdout: "started\n" })
  })

  it("ends the group when its fiber is interrupted", async () => {
    const pidFile = join(harness.dir, "pid")
    const fiber = await harness.run(Effect.forkDetach(program("sh", ["-c", `echo $$ > '${pidFile}'; sleep 1000`])))
    await until("it runs", () => existsSync(pidFile) && readFileSync(pidFile, "utf8").endsWith("\n"))
    const group = Number(readFileSync(pidFile, "utf8"))
    await harness.run(Fiber.interrupt(fiber))
    await until("the group is gone", () => livingMembers(group).length === 0)
  })

  it("fails when there is no such program", async () => {
    await expect(harness.run(program("no-such-program", []))).rejects.toMatchObject({ reason: "program-missing" })
  })
})
