import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { layer as exitGuardLayer } from "../../../src/adapters/process/exit-guard.ts"
import { layer } from "../../../src/adapters/process/node.ts"
import { Process } from "../../../src/core/ports/Process.ts"
import { bashCommand, type Harness, livingMembers, makeHarness, temporaryDirectory, until } from "./harness.ts"

let harness: Harness
beforeEach(() => {
  harness = makeHarness()
})
afterEach(() => harness.close())

const readyFile = (name: string): string => join(harness.dir, name)

/** Starts and waits until the command has said that it is set up. */
const startReady = async (name: string, command: string) => {
  const running = await harness.start(command.replace("READY", `: > '${readyFile(name)}'`))
  await until(`${name} is ready`, () => existsSync(readyFile(name)))
  return running
}

describe("closing", () => {
  it("leaves nothing behind: running, stubborn, and left by a command that has ended", async () => {
    const plain = await startReady("plain", "sh -c 'sleep 1000 & sleep 1000' & READY; wait")
    const stubborn = await startReady("stubborn", "trap '' INT TERM; READY; while :; do sleep 0.1; done")
    const leaver = await startReady("leaver", "sleep 1000 & READY")
    await harness.run(leaver.exit)
    expect(livingMembers(leaver.pid).length).toBe(1)
    const service = await harness.run(Process)
    const started = performance.now()
    await harness.close()
    expect(performance.now() - started).toBeLessThan(5_000)
    for (const running of [plain, stubborn, leaver]) expect(livingMembers(running.pid)).toEqual([])
    const late = service.run({ file: "true", args: [], cwd: "/", env: {}, timeoutMs: 1_000, maxOutputBytes: 1 })
    await expect(Effect.runPromise(late)).rejects.toMatchObject({ reason: "closed" })
  })

  it("leaves no pipe directory behind; where the system allows it there is none while commands run", async () => {
    const own = temporaryDirectory()
    vi.stubEnv("TMPDIR", own)
    const running = await harness.start("sleep 1000")
    const during = readdirSync(own)
    if (process.platform === "linux") expect(during).toEqual([])
    else expect(during).toEqual([expect.stringMatching(/^nacre-pipes-/)])
    await harness.close()
    expect(running.pid).toBeGreaterThan(0)
    expect(readdirSync(own)).toEqual([])
    vi.unstubAllEnvs()
    rmSync(own, { recursive: true })
  })
})

describe("a program that ends without closing", () => {
  it("takes its commands with it, because somebody listens for the exit; one listener is enough", async () => {
    const before = process.listeners("exit")
    const processes = Effect.map(Layer.build(Layer.fresh(layer)), Context.get(Process))
    const guarded = Effect.gen(function* () {
      const owners = [yield* processes, yield* processes]
      const groups = yield* Effect.forEach(owners, ({ start }, index) =>
        start(bashCommand(harness.dir, "exec sleep 1000", `owned-${index}`))
      )
      const [listener, ...others] = process.listeners("exit").filter((each) => !before.includes(each))
      expect(others).toEqual([])
      Reflect.apply(listener ?? expect.unreachable(), process, [0])
      for (const { pid } of groups) {
        yield* Effect.promise(() => until("the group is gone", () => livingMembers(pid).length === 0))
      }
    })
    await Effect.runPromise(Effect.scoped(guarded).pipe(Effect.provide(exitGuardLayer)))
    expect(process.listeners("exit")).toEqual(before)
  })
})

describe("resolveDirectory", () => {
  it("follows links and knows what is not a directory", async () => {
    const resolve = (path: string) => harness.run(Effect.flatMap(Process, (service) => service.resolveDirectory(path)))
    symlinkSync(harness.dir, join(harness.dir, "link"))
    writeFileSync(join(harness.dir, "file"), "")
    expect(await resolve(join(harness.dir, "link"))).toBe(harness.dir)
    expect(await resolve(join(harness.dir, "file"))).toBeNull()
    expect(await resolve(join(harness.dir, "none"))).toBeNull()
  })
})
