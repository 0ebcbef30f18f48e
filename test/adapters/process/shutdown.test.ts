import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { Process } from "../../../src/core/ports/Process.ts"
import { type Harness, livingMembers, makeHarness, temporaryDirectory, until } from "./harness.ts"

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

describe("shutdown", () => {
  it("leaves nothing behind: running, stubborn, and left by a command that has ended", async () => {
    const plain = await startReady("plain", "sh -c 'sleep 1000 & sleep 1000' & READY; wait")
    const stubborn = await startReady("stubborn", "trap '' INT TERM; READY; while :; do sleep 0.1; done")
    const leaver = await startReady("leaver", "sleep 1000 & READY")
    await harness.run(leaver.exit)
    expect(livingMembers(leaver.pid).length).toBe(1)
    const started = performance.now()
    await harness.run(Effect.flatMap(Process, (service) => service.shutdown))
    expect(performance.now() - started).toBeLessThan(5_000)
    for (const running of [plain, stubborn, leaver]) expect(livingMembers(running.pid)).toEqual([])
    await expect(harness.start("true")).rejects.toMatchObject({ reason: "closed" })
  })

  it("happens when the layer closes", async () => {
    const running = await startReady("closing", "READY; exec sleep 1000")
    await harness.close()
    expect(livingMembers(running.pid)).toEqual([])
  })

  it("has a synchronous last resort", async () => {
    const running = await startReady("last", "trap '' INT TERM; READY; sleep 1000 & wait")
    await harness.run(Effect.map(Process, (service) => service.killAllNow()))
    await until("the group is gone", () => livingMembers(running.pid).length === 0)
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

describe("a program that ends without shutdown", () => {
  it("takes its commands with it, because the layer listens for the exit", async () => {
    const before = process.listeners("exit")
    const running = await startReady("exit", "trap '' INT TERM; READY; sleep 1000 & wait")
    const [listener, ...others] = process.listeners("exit").filter((each) => !before.includes(each))
    expect(others).toEqual([])
    Reflect.apply(listener ?? expect.unreachable(), process, [0])
    await until("the group is gone", () => livingMembers(running.pid).length === 0)
    await harness.close()
    expect(process.listeners("exit")).toEqual(before)
  })
})

describe("resolveDirectory", () => {
  it("follows links and knows what is no directory", async () => {
    const resolve = (path: string) => harness.run(Effect.flatMap(Process, (service) => service.resolveDirectory(path)))
    symlinkSync(harness.dir, join(harness.dir, "link"))
    writeFileSync(join(harness.dir, "file"), "")
    expect(await resolve(join(harness.dir, "link"))).toBe(harness.dir)
    expect(await resolve(join(harness.dir, "file"))).toBeNull()
    expect(await resolve(join(harness.dir, "none"))).toBeNull()
  })
})
